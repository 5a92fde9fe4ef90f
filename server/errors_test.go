package server_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"waymark/ingest"
	"waymark/search"
	"waymark/search/searchtest"
	"waymark/server"
	"waymark/store"
	"waymark/tool"
)

// sameLimit is a checker for which all rules that name a limit conflict.
type sameLimit struct{}

func (sameLimit) Analyze(_ string, r store.Rule) any { return strings.Contains(r.Text, "limit") }

func (sameLimit) Compare(a, b any, _ float64) (ingest.Conflict, bool) {
	return ingest.Conflict{Kind: "threshold", Point: "one limit against another", Certain: true}, a.(bool) && b.(bool)
}

// errorDaemon is a daemon with one workspace in which every error can be had.
func errorDaemon(t *testing.T) (d *daemon, workspace, token string) {
	t.Helper()
	d = serve(t, searchtest.Options{Conflicts: sameLimit{}}, func(o *server.Options) {
		o.Handlers = map[string]http.Handler{"/panics": http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("on purpose") })}
	})
	s := d.Space("acme")
	for _, id := range []string{"travel", "twin-1", "twin-2"} {
		s.AddTrail(id, strings.TrimRight(id, "-12"))
	}
	s.AddRules(
		ingest.RuleInput{ID: "r1", Trail: "travel", Text: "Hotel nights have a limit of 100.", Domain: "Hotels", Cluster: "Prices"},
		ingest.RuleInput{ID: "r2", Trail: "travel", Text: "Hotel approval is given by managers.", Domain: "Hotels"},
		ingest.RuleInput{ID: "r3", Trail: "travel", Text: "Hotel approval is recorded.", Status: "draft"})
	s.AddDocuments(map[string]string{"universal/a.md": "---\nstatus: active\ntitle: Hotels\n---\nHotel nights.\n", "universal/b.md": "---\nstatus: active\ntitle: Hotel approval\n---\nHotel nights.\n"})
	return d, s.ID, d.newAgent(t, s.ID, "clerk", tool.DefaultTools()...)
}

// badCall is a request that is refused.
type badCall struct {
	name, method, path, body string
	headers                  []string
	status                   int
	code                     search.Code
	says                     string // in the message
}

