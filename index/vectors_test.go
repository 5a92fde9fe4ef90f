package index

import (
	"cmp"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"waymark/vector"
)

// nearestByScan is what Nearest should return, one row after the other.
func nearestByScan(v *View, query []float32, k int, keep Bitmap) []vector.Hit {
	var all []vector.Hit
	for _, item := range v.InOrder() {
		for row, end := v.RowsOf(item); row < end; row++ {
			if v.HasVector(row) && (keep == nil && v.Counts(row) || keep.Contains(row)) {
				all = append(all, vector.Hit{Row: uint32(row), Score: v.Cosine(query, row)})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b vector.Hit) int { return cmp.Compare(b.Score, a.Score) })
	return all[:min(k, len(all))]
}

func TestNearest(t *testing.T) {
	a := newAuthor(12, 400)
	m := openTest(t, a.store, testOptions(""))
	for range 3 {
		for range 400 {
			a.step()
		}
		refresh(t, m)
	}
	s := acquire(t, m)
	rng := rand.New(rand.NewPCG(3, 3))
	for _, c := range []*Collection{s.Rules, s.Documents} {
		if len(c.parts) < 2 {
			t.Fatalf("%s: %d segments, want several", c.kind, len(c.parts))
		}
		v := c.View(20600)
		for range 20 {
			query := unitVector(rng, testDimension)
			q, err := vector.NewQuery(query)
			if err != nil {
				t.Fatal(err)
			}
			some := NewBitmap(v.Rows())
			for row := range v.Rows() {
				if rng.IntN(5) == 0 {
					some.Set(row)
				}
			}
			for _, keep := range []Bitmap{nil, some, {}} {
				for _, k := range []int{1, 10, 10_000} {
					got, err := v.Nearest(q, k, keep)
					if want := nearestByScan(v, query, k, keep); err != nil || !slices.Equal(got, want) {
						t.Fatalf("%s: Nearest(%d) = %v, %v, want %v", c.kind, k, got, err, want)
					}
				}
			}
			approximate := make([]float32, v.Rows())
			if err := v.Approximate(q, approximate); err != nil {
				t.Fatal(err)
			}
			v.WithVector().Each(func(row int) {
				if off := math.Abs(float64(approximate[row]) - float64(v.Cosine(query, row))); off > float64(v.Bound(q, row)) {
					t.Fatalf("%s: approximate cosine of row %d is off by %v, bound %v", c.kind, row, off, v.Bound(q, row))
				}
			})
		}
		short, err := vector.NewQuery([]float32{1})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := v.Nearest(short, 1, nil); err == nil {
			t.Error("Nearest() of another dimension = nil, want an error")
		}
		if err := v.Approximate(short, make([]float32, v.Rows())); err == nil {
			t.Error("Approximate() of another dimension = nil, want an error")
		}
	}
}

// TestBankMaxima compares with the plain maximum, on days on which holders are
// masked too.
func TestBankMaxima(t *testing.T) {
	a := newAuthor(14, 100)
	m := openTest(t, a.store, testOptions(""))
	refresh(t, m)
	for round := range 60 {
		a.step()
		refresh(t, m)
		s := acquire(t, m)
		for _, c := range []*Collection{s.Rules, s.Documents} {
			v := c.View(20454 + int32(5*round))
			got := v.BankMaxima()
			for i, question := range testBank() {
				want := float32(math.Inf(-1))
				v.Counting().Each(func(row int) {
					if v.HasVector(row) {
						want = max(want, v.Cosine(question, row))
					}
				})
				if got[i] != want {
					t.Fatalf("%s: round %d: maximum %d = %v, want %v", c.kind, round, i, got[i], want)
				}
			}
		}
	}
}

// TestLateVectors: vectors that are stored after their text was indexed count
// from the next rebuild, and in the files from then on.
func TestLateVectors(t *testing.T) {
	a := newAuthor(15, 30)
	for range 60 {
		a.step()
	}
	vectors := a.store.vectors
	a.store.vectors = nil
	o := testOptions(t.TempDir())
	m := open(a.store, testAnalyzer, o)
	s := acquire(t, m)
	if s.Rules.View(20600).HasVectors() || s.Rules.RowsWithoutVector() != s.Rules.LiveRows().Count() {
		t.Fatalf("%d rows without vector, want all %d", s.Rules.RowsWithoutVector(), s.Rules.LiveRows().Count())
	}
	m.mustFlush(t)
	a.store.vectors = vectors
	if err := m.Rebuild(testWorkspace); err != nil {
		t.Fatal(err)
	}
	check(t, m)
	m.maintainNow(t)
	m = openTest(t, a.store, o) // as after a crash
	check(t, m)
	if s := acquire(t, m); !s.Rules.View(20600).HasVectors() {
		t.Error("no vectors after the rebuild")
	}
}

// TestGraph: a large segment gets a graph, in the background and from its file.
func TestGraph(t *testing.T) {
	a := newAuthor(16, 3000)
	for range 3000 {
		a.store.putRule(a.rule(a.id("rule")))
	}
	o := testOptions(t.TempDir())
	o.GraphRows = 1000
	wait := func(m *Manager) *Snapshot {
		t.Helper()
		for start := time.Now(); time.Since(start) < 20*time.Second; time.Sleep(5 * time.Millisecond) {
			h, err := m.Health(testWorkspace)
			if err != nil || h.Failure != "" {
				t.Fatalf("Health() = %+v, %v", h, err)
			}
			if h.Rules.RowsByGraph > 1000 {
				return acquire(t, m)
			}
		}
		t.Fatal("no graph after 20 s")
		return nil
	}
	m := Open(a.store, testAnalyzer, o)
	acquire(t, m)
	s := wait(m)
	v := s.Rules.View(20600)
	rng := rand.New(rand.NewPCG(4, 4))
	found, all := 0, 0
	for range 20 {
		query := unitVector(rng, testDimension)
		q, err := vector.NewQuery(query)
		if err != nil {
			t.Fatal(err)
		}
		got, err := v.Nearest(q, 10, nil)
		if err != nil {
			t.Fatal(err)
		}
		want := nearestByScan(v, query, 10, nil)
		for _, h := range got {
			if slices.Contains(want, h) {
				found++
			}
		}
		all += len(want)
	}
	if found < all*95/100 {
		t.Errorf("%d of %d nearest rows were found", found, all)
	}
	// Its file is written shortly after the graph is used.
	for start := time.Now(); time.Since(start) < 10*time.Second; time.Sleep(5 * time.Millisecond) {
		if files, _ := filepath.Glob(filepath.Join(o.Directory, testWorkspace, "*"+graphSuffix)); len(files) == 1 {
			break
		}
	}
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	m = Open(a.store, testAnalyzer, o)
	acquire(t, m)
	wait(m)
	check(t, m)
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
}
