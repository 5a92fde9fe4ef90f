package search_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"waymark/conflict"
	"waymark/ingest"
	"waymark/search"
	"waymark/search/searchtest"
	"waymark/store"
	"waymark/vector"
)

// The cases of users, by their ids, with the served encoder. What concerns the
// socket is tested in package server.

// caseSpace holds texts both as rules and as documents in force, under the same
// ids.
func caseSpace(t *testing.T, texts map[string]string) *searchtest.Space {
	t.Helper()
	s := searchtest.OpenReal(t, searchtest.Options{}).Space("w")
	var rules []ingest.RuleInput
	files := map[string]string{}
	for _, id := range slices.Sorted(maps.Keys(texts)) {
		rules = append(rules, ingest.RuleInput{ID: id, Trail: "Rules", Text: texts[id]})
		files[id+".md"] = "---\nid: " + id + "\ntitle: Document\nstatus: active\n---\n" + texts[id] + "\n"
	}
	s.AddRules(rules...)
	s.AddDocuments(files)
	return s
}

// answers gives what both tools return for a query: ids in order, and by id the
// codes and amounts that matched exactly.
func answers(s *searchtest.Space, query string) map[string]caseAnswer {
	rules, docs := s.Rules(search.RuleQuery{Query: query}), s.Documents(search.DocumentQuery{Query: query, Verbose: true})
	out := map[string]caseAnswer{"rules": {ids: searchtest.RuleIDs(rules), codes: map[string][]string{}}, "documents": {ids: searchtest.DocumentIDs(docs), codes: map[string][]string{}}}
	for _, r := range rules.Results {
		out["rules"].codes[r.ID] = r.Matched.Codes
	}
	for _, d := range docs.Hits {
		out["documents"].codes[d.ID] = d.Matched.Codes
	}
	return out
}

type caseAnswer struct {
	ids   []string
	codes map[string][]string
}

func (a caseAnswer) first() string {
	if len(a.ids) == 0 {
		return "nothing"
	}
	return a.ids[0]
}

func TestU01CodeAsWritten(t *testing.T) {
	s := caseSpace(t, map[string]string{"a": "Order form PO-1234 needs two signatures.", "b": "Orders in general need one signature.", "c": "Form PO-1243 is retired."})
	for _, query := range []string{"PO-1234", `"PO-1234"`, "po-1234", "PO 1234", "PO1234"} {
		for kind, a := range answers(s, query) {
			if a.first() != "a" || !slices.Equal(a.codes["a"], []string{"PO-1234"}) {
				t.Errorf("%s, %q: %v with codes %v, want a first with PO-1234", kind, query, a.ids, a.codes)
			}
			if len(a.codes["c"]) > 0 || len(a.codes["b"]) > 0 {
				t.Errorf("%s, %q: codes %v, want none but a's", kind, query, a.codes)
			}
		}
	}
}

func TestU03CodesHaveNoVariants(t *testing.T) {
	s := caseSpace(t, map[string]string{"a": "Collect form W-2 each January.", "b": "Collect form W-4 on the first day.", "c": "V-2 is a valve."})
	for _, query := range []string{"W-2", "form W-2"} {
		for kind, a := range answers(s, query) {
			if a.first() != "a" || !slices.Equal(a.codes["a"], []string{"W-2"}) || len(a.codes["b"])+len(a.codes["c"]) > 0 {
				t.Errorf("%s, %q: %v with codes %v, want a first and no other code", kind, query, a.ids, a.codes)
			}
		}
	}
}

func TestU05HyphensAndExclusions(t *testing.T) {
	s := caseSpace(t, map[string]string{"a": "Multi-site teams need approval for travel.", "b": "Multi-site teams need approval for tools."})
	for query, want := range map[string]string{"multi-site approval": "a b", "approval -travel": "b", `approval -"for travel"`: "b"} {
		for kind, a := range answers(s, query) {
			slices.Sort(a.ids)
			if got := strings.Join(a.ids, " "); got != want {
				t.Errorf("%s, %q: %s, want %s", kind, query, got, want)
			}
		}
	}
}

func TestU07NamesAndVersions(t *testing.T) {
	s := caseSpace(t, map[string]string{"a": "Set max_daily_amount to 300 in release 2.4.10."})
	for _, query := range []string{"max_daily_amount", "max daily amount", "2.4.10", `"2.4.10"`, "release 2.4.10"} {
		for kind, a := range answers(s, query) {
			if a.first() != "a" {
				t.Errorf("%s, %q: %v, want a", kind, query, a.ids)
			}
		}
	}
}

