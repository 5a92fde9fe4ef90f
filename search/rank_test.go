package search_test

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"waymark/analysis"
	"waymark/index"
	"waymark/search"
	"waymark/search/searchtest"
)

// naive ranks a collection by the formulas of the design, with the exact cosine
// of every row and no bounds, no cut and no second thought.
type naive struct {
	view     *index.View
	vector   []float32
	bm25     []float64
	held     []float64
	maxScore float64
	weight   float64
	null     float64
	open     bool // whether anything in the workspace matches
	codes    []index.Bitmap
}

func newNaive(t *testing.T, s *searchtest.Space, view *index.View, query string) *naive {
	t.Helper()
	vector, err := s.Embedder.Embedder.EmbedQuery(t.Context(), query)
	if err != nil {
		t.Fatal(err)
	}
	n := &naive{view: view, vector: vector, bm25: make([]float64, view.Rows()), held: make([]float64, view.Rows()), null: search.Median(view.BankMaxima())}
	parsed := analysis.New().ParseQuery(query)
	unknown := 0.0
	for _, term := range parsed.Terms {
		if term.Optional && view.DF(term.Term) == 0 {
			continue
		}
		mass := float64(term.Count) * view.IDF(term.Term)
		n.maxScore += mass
		if view.DF(term.Term) == 0 {
			unknown += mass
		}
		view.Score([]index.QueryTerm{{Term: term.Term, Count: term.Count}}, n.bm25, n.held)
	}
	oov := 0.0
	if n.maxScore > 0 {
		oov = unknown / n.maxScore
	}
	n.weight = .30 + .40*oov
	for _, c := range parsed.Codes {
		n.codes = append(n.codes, view.RowsWith(c.Term))
	}
	cosine, coverage := 0.0, 0.0
	for row := range view.Rows() {
		if view.Counts(row) {
			cosine, coverage = max(cosine, n.cosine(row)), max(coverage, n.coverage(row))
			n.open = n.open || n.surely(row)
		}
	}
	n.open = n.open || cosine+.2*coverage*coverage-n.null >= .134
	return n
}

func (n *naive) cosine(row int) float64 { return float64(n.view.Cosine(n.vector, row)) }

func (n *naive) coverage(row int) float64 {
	if n.maxScore == 0 {
		return 0
	}
	return n.bm25[row] / n.maxScore
}

// surely: the row holds a code of the query, or three quarters of the weight of
// its words.
func (n *naive) surely(row int) bool {
	return slices.ContainsFunc(n.codes, func(b index.Bitmap) bool { return b.Contains(row) }) || n.maxScore > 0 && n.held[row]/n.maxScore >= .75
}

// score is the fused score of a row, and whether the row stands out from what
// unrelated questions reach.
func (n *naive) score(row int) (score float64, stands bool) {
	cosine, coverage := n.cosine(row), n.coverage(row)
	return n.weight*max(0, cosine) + (1-n.weight)*math.Pow(coverage, 1.5), cosine+.2*coverage*coverage-n.null >= 0
}

