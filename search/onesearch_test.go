package search_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"waymark/ingest"
	"waymark/search"
	"waymark/search/searchtest"
	"waymark/store"
)

// TestOneSearch: whatever the scope, the query is read once, embedded once and
// looked up once; the embedder itself counts.
func TestOneSearch(t *testing.T) {
	s := searchtest.Open(t, searchtest.Options{}).Space("w")
	var trails []string
	for i := range 40 {
		name := fmt.Sprint("Trail ", i)
		trails = append(trails, name)
		s.AddRules(ingest.RuleInput{Trail: name, Text: fmt.Sprint("Hotel nights need approval by manager ", i, "."), Domain: "Hotels"})
	}
	s.AddDocuments(map[string]string{"universal/a.md": "---\nstatus: active\ntitle: Hotels\n---\nHotel nights need approval.\n"})
	counts := func(x *search.QueryExplain) [3]int { return [3]int{x.Readings, x.Embeddings, x.Lookups} }
	for i, scope := range []search.RuleQuery{{}, {Trails: trails[:1]}, {Trails: trails[:7]}, {Trails: trails}, {Domains: []string{"hotels"}}, {Trails: trails, Domains: []string{"Hotels"}}} {
		scope.Query, scope.Explain, scope.Limit = fmt.Sprint("hotel approval number ", i), true, 100
		before := s.Embedder.Questions.Load()
		a := s.Rules(scope)
		if got := s.Embedder.Questions.Load() - before; got != 1 {
			t.Errorf("%d Trails: the embedder was asked %d times, want once", len(scope.Trails), got)
		}
		if got := counts(a.Explain); got != [3]int{1, 1, 1} {
			t.Errorf("%d Trails: readings, embeddings, lookups = %v, want 1 each", len(scope.Trails), got)
		}
		if len(a.Results) == 0 {
			t.Errorf("%d Trails: no rules", len(scope.Trails))
		}
	}
	before := s.Embedder.Questions.Load()
	a := s.Documents(search.DocumentQuery{Query: "who approves a hotel", Explain: true, Abstain: true, InForce: true})
	if got := s.Embedder.Questions.Load() - before; got != 1 || counts(a.Explain) != [3]int{1, 1, 1} {
		t.Errorf("kb_search: the embedder was asked %d times, explain counts %v, want 1 each", got, counts(a.Explain))
	}
	before = s.Embedder.Questions.Load()
	if _, err := s.Service.BrainContext(t.Context(), search.Asker{Workspace: s.ID}, search.BrainQuery{Trail: trails[3], Query: "nights in a hotel"}); err != nil {
		t.Fatal(err)
	}
	if got := s.Embedder.Questions.Load() - before; got != 1 {
		t.Errorf("get_brain_context: the embedder was asked %d times, want once", got)
	}
}

// TestVectorsOfQuestionsStayInTheirWorkspace: a question asked in one workspace is
// embedded again in another, so that no timing tells what others ask.
func TestVectorsOfQuestionsStayInTheirWorkspace(t *testing.T) {
	w := searchtest.Open(t, searchtest.Options{})
	one, two := w.Space("one"), w.Space("two")
	for i, s := range []*searchtest.Space{one, one, two, two} {
		before := w.Embedder.Questions.Load()
		s.Rules(search.RuleQuery{Query: "are we to be sold"})
		if got, want := w.Embedder.Questions.Load()-before, int64(1-i%2); got != want {
			t.Errorf("search %d: the embedder was asked %d times, want %d", i+1, got, want)
		}
	}
}