func TestU09ScriptsWithoutSpaces(t *testing.T) {
	s := caseSpace(t, map[string]string{"a": "出差报销需要部门主管批准", "b": "重跑gen-itgc后检查", "c": "サンドボックスの規則"})
	for query, want := range map[string]string{"报销": "a", "部门主管": "a", "itgc": "b", "サンドボックス": "c"} {
		for kind, a := range answers(s, query) {
			if a.first() != want {
				t.Errorf("%s, %q: %v, want %s first", kind, query, a.ids, want)
			}
		}
	}
}

func TestU11Stems(t *testing.T) {
	s := caseSpace(t, map[string]string{"a": "Invoices are paid in 30 days.", "b": "The policy covers travel.", "c": "The universe is large.", "d": "University fees are not paid."})
	for query, want := range map[string]string{"invoice": "a", "invoices": "a", "policies": "b", "university": "d"} {
		for kind, a := range answers(s, query) {
			if a.first() != want {
				t.Errorf("%s, %q: %v, want %s first", kind, query, a.ids, want)
			}
		}
	}
	// A near meaning may return c below d; it is never shown as the same word.
	for _, r := range s.Rules(search.RuleQuery{Query: "university"}).Results {
		if r.ID == "c" && len(r.Matched.Terms) > 0 {
			t.Errorf("the universe matches a university by %v", r.Matched.Terms)
		}
	}
}

func TestU13Money(t *testing.T) {
	s := caseSpace(t, map[string]string{"a": "Purchases over $1,000 need a manager.", "b": "Purchases over $10,000 need the board.", "c": "Gifts over $100 are refused."})
	for _, query := range []string{"1000", "$1000", "1,000", "purchase of 1000 dollars"} {
		for kind, a := range answers(s, query) {
			if a.first() != "a" || len(a.codes["a"]) != 1 || !strings.Contains(a.codes["a"][0], "1,000") || len(a.codes["b"])+len(a.codes["c"]) > 0 {
				t.Errorf("%s, %q: %v with amounts %v, want a first and no amount of another", kind, query, a.ids, a.codes)
			}
		}
		if got := s.Documents(search.DocumentQuery{Query: query}).Hits[0].Snippet; got != "Purchases over $1,000 need a manager." {
			t.Errorf("%q: snippet %q, want the text as it was written", query, got)
		}
	}
}

func TestU15Supersession(t *testing.T) {
	s := searchtest.OpenReal(t, searchtest.Options{}).Space("w")
	s.AddRules(ingest.RuleInput{ID: "A", Trail: "Purchasing", Text: "Use supplier North for paper."})
	s.AddRules(
		ingest.RuleInput{ID: "B", Trail: "Purchasing", Text: "Use supplier South for paper.", Supersedes: []string{"A"}},
		ingest.RuleInput{ID: "C", Trail: "Purchasing", Text: "Paper comes from supplier North."})
	got := searchtest.RuleIDs(s.Rules(search.RuleQuery{Query: "paper supplier"}))
	if !slices.Contains(got, "B") || slices.Contains(got, "A") {
		t.Errorf("%v, want B and not A", got)
	}
	if by, err := s.Store.SupersededBy(s.ID, "A"); err != nil || !slices.Equal(by, []string{"B"}) {
		t.Errorf("A is superseded by %v, %v; want B", by, err)
	}
	if old, err := s.Store.Rule(s.ID, "A"); err != nil || old.Status != store.StatusRetired {
		t.Errorf("A by its id: %+v, %v; want it retired", old, err)
	}
	// The same with documents: A is found only by its id.
	docs := searchtest.OpenReal(t, searchtest.Options{}).Space("w")
	docs.AddDocuments(map[string]string{
		"a.md": "---\nid: A\ntitle: Paper supplier\nstatus: active\n---\nUse supplier North for paper.\n",
		"b.md": "---\nid: B\ntitle: Paper supplier\nstatus: active\nsupersedes: [A]\n---\nUse supplier South for paper.\n"})
	a := docs.Documents(search.DocumentQuery{Query: "paper supplier"})
	if d := cmp.Diff([]string{"B", "A"}, searchtest.DocumentIDs(a)); d != "" {
		t.Errorf("documents (-want +got):\n%s", d)
	} else if h := a.Hits[1]; h.InForce == nil || *h.InForce || !slices.Equal(h.SupersededBy, []string{"B"}) {
		t.Errorf("A is shown as %+v, want it flagged", h)
	}
	if got := searchtest.DocumentIDs(docs.Documents(search.DocumentQuery{Query: "paper supplier", InForce: true})); !slices.Equal(got, []string{"B"}) {
		t.Errorf("in force: %v, want B", got)
	}
}

// pairs is the comparer that the daemon has, without its cache.
type pairs struct{}

