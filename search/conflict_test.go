package search_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"waymark/ingest"
	"waymark/search"
	"waymark/search/searchtest"
	"waymark/store"
)

// quarrel is a comparer for which two rules conflict when both texts name one of
// its words.
type quarrel struct {
	word  string
	pages [][]string // the ids of each page it was shown
	trail []string   // the names of the Trails it was shown
}

func (q *quarrel) ComparePage(rules []search.ComparedRule) []search.ComparedPair {
	var pairs []search.ComparedPair
	var ids []string
	for i, a := range rules {
		ids = append(ids, a.Rule.ID)
		q.trail = append(q.trail, a.TrailName)
		for k := i + 1; k < len(rules); k++ {
			if strings.Contains(a.Rule.Text, q.word) && strings.Contains(rules[k].Rule.Text, q.word) {
				pairs = append(pairs, search.ComparedPair{A: i, B: k, Kind: "threshold", Point: a.Rule.Text + " against " + rules[k].Rule.Text})
			}
		}
	}
	q.pages = append(q.pages, ids)
	return pairs
}

// TestConflictsAreNamed: both rules of a pair are returned with their Trails, the
// pair is named once, and only when both are on the page.
func TestConflictsAreNamed(t *testing.T) {
	comparer := &quarrel{word: "USD"}
	s := searchtest.Open(t, searchtest.Options{Comparer: comparer}).Space("w")
	s.AddTrail("inv", "Invoices")
	s.AddTrail("pro", "Procurement")
	s.AddRules(
		ingest.RuleInput{ID: "a", Trail: "inv", Text: "Invoice approval is needed over 5,000 USD."},
		ingest.RuleInput{ID: "b", Trail: "pro", Text: "Invoice approval is needed over 10,000 USD."},
		ingest.RuleInput{ID: "c", Trail: "pro", Text: "Invoice approval is recorded."})
	a := s.Rules(search.RuleQuery{Query: "invoice approval needed"})
	want := []search.Conflict{{Rules: [2]string{"a", "b"}, Trails: [2]search.TrailName{{ID: "inv", Name: "Invoices"}, {ID: "pro", Name: "Procurement"}},
		Kind: "threshold", Point: "Invoice approval is needed over 5,000 USD. against Invoice approval is needed over 10,000 USD."}}
	if d := cmp.Diff(want, a.Conflicts); d != "" {
		t.Errorf("conflicts (-want +got):\n%s", d)
	}
	if got := searchtest.RuleIDs(a); len(got) != 3 {
		t.Errorf("rules %v, want all three", got)
	}
	if !slices.Contains(comparer.trail, "Procurement") {
		t.Errorf("the comparer was shown the Trails %q", comparer.trail)
	}
	for _, q := range []search.RuleQuery{{Query: "invoice approval needed", Limit: 1}, {Query: "invoice approval needed", Trails: []string{"pro"}}} {
		if a := s.Rules(q); len(a.Conflicts) != 0 || a.Conflicts == nil {
			t.Errorf("%+v: conflicts %v, want an empty list", q, a.Conflicts)
		}
	}
	brain, err := s.Service.BrainContext(t.Context(), search.Asker{Workspace: s.ID}, search.BrainQuery{Trail: "inv", Query: "invoice approval needed"})
	if err != nil || len(brain.Conflicts) != 0 {
		t.Errorf("get_brain_context of one Trail: %v, %v; want no conflict across Trails", brain.Conflicts, err)
	}
}

// TestConflictsMoveNothing: with conflicts everywhere, order, scores and pages are
// those without any, and the comparer sees exactly the rules of the page.
func TestConflictsMoveNothing(t *testing.T) {
	comparer := &quarrel{word: " "}
	quiet, loud := searchtest.Open(t, searchtest.Options{}).Space("w"), searchtest.Open(t, searchtest.Options{Comparer: comparer}).Space("w")
	r := searchtest.NewRandom(quiet, 9)
	r.Fill(60, 0)
	searchtest.NewRandom(loud, 9).Fill(60, 0)
	named := 0
	for range rounds(60) {
		q := search.RuleQuery{Query: r.Words(3), Limit: 1 + r.IntN(12), Explain: true}
		want, got := quiet.Rules(q), loud.Rules(q)
		if d := cmp.Diff(want.Results, got.Results); d != "" {
			t.Fatalf("%q (-without +with conflicts):\n%s", q.Query, d)
		}
		if want.Total != got.Total || (want.NextCursor == "") != (got.NextCursor == "") {
			t.Fatalf("%q: total %d and %d", q.Query, want.Total, got.Total)
		}
		if n := len(got.Results); len(got.Conflicts) != n*(n-1)/2 {
			t.Fatalf("%q: %d conflicts among %d rules that all quarrel", q.Query, len(got.Conflicts), n)
		}
		if n := len(got.Results); n > 1 {
			if d := cmp.Diff(searchtest.RuleIDs(got), comparer.pages[len(comparer.pages)-1]); d != "" {
				t.Fatalf("%q: the comparer saw another page (-answer +seen):\n%s", q.Query, d)
			}
		}
		named += len(got.Conflicts)
	}
	if named == 0 {
		t.Error("no conflict was named at all")
	}
}