// TestBrainContextEqualsSearch: get_brain_context gives the bytes of
// search_trail_rules on that one Trail.
func TestBrainContextEqualsSearch(t *testing.T) {
	for seed := range uint64(rounds(4)) {
		s := searchtest.Open(t, searchtest.Options{}).Space("w")
		r := searchtest.NewRandom(s, seed+60)
		r.Fill(50, 0)
		for range rounds(40) {
			q := search.BrainQuery{Trail: searchtest.RandomTrails[r.IntN(3)], Query: r.Query(), Limit: r.IntN(12)}
			if r.IntN(2) == 0 {
				q.Trail = "  " + strings.ToUpper(q.Trail) + " "
			}
			brain, err := s.Service.BrainContext(t.Context(), search.Asker{Workspace: s.ID, Tool: "get_brain_context"}, q)
			if err != nil {
				t.Fatal(err)
			}
			want := s.Rules(search.RuleQuery{Query: q.Query, Trails: []string{q.Trail}, Limit: q.Limit})
			if d := cmp.Diff(*want, brain.RuleAnswer); d != "" {
				t.Fatalf("%+v (-search_trail_rules +get_brain_context):\n%s", q, d)
			}
			if brain.NextCursor != "" {
				next := s.Rules(search.RuleQuery{Query: q.Query, Trails: []string{q.Trail}, Limit: q.Limit, Cursor: brain.NextCursor})
				if len(next.Results) == 0 || next.Results[0].Rank != len(brain.Results)+1 {
					t.Errorf("%+v: the next page has %d rules", q, len(next.Results))
				}
			}
		}
	}
}

func TestBrainContextDescribesTheTrail(t *testing.T) {
	s := searchtest.Open(t, searchtest.Options{}).Space("w")
	s.AddTrail("travel", "Travel")
	s.AddRules(
		ingest.RuleInput{ID: "a", Trail: "Travel", Text: "Hotels need approval.", Domain: "Hotels"},
		ingest.RuleInput{ID: "b", Trail: "Travel", Text: "Hotels have breakfast.", Domain: "hotels"},
		ingest.RuleInput{ID: "c", Trail: "Travel", Text: "Trains are second class.", Domain: "Trains"},
		ingest.RuleInput{ID: "d", Trail: "Travel", Text: "Taxis are for nights."},
		ingest.RuleInput{ID: "e", Trail: "Travel", Text: "Ships are slow.", Domain: "Ships", Status: "draft"},
		ingest.RuleInput{ID: "f", Trail: "Travel", Text: "Planes are fast.", Domain: "Planes", EffectiveUntil: "2026-11-30"},
		ingest.RuleInput{ID: "g", Trail: "Payroll", Text: "Overtime is paid.", Domain: "Overtime"})
	trail, err := s.Store.Trail(s.ID, "travel")
	if err != nil {
		t.Fatal(err)
	}
	trail.Description, trail.Owner = "How we travel.", "Ana"
	if _, err := s.Writer.EditTrail(t.Context(), s.Change(), trail); err != nil {
		t.Fatal(err)
	}
	got, err := s.Service.BrainContext(t.Context(), search.Asker{Workspace: s.ID}, search.BrainQuery{Trail: "travel", Query: "hotels"})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(search.BrainTrail{ID: "travel", Name: "Travel", Description: "How we travel.", Owner: "Ana", Rules: 4, Domains: 2}, got.Trail); d != "" {
		t.Errorf("the Trail (-want +got):\n%s", d)
	}
	for _, q := range []search.BrainQuery{{Query: "hotels"}, {Trail: "  ", Query: "hotels"}} {
		_, err := s.Service.BrainContext(t.Context(), search.Asker{Workspace: s.ID}, q)
		wantCode(t, err, search.CodeInvalidArgument)
	}
	_, err = s.Service.BrainContext(t.Context(), search.Asker{Workspace: s.ID}, search.BrainQuery{Trail: "Travels", Query: "hotels"})
	if e := wantCode(t, err, search.CodeUnknownTrail); e != nil {
		if d := cmp.Diff([]string{"Travel", "Payroll"}, e.Valid); d != "" {
			t.Errorf("valid names (-want +got):\n%s", d)
		}
	}
}

// wantCode checks that a failure has a code, a sentence and a hint.
func wantCode(t *testing.T, err error, code search.Code) *search.Error {
	t.Helper()
	var e *search.Error
	if !errors.As(err, &e) || e.Code != code || e.Message == "" || e.Hint == "" {
		t.Errorf("error %#v, want %s with a message and a hint", err, code)
		return nil
	}
	return e
}

