package search_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"waymark/search"
	"waymark/search/searchtest"
)

// rounds is how many random cases a property is tried with.
func rounds(n int) int {
	if testing.Short() {
		return max(1, n/4)
	}
	return n
}

// allRules pages through a whole answer.
func allRules(s *searchtest.Space, q search.RuleQuery) (hits []search.RuleHit, first *search.RuleAnswer) {
	q.Limit = search.MaxLimit
	for {
		a := s.Rules(q)
		if first == nil {
			first = a
		}
		hits = append(hits, a.Results...)
		if a.NextCursor == "" {
			return hits, first
		}
		q.Cursor = a.NextCursor
	}
}

func allDocuments(s *searchtest.Space, q search.DocumentQuery) (hits []search.DocumentHit, first *search.DocumentAnswer) {
	q.Limit = search.MaxLimit
	for {
		a := s.Documents(q)
		if first == nil {
			first = a
		}
		hits = append(hits, a.Hits...)
		if a.NextCursor == "" {
			return hits, first
		}
		q.Cursor = a.NextCursor
	}
}

// refusal is the code with which a search fails; empty when it answers.
func refusal(s *searchtest.Space, q search.RuleQuery) search.Code {
	_, err := s.Service.SearchRules(context.Background(), search.Asker{Workspace: s.ID}, q)
	var e *search.Error
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}

// scoredIDs shows of each hit its id and the parts of its score, to the last
// bit.
func scoredIDs[T any](hits []T, show func(T) (string, *search.HitExplain)) []string {
	lines := []string{}
	for _, h := range hits {
		id, x := show(h)
		lines = append(lines, fmt.Sprintf("%s %x %x %x %x", id, x.Score, x.BM25, x.Cosine, x.Standing))
	}
	return lines
}

func ruleLine(h search.RuleHit) (string, *search.HitExplain)         { return h.ID, h.Explain }
func documentLine(h search.DocumentHit) (string, *search.HitExplain) { return h.ID, h.Explain }

// fold is how names compare, for names of plain letters.
func fold(name string) string { return strings.ToLower(strings.TrimSpace(name)) }

func contains(names []string, name string) bool {
	return slices.ContainsFunc(names, func(n string) bool { return fold(n) == fold(name) })
}

// TestFiltersNeverReRankRules: for every filter, the answer is the unfiltered one
// with the other rules struck out, and no part of any score differs in one bit.
func TestFiltersNeverReRankRules(t *testing.T) {
	kept, struck := 0, 0
	for seed := range uint64(rounds(6)) {
		r := searchtest.NewRandom(searchtest.Open(t, searchtest.Options{}).Space("w"), seed)
		r.Fill(70, 0)
		for range rounds(80) {
			q := r.RuleQuery()
			q.Explain = true
			whole, _ := allRules(r.Space, search.RuleQuery{Query: q.Query, Explain: true})
			want := slices.DeleteFunc(slices.Clone(whole), func(h search.RuleHit) bool {
				return len(q.Trails) > 0 && !contains(q.Trails, h.Trail.Name) && !slices.Contains(q.Trails, h.Trail.ID) ||
					len(q.Domains) > 0 && !contains(q.Domains, h.Domain) ||
					len(q.Clusters) > 0 && !contains(q.Clusters, h.Cluster)
			})
			if code := refusal(r.Space, q); code != "" {
				// A name that exists, but not in this scope: then nothing was left.
				if len(want) > 0 || code != search.CodeUnknownDomain && code != search.CodeUnknownCluster {
					t.Fatalf("seed %d, %+v: %s, want %d rules", seed, q, code, len(want))
				}
				continue
			}
			got, first := allRules(r.Space, q)
			if d := cmp.Diff(scoredIDs(want, ruleLine), scoredIDs(got, ruleLine)); d != "" {
				t.Fatalf("seed %d, %+v (-unfiltered, struck out +filtered):\n%s", seed, q, d)
			}
			if first.Total != len(want) {
				t.Fatalf("seed %d, %+v: total %d, want %d", seed, q, first.Total, len(want))
			}
			for i, h := range got {
				if h.Rank != i+1 {
					t.Fatalf("seed %d, %+v: rank %d at place %d", seed, q, h.Rank, i+1)
				}
			}
			kept, struck = kept+len(got), struck+len(whole)-len(got)
		}
	}
	if kept < 500 || struck < 500 {
		if !testing.Short() {
			t.Errorf("%d rules kept and %d struck out: the cases are too tame to show anything", kept, struck)
		}
	}
}

// TestFiltersNeverReRankDocuments is the same for documents: validity is a filter
// like any other.
func TestFiltersNeverReRankDocuments(t *testing.T) {
	kept, struck := 0, 0
	for seed := range uint64(rounds(6)) {
		s := searchtest.Open(t, searchtest.Options{}).Space("w")
		r := searchtest.NewRandom(s, seed)
		r.Fill(0, 60)
		facts := documentsByID(t, s)
		for range rounds(80) {
			q := r.DocumentQuery()
			q.Explain = true
			asOf := ""
			if r.IntN(2) == 0 {
				asOf = r.Day()
			}
			q.AsOf = asOf
			whole, _ := allDocuments(s, search.DocumentQuery{Query: q.Query, IncludeExpired: true, Explain: true, AsOf: asOf})
			day := asOf
			if day == "" {
				day = searchtest.Today
			}
			want := slices.DeleteFunc(slices.Clone(whole), func(h search.DocumentHit) bool { return !facts[h.ID].passes(t, q, day) })
			got, _ := allDocuments(s, q)
			if d := cmp.Diff(scoredIDs(want, documentLine), scoredIDs(got, documentLine)); d != "" {
				t.Fatalf("seed %d, %+v (-unfiltered, struck out +filtered):\n%s", seed, q, d)
			}
			kept, struck = kept+len(got), struck+len(whole)-len(got)
		}
	}
	if kept < 500 || struck < 500 {
		if !testing.Short() {
			t.Errorf("%d documents kept and %d struck out: the cases are too tame to show anything", kept, struck)
		}
	}
}
