package vector

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// mustGraph builds and opens a graph.
func mustGraph(t testing.TB, scan *Scan, options BuildOptions) *Graph {
	t.Helper()
	g, err := OpenGraph(mustBuild(t, scan, options), scan)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// recallOf returns the share of the best hits that nearest finds over all
// queries. A hit as good as the last one wanted counts.
func recallOf(t testing.TB, scan *Scan, queries []float32, k int, keep *Filter, nearest func(q *Query) []Hit) float64 {
	t.Helper()
	found, wanted := 0, 0
	for at := 0; at < len(queries); at += scan.Dimension() {
		q := mustQuery(t, queries[at:at+scan.Dimension()])
		want, err := scan.Nearest(q, k, keep)
		if err != nil {
			t.Fatal(err)
		}
		wanted += len(want)
		seen := map[uint32]bool{}
		for _, hit := range nearest(q) {
			if got := Dot(q.vector, scan.row(hit.Row)); got != hit.Score || seen[hit.Row] || !keep.Contains(hit.Row) {
				t.Fatalf("hit %+v: Dot is %v, met before: %v, kept: %v", hit, got, seen[hit.Row], keep.Contains(hit.Row))
			}
			seen[hit.Row] = true
			if hit.Score >= want[len(want)-1].Score {
				found++
			}
		}
	}
	return float64(found) / float64(wanted)
}

// walked returns a search that always walks.
func walked(t testing.TB, g *Graph, k, beam int, keep *Filter) func(q *Query) []Hit {
	return func(q *Query) []Hit {
		hits, _, err := g.walk(q, k, beam, keep)
		if err != nil {
			t.Fatal(err)
		}
		return hits
	}
}

func TestGraphRecall(t *testing.T) {
	if testing.Short() {
		t.Skip("builds graphs of 20,000 rows")
	}
	r := rand.New(rand.NewSource(1))
	clusters := newMixture(r, 200, 64, .8)
	copied := clusters.draw(r, 6000)
	for i := range 3000 {
		copy(copied[(3000+i)*64:(3001+i)*64], copied[i%50*64:])
	}
	for _, test := range []struct {
		name          string
		dimension     int
		rows, queries []float32
	}{
		{"clustered", 64, clusters.draw(r, 20_000), clusters.draw(r, 100)},
		{"uniform", 16, uniform(r, 20_000, 16), uniform(r, 100, 16)},
		{"half of it copies", 64, copied, copied[:100*64]},
	} {
		scan := mustScan(t, test.rows, test.dimension)
		g := mustGraph(t, scan, BuildOptions{})
		for _, k := range []int{1, 10, 25} {
			if recall := recallOf(t, scan, test.queries, k, nil, walked(t, g, k, minBeam, nil)); recall < .98 {
				t.Errorf("%s: recall of %d hits = %.3f, want .98", test.name, k, recall)
			}
		}
		half := randomFilter(r, scan.Len(), .5)
		if recall := recallOf(t, scan, test.queries, 10, half, walked(t, g, 10, 2*minBeam, half)); recall < .98 {
			t.Errorf("%s: recall of 10 hits in half of the rows = %.3f, want .98", test.name, recall)
		}
		recall, err := g.SelfCheck(t.Context())
		if recall < minRecall || err != nil {
			t.Errorf("%s: SelfCheck = %.3f, %v", test.name, recall, err)
		}
		t.Logf("%s: self-check %.4f", test.name, recall)
	}
}

// Directions that are equally likely in many dimensions have no neighborhoods:
// no graph finds its way, and the self-check must say so.
func TestSelfCheckRefusesLowRecall(t *testing.T) {
	r := rand.New(rand.NewSource(2))
	g := mustGraph(t, mustScan(t, uniform(r, 4000, 96), 96), BuildOptions{Links: 2, Beam: 4, Pivots: 1})
	if recall, err := g.SelfCheck(t.Context()); !errors.Is(err, ErrLowRecall) {
		t.Errorf("SelfCheck = %.3f, %v, want %v", recall, err, ErrLowRecall)
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := g.SelfCheck(cancelled); !errors.Is(err, context.Canceled) {
		t.Errorf("SelfCheck = %v, want %v", err, context.Canceled)
	}
}

// Small matrices of every kind: the graph must hold whatever the scan holds.
func TestGraphOfFewRows(t *testing.T) {
	for _, dimension := range []int{1, 20, 64} {
		for name, set := range matrices(rand.New(rand.NewSource(3)), dimension) {
			rows, queries := set[0], set[1]
			if len(rows) == 0 || name == "scaled" || name == "tiny" || name == "ascending" {
				continue // a graph is for rows of one length
			}
			scan := mustScan(t, rows, dimension)
			g := mustGraph(t, scan, BuildOptions{})
			for at := 0; at < len(queries); at += dimension {
				q := mustQuery(t, queries[at:at+dimension])
				want, err := scan.Nearest(q, 10, nil)
				if err != nil {
					t.Fatal(err)
				}
				if got := walked(t, g, 10, scan.Len(), nil)(q); !slices.Equal(got, want) {
					t.Errorf("dim %d, %s: walk differs (-want +got):\n%s", dimension, name, cmp.Diff(want, got))
				}
			}
		}
	}
}

func TestPlan(t *testing.T) {
	for _, test := range []struct {
		k, kept, rows int
		beam          int
		walk          bool
	}{
		{10, 20_000, 20_000, 0, false},
		{10, 60_000, 60_000, 0, false},
		{10, 60_001, 60_001, minBeam, true},
		{10, 1_000_000, 1_000_000, minBeam, true},
		{100, 1_000_000, 1_000_000, 100 * beamPerHit, true},
		{10, 500_000, 1_000_000, 2 * minBeam, true},
		{10, 100_000, 1_000_000, 0, false},
		{10, 0, 1_000_000, 0, false},
		{math.MaxInt, 1_000_000, 1_000_000, 0, false},
	} {
		if beam, walk := plan(test.k, test.kept, test.rows); beam != test.beam || walk != test.walk {
			t.Errorf("plan(%d, %d, %d) = %d, %v, want %d, %v", test.k, test.kept, test.rows, beam, walk, test.beam, test.walk)
		}
	}
}

const largeRows = 64_000 // plan walks at all from 60,000 on

// largeGraph returns a graph of few values a row but more rows than plan scans.
var largeGraph = sync.OnceValues(func() (*Graph, error) {
	rows := uniform(rand.New(rand.NewSource(4)), largeRows, 4)
	codes, err := Quantize(rows, 4)
	if err != nil {
		return nil, err
	}
	scan, err := NewScan(rows, codes)
	if err != nil {
		return nil, err
	}
	data, err := BuildGraph(context.Background(), scan, BuildOptions{Links: 5, Beam: 8, Pivots: 30})
	if err != nil {
		return nil, err
	}
	return OpenGraph(data, scan)
})

// mustLargeGraph returns largeGraph with no failure.
func mustLargeGraph(t testing.TB) *Graph {
	t.Helper()
	g, err := largeGraph()
	if err != nil {
		t.Fatal(err)
	}
	return &Graph{scan: g.scan, twins: g.twins, pivots: g.pivots, walker: g.walker}
}

func TestGraphNearest(t *testing.T) {
	g := mustLargeGraph(t)
	r := rand.New(rand.NewSource(5))
	queries := uniform(r, 40, 4)
	far := make([]uint64, largeRows/64)
	for i := range uint32(largeRows) {
		if Dot(queries[:4], g.scan.row(i)) < .88 {
			far[i/64] |= 1 << (i % 64)
		}
	}
	for name, keep := range map[string]*Filter{
		"all": nil, "nothing": NewFilter(nil), "most": randomFilter(r, largeRows, .99), "some": randomFilter(r, largeRows, .05),
		"far from the first query": NewFilter(far),
	} {
		search := func(q *Query) []Hit {
			hits, err := g.Nearest(q, 10, keep)
			if err != nil {
				t.Fatal(err)
			}
			return hits
		}
		if keep.Count(largeRows) == 0 {
			if hits := search(mustQuery(t, queries[:4])); len(hits) != 0 {
				t.Errorf("%s: %d hits, want none", name, len(hits))
			}
			continue
		}
		if recall := recallOf(t, g.scan, queries, 10, keep, search); recall < .98 {
			t.Errorf("%s: recall = %.3f, want .98", name, recall)
		}
	}
	// No kept row lies where the first query leads, so a walk meets too few of
	// them, and the scan answers.
	q := mustQuery(t, queries[:4])
	beam, walk := plan(10, NewFilter(far).Count(largeRows), largeRows)
	if _, met, err := g.walk(q, 10, beam, NewFilter(far)); !walk || err != nil || met >= 10*minMetPerHit {
		t.Errorf("walk planned: %v, met %d kept rows, %v; this test wants fewer than %d", walk, met, err, 10*minMetPerHit)
	}
	if recall := recallOf(t, g.scan, queries[:4], 10, NewFilter(far), func(q *Query) []Hit {
		hits, _ := g.Nearest(q, 10, NewFilter(far))
		return hits
	}); recall != 1 {
		t.Errorf("recall far from the query = %.3f, want 1", recall)
	}
	if _, err := g.Nearest(mustQuery(t, make([]float32, 5)), 10, nil); !errors.Is(err, ErrDimension) {
		t.Errorf("Nearest of a long query = %v, want %v", err, ErrDimension)
	}
	if _, err := g.Nearest(q, 0, nil); !errors.Is(err, ErrCount) {
		t.Errorf("Nearest(0) = %v, want %v", err, ErrCount)
	}
}

// Searches of one graph at once give the answers of one after the other.
func TestGraphIsSafeForConcurrentUse(t *testing.T) {
	g := mustLargeGraph(t)
	r := rand.New(rand.NewSource(6))
	queries := uniform(r, 30, 4)
	filters := []*Filter{nil, randomFilter(r, largeRows, .99)}
	search := func(i int) []Hit {
		hits, err := g.Nearest(mustQuery(t, queries[i*4:i*4+4]), 10, filters[i%2])
		if err != nil {
			t.Error(err)
		}
		return hits
	}
	var want [30][]Hit
	for i := range want {
		want[i] = search(i)
	}
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for i := range want {
				if got := search(i); !slices.Equal(got, want[i]) {
					t.Errorf("query %d: %v, want %v", i, got, want[i])
				}
			}
		})
	}
	group.Wait()
}

