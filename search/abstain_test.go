package search_test

import (
	"testing"

	"waymark/search"
	"waymark/search/searchtest"
)

// abstainSpace has a policy in force, an expired one, a draft, a superseded one
// and one whose body alone names a subject.
func abstainSpace(t *testing.T) *searchtest.Space {
	t.Helper()
	s := searchtest.OpenReal(t, searchtest.Options{}).Space("w")
	s.AddDocuments(map[string]string{
		"universal/security/passwords.md": "---\ntitle: Password policy\nstatus: active\ntype: policy\ntags: [password, rotation]\napplies_when: [choosing a password]\n---\n# Rotation\n\nPasswords of administrators are changed every 90 days.\n",
		"universal/travel/hotels.md":      "---\ntitle: Hotel bookings\nstatus: active\ntype: policy\nvalid_until: 2026-06-30\n---\nHotels are booked by the travel desk.\n",
		"universal/travel/trains.md":      "---\ntitle: Railway tickets\nstatus: draft\ntype: guide\n---\nTrain tickets are bought in second class.\n",
		"universal/finance/PO-77.md":      "---\ntitle: Purchase orders of form PO-1234\nstatus: superseded\ntype: policy\n---\nOrders need two signatures.\n",
		"universal/kitchen/notes.md":      "---\ntitle: Kitchen notes\nstatus: active\n---\nThe coffee machine is descaled by the office manager.\n",
	})
	return s
}

func TestAbstain(t *testing.T) {
	s := abstainSpace(t)
	for _, c := range []struct {
		name   string
		q      search.DocumentQuery
		reason search.AbstainReason // empty: it answers
		first  string
	}{
		{"a word of a title", search.DocumentQuery{Query: "password"}, "", "universal-security-passwords"},
		{"a question about it", search.DocumentQuery{Query: "how often must admins change their password"}, "", "universal-security-passwords"},
		{"its meaning alone", search.DocumentQuery{Query: "renewing login secrets regularly"}, "", "universal-security-passwords"},
		{"an id", search.DocumentQuery{Query: "universal-kitchen-notes"}, "", "universal-kitchen-notes"},
		{"common words alone", search.DocumentQuery{Query: "the for of and"}, search.NoTerms, ""},
		{"marks alone", search.DocumentQuery{Query: "?!"}, search.NoTerms, ""},
		{"nothing like it", search.DocumentQuery{Query: "how do I boil an egg"}, search.NoSignalMatch, ""},
		{"a code that is not stored", search.DocumentQuery{Query: "PO-1243"}, search.NoSignalMatch, ""},
		{"a code that is", search.DocumentQuery{Query: "PO-1234"}, "", "universal-finance-PO-77"},
		{"another tier", search.DocumentQuery{Query: "password rotation", Tier: "T2"}, search.OutOfScope, ""},
		{"another category", search.DocumentQuery{Query: "password rotation", Category: "travel"}, search.OutOfScope, ""},
		{"another status", search.DocumentQuery{Query: "password rotation", Status: "draft"}, search.OutOfScope, ""},
		{"another type", search.DocumentQuery{Query: "password rotation", DocType: "decision"}, search.OutOfScope, ""},
		{"expired", search.DocumentQuery{Query: "hotel bookings"}, search.NotInForce, ""},
		{"expired, and asked for", search.DocumentQuery{Query: "hotel bookings", IncludeExpired: true}, "", "universal-travel-hotels"},
		{"a draft, in force only", search.DocumentQuery{Query: "railway tickets", InForce: true}, search.NotInForce, ""},
		{"a draft", search.DocumentQuery{Query: "railway tickets"}, "", "universal-travel-trains"},
		{"superseded, in force only", search.DocumentQuery{Query: "PO-1234", InForce: true}, search.NotInForce, ""},
		{"another tier wins over not in force", search.DocumentQuery{Query: "railway tickets", InForce: true, Tier: "T3"}, search.OutOfScope, ""},
		{"not of the facet", search.DocumentQuery{Query: "password rotation", ValidityState: "expired"}, search.NotInForce, ""},
	} {
		c.q.Abstain, c.q.Explain = true, true
		a := s.Documents(c.q)
		if a.Abstained == nil {
			t.Errorf("%s: abstained is not there", c.name)
			continue
		}
		if *a.Abstained != (c.reason != "") || a.AbstainReason != c.reason {
			t.Errorf("%s: abstained %v, %q; want %q. gate %+v", c.name, *a.Abstained, a.AbstainReason, c.reason, a.Explain.Gate)
			continue
		}
		switch {
		case c.reason != "" && (len(a.Hits) != 0 || a.Hits == nil || a.TotalReturned != 0 || a.Reason == "" || a.NextCursor != ""):
			t.Errorf("%s: %d hits, reason %q; want an empty list and a reason", c.name, len(a.Hits), a.Reason)
		case c.reason == "" && (len(a.Hits) == 0 || a.Hits[0].ID != c.first):
			t.Errorf("%s: hits %v, want %s first", c.name, searchtest.DocumentIDs(a), c.first)
		}
		c.q.Abstain = false
		if plain := s.Documents(c.q); plain.Abstained != nil || plain.AbstainReason != "" {
			t.Errorf("%s: abstained %v without abstain, want it left out", c.name, *plain.Abstained)
		} else if c.reason == "" && len(plain.Hits) == 0 {
			t.Errorf("%s: nothing without abstain", c.name)
		}
	}
}

