package search_test

import (
	"fmt"
	"strings"
	"testing"

	"waymark/ingest"
	"waymark/search"
	"waymark/search/searchtest"
)

// TestLongRules: a rule of several passages is one hit with the score of its best
// passage, wherever in the text that lies, and says which sentence matched.
func TestLongRules(t *testing.T) {
	s := searchtest.Open(t, searchtest.Options{}).Space("w")
	filler := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "Clause %d speaks of ledgers, vouchers and seals in the ordinary manner of our archive. ", i)
		}
		return b.String()
	}
	sentence := "The zeppelin is moored by two engineers before dusk."
	s.AddRules(
		ingest.RuleInput{ID: "long", Trail: "Archive", Text: filler(60) + sentence + " " + filler(20)},
		ingest.RuleInput{ID: "short", Trail: "Archive", Text: "The zeppelin is painted."},
		ingest.RuleInput{ID: "other", Trail: "Archive", Text: "Seals are kept in the safe."})
	snap, err := s.Index.Acquire(s.ID)
	if err != nil {
		t.Fatal(err)
	}
	rows := snap.Rules.Rows()
	snap.Release()
	if rows < 6 {
		t.Fatalf("%d rows: the long rule is not long enough to be cut", rows)
	}
	a := s.Rules(search.RuleQuery{Query: "engineers moor the zeppelin before dusk", Explain: true})
	if got := searchtest.RuleIDs(a); len(got) != a.Total || got[0] != "long" {
		t.Fatalf("%v of %d, want long first and nothing twice", got, a.Total)
	}
	seen := map[string]bool{}
	for i, r := range a.Results {
		if seen[r.ID] || r.Rank != i+1 {
			t.Errorf("%s is there twice, or at a wrong rank %d", r.ID, r.Rank)
		}
		seen[r.ID] = true
	}
	if got := a.Results[0].Matched.Passage; got != sentence {
		t.Errorf("passage %q, want %q", got, sentence)
	}
	if domains, err := s.Service.TrailDomains(t.Context(), s.ID, search.DomainQuery{}); err != nil || domains.Trails[0].Rules != 3 {
		t.Errorf("%+v, %v; want three rules, whatever their passages", domains, err)
	}
	if a := s.Rules(search.RuleQuery{Query: "zeppelin", Limit: 1}); a.Total != 2 || len(a.Results) != 1 {
		t.Errorf("total %d, %d shown; want two rules that speak of a zeppelin", a.Total, len(a.Results))
	}
}
