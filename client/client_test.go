package client_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"waymark/client"
	"waymark/search"
)

// answering starts a server at a socket that answers every request with handle.
func answering(t *testing.T, handle http.HandlerFunc) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "wm")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	socket := filepath.Join(dir, "s")
	l, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	s := &http.Server{Handler: handle}
	go s.Serve(l)
	t.Cleanup(func() { s.Close() })
	return socket
}

// seen is what a request showed.
type seen struct {
	Method, Path, Body, Workspace, Agent, Authorization, ContentType string
}

func TestWhatIsSent(t *testing.T) {
	var got seen
	socket := answering(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got = seen{r.Method, r.URL.EscapedPath(), string(body), r.Header.Get(client.WorkspaceHeader), r.Header.Get(client.AgentHeader), r.Header.Get("Authorization"), r.Header.Get("Content-Type")}
		fmt.Fprint(w, `{}`)
	})
	json := "application/json"
	for _, c := range []struct {
		name string
		o    client.Options
		call func(*client.Client) error
		want seen
	}{
		{"an operator without a workspace", client.Options{}, func(c *client.Client) error { return c.Get(t.Context(), "/v1/workspaces", nil) },
			seen{Method: "GET", Path: "/v1/workspaces"}},
		{"an operator", client.Options{Workspace: "acme"}, func(c *client.Client) error { return c.Get(t.Context(), "/v1/trails", nil) },
			seen{Method: "GET", Path: "/v1/trails", Workspace: "acme"}},
		{"a name that no header holds", client.Options{Workspace: "Größe\n& Söhne", Agent: "Jürgen"}, func(c *client.Client) error { return c.Get(t.Context(), "/v1/trails", nil) },
			seen{Method: "GET", Path: "/v1/trails", Workspace: "Gr%C3%B6%C3%9Fe%0A&%20S%C3%B6hne", Agent: "J%C3%BCrgen"}},
		{"a token hides the rest", client.Options{Workspace: "acme", Agent: "clerk", Token: "wmk_x"}, func(c *client.Client) error { return c.Get(t.Context(), "/v1/tools", nil) },
			seen{Method: "GET", Path: "/v1/tools", Authorization: "Bearer wmk_x"}},
		{"a search of rules", client.Options{}, func(c *client.Client) error {
			_, err := c.SearchTrailRules(t.Context(), search.RuleQuery{Query: "q", Trails: []string{"a"}})
			return err
		}, seen{Method: "POST", Path: "/v1/call/search_trail_rules", Body: `{"query":"q","trails":["a"]}`, ContentType: json}},
		{"a Trail", client.Options{}, func(c *client.Client) error {
			_, err := c.BrainContext(t.Context(), search.BrainQuery{Trail: "t", Query: "q"})
			return err
		}, seen{Method: "POST", Path: "/v1/call/get_brain_context", Body: `{"trail":"t","query":"q"}`, ContentType: json}},
		{"domains", client.Options{}, func(c *client.Client) error { _, err := c.TrailDomains(t.Context(), search.DomainQuery{}); return err },
			seen{Method: "POST", Path: "/v1/call/list_trail_domains_and_tags", Body: `{}`, ContentType: json}},
		{"a search of documents", client.Options{}, func(c *client.Client) error {
			_, err := c.SearchDocuments(t.Context(), search.DocumentQuery{Query: "q", InForce: true})
			return err
		}, seen{Method: "POST", Path: "/v1/call/kb_search", Body: `{"query":"q","in_force":true}`, ContentType: json}},
		{"a document", client.Options{}, func(c *client.Client) error {
			_, err := c.GetDocument(t.Context(), search.GetQuery{ID: "d"})
			return err
		}, seen{Method: "POST", Path: "/v1/call/kb_get", Body: `{"id":"d"}`, ContentType: json}},
		{"a list", client.Options{}, func(c *client.Client) error { _, err := c.ListDocuments(t.Context(), search.ListQuery{}); return err },
			seen{Method: "POST", Path: "/v1/call/kb_list", Body: `{}`, ContentType: json}},
		{"the outline", client.Options{}, func(c *client.Client) error { _, err := c.Outline(t.Context(), search.OutlineQuery{}); return err },
			seen{Method: "POST", Path: "/v1/call/kb_outline", Body: `{}`, ContentType: json}},
		{"what is due", client.Options{}, func(c *client.Client) error {
			_, err := c.Curate(t.Context(), search.CurateQuery{Limit: 3})
			return err
		}, seen{Method: "POST", Path: "/v1/call/kb_curate", Body: `{"limit":3}`, ContentType: json}},
		{"any tool without arguments", client.Options{}, func(c *client.Client) error { _, err := c.CallRaw(t.Context(), "a/b c", nil); return err },
			seen{Method: "POST", Path: "/v1/call/a%2Fb%20c", Body: `{}`, ContentType: json}},
		{"an edit", client.Options{}, func(c *client.Client) error {
			return c.Patch(t.Context(), client.Path("rules", "a/b?c"), map[string]string{"text": "x"}, nil)
		}, seen{Method: "PATCH", Path: "/v1/rules/a%2Fb%3Fc", Body: `{"text":"x"}`, ContentType: json}},
		{"a post without a body", client.Options{}, func(c *client.Client) error { return c.Post(t.Context(), "/v1/x", nil, nil) }, seen{Method: "POST", Path: "/v1/x"}},
		{"a deletion", client.Options{}, func(c *client.Client) error { return c.Delete(t.Context(), client.Path("trails", "ü")) }, seen{Method: "DELETE", Path: "/v1/trails/%C3%BC"}},
	} {
		x := client.New(socket, c.o)
		if err := c.call(x); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		x.Close()
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%s (-want +sent):\n%s", c.name, d)
		}
	}
}