// badCalls is every kind of bad input of the contract and of the issues, and every
// code.
func badCalls(workspace, token string) []badCall {
	in, agent := inWorkspace(workspace), asAgent(token)
	rules, docs := "/v1/call/search_trail_rules", "/v1/call/kb_search"
	long := strings.Repeat("ä", 2001)
	batch := "[" + strings.Repeat(`{"tool": "kb_outline"},`, 100) + `{"tool": "kb_outline"}]`
	return []badCall{
		{"no query", "POST", rules, `{}`, in, 400, search.CodeQueryMissing, "query"},
		{"no body", "POST", rules, ``, in, 400, search.CodeQueryMissing, "query"},
		{"a blank query", "POST", rules, `{"query": " \t\n "}`, in, 400, search.CodeQueryMissing, "query"},
		{"a blank query of documents", "POST", docs, `{"query": ""}`, agent, 400, search.CodeQueryMissing, "query"},
		{"no workspace", "POST", rules, `{"query": "hotel"}`, nil, 400, search.CodeWorkspaceMissing, "workspace"},
		{"no workspace on a route", "GET", "/v1/trails", ``, nil, 400, search.CodeWorkspaceMissing, "workspace"},
		{"a workspace that is not", "POST", rules, `{"query": "hotel"}`, inWorkspace("nobody"), 404, search.CodeUnknownWorkspace, `"nobody"`},
		{"a workspace that cannot be read", "POST", rules, `{"query": "hotel"}`, inWorkspace("%zz"), 400, search.CodeInvalidArgument, "Waymark-Workspace"},
		{"an unknown Trail", "POST", rules, `{"query": "hotel", "trails": ["travels", "x"]}`, in, 404, search.CodeUnknownTrail, `"travels"`},
		{"an unknown domain", "POST", rules, `{"query": "hotel", "domains": "hotel"}`, in, 404, search.CodeUnknownDomain, `"hotel"`},
		{"an unknown cluster", "POST", rules, `{"query": "hotel", "clusters": ["price"]}`, in, 404, search.CodeUnknownCluster, `"price"`},
		{"a name of two", "POST", rules, `{"query": "hotel", "trails": "TWIN"}`, in, 409, search.CodeNameAmbiguous, `"TWIN"`},
		{"a name of two on a route", "GET", "/v1/trails/twin", ``, in, 409, search.CodeNameAmbiguous, `"twin"`},
		{"an unknown Trail on a route", "GET", "/v1/trails/twins", ``, in, 404, search.CodeUnknownTrail, `"twins"`},
		{"an unknown rule", "GET", "/v1/rules/r9", ``, in, 404, search.CodeUnknownRule, `"r9"`},
		{"approving an unknown rule", "POST", "/v1/rules/r9/approve", ``, in, 404, search.CodeUnknownRule, `"r9"`},
		{"an unknown document", "POST", "/v1/call/kb_get", `{"id": "universal-c"}`, agent, 404, search.CodeUnknownDocument, `"universal-c"`},
		{"no id", "POST", "/v1/call/kb_get", `{}`, agent, 400, search.CodeInvalidArgument, `"id"`},
		{"an unknown agent", "POST", rules, `{"query": "hotel"}`, append(inWorkspace(workspace), "Waymark-Agent", "ghost"), 404, search.CodeUnknownAgent, `"ghost"`},
		{"an unknown agent on a route", "POST", "/v1/agents/ghost/rotate", ``, in, 404, search.CodeUnknownAgent, `"ghost"`},
		{"an agent in no workspace", "POST", rules, `{"query": "hotel"}`, []string{"Waymark-Agent", "clerk"}, 400, search.CodeWorkspaceMissing, "agent"},
		{"an unknown tool", "POST", "/v1/call/delete_rules", `{}`, in, 404, search.CodeUnknownTool, `"delete_rules"`},
		{"enabling an unknown tool", "POST", "/v1/agents/clerk/enable", `{"tools": ["kb_serach"]}`, in, 404, search.CodeUnknownTool, `"kb_serach"`},
		{"a tool that is off", "POST", rules, `{"query": "hotel"}`, agent, 403, search.CodeToolNotEnabled, `"search_trail_rules"`},
		{"a tool that is off, acting as the agent", "POST", rules, `{"query": "hotel"}`, append(inWorkspace(workspace), "Waymark-Agent", "clerk"), 403, search.CodeToolNotEnabled, `"clerk"`},
		{"a bad token", "POST", docs, `{"query": "hotel"}`, asAgent("wm_00000000000000000000000000000000"), 401, search.CodeUnauthorized, "token"},
		{"no token", "POST", docs, `{"query": "hotel"}`, []string{"Authorization", "Bearer"}, 401, search.CodeUnauthorized, "token"},
		{"another scheme", "POST", docs, `{"query": "hotel"}`, []string{"Authorization", "Basic " + token}, 401, search.CodeUnauthorized, "token"},
		{"a bad token beside a workspace", "POST", docs, `{"query": "hotel"}`, append(asAgent("x"), in...), 401, search.CodeUnauthorized, "token"},
		{"a foreign origin", "POST", docs, `{"query": "hotel"}`, append([]string{"Origin", "https://example.com"}, in...), 401, search.CodeUnauthorized, "origin"},
		{"a foreign origin that looks alike", "GET", "/livez", ``, []string{"Origin", "http://localhost.example.com"}, 401, search.CodeUnauthorized, "origin"},
		{"an opaque origin", "GET", "/livez", ``, []string{"Origin", "null"}, 401, search.CodeUnauthorized, "origin"},
		{"an agent lists rules", "GET", "/v1/rules", ``, agent, 403, search.CodeReadOnly, ""},
		{"an agent adds a rule", "POST", "/v1/rules", `{"trail": "travel", "text": "New."}`, agent, 403, search.CodeReadOnly, ""},
		{"an agent makes an agent", "POST", "/v1/agents", `{"name": "x"}`, agent, 403, search.CodeReadOnly, ""},
		{"an agent reads the status", "GET", "/v1/status", ``, agent, 403, search.CodeReadOnly, ""},
		{"an agent imports", "POST", "/v1/import", `{}`, agent, 403, search.CodeReadOnly, ""},
		{"an agent reads activity", "GET", "/v1/activity/travel", ``, agent, 403, search.CodeReadOnly, ""},
		{"an agent lists workspaces", "GET", "/v1/workspaces", ``, agent, 403, search.CodeReadOnly, ""},
		{"acting as an agent is no operator", "DELETE", "/v1/trails/travel", ``, append(inWorkspace(workspace), "Waymark-Agent", "clerk"), 403, search.CodeReadOnly, ""},
		{"a wrong type", "POST", rules, `{"query": ["hotel"]}`, in, 400, search.CodeInvalidArgument, `"query" takes a text`},
		{"a wrong number", "POST", rules, `{"query": "hotel", "limit": "many"}`, in, 400, search.CodeInvalidArgument, `"limit" takes a whole number`},
		{"a wrong day", "POST", docs, `{"query": "hotel", "as_of": "31.12.2026"}`, in, 400, search.CodeInvalidArgument, `"as_of"`},
		{"a wrong facet", "POST", docs, `{"query": "hotel", "validity_state": "fresh"}`, in, 400, search.CodeInvalidArgument, `"validity_state"`},
		{"a wrong tier", "POST", docs, `{"query": "hotel", "tier": "T7"}`, in, 400, search.CodeInvalidArgument, `"tier"`},
		{"a wrong cursor", "POST", docs, `{"query": "hotel", "cursor": "AAAA"}`, in, 400, search.CodeInvalidArgument, `"cursor"`},
		{"an unknown argument", "POST", rules, `{"query": "hotel", "trail": "travel"}`, in, 400, search.CodeUnknownArgument, `"trail"`},
		{"an unknown member of a route", "POST", "/v1/trails", `{"name": "x", "colour": "red"}`, in, 400, search.CodeUnknownArgument, `"colour"`},
		{"a member in another case", "PATCH", "/v1/rules/r2", `{"Text": "Changed."}`, in, 400, search.CodeUnknownArgument, `"Text"`},
		{"a wrong type on a route", "POST", "/v1/trails", `{"name": 5}`, in, 400, search.CodeInvalidArgument, `"name" takes a text, not a number`},
		{"a list for an object", "POST", "/v1/trails", `["x"]`, in, 400, search.CodeInvalidArgument, `takes an object, not a list`},
		{"half a body", "POST", "/v1/trails", `{"name": "x"`, in, 400, search.CodeInvalidArgument, `not JSON`},
		{"two bodies", "POST", "/v1/trails", `{"name": "x"} {"name": "y"}`, in, 400, search.CodeInvalidArgument, `not JSON`},
		{"not JSON", "POST", rules, `query=hotel`, in, 400, search.CodeInvalidArgument, `not JSON`},
		{"not UTF-8", "POST", rules, "{\"query\": \"hot\xe9l\"}", in, 400, search.CodeInvalidArgument, `UTF-8`},
		{"not UTF-8 on a route", "POST", "/v1/trails", "{\"name\": \"hot\xe9l\"}", in, 400, search.CodeInvalidArgument, `UTF-8`},
		{"2,001 characters", "POST", rules, `{"query": "` + long + `"}`, in, 413, search.CodeTooLarge, `2001 characters`},
		{"2,001 characters for documents", "POST", docs, `{"query": "` + long + `"}`, agent, 413, search.CodeTooLarge, `2001 characters`},
		{"arguments of a megabyte", "POST", rules, `{"query": "` + strings.Repeat("a", 1<<20) + `"}`, in, 413, search.CodeTooLarge, `bytes`},
		{"a huge body", "POST", rules, `{"query": "` + strings.Repeat("a", 6<<20) + `"}`, in, 413, search.CodeTooLarge, `4194304 bytes`},
		{"a huge body on a route", "POST", "/v1/trails", strings.Repeat(" ", 6<<20), in, 413, search.CodeTooLarge, `4194304 bytes`},
		{"101 Trails", "POST", rules, `{"query": "hotel", "trails": [` + strings.Repeat(`"travel",`, 100) + `"travel"]}`, in, 413, search.CodeTooLarge, `101 members`},
		{"a batch of 101", "POST", "/v1/batch", batch, in, 413, search.CodeTooLarge, `101 calls`},
		{"a batch that is no list", "POST", "/v1/batch", `{"tool": "kb_outline"}`, in, 400, search.CodeInvalidArgument, `takes a list, not an object`},
		{"a batch with an unknown member", "POST", "/v1/batch", `[{"tool": "kb_outline", "args": {}}]`, in, 400, search.CodeUnknownArgument, `"args"`},
		{"an unknown route", "GET", "/v1/nothing", ``, in, 404, search.CodeInvalidArgument, `GET /v1/nothing`},
		{"another method", "GET", rules, ``, in, 404, search.CodeInvalidArgument, `GET /v1/call/`},
		{"the root", "GET", "/", ``, in, 404, search.CodeInvalidArgument, `GET /`},
		{"a conflict", "POST", "/v1/rules", `{"trail": "travel", "text": "Hotel nights have a limit of 200."}`, in, 409, search.CodeConflictUnconfirmed, "one limit against another"},
		{"a cluster without a domain", "POST", "/v1/rules", `{"trail": "travel", "text": "New.", "cluster": "Prices"}`, in, 400, search.CodeInvalidArgument, "domain"},
		{"a rule without text", "POST", "/v1/rules", `{"trail": "travel"}`, in, 400, search.CodeInvalidArgument, "text"},
		{"a rule in no Trail", "POST", "/v1/rules", `{"text": "New."}`, in, 400, search.CodeInvalidArgument, "Trail"},
		{"a rule in an unknown Trail", "POST", "/v1/rules", `{"trail": "travels", "text": "New."}`, in, 404, search.CodeUnknownTrail, "travels"},
		{"a rule of no class", "POST", "/v1/rules", `{"trail": "travel", "text": "New.", "class": "wish"}`, in, 400, search.CodeInvalidArgument, "wish"},
		{"a taken id", "POST", "/v1/rules", `{"trail": "travel", "id": "r2", "text": "New."}`, in, 400, search.CodeInvalidArgument, "r2"},
		{"approving what is approved", "POST", "/v1/rules/r2/approve", ``, in, 400, search.CodeInvalidArgument, "draft"},
		{"retiring a draft", "POST", "/v1/rules/r3/retire", ``, in, 400, search.CodeInvalidArgument, "force"},
		{"deleting what was approved", "DELETE", "/v1/rules/r2", ``, in, 400, search.CodeInvalidArgument, "in force"},
		{"a status that is none", "GET", "/v1/rules?status=new", ``, in, 400, search.CodeInvalidArgument, `"new"`},
		{"a Trail without a name", "POST", "/v1/trails", `{}`, in, 400, search.CodeInvalidArgument, "name"},
		{"a workspace without a name", "POST", "/v1/workspaces", `{"name": " "}`, nil, 400, search.CodeInvalidArgument, "name"},
		{"a workspace that exists", "POST", "/v1/workspaces", `{"name": "ACME"}`, nil, 400, search.CodeInvalidArgument, "ACME"},
		{"an agent that exists", "POST", "/v1/agents", `{"name": "Clerk"}`, in, 400, search.CodeInvalidArgument, "Clerk"},
		{"deleting an unknown workspace", "DELETE", "/v1/workspaces/nobody", ``, nil, 404, search.CodeUnknownWorkspace, `"nobody"`},
		{"a limit that is no number", "GET", "/v1/activity/travel?limit=all", ``, in, 400, search.CodeInvalidArgument, `"limit"`},
		{"a wrong cursor of activity", "GET", "/v1/activity/travel?cursor=x", ``, in, 400, search.CodeInvalidArgument, "cursor"},
		{"an export of nothing", "GET", "/v1/export?kind=agents", ``, in, 400, search.CodeInvalidArgument, `"agents"`},
		{"an import without a header", "POST", "/v1/import", ``, in, 400, search.CodeInvalidArgument, "import"},
		{"an import of files without a header", "POST", "/v1/import", `{"path": "rules.jsonl", "data": "eA=="}`, in, 400, search.CodeUnknownArgument, `"path"`},
		{"an import with a wrong header", "POST", "/v1/import", `{"plan": "yes"}`, in, 400, search.CodeInvalidArgument, `"plan" takes true or false, not a text`},
		{"an import that is cut short", "POST", "/v1/import", `{} {"path": "rules.jsonl", "da`, in, 400, search.CodeInvalidArgument, "import"},
		{"a parameter that is not", "GET", "/v1/rules?staus=draft", ``, in, 400, search.CodeUnknownArgument, `"staus"`},
		{"a parameter where there is none", "GET", "/v1/trails?limit=1", ``, in, 400, search.CodeUnknownArgument, `"limit"`},
		{"a parameter that cannot be read", "GET", "/v1/rules?status=%zz", ``, in, 400, search.CodeInvalidArgument, "URL"},
		{"a panic", "GET", "/panics", ``, in, 500, search.CodeInternal, ""},
	}
}

