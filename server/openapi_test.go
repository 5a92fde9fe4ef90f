package server_test

import (
	"encoding/base64"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"waymark/search/searchtest"
	"waymark/server"
	"waymark/tool"
)

// operation is one method of one path of the description.
type operation struct {
	method, path string
	in, ok, bad  *jsonschema.Resolved // nil: none
	pattern      *regexp.Regexp
	asked        bool
}

// describedOperations reads the description that the daemon gives of itself.
func describedOperations(t *testing.T, d *daemon) []*operation {
	t.Helper()
	type content map[string]struct {
		Schema *jsonschema.Schema `json:"schema"`
	}
	doc := read[struct {
		OpenAPI string `json:"openapi"`
		Info    struct{ Title, Version string }
		Paths   map[string]map[string]struct {
			Summary     string
			Parameters  []struct{ Name, In, Description string }
			RequestBody *struct{ Content content } `json:"requestBody"`
			Responses   map[string]struct {
				Description string
				Content     content
			}
		}
	}](t, d, "GET", "/v1/openapi.json", ``)
	if !strings.HasPrefix(doc.OpenAPI, "3.1") || doc.Info.Title == "" || doc.Info.Version != "test" {
		t.Errorf("openapi %q, info %+v", doc.OpenAPI, doc.Info)
	}
	resolve := func(c content) *jsonschema.Resolved {
		if c == nil {
			return nil
		}
		r, err := c["application/json"].Schema.Resolve(nil)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	var all []*operation
	for path, methods := range doc.Paths {
		for method, x := range methods {
			o := &operation{method: strings.ToUpper(method), path: path, ok: resolve(x.Responses["200"].Content), bad: resolve(x.Responses["default"].Content)}
			if x.RequestBody != nil {
				o.in = resolve(x.RequestBody.Content)
			}
			if x.Summary == "" || o.bad == nil || x.Responses["200"].Description == "" {
				t.Errorf("%s %s has no summary, answer or error", o.method, path)
			}
			var named []string
			o.pattern = regexp.MustCompile("^" + regexp.MustCompile(`\{\w+\}`).ReplaceAllStringFunc(path, func(name string) string {
				named = append(named, strings.Trim(name, "{}"))
				return `[^/]+`
			}) + "$")
			var described []string
			for _, p := range x.Parameters {
				if p.In == "path" {
					described = append(described, p.Name)
				} else if p.In != "query" || p.Description == "" {
					t.Errorf("%s %s: parameter %+v", o.method, path, p)
				}
			}
			if !slices.Equal(named, described) {
				t.Errorf("%s %s describes the parameters %v", o.method, path, described)
			}
			all = append(all, o)
		}
	}
	return all
}

// checkSchema validates a JSON text.
func checkSchema(t *testing.T, what string, schema *jsonschema.Resolved, text string) {
	t.Helper()
	if schema == nil || strings.TrimSpace(text) == "" {
		return
	}
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Errorf("%s: %v: %q", what, err, text)
		return
	}
	if err := schema.Validate(v); err != nil {
		t.Errorf("%s: %v: %.300s", what, err, text)
	}
}

