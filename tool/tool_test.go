package tool_test

import (
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"waymark/ingest"
	"waymark/search"
	"waymark/search/searchtest"
	"waymark/tool"
)

// inputs are the types that the handlers read their arguments into.
var inputs = map[string]reflect.Type{
	"search_trail_rules": reflect.TypeFor[search.RuleQuery](), "get_brain_context": reflect.TypeFor[search.BrainQuery](),
	"list_trail_domains_and_tags": reflect.TypeFor[search.DomainQuery](), "kb_search": reflect.TypeFor[search.DocumentQuery](),
	"kb_get": reflect.TypeFor[search.GetQuery](), "kb_list": reflect.TypeFor[search.ListQuery](),
	"kb_outline": reflect.TypeFor[search.OutlineQuery](), "kb_curate": reflect.TypeFor[search.CurateQuery](),
}

// TestDefinitionsAndHandlersAgree: every parameter is a member of the handler's
// input with the fitting type, and no member is without a parameter.
func TestDefinitionsAndHandlersAgree(t *testing.T) {
	kinds := map[tool.Type]string{tool.Text: "string", tool.TextList: "[]string", tool.Whole: "int", tool.YesNo: "bool"}
	if len(tool.All()) != len(inputs) {
		t.Errorf("%d tools, want %d", len(tool.All()), len(inputs))
	}
	for _, d := range tool.All() {
		members := map[string]string{}
		in := inputs[d.Name]
		for i := range in.NumField() {
			name, _, _ := strings.Cut(in.Field(i).Tag.Get("json"), ",")
			members[name] = in.Field(i).Type.String()
		}
		for _, p := range d.Parameters {
			if members[p.Name] != kinds[p.Type] {
				t.Errorf("%s.%s is %s, its handler takes %q", d.Name, p.Name, p.Type, members[p.Name])
			}
			delete(members, p.Name)
			if len(p.Description) < 10 || !strings.HasSuffix(p.Description, ".") {
				t.Errorf("%s.%s: description %q is no sentence", d.Name, p.Name, p.Description)
			}
		}
		if len(members) > 0 {
			t.Errorf("%s: no parameter for %v", d.Name, members)
		}
		if d.Title == "" || len(d.Description) < 50 || d.Output == nil {
			t.Errorf("%s: title %q, description %q, output %v", d.Name, d.Title, d.Description, d.Output)
		}
	}
}

// TestContractOfTheTools pins names, which of them a new agent has, parameters,
// defaults and limits to the contract.
func TestContractOfTheTools(t *testing.T) {
	type parameter struct {
		Type     string
		Required bool
		Default  any
		Min, Max int
	}
	text, list, yes := parameter{Type: "a text"}, parameter{Type: "a list of texts"}, parameter{Type: "true or false", Default: false}
	must := parameter{Type: "a text", Required: true}
	limit := func(n int) parameter { return parameter{Type: "a whole number", Default: n, Min: 1, Max: 100} }
	want := map[string]map[string]parameter{
		"search_trail_rules":          {"query": must, "trails": list, "domains": list, "clusters": list, "limit": limit(10), "cursor": text, "explain": yes},
		"get_brain_context":           {"trail": must, "query": must, "limit": limit(10)},
		"list_trail_domains_and_tags": {"trails": list},
		"kb_search": {"query": must, "tier": text, "category": text, "status": text, "doc_type": text, "limit": limit(20), "in_force": yes, "abstain": yes,
			"verbose": yes, "validity_state": text, "include_expired": yes, "as_of": text, "cursor": text, "explain": yes},
		"kb_get":     {"id": must, "verbose": yes, "cursor": text, "as_of": text},
		"kb_list":    {"tier": text, "category": text, "limit": limit(50), "cursor": text, "as_of": text},
		"kb_outline": {"as_of": text},
		"kb_curate":  {"limit": limit(50), "as_of": text},
	}
	got := map[string]map[string]parameter{}
	for _, d := range tool.All() {
		got[d.Name] = map[string]parameter{}
		for _, p := range d.Parameters {
			got[d.Name][p.Name] = parameter{p.Type.String(), p.Required, p.Default, p.Min, p.Max}
		}
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("tools (-contract +defined):\n%s", d)
	}
	defaults := tool.DefaultTools()
	slices.Sort(defaults)
	if d := cmp.Diff([]string{"get_brain_context", "kb_get", "kb_list", "kb_outline", "kb_search", "list_trail_domains_and_tags"}, defaults); d != "" {
		t.Errorf("tools of a new agent (-contract +defined):\n%s", d)
	}
	for _, d := range tool.All() {
		if d.Name == "search_trail_rules" && d.Title != "Search Trail Rules" || d.Name == "kb_search" && d.Title != "KB Search" {
			t.Errorf("%s has the title %q", d.Name, d.Title)
		}
	}
}