// TestActivity: one record for each Trail that returned rules, with what the
// contract names; none for a Trail that returned nothing.
func TestActivity(t *testing.T) {
	s := searchtest.Open(t, searchtest.Options{Comparer: &quarrel{word: "USD"}}).Space("w")
	s.AddTrail("inv", "Invoices")
	s.AddTrail("pro", "Procurement")
	s.AddTrail("hol", "Holidays")
	s.AddRules(
		ingest.RuleInput{ID: "a", Trail: "inv", Text: "Invoice approval is needed over 5,000 USD."},
		ingest.RuleInput{ID: "b", Trail: "pro", Text: "Invoice approval is needed over 10,000 USD.", Domain: "Limits"},
		ingest.RuleInput{ID: "c", Trail: "pro", Text: "Invoice approval is recorded by the buyer in the ledger of the month."},
		ingest.RuleInput{ID: "d", Trail: "hol", Text: "Vacation ends in spring."})
	ask := func(asker search.Asker, q search.RuleQuery) []store.Activity {
		t.Helper()
		asker.Workspace = s.ID
		if _, err := s.Service.SearchRules(t.Context(), asker, q); err != nil {
			t.Fatal(err)
		}
		records := s.Recorder.Take(s.ID)
		for i := range records {
			if records[i].Milliseconds < 0 {
				t.Errorf("%v milliseconds", records[i].Milliseconds)
			}
			records[i].Milliseconds = 0
		}
		return records
	}
	clerk := search.Asker{Agent: "clerk", Tool: "search_trail_rules"}
	query := "invoice approval needed over USD"
	got := ask(clerk, search.RuleQuery{Query: query, Trails: []string{"Invoices", "pro"}})
	want := []store.Activity{
		{Time: s.Now(), TrailID: "inv", Agent: "clerk", Tool: "search_trail_rules", Query: query, Filters: map[string][]string{"trails": {"Invoices", "pro"}},
			Rules: []store.RankedRule{{ID: "a", Rank: 1}}, Conflicts: [][2]string{{"a", "b"}}},
		{Time: s.Now(), TrailID: "pro", Agent: "clerk", Tool: "search_trail_rules", Query: query, Filters: map[string][]string{"trails": {"Invoices", "pro"}},
			Rules: []store.RankedRule{{ID: "b", Rank: 2}, {ID: "c", Rank: 3}}, Conflicts: [][2]string{{"a", "b"}}},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("records (-want +got):\n%s", d)
	}
	if got := ask(clerk, search.RuleQuery{Query: query, Domains: []string{"limits"}}); len(got) != 1 || got[0].TrailID != "pro" || len(got[0].Conflicts) != 0 {
		t.Errorf("a search in one domain: %+v, want one record of procurement", got)
	}
	if got := ask(clerk, search.RuleQuery{Query: "how long should I boil an egg"}); len(got) != 0 {
		t.Errorf("a search without a match: %+v, want no record", got)
	}
	first, err := s.Service.SearchRules(t.Context(), search.Asker{Workspace: s.ID, Agent: "clerk", Tool: "search_trail_rules"}, search.RuleQuery{Query: query, Limit: 1})
	if err != nil {
		t.Fatal(err)
	}
	s.Recorder.Take(s.ID)
	got = ask(clerk, search.RuleQuery{Query: query, Limit: 2, Cursor: first.NextCursor})
	if len(got) != 1 || got[0].TrailID != "pro" || got[0].Rules[0].Rank != 2 {
		t.Errorf("the second page: %+v, want one record with its ranks", got)
	}
	if _, err := s.Service.BrainContext(t.Context(), search.Asker{Workspace: s.ID, Tool: "get_brain_context"}, search.BrainQuery{Trail: "inv", Query: query}); err != nil {
		t.Fatal(err)
	}
	if got := s.Recorder.Take(s.ID); len(got) != 1 || got[0].Tool != "get_brain_context" || got[0].Agent != "" {
		t.Errorf("get_brain_context: %+v, want one record of an operator", got)
	}
	if _, err := s.Service.SearchRules(t.Context(), clerk, search.RuleQuery{Query: " "}); err == nil || len(s.Recorder.Take(s.ID)) != 0 {
		t.Error("a refused search is recorded, or not refused")
	}
}
