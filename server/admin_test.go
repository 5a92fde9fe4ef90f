package server_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"waymark/client"
	"waymark/ingest"
	"waymark/search"
	"waymark/search/searchtest"
	"waymark/server"
	"waymark/store"
	"waymark/tool"
)

// read makes a request that must succeed and reads its answer.
func read[T any](t *testing.T, d *daemon, method, path, body string, headers ...string) T {
	t.Helper()
	r := d.send(t, method, path, body, headers...)
	var v T
	if r.status != 200 {
		t.Fatalf("%s %s: %d %s", method, path, r.status, r.body)
	}
	if err := json.Unmarshal([]byte(r.body), &v); err != nil {
		t.Fatalf("%s %s: %v: %s", method, path, err, r.body)
	}
	return v
}

// TestTheLifeOfARule goes through drafts, versions, approval, supersession and
// retirement over the socket; what a search finds is at each step only what is
// approved.
func TestTheLifeOfARule(t *testing.T) {
	d := serve(t, searchtest.Options{Conflicts: sameLimit{}}, nil)
	in := inWorkspace(d.Space("acme").ID)
	found := func() string {
		t.Helper()
		a := read[search.RuleAnswer](t, d, "POST", "/v1/call/search_trail_rules", `{"query": "hotel approval"}`, in...)
		var lines []string
		for _, r := range a.Results {
			lines = append(lines, r.ID+" "+r.Text)
		}
		slices.Sort(lines)
		return strings.Join(lines, "; ")
	}
	want := func(step, text string) {
		t.Helper()
		if got := found(); got != text {
			t.Errorf("%s: found %q, want %q", step, got, text)
		}
	}
	trail := read[store.Trail](t, d, "POST", "/v1/trails", `{"name": "Travel", "owner": "Ana"}`, in...)
	if trail.ID == "" || trail.Name != "Travel" {
		t.Fatalf("%+v", trail)
	}
	added := read[server.RuleChange](t, d, "POST", "/v1/rules", `{"trail": "travel", "id": "h1", "text": "Hotel approval is given by managers."}`, in...)
	if added.Rule.Status != store.StatusDraft || added.Rule.Version != 1 || added.Conflicts == nil || !added.Rule.ClassDerived {
		t.Errorf("added: %+v", added)
	}
	want("a draft", "")
	read[server.RuleChange](t, d, "POST", "/v1/rules/h1/approve", ``, in...)
	want("approved", "h1 Hotel approval is given by managers.")
	edited := read[server.RuleChange](t, d, "PATCH", "/v1/rules/h1", `{"text": "Hotel approval is given by directors."}`, in...)
	if edited.Rule.Version != 2 || edited.Rule.Status != store.StatusDraft || edited.Rule.ID != "h1" {
		t.Errorf("edited: %+v", edited.Rule)
	}
	want("a new draft of what is in force", "h1 Hotel approval is given by managers.")
	view := read[server.RuleView](t, d, "GET", "/v1/rules/h1", ``, in...)
	if view.Rule.Version != 1 || view.Draft == nil || view.Draft.Version != 2 || len(view.SupersededBy) != 0 {
		t.Errorf("shown: %+v", view)
	}
	read[struct{}](t, d, "POST", "/v1/rules/h1/discard", ``, in...)
	read[server.RuleChange](t, d, "PATCH", "/v1/rules/h1", `{"text": "Hotel approval is given by the board."}`, in...)
	read[server.RuleChange](t, d, "POST", "/v1/rules/h1/approve", ``, in...)
	want("the draft approved", "h1 Hotel approval is given by the board.")

	if got := read[[]ingest.Conflict](t, d, "POST", "/v1/rules/check", `{"trail": "travel", "text": "Hotel approval has no limit."}`, in...); len(got) != 0 || got == nil {
		t.Errorf("check: %v, want an empty list", got)
	}
	read[server.RuleChange](t, d, "POST", "/v1/rules", `{"trail": "travel", "id": "h2", "text": "Hotel approval has a limit of 100.", "status": "approved"}`, in...)
	body := `{"trail": "travel", "id": "h3", "text": "Hotel approval has a limit of 200."}`
	if got := read[[]ingest.Conflict](t, d, "POST", "/v1/rules/check", body, in...); len(got) != 1 || got[0].Rules[1] != "h2" {
		t.Errorf("check: %+v, want the conflict with h2", got)
	}
	e := d.send(t, "POST", "/v1/rules", body, in...).want(t, "a conflict", 409, search.CodeConflictUnconfirmed)
	if !slices.Equal(e.Valid, []string{"h2"}) {
		t.Errorf("the conflict names %v, want h2", e.Valid)
	}
	confirmed := read[server.RuleChange](t, d, "POST", "/v1/rules?confirm_conflicts=true", body, in...)
	if len(confirmed.Conflicts) != 1 {
		t.Errorf("confirmed: %+v, want the conflict shown", confirmed)
	}
	approved := read[server.RuleChange](t, d, "POST", "/v1/rules/h3/approve", ``, in...)
	if len(approved.Conflicts) != 1 {
		t.Errorf("approved: %+v, want the conflict shown again", approved)
	}
	if got := read[[]ingest.Conflict](t, d, "GET", "/v1/rules/h2/compare/h3", ``, in...); len(got) != 1 {
		t.Errorf("compare: %+v", got)
	}
	if got := read[[]ingest.Conflict](t, d, "GET", "/v1/rules/h1/compare/h3", ``, in...); len(got) != 0 {
		t.Errorf("compare: %+v", got)
	}

	// U15 by id: what superseded a rule is told with it.
	read[server.RuleChange](t, d, "POST", "/v1/rules?confirm_conflicts=true", `{"trail": "travel", "id": "h4", "text": "Hotel approval has a limit of 300.", "supersedes": ["h2", "h3"], "status": "approved"}`, in...)
	want("superseded", "h1 Hotel approval is given by the board.; h4 Hotel approval has a limit of 300.")
	if view := read[server.RuleView](t, d, "GET", "/v1/rules/h2", ``, in...); view.Rule.Status != store.StatusRetired || !slices.Equal(view.SupersededBy, []string{"h4"}) {
		t.Errorf("h2: %+v, want it retired and superseded by h4", view)
	}
	if view := read[server.RuleView](t, d, "POST", "/v1/rules/h4/retire", `{"note": "too much"}`, in...); view.Rule.Status != store.StatusRetired {
		t.Errorf("h4: %+v", view)
	}
	want("retired", "h1 Hotel approval is given by the board.")
	var actions []string
	for _, event := range read[[]store.RuleEvent](t, d, "GET", "/v1/rules/h1/history", ``, in...) {
		actions = append(actions, fmt.Sprintf("%d %s", event.Version, event.Action))
		if event.By != "operator" || event.At.IsZero() {
			t.Errorf("%+v lacks who or when", event)
		}
	}
	if d := cmp.Diff([]string{"1 created", "1 approved", "2 edited", "2 discarded", "3 edited", "1 superseded", "3 approved"}, actions); d != "" {
		t.Errorf("history (-want +got):\n%s", d)
	}
	read[server.RuleChange](t, d, "POST", "/v1/rules", `{"trail": "travel", "id": "h5", "text": "Hotel approval is a draft."}`, in...)
	for path, n := range map[string]int{"/v1/rules": 5, "/v1/rules?trail=Travel": 5, "/v1/rules?status=draft": 1, "/v1/rules?status=approved": 1, "/v1/rules?status=retired&trail=travel": 3} {
		if got := read[[]store.Rule](t, d, "GET", path, ``, in...); len(got) != n {
			t.Errorf("%s: %d rules, want %d", path, len(got), n)
		}
	}
	read[struct{}](t, d, "DELETE", "/v1/rules/h5", ``, in...)
	d.send(t, "GET", "/v1/rules/h5", ``, in...).want(t, "a deleted rule", 404, search.CodeUnknownRule)

	renamed := read[store.Trail](t, d, "PATCH", "/v1/trails/"+trail.ID, `{"name": "Trips", "description": "All trips."}`, in...)
	if renamed.Name != "Trips" || renamed.Owner != "Ana" || renamed.Description != "All trips." {
		t.Errorf("renamed: %+v", renamed)
	}
	if got := read[store.Trail](t, d, "GET", "/v1/trails/TRIPS", ``, in...); got.ID != trail.ID {
		t.Errorf("by name: %+v", got)
	}
	read[struct{}](t, d, "DELETE", "/v1/trails/trips", ``, in...)
	want("the Trail deleted", "")
}