// TestSchemas: plain single types, each with a description, and nothing else
// allowed.
func TestSchemas(t *testing.T) {
	for _, d := range tool.All() {
		body, err := json.Marshal(d.InputSchema())
		if err != nil {
			t.Fatal(err)
		}
		var schema struct {
			Type       string
			Required   []string
			Additional *bool `json:"additionalProperties"`
			Properties map[string]map[string]any
		}
		if err := json.Unmarshal(body, &schema); err != nil {
			t.Fatal(err)
		}
		if schema.Type != "object" || schema.Additional == nil || *schema.Additional || len(schema.Properties) != len(d.Parameters) {
			t.Errorf("%s: %s", d.Name, body)
		}
		for _, p := range d.Parameters {
			s := schema.Properties[p.Name]
			if _, single := s["type"].(string); !single || s["description"] == "" {
				t.Errorf("%s.%s: %v, want one type and a description", d.Name, p.Name, s)
			}
			if slices.Contains(schema.Required, p.Name) != p.Required {
				t.Errorf("%s.%s: required in the schema: %v", d.Name, p.Name, schema.Required)
			}
		}
	}
}

// TestWhoMayCall: an agent uses what is enabled for it, an operator everything,
// and nobody anything without a workspace.
func TestWhoMayCall(t *testing.T) {
	s := searchtest.Open(t, searchtest.Options{}).Space("w")
	s.AddRules(ingest.RuleInput{Trail: "Travel", Text: "Hotel nights need approval."})
	agent := tool.Caller{Workspace: s.ID, Agent: "clerk", Tools: tool.DefaultTools()}
	code := func(c tool.Caller, name, arguments string) search.Code {
		_, err := s.Tools.Call(t.Context(), c, name, []byte(arguments))
		var e *search.Error
		if errors.As(err, &e) {
			return e.Code
		}
		if err != nil {
			t.Errorf("%s %s: %v", name, arguments, err)
		}
		return ""
	}
	for _, c := range []struct {
		caller    tool.Caller
		name      string
		arguments string
		want      search.Code
	}{
		{agent, "kb_search", `{"query": "hotel"}`, ""},
		{agent, "get_brain_context", `{"query": "hotel", "trail": "Travel"}`, ""},
		{agent, "search_trail_rules", `{"query": "hotel"}`, search.CodeToolNotEnabled},
		{agent, "search_trail_rules", `{`, search.CodeToolNotEnabled},
		{agent, "kb_curate", `{}`, search.CodeToolNotEnabled},
		{agent, "kb_delete", `{}`, search.CodeUnknownTool},
		{agent, "", `{}`, search.CodeUnknownTool},
		{tool.Caller{Workspace: s.ID}, "search_trail_rules", `{"query": "hotel"}`, ""},
		{tool.Caller{Workspace: s.ID}, "kb_curate", `{}`, ""},
		{tool.Caller{Workspace: s.ID}, "search_trail_rules", `{"query": " \n"}`, search.CodeQueryMissing},
		{tool.Caller{Workspace: s.ID}, "search_trail_rules", `{}`, search.CodeQueryMissing},
		{tool.Caller{Workspace: s.ID}, "get_brain_context", `{"trail": "Travel"}`, search.CodeQueryMissing},
		{tool.Caller{Workspace: s.ID}, "kb_search", `{}`, search.CodeQueryMissing},
		{tool.Caller{}, "search_trail_rules", `{"query": "hotel"}`, search.CodeWorkspaceMissing},
		{tool.Caller{Workspace: " "}, "search_trail_rules", `{"query": "hotel"}`, search.CodeWorkspaceMissing},
		{tool.Caller{Workspace: "01J0000000000000000000000"}, "search_trail_rules", `{"query": "hotel"}`, search.CodeUnknownWorkspace},
		{tool.CallerFrom(t.Context()), "kb_search", `{"query": "hotel"}`, search.CodeToolNotEnabled},
		{tool.CallerFrom(tool.WithCaller(t.Context(), agent)), "kb_search", `{"query": "hotel"}`, ""},
	} {
		if got := code(c.caller, c.name, c.arguments); got != c.want {
			t.Errorf("%+v calls %s %s: %q, want %q", c.caller, c.name, c.arguments, got, c.want)
		}
	}
	for _, c := range []struct {
		caller tool.Caller
		want   int
	}{{agent, 6}, {tool.Caller{}, 8}, {tool.Caller{Agent: "x"}, 0}, {tool.Caller{Agent: "x", Tools: []string{"kb_curate", "gone"}}, 1}} {
		if got := s.Tools.For(c.caller); len(got) != c.want {
			t.Errorf("%+v may use %d tools, want %d", c.caller, len(got), c.want)
		}
	}
	_, err := s.Tools.Call(t.Context(), agent, "search_trail_rule", nil)
	var e *search.Error
	if !errors.As(err, &e) || slices.Contains(e.Valid, "search_trail_rules") || len(e.Valid) != 6 {
		t.Errorf("an unknown tool: %+v; want the six that the agent may use, and no word of others", e)
	}
}

// TestWriteAnswer: one line, and texts as they are.
func TestWriteAnswer(t *testing.T) {
	got, err := tool.WriteAnswer(map[string]any{"b": "a <b> & „c“\n", "a": math.Nextafter(0.3, 1)})
	if want := "{\"a\":0.30000000000000004,\"b\":\"a <b> & „c“\\n\"}\n"; err != nil || string(got) != want {
		t.Errorf("WriteAnswer = %q, %v; want %q", got, err, want)
	}
	if _, err := tool.WriteAnswer(func() {}); err == nil {
		t.Error("what is no JSON is written")
	}
}
