package server_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"waymark/client"
	"waymark/search"
	"waymark/search/searchtest"
	"waymark/server"
)

// daemon is a world that answers at a socket.
type daemon struct {
	*searchtest.World
	socket string
	server *server.Server
	http   *http.Client
	dials  atomic.Int64 // connections that http made
	log    lockedBuffer
}

// lockedBuffer is a log that can be read while it is written.
type lockedBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

// serve starts a daemon; change may alter what the server is made of.
func serve(t *testing.T, o searchtest.Options, change func(*server.Options)) *daemon {
	t.Helper()
	o.Activity = true
	d := &daemon{World: searchtest.Open(t, o)}
	// A path that leaves room for the name of a socket.
	dir, err := os.MkdirTemp("", "wm")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	d.socket = filepath.Join(dir, "s")
	operators, err := server.NewOperators(os.Getuid(), "")
	if err != nil {
		t.Fatal(err)
	}
	options := server.Options{Store: d.Store, Registry: d.Tools, Writer: d.Writer, Index: d.Index, Activity: d.Activity, Operators: operators,
		Version: "test", Model: d.Embedder.ModelID(), Log: slog.New(slog.NewTextHandler(&d.log, nil)), Now: d.Now}
	if change != nil {
		change(&options)
	}
	d.server = server.New(options)
	listener, err := server.Listen(d.socket, "")
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- d.server.Serve(listener) }()
	d.server.SetReady()
	d.http = &http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		d.dials.Add(1)
		var dialer net.Dialer
		return dialer.DialContext(ctx, "unix", d.socket)
	}}}
	t.Cleanup(func() {
		d.http.CloseIdleConnections()
		patience, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		if err := d.server.Shutdown(patience); err != nil {
			t.Errorf("Shutdown() = %v", err)
		}
		if err := <-ended; err != nil {
			t.Errorf("Serve() = %v", err)
		}
	})
	return d
}

// reply is what a request got.
type reply struct {
	status int
	header http.Header
	body   string
}

// envelope is the error of a reply; the zero value when there is none.
func (r reply) envelope(t *testing.T) search.Error {
	t.Helper()
	var e struct{ Error search.Error }
	if err := json.Unmarshal([]byte(r.body), &e); err != nil {
		t.Errorf("the body is no JSON (%v): %q", err, r.body)
	}
	return e.Error
}

// send makes one request; headers are pairs of name and value.
func (d *daemon) send(t *testing.T, method, path, body string, headers ...string) reply {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, "http://waymark"+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i+1 < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	response, err := d.http.Do(request)
	if err != nil {
		t.Fatalf("%s %s: %v", method, path, err)
	}
	defer response.Body.Close()
	all, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatalf("%s %s: %v", method, path, err)
	}
	return reply{response.StatusCode, response.Header, string(all)}
}

// inWorkspace are the headers of an operator's call in a workspace.
func inWorkspace(id string) []string { return []string{"Waymark-Workspace", id} }

// asAgent is the header of an agent's call.
func asAgent(token string) []string { return []string{"Authorization", "Bearer " + token} }

// newAgent makes an agent with the given tools and returns its token.
func (d *daemon) newAgent(t *testing.T, workspace, name string, tools ...string) string {
	t.Helper()
	_, token, err := d.Store.CreateAgent(workspace, name, tools)
	if err != nil {
		t.Fatal(err)
	}
	return token
}

func (d *daemon) client(t *testing.T, o client.Options) *client.Client {
	t.Helper()
	c := client.New(d.socket, o)
	t.Cleanup(c.Close)
	return c
}

// want checks the status and the code of a reply, and that an error says what to
// do.
func (r reply) want(t *testing.T, what string, status int, code search.Code) search.Error {
	t.Helper()
	if r.status != status {
		t.Errorf("%s: status %d, want %d: %s", what, r.status, status, r.body)
	}
	if code == "" {
		return search.Error{}
	}
	e := r.envelope(t)
	if e.Code != code || e.Message == "" || e.Hint == "" {
		t.Errorf("%s: %+v, want %s with a message and a hint", what, e, code)
	}
	if got := r.header.Get("Content-Type"); got != "application/json" {
		t.Errorf("%s: Content-Type %q", what, got)
	}
	return e
}