// TestTheLifeOfAnAgent: its token is shown once, tools are switched while serving,
// a rotated token ends at once, and an operator acts as the agent without one.
func TestTheLifeOfAnAgent(t *testing.T) {
	d := serve(t, searchtest.Options{}, nil)
	s := d.Space("acme")
	s.AddRules(ingest.RuleInput{ID: "h1", Trail: "Travel", Text: "Hotel approval is given by managers."})
	in := inWorkspace("ACME") // by name, in another case
	made := read[server.AgentToken](t, d, "POST", "/v1/agents", `{"name": "clerk"}`, in...)
	if made.Token == "" || !slices.Equal(made.Agent.Tools, slices.Sorted(slices.Values(tool.DefaultTools()))) || slices.Contains(made.Agent.Tools, "search_trail_rules") {
		t.Fatalf("a new agent: %+v", made)
	}
	list := d.send(t, "GET", "/v1/agents", ``, in...)
	if strings.Contains(list.body, made.Token) || strings.Contains(strings.ToLower(list.body), "token") {
		t.Errorf("the list of agents shows a token: %s", list.body)
	}
	toolNames := func(token string) []string {
		var names []string
		for _, x := range read[[]server.ToolDescription](t, d, "GET", "/v1/tools", ``, asAgent(token)...) {
			names = append(names, x.Name)
		}
		return names
	}
	query := `{"query": "hotel approval"}`
	if got := toolNames(made.Token); !slices.Equal(got, tool.DefaultTools()) {
		t.Errorf("listed: %v", got)
	}
	d.send(t, "POST", "/v1/call/search_trail_rules", query, asAgent(made.Token)...).want(t, "off", 403, search.CodeToolNotEnabled)
	read[store.Agent](t, d, "POST", "/v1/agents/Clerk/enable", `{"tools": ["search_trail_rules", "kb_search"]}`, in...)
	if got := toolNames(made.Token); len(got) != 7 || got[0] != "search_trail_rules" {
		t.Errorf("listed after enabling: %v", got)
	}
	asTold := d.send(t, "POST", "/v1/call/search_trail_rules", query, asAgent(made.Token)...)
	asOperator := d.send(t, "POST", "/v1/call/search_trail_rules", query, append(in, "Waymark-Agent", "clerk")...)
	if asTold.status != 200 || asTold.body != asOperator.body {
		t.Errorf("by token: %s\nacting as the agent: %s", asTold.body, asOperator.body)
	}
	page := read[server.ActivityPage](t, d, "GET", "/v1/activity/Travel", ``, in...)
	if len(page.Records) != 2 || page.Records[0].Agent != "clerk" || page.Records[1].Agent != "clerk" || page.Records[0].Query != "hotel approval" {
		t.Errorf("activity: %+v, want both calls of the clerk", page)
	}
	read[store.Agent](t, d, "POST", "/v1/agents/clerk/disable", `{"tools": ["search_trail_rules"]}`, in...)
	d.send(t, "POST", "/v1/call/search_trail_rules", query, asAgent(made.Token)...).want(t, "off again", 403, search.CodeToolNotEnabled)
	batch := d.send(t, "POST", "/v1/batch", `[{"tool": "search_trail_rules", "arguments": `+query+`}, {"tool": "kb_outline"}]`, asAgent(made.Token)...)
	if batch.status != 200 || !strings.Contains(batch.body, `"tool_not_enabled"`) || !strings.Contains(batch.body, `"result":{"documents":0`) {
		t.Errorf("a batch with a tool that is off: %s", batch.body)
	}
	rotated := read[server.AgentToken](t, d, "POST", "/v1/agents/clerk/rotate", ``, in...)
	d.send(t, "POST", "/v1/call/kb_outline", `{}`, asAgent(made.Token)...).want(t, "the old token", 401, search.CodeUnauthorized)
	if got := toolNames(rotated.Token); len(got) != 6 {
		t.Errorf("the new token lists %v", got)
	}
	with := read[server.AgentToken](t, d, "POST", "/v1/agents", `{"name": "lead", "enable": ["kb_curate"]}`, in...)
	if got := toolNames(with.Token); len(got) != 7 || got[6] != "kb_curate" {
		t.Errorf("enabled at creation: %v", got)
	}
	read[struct{}](t, d, "DELETE", "/v1/agents/clerk", ``, in...)
	d.send(t, "POST", "/v1/call/kb_outline", `{}`, asAgent(rotated.Token)...).want(t, "a deleted agent", 401, search.CodeUnauthorized)
}