// TestBadInput: every bad call gets its status and code, changes nothing in the
// store, and leaves the connection as good as it was.
func TestBadInput(t *testing.T) {
	d, workspace, token := errorDaemon(t)
	version := func() string {
		t.Helper()
		v, err := d.Store.Version(workspace)
		if err != nil {
			t.Fatal(err)
		}
		all, err := d.Store.Workspaces()
		if err != nil {
			t.Fatal(err)
		}
		agents, err := d.Store.Agents(workspace)
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprint(v, all, agents)
	}
	before := version()
	seen := map[search.Code]bool{}
	for _, c := range badCalls(workspace, token) {
		e := d.send(t, c.method, c.path, c.body, c.headers...).want(t, c.name, c.status, c.code)
		if !strings.Contains(e.Message, c.says) {
			t.Errorf("%s: message %q, want it to name %q", c.name, e.Message, c.says)
		}
		seen[c.code] = true
		if after := version(); after != before {
			t.Fatalf("%s changed the store:\n%s\n%s", c.name, before, after)
		}
		if got := d.send(t, "POST", "/v1/call/kb_search", `{"query": "hotel"}`, asAgent(token)...); got.status != 200 {
			t.Fatalf("after %s: status %d: %s", c.name, got.status, got.body)
		}
	}
	if n := d.dials.Load(); n != 1 {
		t.Errorf("%d connections were needed, want one: bad input ended the others", n)
	}
	if log := d.log.String(); strings.Count(log, "level=ERROR") != 1 || !strings.Contains(log, "on purpose") {
		t.Errorf("the log has more or less than the panic:\n%s", log)
	}

	// A cursor that was good once.
	first := d.send(t, "POST", "/v1/call/kb_list", `{"limit": 1}`, asAgent(token)...)
	cursor := first.body[strings.Index(first.body, `"next_cursor":"`)+len(`"next_cursor":"`):]
	cursor = cursor[:strings.Index(cursor, `"`)]
	d.send(t, "POST", "/v1/trails", `{"name": "New"}`, inWorkspace(workspace)...).want(t, "a Trail", 200, "")
	d.send(t, "POST", "/v1/call/kb_list", `{"limit": 1, "cursor": "`+cursor+`"}`, asAgent(token)...).want(t, "a stale cursor", 410, search.CodeStaleCursor)
	seen[search.CodeStaleCursor], seen[search.CodeNotReady] = true, true // not_ready: TestNotReady

	for _, code := range []search.Code{search.CodeQueryMissing, search.CodeWorkspaceMissing, search.CodeUnknownWorkspace, search.CodeUnknownTrail, search.CodeUnknownDomain,
		search.CodeUnknownCluster, search.CodeNameAmbiguous, search.CodeUnknownRule, search.CodeUnknownDocument, search.CodeUnknownAgent, search.CodeUnknownTool,
		search.CodeToolNotEnabled, search.CodeUnauthorized, search.CodeInvalidArgument, search.CodeUnknownArgument, search.CodeTooLarge, search.CodeStaleCursor,
		search.CodeConflictUnconfirmed, search.CodeReadOnly, search.CodeNotReady, search.CodeInternal} {
		if !seen[code] {
			t.Errorf("no call was refused with %s", code)
		}
	}
}