// TestWordsAloneWhenTheMeaningIsOff: while the encoder fails, rules and documents
// are found by their words, and the answer says so.
func TestWordsAloneWhenTheMeaningIsOff(t *testing.T) {
	s := searchtest.Open(t, searchtest.Options{}).Space("w")
	s.AddRules(
		ingest.RuleInput{ID: "a", Trail: "Travel", Text: "Hotel nights over the limit need approval by the budget holder."},
		ingest.RuleInput{ID: "b", Trail: "Travel", Text: "Trains are booked in second class."})
	s.AddDocuments(map[string]string{"universal/a.md": "---\nstatus: active\ntitle: Hotels\n---\nHotel nights over the limit need approval.\n"})
	failure := errors.New("the model is gone")
	s.Embedder.Failure.Store(&failure)
	a := s.Rules(search.RuleQuery{Query: "who gives approval for hotel nights", Explain: true})
	if a.State != search.StateDegraded || !strings.Contains(a.Reason, "the model is gone") {
		t.Errorf("state %q, reason %q; want degraded and why", a.State, a.Reason)
	}
	if d := cmp.Diff([]string{"a"}, searchtest.RuleIDs(a)); d != "" {
		t.Errorf("rules (-want +got):\n%s", d)
	}
	if a.Explain.Embeddings != 0 {
		t.Errorf("explain counts %d embeddings, want 0", a.Explain.Embeddings)
	}
	d := s.Documents(search.DocumentQuery{Query: "who gives approval for hotel nights"})
	if got := searchtest.DocumentIDs(d); len(got) != 1 || !strings.Contains(d.Reason, "the model is gone") {
		t.Errorf("documents %v, reason %q; want one, and why", got, d.Reason)
	}
	if none := s.Rules(search.RuleQuery{Query: "quantum gardening"}); none.State != search.StateDegraded && none.State != search.StateNoMatch || len(none.Results) != 0 {
		t.Errorf("a query without a stored word: %q, %v; want nothing", none.State, searchtest.RuleIDs(none))
	}
	s.Embedder.Failure.Store(nil)
	if a := s.Rules(search.RuleQuery{Query: "who gives approval for hotel nights"}); a.State != search.StateOK {
		t.Errorf("state %q after the encoder came back, want ok: a failure must not be kept", a.State)
	}
}

// TestWordsAloneWithoutVectors: after a change of model nothing has a vector until
// it is made anew; until then words find what they find, and nothing else is
// returned.
func TestWordsAloneWithoutVectors(t *testing.T) {
	s := searchtest.Open(t, searchtest.Options{}).Space("w")
	for _, r := range []struct{ id, text string }{
		{"a", "Hotel nights over the limit need approval by the budget holder."},
		{"b", "Trains are booked in second class."},
		{"c", "Ships are slow."},
	} {
		if _, err := s.Store.CreateTrail(s.ID, store.Trail{ID: r.id, Name: r.id}); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Store.AddRule(s.ID, store.Rule{ID: r.id, TrailID: r.id, Text: r.text, Class: store.ClassObligation, Status: store.StatusApproved}, "t"); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Index.Refresh(s.ID); err != nil {
		t.Fatal(err)
	}
	a := s.Rules(search.RuleQuery{Query: "approval for hotel nights", Explain: true})
	if got := searchtest.RuleIDs(a); a.State != search.StateDegraded || a.Reason == "" || len(got) != 1 || got[0] != "a" {
		t.Errorf("state %q (%s), rules %v; want degraded, why, and a", a.State, a.Reason, got)
	}
	if made, err := s.Writer.EnsureVectors(t.Context(), s.ID, nil); err != nil || made != 3 {
		t.Fatalf("EnsureVectors = %d, %v", made, err)
	}
	if err := s.Index.Rebuild(s.ID); err != nil {
		t.Fatal(err)
	}
	a = s.Rules(search.RuleQuery{Query: "approval for hotel nights"})
	if got := searchtest.RuleIDs(a); a.State != search.StateOK || len(got) == 0 || got[0] != "a" {
		t.Errorf("state %q, rules %v; want ok and a first", a.State, got)
	}
}