// TestAnswersNameTheLastVersion: after any change, of agents too, an answer is
// computed from the version that the store is at.
func TestAnswersNameTheLastVersion(t *testing.T) {
	d := serve(t, searchtest.Options{}, nil)
	s := d.Space("acme")
	in := inWorkspace(s.ID)
	last := uint64(0)
	for _, c := range [][3]string{{"POST", "/v1/trails", `{"name": "Travel"}`}, {"POST", "/v1/rules", `{"trail": "travel", "id": "h1", "text": "Hotel approval is recorded."}`},
		{"POST", "/v1/rules/h1/approve", ""}, {"PATCH", "/v1/rules/h1", `{"text": "Hotel approval is written down."}`}, {"POST", "/v1/rules/h1/discard", ""},
		{"POST", "/v1/agents", `{"name": "clerk"}`}, {"POST", "/v1/agents/clerk/enable", `{"tools": ["kb_curate"]}`}, {"POST", "/v1/agents/clerk/disable", `{"tools": ["kb_curate"]}`},
		{"POST", "/v1/agents/clerk/rotate", ""}, {"DELETE", "/v1/agents/clerk", ""}, {"POST", "/v1/rules/h1/retire", ""}, {"DELETE", "/v1/trails/travel", ""}} {
		read[any](t, d, c[0], c[1], c[2], in...)
		stored, err := d.Store.Version(s.ID)
		if err != nil || stored <= last {
			t.Errorf("%v: version %d, %v; want more than %d", c, stored, err, last)
		}
		last = stored
		if got := read[search.OutlineAnswer](t, d, "POST", "/v1/call/kb_outline", `{}`, in...).StoreVersion; got != stored {
			t.Errorf("%v: answers are of version %d, the store is at %d", c, got, stored)
		}
	}
}

