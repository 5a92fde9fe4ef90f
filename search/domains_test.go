package search_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"waymark/ingest"
	"waymark/search"
	"waymark/search/searchtest"
)

// TestTrailDomains counts by hand: approved rules in force today, names as they
// compare, shown as the first rule by id writes them, Trails in order of name.
func TestTrailDomains(t *testing.T) {
	s := searchtest.Open(t, searchtest.Options{}).Space("w")
	s.AddTrail("z", "alpha")
	s.AddTrail("y", "Beta")
	s.AddTrail("x", "Empty")
	s.AddRules(
		ingest.RuleInput{ID: "b", Trail: "z", Text: "One.", Domain: "limits", Cluster: "local", Tags: []string{"Money", "eu"}},
		ingest.RuleInput{ID: "a", Trail: "z", Text: "Two.", Domain: "Limits", Cluster: "Local", Tags: []string{"money"}},
		ingest.RuleInput{ID: "c", Trail: "z", Text: "Three.", Domain: "LIMITS"},
		ingest.RuleInput{ID: "d", Trail: "z", Text: "Four.", Domain: "Approvals", Cluster: "Local"},
		ingest.RuleInput{ID: "e", Trail: "z", Text: "Five.", Tags: []string{"EU", "Audit"}},
		ingest.RuleInput{ID: "f", Trail: "z", Text: "Six.", Domain: "Drafts", Status: "draft", Tags: []string{"draft"}},
		ingest.RuleInput{ID: "g", Trail: "z", Text: "Seven.", Domain: "Tomorrow", EffectiveFrom: "2026-12-02"},
		ingest.RuleInput{ID: "h", Trail: "z", Text: "Eight.", Domain: "Yesterday", EffectiveUntil: "2026-11-30"},
		ingest.RuleInput{ID: "i", Trail: "y", Text: "Nine.", Domain: "limits"})
	if err := s.Writer.RetireRule(t.Context(), s.Change(), "d", ""); err != nil {
		t.Fatal(err)
	}
	alpha := search.TrailDomains{Trail: search.TrailName{ID: "z", Name: "alpha"}, Rules: 4,
		Domains: []search.DomainCount{{Name: "Limits", Rules: 3, Clusters: []search.Count{{Name: "Local", Rules: 2}}}},
		Tags:    []search.Count{{Name: "Audit", Rules: 1}, {Name: "eu", Rules: 2}, {Name: "money", Rules: 2}}}
	beta := search.TrailDomains{Trail: search.TrailName{ID: "y", Name: "Beta"}, Rules: 1,
		Domains: []search.DomainCount{{Name: "limits", Rules: 1, Clusters: []search.Count{}}}, Tags: []search.Count{}}
	empty := search.TrailDomains{Trail: search.TrailName{ID: "x", Name: "Empty"}, Domains: []search.DomainCount{}, Tags: []search.Count{}}
	for _, c := range []struct {
		trails []string
		want   []search.TrailDomains
	}{
		{nil, []search.TrailDomains{alpha, beta, empty}},
		{[]string{}, []search.TrailDomains{alpha, beta, empty}},
		{[]string{"BETA"}, []search.TrailDomains{beta}},
		{[]string{"y", "ALPHA", "z"}, []search.TrailDomains{alpha, beta}},
		{[]string{"Empty"}, []search.TrailDomains{empty}},
	} {
		got, err := s.Service.TrailDomains(t.Context(), s.ID, search.DomainQuery{Trails: c.trails})
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(c.want, got.Trails); d != "" {
			t.Errorf("TrailDomains(%v) (-want +got):\n%s", c.trails, d)
		}
	}
	_, err := s.Service.TrailDomains(t.Context(), s.ID, search.DomainQuery{Trails: []string{"alphas", "Beta", "delta"}})
	if e := wantCode(t, err, search.CodeUnknownTrail); e != nil {
		if d := cmp.Diff([]string{"alpha", "Beta", "Empty"}, e.Valid); d != "" {
			t.Errorf("valid names (-want +got):\n%s", d)
		}
	}
	s.SetDay("2026-12-02")
	got, err := s.Service.TrailDomains(t.Context(), s.ID, search.DomainQuery{Trails: []string{"z"}})
	if err != nil || got.Trails[0].Rules != 5 || len(got.Trails[0].Domains) != 2 {
		t.Errorf("the next day: %+v, %v; want 5 rules in 2 domains", got, err)
	}
}
