package store_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"waymark/store"
	"waymark/store/storetest"
)

// rule returns a rule that can be stored.
func rule(trail, text string) store.Rule {
	return store.Rule{TrailID: trail, Text: text, Class: store.ClassObligation}
}

// trail makes a Trail and returns its id.
func trail(t testing.TB, s *store.Store, workspace, name string) string {
	t.Helper()
	made, err := s.CreateTrail(workspace, store.Trail{Name: name})
	if err != nil {
		t.Fatal(err)
	}
	return made.ID
}

// must returns value, or ends the test.
func must[T any](value T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

func TestReopenGivesTheSame(t *testing.T) {
	options := storetest.Options(t)
	s := storetest.OpenWith(t, options)
	w := storetest.Workspace(t, s, "Acme")
	invoices := trail(t, s, w, "Invoices")
	added := must(s.AddRule(w, rule(invoices, "Pay within 30 days."), "ann"))(t)
	approved := must(s.ApproveRule(w, added.ID, "bob"))(t)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = storetest.OpenWith(t, options)
	got := must(s.Rule(w, added.ID))(t)
	if diff := cmp.Diff(approved, got); diff != "" {
		t.Errorf("Rule(%q) after reopening (-want +got):\n%s", added.ID, diff)
	}
	if version := must(s.Version(w))(t); version != 3 {
		t.Errorf("Version() = %d, want 3", version)
	}
}