// TestWorkspaces makes, renames and deletes one with all that it holds.
func TestWorkspaces(t *testing.T) {
	d := serve(t, searchtest.Options{}, func(o *server.Options) { o.Workspace = "acme" })
	// The configured workspace need not exist yet.
	d.send(t, "GET", "/v1/trails", ``).want(t, "no workspace yet", 400, search.CodeWorkspaceMissing)
	made := read[store.Workspace](t, d, "POST", "/v1/workspaces", `{"name": "acme"}`)
	read[store.Workspace](t, d, "POST", "/v1/workspaces", `{"name": "Größe & Söhne"}`)
	read[store.Trail](t, d, "POST", "/v1/trails", `{"name": "Travel"}`) // in the configured one
	token := read[server.AgentToken](t, d, "POST", "/v1/agents", `{"name": "clerk"}`).Token
	c := d.client(t, client.Options{Workspace: "Größe & Söhne"})
	if got, err := c.TrailDomains(t.Context(), search.DomainQuery{}); err != nil || len(got.Trails) != 0 {
		t.Errorf("a workspace whose name no header holds: %+v, %v", got, err)
	}
	var names []string
	for _, w := range read[[]store.Workspace](t, d, "GET", "/v1/workspaces", ``) {
		names = append(names, w.Name)
	}
	if !slices.Equal(names, []string{"acme", "Größe & Söhne"}) {
		t.Errorf("workspaces %q", names)
	}
	if got := read[store.Workspace](t, d, "PATCH", "/v1/workspaces/ACME", `{"name": "Acme Ltd"}`); got.ID != made.ID || got.Name != "Acme Ltd" {
		t.Errorf("renamed: %+v", got)
	}
	read[struct{}](t, d, "DELETE", "/v1/workspaces/"+made.ID, ``)
	d.send(t, "POST", "/v1/call/kb_outline", `{}`, asAgent(token)...).want(t, "an agent of a deleted workspace", 401, search.CodeUnauthorized)
	d.send(t, "POST", "/v1/call/kb_outline", `{}`, inWorkspace(made.ID)...).want(t, "a deleted workspace", 404, search.CodeUnknownWorkspace)
}

