package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"waymark/search"
	"waymark/tool"
)

// curl posts to the socket without any code of ours.
func (h *host) curl(t *testing.T, path string, header map[string]string, body string) (int, string) {
	t.Helper()
	c := http.Client{Transport: &http.Transport{DisableKeepAlives: true, DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", h.cfg.Socket)
	}}}
	r, err := http.NewRequest(http.MethodPost, "http://waymark"+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range header {
		r.Header.Set(name, value)
	}
	answer, err := c.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	b, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, string(b)
}

// overStdio makes calls through the bridge, as a host does, and returns the
// structured answer of each.
func overStdio(t *testing.T, p place, agent string, calls []transportCase) []json.RawMessage {
	t.Helper()
	lines := []string{`{"jsonrpc":"2.0","id":"i","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`}
	for i, c := range calls {
		lines = append(lines, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, i, c.tool, c.arguments))
	}
	o := runWith(t, t.Context(), strings.Join(lines, "\n")+"\n", "mcp", "--agent", agent, "-w", p.workspace, "--socket", p.cfg.Socket).want(t, 0)
	answers := make([]json.RawMessage, len(calls))
	for line := range strings.Lines(o.stdout) {
		var m struct {
			ID     any
			Result struct {
				StructuredContent json.RawMessage
				IsError           bool
			}
		}
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			t.Fatalf("%q is no message: %v", line, err)
		}
		if n, isNumber := m.ID.(float64); isNumber {
			answers[int(n)] = m.Result.StructuredContent
			if wrong := calls[int(n)].code != ""; m.Result.IsError != wrong {
				t.Errorf("isError of %s is %v, want %v", calls[int(n)].name, m.Result.IsError, wrong)
			}
		}
	}
	return answers
}

type transportCase struct {
	name, tool, arguments string
	code                  search.Code // empty: it is answered
}

// TestEveryTransportSaysTheSame makes the same calls over the command line, JSON
// on the socket, and MCP on stdio: answers and errors are equal, hints and valid
// names included.
func TestEveryTransportSaysTheSame(t *testing.T) {
	p := newPlace(t)
	for _, trail := range []string{"Office", "office", "Kitchen"} {
		p.run(t, "trail", "create", trail).want(t, 0)
	}
	p.run(t, "rule", "add", "--approve", "--trail", "Kitchen", "--domain", "Green", "--cluster", "Herbs", "--id", "K-1", "Herbs in the kitchen are watered each Monday.").want(t, 0)
	p.run(t, "import", write(t, "lunch.md", page("Lunch", "Lunch is served from noon to two."))).want(t, 0)
	p.run(t, "agent", "create", "reviewer", "--enable", "search_trail_rules").want(t, 0)
	cases := []transportCase{
		{"rules", "search_trail_rules", `{"query": "when are herbs watered", "explain": true}`, ""},
		{"nothing", "search_trail_rules", `{"query": "how long do I boil an egg at high altitude"}`, ""},
		{"documents", "kb_search", `{"query": "when is lunch", "verbose": true}`, ""},
		{"brain", "get_brain_context", `{"trail": "Kitchen", "query": "herbs"}`, ""},
		{"names", "list_trail_domains_and_tags", `{}`, ""},
		{"one for a list, text for a number", "search_trail_rules", `{"query": "herbs", "trails": "Kitchen", "limit": "1"}`, ""},
		{"no query", "search_trail_rules", `{}`, search.CodeQueryMissing},
		{"blank query", "search_trail_rules", `{"query": " \t "}`, search.CodeQueryMissing},
		{"unknown Trail", "search_trail_rules", `{"query": "herbs", "trails": ["Kichen", "Garage"]}`, search.CodeUnknownTrail},
		{"unknown domain", "search_trail_rules", `{"query": "herbs", "domains": ["Gren"]}`, search.CodeUnknownDomain},
		{"unknown cluster", "search_trail_rules", `{"query": "herbs", "clusters": ["Herb"]}`, search.CodeUnknownCluster},
		{"several wrong names", "search_trail_rules", `{"query": "herbs", "domains": ["Gren"], "clusters": ["Herb"]}`, search.CodeUnknownDomain},
		{"two of one name", "search_trail_rules", `{"query": "herbs", "trails": ["OFFICE"]}`, search.CodeNameAmbiguous},
		{"wrong type", "search_trail_rules", `{"query": "herbs", "limit": "many"}`, search.CodeInvalidArgument},
		{"unknown argument", "search_trail_rules", `{"query": "herbs", "querry": "x"}`, search.CodeUnknownArgument},
		{"too long", "search_trail_rules", `{"query": "` + strings.Repeat("herbs ", 400) + `"}`, search.CodeTooLarge},
		{"a cursor that is none", "search_trail_rules", `{"query": "herbs", "cursor": "x"}`, search.CodeInvalidArgument},
		{"a tool that is off", "kb_curate", `{}`, search.CodeToolNotEnabled},
		{"no such tool", "kb_serch", `{}`, search.CodeUnknownTool},
		{"no such document", "kb_get", `{"id": "lunsh"}`, search.CodeUnknownDocument},
		{"no such Trail's brain", "get_brain_context", `{"trail": "Garage", "query": "cars"}`, search.CodeUnknownTrail},
	}
	stdio := overStdio(t, p, "reviewer", cases)
	for i, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			line := p.run(t, "call", c.tool, c.arguments, "--agent", "reviewer")
			status, posted := p.curl(t, "/v1/call/"+c.tool, map[string]string{"Waymark-Workspace": strings.ReplaceAll(p.workspace, " ", "%20"), "Waymark-Agent": "reviewer"}, c.arguments)
			if posted != line.stdout {
				t.Errorf("over the socket %q, on the command line %q", posted, line.stdout)
			}
			if d := cmp.Diff(decoded(t, []byte(posted)), decoded(t, stdio[i])); d != "" {
				t.Errorf("over MCP (-socket +MCP):\n%s", d)
			}
			if c.code == "" {
				line.want(t, 0)
				if status != http.StatusOK {
					t.Errorf("status %d: %s", status, posted)
				}
				return
			}
			failed := document[struct{ Error search.Error }](t, line).Error
			if failed.Code != c.code || failed.Hint == "" || failed.Message == "" {
				t.Errorf("%s = %+v, want %s with message and hint", c.arguments, failed, c.code)
			}
			if line.code != codes[c.code] || status < 400 {
				t.Errorf("exit code %d and status %d, want %d and a failure", line.code, status, codes[c.code])
			}
		})
	}
}

