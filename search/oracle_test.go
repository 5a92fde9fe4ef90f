package search_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"waymark/search"
	"waymark/search/searchtest"
	"waymark/store"
)

// knownDocument is a document as the store has it, with the ids of those in
// force that may replace it; it decides about filters by the contract's words and
// with nothing of the package under test.
type knownDocument struct {
	store.Document
	all []store.Document
}

func documentsByID(t *testing.T, s *searchtest.Space) map[string]knownDocument {
	t.Helper()
	all, err := s.Store.Documents(s.ID, 0)
	if err != nil {
		t.Fatal(err)
	}
	byID := map[string]knownDocument{}
	for _, d := range all {
		byID[d.ID] = knownDocument{d, all}
	}
	return byID
}

// qualifies applies the first three tests of "in force": status, window, inbox.
func qualifies(d store.Document, day string) bool {
	fatal := slices.ContainsFunc(d.Problems, func(p store.Problem) bool { return p.Fatal })
	return !fatal && !d.Template && slices.Contains([]string{"active", "accepted", "approved"}, fold(d.Status)) &&
		(d.ValidFrom == "" || d.ValidFrom <= day) && (d.ValidUntil == "" || day <= d.ValidUntil) && !strings.HasPrefix(d.Path, "memory/inbox/")
}

// supersedes follows the declarations; a document on a cycle through another
// excludes nobody on it.
func (d knownDocument) supersededOn(day string) bool {
	for _, newer := range d.all {
		if newer.ID != d.ID && slices.Contains(newer.Supersedes, d.ID) && qualifies(newer, day) && !d.reaches(newer.ID) {
			return true
		}
	}
	return false
}

// reaches tells whether the document supersedes another, directly or through
// others.
func (d knownDocument) reaches(id string) bool {
	seen, open := map[string]bool{}, []string{d.ID}
	for len(open) > 0 {
		at := open[0]
		open = open[1:]
		for _, other := range d.all {
			if other.ID != at {
				continue
			}
			for _, older := range other.Supersedes {
				if older == id {
					return true
				}
				if !seen[older] {
					seen[older] = true
					open = append(open, older)
				}
			}
		}
	}
	return false
}

func (d knownDocument) inForce(day string) bool {
	return qualifies(d.Document, day) && !d.supersededOn(day)
}

// passes decides whether a document may be in the answer to a query on a day.
// Days compare as texts.
func (d knownDocument) passes(t *testing.T, q search.DocumentQuery, day string) bool {
	t.Helper()
	same := func(wanted, has string) bool { return fold(wanted) == "" || fold(wanted) == fold(has) }
	if !same(q.Tier, d.Tier) || !same(q.Category, d.Category) || !same(q.Status, d.Status) || !same(q.DocType, d.Type) {
		return false
	}
	if q.InForce && !d.inForce(day) {
		return false
	}
	expired := d.ValidUntil != "" && d.ValidUntil < day
	switch {
	case q.ValidityState == "expired":
		return expired
	case q.ValidityState == "stale":
		if d.RecheckBy == "" || d.RecheckBy >= day {
			return false
		}
	case q.ValidityState != "":
		n, err := strconv.Atoi(strings.TrimPrefix(q.ValidityState, "expiring_within:"))
		if err != nil {
			t.Fatal(err)
		}
		if d.ValidUntil == "" || d.ValidUntil < day || d.ValidUntil > laterDay(t, day, n) {
			return false
		}
	}
	return q.IncludeExpired || !expired
}

func laterDay(t *testing.T, day string, n int) string {
	t.Helper()
	d, ok := search.ParseDay(day)
	if !ok {
		t.Fatalf("ParseDay(%q) failed", day)
	}
	return (d + search.Day(n)).String()
}