// TestActivityPages: newest first, by pages, and what was asked a moment ago is
// there.
func TestActivityPages(t *testing.T) {
	d := serve(t, searchtest.Options{}, nil)
	s := d.Space("acme")
	s.AddRules(ingest.RuleInput{ID: "h1", Trail: "Travel", Text: "Hotel approval is given by managers."})
	in := inWorkspace(s.ID)
	for i := range 5 {
		read[search.RuleAnswer](t, d, "POST", "/v1/call/search_trail_rules", fmt.Sprintf(`{"query": "hotel approval %d"}`, i), in...)
	}
	read[search.RuleAnswer](t, d, "POST", "/v1/call/search_trail_rules", `{"query": "how do I boil an egg"}`, in...)
	var queries []string
	path := "/v1/activity/travel?limit=2"
	for pages := 1; ; pages++ {
		page := read[server.ActivityPage](t, d, "GET", path, ``, in...)
		for _, r := range page.Records {
			queries = append(queries, r.Query)
		}
		if page.NextCursor == "" {
			if pages != 3 {
				t.Errorf("%d pages, want 3", pages)
			}
			break
		}
		path = "/v1/activity/travel?limit=2&cursor=" + page.NextCursor
	}
	if d := cmp.Diff([]string{"hotel approval 4", "hotel approval 3", "hotel approval 2", "hotel approval 1", "hotel approval 0"}, queries); d != "" {
		t.Errorf("queries (-want +got):\n%s", d)
	}
}

// TestHealth: status, metrics and the health routes say what they must.
func TestHealth(t *testing.T) {
	d := serve(t, searchtest.Options{}, func(o *server.Options) { o.Settings = map[string]string{"log.level": "debug"} })
	s := d.Space("acme")
	s.AddRules(ingest.RuleInput{ID: "h1", Trail: "Travel", Text: "Hotel approval is given by managers."})
	in := inWorkspace(s.ID)
	for range 3 {
		d.send(t, "POST", "/v1/call/kb_outline", `{}`, in...)
	}
	for i := range 100 {
		d.send(t, "POST", fmt.Sprint("/v1/call/unknown", i), `{}`, in...)
	}
	d.send(t, "POST", "/v1/call/"+`say%22hi%22%0A`, `{}`, in...).want(t, "a tool with a quote", 404, search.CodeUnknownTool)
	metrics := d.send(t, "GET", "/metrics", ``)
	if metrics.status != 200 || !strings.Contains(metrics.body, "waymark_calls_total{tool=\"kb_outline\"} 3\n") || strings.Count(metrics.body, "\n") > 80 {
		t.Errorf("metrics: %s", metrics.body)
	}
	status := read[server.Status](t, d, "GET", "/v1/status", ``)
	if status.Version != "test" || status.PID == 0 || len(status.Workspaces) != 1 || status.Workspaces[0].Name != "acme" || status.Model != d.Embedder.ModelID() {
		t.Errorf("status: %+v", status)
	}
	for path, want := range map[string]string{"/livez": "{\"status\":\"alive\"}\n", "/readyz": "{\"status\":\"ready\"}\n"} {
		if got := d.send(t, "GET", path, ``); got.status != 200 || got.body != want || got.header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: %+v", path, got)
		}
	}
	for _, origin := range []string{"http://waymark", "http://localhost", "http://localhost:8080", "http://127.0.0.1:1", "http://[::1]:1"} {
		d.send(t, "GET", "/livez", ``, "Origin", origin).want(t, origin, 200, "")
	}
}