// TestEmptyIsNotAbstained: an ordinary empty answer says why it is empty, and that
// it did not abstain.
func TestEmptyIsNotAbstained(t *testing.T) {
	s := abstainSpace(t)
	for _, c := range []struct {
		q      search.DocumentQuery
		reason string
	}{
		{search.DocumentQuery{Query: "password", Tier: "T4"}, "No document is in the scope that was asked for."},
		{search.DocumentQuery{Query: "hotel", Category: "travel", InForce: true}, "Every document in the scope is left out by in_force, validity_state or its validity."},
	} {
		if a := s.Documents(c.q); len(a.Hits) != 0 || a.Hits == nil || a.Abstained != nil || a.Reason != c.reason {
			t.Errorf("%+v: %d hits, abstained %v, reason %q; want none and %q", c.q, len(a.Hits), a.Abstained, a.Reason, c.reason)
		}
	}
	empty := searchtest.Open(t, searchtest.Options{}).Space("w")
	if a := empty.Documents(search.DocumentQuery{Query: "password"}); len(a.Hits) != 0 || a.Reason == "" {
		t.Errorf("an empty knowledge base: %+v, want a reason", a)
	}
	if a := empty.Documents(search.DocumentQuery{Query: "password", Abstain: true}); a.Abstained == nil || !*a.Abstained || a.AbstainReason != search.NoSignalMatch {
		t.Errorf("an empty knowledge base, abstain: %+v, want no_signal_match", a)
	}
	if a := empty.Rules(search.RuleQuery{Query: "password"}); a.State != search.StateNoMatch || a.Reason == "" || a.Results == nil || a.Conflicts == nil {
		t.Errorf("no rules: %+v, want no_match with a reason and empty lists", a)
	}
}

// TestFilteredOutByID: a document that the query names by its id and that a filter
// leaves out is never returned, and the answer says why, with abstain too.
func TestFilteredOutByID(t *testing.T) {
	s := abstainSpace(t)
	for _, c := range []struct {
		q    search.DocumentQuery
		want string
	}{
		{search.DocumentQuery{Query: "universal-security-passwords", Tier: "T2"}, `The document "universal-security-passwords" exists, but it is not of the tier, category, status or type that was asked for.`},
		{search.DocumentQuery{Query: "universal-travel-hotels"}, `The document "universal-travel-hotels" exists, but it was valid until 2026-06-30; set include_expired to see it.`},
		{search.DocumentQuery{Query: "universal-travel-hotels", InForce: true, IncludeExpired: true}, `The document "universal-travel-hotels" exists, but it is not in force: it was valid until 2026-06-30.`},
		{search.DocumentQuery{Query: " universal-travel-trains ", InForce: true}, `The document "universal-travel-trains" exists, but it is not in force: its status is draft.`},
		{search.DocumentQuery{Query: "universal-travel-trains", ValidityState: "stale"}, `The document "universal-travel-trains" exists, but it is not in the validity state that was asked for, or the query's own phrases and exclusions leave it out.`},
	} {
		for _, c.q.Abstain = range []bool{false, true} {
			a := s.Documents(c.q)
			for _, h := range a.Hits {
				if h.ID == "universal-security-passwords" && c.q.Tier != "" || h.ID == "universal-travel-hotels" && (!c.q.IncludeExpired || c.q.InForce) {
					t.Errorf("%+v: returns %s", c.q, h.ID)
				}
			}
			if len(a.Reason) < len(c.want) || a.Reason[:len(c.want)] != c.want {
				t.Errorf("%+v: reason %q, want it to begin %q", c.q, a.Reason, c.want)
			}
		}
	}
	if a := s.Documents(search.DocumentQuery{Query: "universal-travel-hotels", IncludeExpired: true}); len(a.Hits) == 0 || a.Hits[0].ID != "universal-travel-hotels" || a.Reason != "" {
		t.Errorf("the id itself: %v, reason %q; want it first", searchtest.DocumentIDs(a), a.Reason)
	}
}