func TestFailures(t *testing.T) {
	socket := answering(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/v1/known":
			w.WriteHeader(http.StatusNotFound)
			fmt.Fprint(w, `{"error": {"code": "unknown_trail", "message": "m", "hint": "h", "valid": ["a"], "also": [{"code": "unknown_domain"}]}}`)
		case "/v1/strange":
			w.WriteHeader(http.StatusBadGateway)
			fmt.Fprint(w, `<html>`)
		case "/v1/garbage":
			fmt.Fprint(w, `{"x"`)
		case "/v1/cut":
			w.Header().Set("Content-Length", "100")
			fmt.Fprint(w, `{"x": `)
			panic(http.ErrAbortHandler)
		case "/v1/hang-up":
			panic(http.ErrAbortHandler)
		}
	})
	c := client.New(socket, client.Options{})
	defer c.Close()
	var out map[string]any
	err := c.Get(t.Context(), "/v1/known", &out)
	var e *search.Error
	if !errors.As(err, &e) || e.Code != search.CodeUnknownTrail || len(e.Valid) != 1 || len(e.Also) != 1 {
		t.Errorf("an error of ours: %#v", err)
	}
	body, err := c.Raw(t.Context(), "GET", "/v1/known", nil)
	if !errors.As(err, &e) || !strings.Contains(string(body), `"unknown_trail"`) {
		t.Errorf("Raw = %q, %v; want the bytes beside the error", body, err)
	}
	if err := c.Get(t.Context(), "/v1/strange", &out); err == nil || errors.As(err, &e) && e.Code != search.CodeUnknownTrail || !strings.Contains(err.Error(), "502") {
		t.Errorf("an error that is not ours: %v", err)
	}
	if err := c.Get(t.Context(), "/v1/garbage", &out); err == nil || errors.Is(err, client.ErrUnreachable) {
		t.Errorf("an answer that is no JSON: %v", err)
	}
	for _, path := range []string{"/v1/cut", "/v1/hang-up"} {
		if err := c.Get(t.Context(), path, &out); !errors.Is(err, client.ErrInterrupted) || !errors.Is(err, client.ErrUnreachable) {
			t.Errorf("%s: %v, want ErrInterrupted", path, err)
		}
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := c.Get(ended, "/v1/known", &out); !errors.Is(err, context.Canceled) || errors.Is(err, client.ErrUnreachable) {
		t.Errorf("a context that has ended: %v", err)
	}
	nobody := client.New(socket+"x", client.Options{})
	if err := nobody.Get(t.Context(), "/v1/known", &out); !errors.Is(err, client.ErrUnreachable) || errors.Is(err, client.ErrInterrupted) || !strings.Contains(err.Error(), socket+"x") {
		t.Errorf("nobody there: %v, want ErrUnreachable with the socket", err)
	}
}