// TestOpenAPI asks every route that is described, good and bad, and holds what is
// sent and what comes back against the description. A route that is not described
// is not found by it.
func TestOpenAPI(t *testing.T) {
	d := serve(t, searchtest.Options{ReviewDueAfterDays: 1, Comparer: allQuarrel{}}, nil)
	operations := describedOperations(t, d)
	described := func(method, path string) *operation {
		path, _, _ = strings.Cut(path, "?")
		for _, o := range operations {
			if o.method == method && o.pattern.MatchString(path) && (!strings.Contains(o.path, "{") || !strings.HasPrefix(path, "/v1/rules/check")) {
				return o
			}
		}
		t.Errorf("%s %s is not described", method, path)
		return &operation{}
	}
	var in []string
	ask := func(method, path, body string, status int) {
		t.Helper()
		o := described(method, path)
		o.asked = true
		what := method + " " + path
		r := d.send(t, method, path, body, in...)
		if r.status != status {
			t.Errorf("%s: %d, want %d: %s", what, r.status, status, r.body)
		}
		if status == 200 {
			checkSchema(t, what+" request", o.in, body)
			checkSchema(t, what+" answer", o.ok, r.body)
		} else {
			checkSchema(t, what+" error", o.bad, r.body)
		}
	}
	good := func(method, path, body string) { t.Helper(); ask(method, path, body, 200) }

	good("GET", "/livez", ``)
	good("GET", "/readyz", ``)
	good("GET", "/v1/openapi.json", ``)
	good("POST", "/v1/workspaces", `{"name": "acme"}`)
	good("GET", "/v1/workspaces", ``)
	in = inWorkspace("acme")
	good("GET", "/v1/tools", ``)
	good("GET", "/v1/trails", ``)
	good("POST", "/v1/trails", `{"name": "Travel", "description": "Trips.", "owner": "Ana"}`)
	good("GET", "/v1/trails/travel", ``)
	good("PATCH", "/v1/trails/travel", `{"owner": "Bo"}`)
	good("POST", "/v1/rules/check", `{"trail": "travel", "text": "Hotel approval is given by managers."}`)
	good("POST", "/v1/rules", `{"trail": "travel", "id": "h1", "text": "Hotel approval is given by managers.", "domain": "Hotels", "cluster": "Prices", "tags": ["x"], "applies_when": ["y"], "source": "z"}`)
	good("POST", "/v1/rules/h1/approve", ``)
	good("PATCH", "/v1/rules/h1", `{"text": "Hotel approval is given by directors."}`)
	good("GET", "/v1/rules/h1", ``)
	good("POST", "/v1/rules/h1/discard", ``)
	good("GET", "/v1/rules", ``)
	good("POST", "/v1/rules", `{"trail": "travel", "id": "h2", "text": "Hotel approval is recorded."}`)
	good("GET", "/v1/rules/h1/compare/h2", ``)
	good("DELETE", "/v1/rules/h2", ``)
	good("POST", "/v1/rules", `{"trail": "travel", "id": "h3", "text": "Hotel approval is recorded.", "status": "approved"}`)
	good("GET", "/v1/rules/h1/history", ``)
	good("POST", "/v1/agents", `{"name": "clerk", "enable": ["kb_curate"]}`)
	good("GET", "/v1/agents", ``)
	good("POST", "/v1/agents/clerk/enable", `{"tools": ["search_trail_rules"]}`)
	good("POST", "/v1/agents/clerk/disable", `{"tools": ["search_trail_rules"]}`)
	good("POST", "/v1/agents/clerk/rotate", ``)
	good("DELETE", "/v1/agents/clerk", ``)

	importing := described("POST", "/v1/import")
	importing.asked = true
	header := `{"kind": "documents"}`
	checkSchema(t, "the header of an import", importing.in, header)
	page := "---\nid: a\ntitle: Hotels\nstatus: active\ntype: policy\ncontradicts: [b]\nvalid_until: 2027-01-01\nowner: Ana\n---\n# Nights\n\nHotel approval is given by managers.\n"
	other := "---\nid: b\ntitle: Hotels\nstatus: superseded\n---\nHotel approval is given by directors.\n"
	stream := header
	for path, text := range map[string]string{"universal/a.md": page, "universal/b.md": other} {
		stream += `{"path": "` + path + `", "data": "` + base64.StdEncoding.EncodeToString([]byte(text)) + `"}` + "\n"
	}
	r := d.send(t, "POST", "/v1/import", stream, in...)
	lines := strings.Split(strings.TrimSpace(r.body), "\n")
	for _, line := range lines {
		checkSchema(t, "a line of an import", importing.ok, line)
	}
	if r.status != 200 || !strings.Contains(lines[len(lines)-1], `"report"`) {
		t.Errorf("import: %d %s", r.status, r.body)
	}

	for _, body := range []string{`{"query": "hotel approval"}`, `{"query": "hotel approval", "trails": ["travel"], "domains": ["hotels"], "clusters": ["prices"], "limit": 1, "explain": true}`, `{"query": "how do I boil an egg"}`} {
		good("POST", "/v1/call/search_trail_rules", body)
	}
	good("POST", "/v1/call/get_brain_context", `{"trail": "travel", "query": "hotel approval", "limit": 1}`)
	good("POST", "/v1/call/list_trail_domains_and_tags", `{"trails": ["travel"]}`)
	for _, body := range []string{`{"query": "hotel approval"}`, `{"query": "hotel approval", "tier": "T1", "verbose": true, "explain": true, "abstain": true, "in_force": true, "limit": 1, "as_of": "2026-12-01"}`,
		`{"query": "hotel approval", "validity_state": "expiring_within:60", "include_expired": true, "category": "a", "status": "active", "doc_type": "policy"}`, `{"query": "how do I boil an egg", "abstain": true}`} {
		good("POST", "/v1/call/kb_search", body)
	}
	good("POST", "/v1/call/kb_get", `{"id": "a"}`)
	good("POST", "/v1/call/kb_get", `{"id": "b", "verbose": true}`)
	good("POST", "/v1/call/kb_list", `{"tier": "T1", "limit": 1}`)
	good("POST", "/v1/call/kb_outline", `{}`)
	good("POST", "/v1/call/kb_curate", `{"limit": 10}`)
	good("POST", "/v1/batch", `[{"tool": "kb_outline"}, {"tool": "kb_get", "arguments": {"id": "a"}}, {"tool": "gone"}]`)
	good("GET", "/v1/activity/travel?limit=1", ``)
	good("GET", "/v1/status", ``)
	for _, path := range []string{"/metrics", "/v1/export?kind=rules&format=jsonl"} {
		described("GET", path).asked = true
		if r := d.send(t, "GET", path, ``, in...); r.status != 200 {
			t.Errorf("%s: %+v", path, r)
		}
	}
	good("POST", "/v1/rules/h3/retire", `{"note": "over"}`)

	for _, c := range badCalls("acme", "") {
		if c.method != "" && c.code != "" && strings.HasPrefix(c.path, "/v1/") && c.status != 404 && c.status != 401 && len(c.headers) > 0 && c.headers[0] == "Waymark-Workspace" && c.headers[1] == "acme" && !strings.Contains(c.body, "\xe9") {
			if r := d.send(t, c.method, c.path, c.body, c.headers...); r.status >= 400 {
				checkSchema(t, c.name+" error", described(c.method, c.path).bad, r.body)
			}
		}
	}
	good("DELETE", "/v1/trails/travel", ``)
	in = nil
	good("PATCH", "/v1/workspaces/acme", `{"name": "acme2"}`)
	good("DELETE", "/v1/workspaces/acme2", ``)

	for _, o := range operations {
		if !o.asked {
			t.Errorf("%s %s is described, and was not asked", o.method, o.path)
		}
	}
	// The table and the description hold the same routes.
	var want, got []string
	for _, name := range tool.Names() {
		want = append(want, "POST /v1/call/"+name)
	}
	for _, r := range server.Routes(d.server) {
		if r != "POST /v1/call/{tool}" {
			want = append(want, r)
		}
	}
	for _, o := range operations {
		got = append(got, o.method+" "+o.path)
	}
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(want, got) {
		t.Errorf("described:\n%v\nrouted:\n%v", got, want)
	}
}