func TestFailedGraphScans(t *testing.T) {
	g := mustLargeGraph(t)
	if err := g.Err(); err != nil {
		t.Fatalf("Err = %v before any failure", err)
	}
	g.walker.graph = nil // a walk will panic
	q := mustQuery(t, []float32{.1, .2, .3, .4})
	want, err := g.scan.Nearest(q, 10, nil)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		got, err := g.Nearest(q, 10, nil)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("Nearest of a failed graph = %v, %v, want %v", got, err, want)
		}
		if err := g.Err(); !errors.Is(err, ErrGraphFailed) {
			t.Errorf("Err = %v, want %v", err, ErrGraphFailed)
		}
	}
	if _, err := g.SelfCheck(t.Context()); !errors.Is(err, ErrGraphFailed) {
		t.Errorf("SelfCheck = %v, want %v", err, ErrGraphFailed)
	}
}

func BenchmarkGraph(b *testing.B) {
	for _, count := range []int{20_000, 100_000} {
		if count > 20_000 && testing.Short() {
			continue
		}
		r := rand.New(rand.NewSource(1))
		m := newMixture(r, 200, 384, .8)
		scan := mustScan(b, m.draw(r, count), 384)
		queries := m.draw(r, 64)
		var data []byte
		b.Run(fmt.Sprintf("build/rows=%d", count), func(b *testing.B) {
			for b.Loop() {
				data = mustBuild(b, scan, BuildOptions{})
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/float64(count), "µs/row")
		})
		if data == nil {
			data = mustBuild(b, scan, BuildOptions{})
		}
		var g *Graph
		b.Run(fmt.Sprintf("open/rows=%d", count), func(b *testing.B) {
			for b.Loop() {
				var err error
				if g, err = OpenGraph(data, scan); err != nil {
					b.Fatal(err)
				}
			}
		})
		if g == nil {
			g = mustGraph(b, scan, BuildOptions{})
		}
		for _, beam := range []int{500, minBeam, 2 * minBeam} {
			b.Run(fmt.Sprintf("walk/rows=%d/beam=%d", count, beam), func(b *testing.B) {
				search, i := walked(b, g, 10, beam, nil), 0
				for b.Loop() {
					search(mustQuery(b, queries[i%64*384:][:384]))
					i++
				}
				b.ReportMetric(recallOf(b, scan, queries, 10, nil, search), "recall")
			})
		}
		for _, density := range []float64{1, .1, .01} {
			keep := randomFilter(r, count, density)
			b.Run(fmt.Sprintf("nearest/rows=%d/kept=%g", count, density), func(b *testing.B) {
				search, i := func(q *Query) []Hit {
					hits, err := g.Nearest(q, 10, keep)
					if err != nil {
						b.Fatal(err)
					}
					return hits
				}, 0
				for b.Loop() {
					search(mustQuery(b, queries[i%64*384:][:384]))
					i++
				}
				b.ReportMetric(recallOf(b, scan, queries, 10, keep, search), "recall")
			})
		}
	}
}