// TestRankIsExact compares the ranking of rules, which skips what bounds prove to
// be out of reach, with the naive one.
func TestRankIsExact(t *testing.T) {
	cut := 0
	for seed := range uint64(rounds(4)) {
		s := searchtest.Open(t, searchtest.Options{}).Space("w")
		r := searchtest.NewRandom(s, seed+20)
		r.Fill(250, 0)
		for range 5 {
			r.Step() // several segments, with removed rows
		}
		snap, err := s.Index.Acquire(s.ID)
		if err != nil {
			t.Fatal(err)
		}
		defer snap.Release()
		view := snap.Rules.View(day(t, searchtest.Today))
		for range rounds(40) {
			q := search.RuleQuery{Query: r.Words(1 + r.IntN(5)), Limit: 1 + r.IntN(20), Explain: true}
			n := newNaive(t, s, view, q.Query)
			type ranked struct {
				id    string
				score float64
			}
			best := map[string]float64{} // of the rows of a rule
			for row := range view.Rows() {
				item := view.ItemOf(row)
				if item < 0 || !view.Counts(row) || !n.open {
					continue
				}
				if score, stands := n.score(row); stands || n.surely(row) {
					best[view.ID(item)] = max(best[view.ID(item)], score)
				}
			}
			var all []ranked
			for id, score := range best {
				all = append(all, ranked{id, score})
			}
			slices.SortFunc(all, func(a, b ranked) int {
				return cmp.Or(cmp.Compare(b.score, a.score), strings.Compare(a.id, b.id))
			})
			a := s.Rules(q)
			want, got := []string{}, []string{}
			for _, x := range all[:min(q.Limit, len(all))] {
				want = append(want, fmt.Sprintf("%s %.12f", x.id, x.score))
			}
			for _, h := range a.Results {
				got = append(got, fmt.Sprintf("%s %.12f", h.ID, h.Explain.Score))
			}
			if d := gocmp.Diff(want, got); d != "" {
				t.Fatalf("seed %d, %q, limit %d (-naive +ranked):\n%s", seed, q.Query, q.Limit, d)
			}
			if a.Total != len(all) {
				t.Fatalf("seed %d, %q: total %d, want %d", seed, q.Query, a.Total, len(all))
			}
			cut += len(all) - len(want)
		}
	}
	if cut < 1000 && !testing.Short() {
		t.Errorf("only %d rules lay beyond the page: the cut was hardly tried", cut)
	}
}

// TestRankOfDocumentsIsExact does so for documents: the best passage, what
// governs first at an equal score.
func TestRankOfDocumentsIsExact(t *testing.T) {
	for seed := range uint64(rounds(4)) {
		s := searchtest.Open(t, searchtest.Options{}).Space("w")
		r := searchtest.NewRandom(s, seed+40)
		r.Fill(0, 120)
		for range 5 {
			r.Step()
		}
		facts := documentsByID(t, s)
		snap, err := s.Index.Acquire(s.ID)
		if err != nil {
			t.Fatal(err)
		}
		defer snap.Release()
		view := snap.Documents.View(day(t, searchtest.Today))
		for range rounds(40) {
			q := search.DocumentQuery{Query: r.Words(1 + r.IntN(5)), Limit: 1 + r.IntN(20), Explain: true}
			n := newNaive(t, s, view, q.Query)
			type ranked struct {
				id      string
				score   float64
				inForce bool
			}
			best := map[string]ranked{}
			for row := range view.Rows() {
				item := view.ItemOf(row)
				if item < 0 {
					continue
				}
				d := facts[view.ID(item)]
				if d.ValidUntil != "" && d.ValidUntil < searchtest.Today {
					continue
				}
				score, stands := n.score(row)
				if !stands && n.bm25[row] == 0 {
					continue
				}
				inForce := d.inForce(searchtest.Today)
				switch replaced := fold(d.Status) == "superseded" || fold(d.Status) == "deprecated" || d.supersededOn(searchtest.Today); {
				case replaced:
					score *= .5
				case !inForce:
					score *= .9
				}
				if held, seen := best[d.ID]; !seen || score > held.score {
					best[d.ID] = ranked{d.ID, score, inForce}
				}
			}
			var all []ranked
			for _, x := range best {
				all = append(all, x)
			}
			slices.SortFunc(all, func(a, b ranked) int {
				if c := cmp.Compare(b.score, a.score); c != 0 {
					return c
				}
				if a.inForce != b.inForce {
					if a.inForce {
						return -1
					}
					return 1
				}
				return strings.Compare(a.id, b.id)
			})
			want, got := []string{}, []string{}
			for _, x := range all[:min(q.Limit, len(all))] {
				want = append(want, fmt.Sprintf("%s %.12f", x.id, x.score))
			}
			for _, h := range s.Documents(q).Hits {
				got = append(got, fmt.Sprintf("%s %.12f", h.ID, h.Explain.Score))
			}
			if d := gocmp.Diff(want, got); d != "" {
				t.Fatalf("seed %d, %q, limit %d (-naive +ranked):\n%s", seed, q.Query, q.Limit, d)
			}
		}
	}
}

func day(t *testing.T, text string) int32 {
	t.Helper()
	d, ok := search.ParseDay(text)
	if !ok {
		t.Fatalf("ParseDay(%q) failed", text)
	}
	return int32(d)
}