func (pairs) ComparePage(rules []search.ComparedRule) []search.ComparedPair {
	var all []*conflict.Analysis
	for _, r := range rules {
		all = append(all, conflict.Analyze(conflict.Input{Text: r.Rule.Text, Title: r.Rule.Title, Trail: r.TrailName, Domain: r.Rule.Domain, Cluster: r.Rule.Cluster}))
	}
	var named []search.ComparedPair
	for a := range all {
		for b := a + 1; b < len(all); b++ {
			v := conflict.CompareCosine(all[a], all[b], float64(vector.Dot(rules[a].Vector, rules[b].Vector)))
			if v.Tier == conflict.TierConflict {
				named = append(named, search.ComparedPair{A: a, B: b, Kind: string(v.Kind), Point: v.Point})
			}
		}
	}
	return named
}

func TestU17ConflictWithoutAWinner(t *testing.T) {
	rules := []ingest.RuleInput{{ID: "F-1", Trail: "Travel", Text: "Meals are paid up to 40 per day."}, {ID: "F-2", Trail: "Travel", Text: "Meals are paid up to 60 per day."}}
	with, without := searchtest.OpenReal(t, searchtest.Options{Comparer: pairs{}}).Space("w"), searchtest.OpenReal(t, searchtest.Options{}).Space("w")
	with.AddRules(rules...)
	without.AddRules(rules...)
	q := search.RuleQuery{Query: "meal allowance", Explain: true}
	a, plain := with.Rules(q), without.Rules(q)
	if d := cmp.Diff(plain.Results, a.Results); d != "" {
		t.Errorf("the conflict moves the answer (-without +with):\n%s", d)
	}
	ids := searchtest.RuleIDs(a)
	slices.Sort(ids)
	if !slices.Equal(ids, []string{"F-1", "F-2"}) || len(a.Conflicts) != 1 {
		t.Fatalf("rules %v, conflicts %+v; want both and one", ids, a.Conflicts)
	}
	c := a.Conflicts[0]
	slices.Sort(c.Rules[:])
	if c.Rules != [2]string{"F-1", "F-2"} || !strings.Contains(c.Point, "40") || !strings.Contains(c.Point, "60") || c.Trails[0].Name != "Travel" {
		t.Errorf("conflict %+v, want F-1 and F-2 with 40 against 60", c)
	}
}

func TestU19OneDomainOnly(t *testing.T) {
	s := searchtest.OpenReal(t, searchtest.Options{}).Space("alpha")
	var rules []ingest.RuleInput
	for i := range 200 {
		rules = append(rules, ingest.RuleInput{ID: fmt.Sprintf("hr-%03d", i), Trail: "People", Domain: "HR", Tags: []string{"secret"}, Text: fmt.Sprintf("Approval %d of leave is given by the team lead.", i)})
	}
	for i := range 3 {
		rules = append(rules, ingest.RuleInput{ID: fmt.Sprintf("fin-%d", i), Trail: "Money", Domain: "finance", Text: fmt.Sprintf("Approval %d of a payment is given by the controller.", i)})
	}
	s.AddRules(rules...)
	a := s.Rules(search.RuleQuery{Query: "approval", Domains: []string{"finance"}, Limit: 10})
	got := searchtest.RuleIDs(a)
	slices.Sort(got)
	if !slices.Equal(got, []string{"fin-0", "fin-1", "fin-2"}) || a.Total != 3 || a.NextCursor != "" {
		t.Errorf("%v of %d, want the three of finance", got, a.Total)
	}
	body := s.Call("search_trail_rules", map[string]any{"query": "approval", "domains": "finance"})
	for _, leak := range []string{"hr-", "HR", "People", "secret", "203", "200"} {
		if strings.Contains(body, leak) {
			t.Errorf("the answer shows %q: %s", leak, body)
		}
	}

	// Where the wall is a workspace: each has its own domain.
	w := searchtest.Open(t, searchtest.Options{})
	finance, hr := w.Space("finance"), w.Space("hr")
	finance.AddRules(rules[200:]...)
	alone := finance.Call("search_trail_rules", map[string]any{"query": "approval", "explain": true})
	hr.AddRules(rules[:200]...)
	if beside := finance.Call("search_trail_rules", map[string]any{"query": "approval", "explain": true}); beside != alone {
		t.Errorf("beside the 200 of HR:\n%swant\n%s", beside, alone)
	}
}

func TestU23NamesThatDifferALittle(t *testing.T) {
	s := searchtest.Open(t, searchtest.Options{}).Space("w")
	files := map[string]string{}
	for _, name := range []string{"Travel Policy.md", "travel-policy.md", "Travel_Policy.md", "README.md", "readme.md", "100%.md"} {
		files[name] = "---\nstatus: active\n---\nText of " + name + "\n"
	}
	s.AddDocuments(files)
	list, err := s.Service.ListDocuments(t.Context(), s.ID, search.ListQuery{})
	if err != nil || list.Total != 6 {
		t.Fatalf("%d documents, %v; want 6", list.Total, err)
	}
	for _, d := range list.Documents {
		got, err := s.Service.GetDocument(t.Context(), s.ID, search.GetQuery{ID: d.ID})
		if err != nil || got.Text != "Text of "+got.Path {
			t.Errorf("GetDocument(%q) = %+v, %v", d.ID, got, err)
		}
	}
	_, err = s.Service.GetDocument(t.Context(), s.ID, search.GetQuery{ID: "Readme"})
	if e := wantCode(t, err, search.CodeNameAmbiguous); e != nil && len(e.Valid) != 2 {
		t.Errorf("candidates %v, want both", e.Valid)
	}
}