func decoded(t *testing.T, b []byte) any {
	t.Helper()
	var v any
	if err := json.Unmarshal(bytes.TrimSpace(b), &v); err != nil {
		t.Fatalf("%q is no JSON: %v", b, err)
	}
	return v
}

// TestAStaleCursorIsToldEverywhere: the page after a change is that of another
// answer.
func TestAStaleCursorIsToldEverywhere(t *testing.T) {
	p := newPlace(t)
	p.run(t, "trail", "create", "Kitchen").want(t, 0)
	for i := range 3 {
		p.run(t, "rule", "add", "--approve", "--trail", "Kitchen", "--confirm-conflicts", fmt.Sprintf("Herbs on shelf %d are watered each Monday.", i)).want(t, 0)
	}
	p.run(t, "agent", "create", "reviewer", "--enable", "search_trail_rules").want(t, 0)
	first := document[search.RuleAnswer](t, p.run(t, "ask", "--json", "--limit", "1", "herbs"))
	p.run(t, "rule", "add", "--approve", "--trail", "Kitchen", "--confirm-conflicts", "Herbs in the window are watered each Tuesday.").want(t, 0)
	c := transportCase{"stale", "search_trail_rules", fmt.Sprintf(`{"query": "herbs", "limit": 1, "cursor": %q}`, first.NextCursor), search.CodeStaleCursor}
	p.run(t, "ask", "--limit", "1", "--cursor", first.NextCursor, "herbs").want(t, exitTryAgain, "stale_cursor")
	line := p.run(t, "call", c.tool, c.arguments).want(t, exitTryAgain, "stale_cursor")
	if d := cmp.Diff(decoded(t, []byte(line.stdout)), decoded(t, overStdio(t, p, "reviewer", []transportCase{c})[0])); d != "" {
		t.Errorf("over MCP (-command line +MCP):\n%s", d)
	}
}

// TestToolsAreListedAsTheyAreEnabled on the bridge and on the socket.
func TestToolsAreListedAsTheyAreEnabled(t *testing.T) {
	p := newPlace(t)
	p.run(t, "agent", "create", "reviewer").want(t, 0)
	o := runWith(t, t.Context(), `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`+"\n", "mcp", "--agent", "reviewer", "-w", p.workspace, "--socket", p.cfg.Socket).want(t, 0)
	for _, name := range tool.Names() {
		listed := strings.Contains(o.stdout, fmt.Sprintf("%q", "name")+":"+fmt.Sprintf("%q", name))
		if off := name == "search_trail_rules" || name == "kb_curate"; listed == off {
			t.Errorf("%s listed: %v, off: %v", name, listed, off)
		}
	}
}
