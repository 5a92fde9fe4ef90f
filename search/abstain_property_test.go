package search_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"waymark/search"
	"waymark/search/searchtest"
)

// TestAbstainChangesNothingElse: a search that does not abstain is the search
// without abstain, and each reason means what it says: what it names is what must
// be given up for an answer.
func TestAbstainChangesNothingElse(t *testing.T) {
	reasons := map[search.AbstainReason]int{}
	for seed := range uint64(rounds(4)) {
		s := searchtest.Open(t, searchtest.Options{}).Space("w")
		r := searchtest.NewRandom(s, seed+140)
		r.Fill(0, 40)
		for range rounds(120) {
			q := r.DocumentQuery()
			q.Explain, q.Verbose = r.IntN(2) == 0, r.IntN(2) == 0
			plain := s.Documents(q)
			q.Abstain = true
			a := s.Documents(q)
			reasons[a.AbstainReason]++
			if a.Abstained == nil || *a.Abstained != (a.AbstainReason != "") {
				t.Fatalf("%+v: abstained %v for %q", q, a.Abstained, a.AbstainReason)
			}
			reason := func(change func(*search.DocumentQuery)) search.AbstainReason {
				wider := q
				change(&wider)
				return s.Documents(wider).AbstainReason
			}
			scope := func(q *search.DocumentQuery) { q.Tier, q.Category, q.Status, q.DocType = "", "", "", "" }
			validity := func(q *search.DocumentQuery) { q.InForce, q.IncludeExpired, q.ValidityState = false, true, "" }
			everything := func(q *search.DocumentQuery) { scope(q); validity(q) }
			switch a.AbstainReason {
			case "":
				a.Abstained, a.NextCursor, plain.NextCursor = nil, "", ""
				if d := cmp.Diff(plain, a); d != "" {
					t.Fatalf("%+v (-without +with abstain):\n%s", q, d)
				}
				if len(a.Hits) == 0 {
					t.Fatalf("%+v: neither abstained nor answered", q)
				}
			case search.OutOfScope:
				if got := reason(scope); got == search.OutOfScope || got == search.NoSignalMatch {
					t.Fatalf("%+v: out_of_scope, and %q without tier, category, status and type", q, got)
				}
			case search.NotInForce:
				if got := reason(validity); got != "" {
					t.Fatalf("%+v: not_in_force, and %q whatever the validity", q, got)
				}
			default:
				if got := reason(everything); got != a.AbstainReason {
					t.Fatalf("%+v: %q, and %q without any filter", q, a.AbstainReason, got)
				}
			}
		}
	}
	// The stand-in for the encoder finds meaning in every word, so no_terms is left
	// to TestAbstain.
	for _, r := range []search.AbstainReason{"", search.NoSignalMatch, search.OutOfScope, search.NotInForce} {
		if reasons[r] == 0 && !testing.Short() {
			t.Errorf("no case ended with %q: %v", r, reasons)
		}
	}
}