func TestU27Pages(t *testing.T) {
	s := searchtest.OpenReal(t, searchtest.Options{}).Space("w")
	var rules []ingest.RuleInput
	for i := range 60 {
		rules = append(rules, ingest.RuleInput{ID: fmt.Sprintf("r%02d", i), Trail: "Travel",
			Text: fmt.Sprintf("Trips of %d days to %s are booked by the travel desk.", i%9+1, []string{"Porto", "Leeds", "Gdańsk", "Pune"}[i%4])})
	}
	s.AddRules(rules...)
	q := search.RuleQuery{Query: "who books travel to Porto", Explain: true}
	ask := func(limit int, cursor string) *search.RuleAnswer {
		q.Limit, q.Cursor = limit, cursor
		return s.Rules(q)
	}
	five, twenty := ask(5, ""), ask(20, "")
	if len(five.Results) != 5 || len(twenty.Results) != 20 {
		t.Fatalf("%d and %d rules, want 5 and 20", len(five.Results), len(twenty.Results))
	}
	if d := cmp.Diff(twenty.Results[:5], five.Results); d != "" {
		t.Errorf("limit 20 and limit 5:\n%s", d)
	}
	next := ask(20, five.NextCursor)
	if d := cmp.Diff(twenty.Results[5:], next.Results[:15]); d != "" {
		t.Errorf("limit 20, and limit 20 after the first five:\n%s", d)
	}
	for range 5 {
		if d := cmp.Diff(twenty, ask(20, "")); d != "" {
			t.Fatalf("another run:\n%s", d)
		}
	}
}

func TestU33SizeOfAnAnswer(t *testing.T) {
	s := searchtest.Open(t, searchtest.Options{}).Space("w")
	var rules []ingest.RuleInput
	files := map[string]string{}
	for i := range 500 {
		text := fmt.Sprintf("Travel rule %d: a trip abroad is approved by the budget holder before it is booked through the travel desk.", i)
		rules = append(rules, ingest.RuleInput{ID: fmt.Sprintf("TRV-%03d", i), Trail: "Travel and expenses", Domain: "Approval", Tags: []string{"trip", "booking"}, Text: text})
		files[fmt.Sprintf("universal/travel/trip-%03d.md", i)] = fmt.Sprintf("---\ntitle: Travel rule %d\nstatus: active\ntype: policy\n---\n%s\n", i, strings.Repeat(text+" ", 4))
	}
	s.AddRules(rules...)
	s.AddDocuments(files)
	for _, c := range []searchtest.Call{
		{Tool: "search_trail_rules", Arguments: map[string]any{"query": "travel rule for a trip abroad"}},
		{Tool: "kb_search", Arguments: map[string]any{"query": "travel rule for a trip abroad"}},
		{Tool: "get_brain_context", Arguments: map[string]any{"query": "travel rule for a trip abroad", "trail": "Travel and expenses"}},
		{Tool: "kb_list", Arguments: map[string]any{"limit": 20}},
		{Tool: "kb_get", Arguments: map[string]any{"id": "universal-travel-trip-001"}},
		{Tool: "list_trail_domains_and_tags", Arguments: map[string]any{}},
	} {
		body := s.Call(c.Tool, c.Arguments)
		if n := len([]rune(body)); n >= 8000 {
			t.Errorf("%s %v: %d characters, want under 8,000", c.Tool, c.Arguments, n)
		}
		if strings.Contains(c.Tool, "search") && !strings.Contains(body, `"next_cursor":"`) {
			t.Errorf("%s: no cursor to the rest", c.Tool)
		}
	}
	if a := s.Rules(search.RuleQuery{Query: "travel rule for a trip abroad", Limit: 20}); a.Total != 500 || len(a.Results) != 20 || a.NextCursor == "" {
		t.Errorf("total %d, %d shown, cursor %q; want 500, 20 and one", a.Total, len(a.Results), a.NextCursor)
	}
	body := s.Call("kb_get", map[string]any{"id": "universal-travel-trip-999"})
	for _, part := range []string{`"code":"unknown_document"`, `There is no document`, "universal-travel-trip-999", `"hint":"Use the id of a hit of kb_search`, "universal-travel-trip-"} {
		if !strings.Contains(body, part) {
			t.Errorf("the error of an unknown id lacks %q: %s", part, body)
		}
	}
}