// TestNotReady: until everything is open only health answers.
func TestNotReady(t *testing.T) {
	var other *server.Server
	d := serve(t, searchtest.Options{}, func(o *server.Options) { other = server.New(*o) })
	s := d.Space("w")
	listener, err := server.Listen(d.socket+"2", "")
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- other.Serve(listener) }()
	ready := d.socket
	d.socket += "2"
	d.http.CloseIdleConnections()
	d.send(t, "GET", "/livez", ``).want(t, "livez", 200, "")
	d.send(t, "GET", "/readyz", ``).want(t, "readyz", 503, search.CodeNotReady)
	d.send(t, "POST", "/v1/call/kb_outline", `{}`, inWorkspace(s.ID)...).want(t, "a call", 503, search.CodeNotReady)
	d.send(t, "GET", "/v1/workspaces", ``).want(t, "a route", 503, search.CodeNotReady)
	other.SetReady()
	d.send(t, "GET", "/readyz", ``).want(t, "readyz", 200, "")
	d.send(t, "POST", "/v1/call/kb_outline", `{}`, inWorkspace(s.ID)...).want(t, "a call", 200, "")
	d.http.CloseIdleConnections()
	d.socket = ready
	if err := other.Shutdown(t.Context()); err != nil {
		t.Error(err)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// TestErrorsListWhatIsValid: nearest first, complete, with further failures beside
// the first.
func TestErrorsListWhatIsValid(t *testing.T) {
	d, workspace, _ := errorDaemon(t)
	e := d.send(t, "POST", "/v1/call/search_trail_rules", `{"query": "hotel", "trails": ["Travels"], "domains": ["Hotel"]}`, inWorkspace(workspace)...).want(t, "two wrong names", 404, search.CodeUnknownTrail)
	if !slices.Equal(e.Valid, []string{"travel", "twin", "twin"}) || len(e.Also) != 1 || e.Also[0].Code != search.CodeUnknownDomain || !slices.Equal(e.Also[0].Valid, []string{"Hotels"}) {
		t.Errorf("%+v, want all Trails and, beside it, all domains", e)
	}
	e = d.send(t, "POST", "/v1/trails", `{"nmae": "x"}`, inWorkspace(workspace)...).want(t, "an unknown member", 400, search.CodeUnknownArgument)
	if !slices.Equal(e.Valid, []string{"name", "owner", "description"}) {
		t.Errorf("%+v, want the members that a Trail has", e)
	}
}
