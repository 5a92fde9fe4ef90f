package index

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"waymark/store"
	"waymark/vector"
)

// TestReadersNeverWait: readers use snapshots while commits, merges, flushes,
// rebuilds and graphs go on. Run it with the race detector. Each reader sees a
// state that is whole: what it reads twice is the same.
func TestReadersNeverWait(t *testing.T) {
	a := newAuthor(21, 300)
	for range 300 {
		a.step()
	}
	o := testOptions(t.TempDir())
	o.GraphRows, o.FlushRows = 150, 40
	m := Open(a.store, testAnalyzer, o)
	acquire(t, m)
	var stop atomic.Bool
	var readers sync.WaitGroup
	for reader := range 3 {
		readers.Go(func() {
			rng := rand.New(rand.NewPCG(uint64(reader), 9))
			for !stop.Load() {
				if err := readOnce(m, rng); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	deadline := time.Now().Add(time.Second)
	for round := 0; time.Now().Before(deadline); round++ {
		for range 5 {
			a.step()
		}
		refresh(t, m)
		if round%20 == 19 {
			if err := m.Rebuild(testWorkspace); err != nil {
				t.Errorf("Rebuild() = %v", err)
			}
		}
	}
	check(t, m)
	stop.Store(true)
	readers.Wait()
	if h, err := m.Health(testWorkspace); err != nil || h.Failure != "" || h.Rebuilt != "" {
		t.Errorf("Health() = %+v, %v, want no failure", h, err)
	}
	last, err := m.Acquire(testWorkspace)
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Close(); err != nil {
		t.Errorf("Close() = %v", err)
	}
	// A snapshot that is still pinned stays usable.
	if n := last.Rules.View(20600).N(); n == 0 || last.Rules.Vectors()[0].Data[0] != last.Rules.Vectors()[0].Data[0] {
		t.Errorf("a pinned snapshot has %d rows after Close", n)
	}
	last.Release()
	last.Release()
	for name, err := range map[string]error{
		"Refresh": m.Refresh(testWorkspace), "Rebuild": m.Rebuild(testWorkspace), "Drop": m.Drop(testWorkspace), "Check": m.Check(testWorkspace),
	} {
		if !errors.Is(err, ErrClosed) {
			t.Errorf("%s() after Close = %v, want ErrClosed", name, err)
		}
	}
}

// readOnce reads a snapshot in the ways that a search does.
func readOnce(m *Manager, rng *rand.Rand) error {
	s, err := m.Acquire(testWorkspace)
	if err != nil {
		return err
	}
	if rng.IntN(4) > 0 {
		defer s.Release()
	} else {
		defer runtime.KeepAlive(s)
	}
	for _, c := range []*Collection{s.Rules, s.Documents} {
		v := c.View(20454 + int32(rng.IntN(300)))
		terms := []QueryTerm{{"stem:hotel", 1}, {"stem:invoic", 2}}
		first, second := make([]float64, v.Rows()), make([]float64, v.Rows())
		v.Score(terms, first, nil)
		q, err := vector.NewQuery(unitVector(rng, testDimension))
		if err != nil {
			return err
		}
		hits, err := v.Nearest(q, 5, nil)
		if err != nil {
			return err
		}
		for _, h := range hits {
			if item := v.ItemOf(int(h.Row)); item < 0 || v.ID(item) == "" || v.Passage(int(h.Row)) == nil {
				return fmt.Errorf("hit %v is of no item", h)
			}
		}
		v.BankMaxima()
		v.Score(terms, second, nil)
		for row := range first {
			if first[row] != second[row] {
				return fmt.Errorf("row %d scores %v, then %v", row, first[row], second[row])
			}
		}
	}
	return nil
}

func TestUnknownWorkspaceAndDrop(t *testing.T) {
	a := newAuthor(2, 30)
	for range 50 {
		a.step()
	}
	o := testOptions(t.TempDir())
	m := openTest(t, a.store, o)
	for _, id := range []string{"", "nobody", "../01workspace", "."} {
		if _, err := m.Acquire(id); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("Acquire(%q) = %v, want not found", id, err)
		}
		if err := m.Refresh(id); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("Refresh(%q) = %v, want not found", id, err)
		}
		if err := m.Drop(id); err != nil {
			t.Errorf("Drop(%q) = %v", id, err)
		}
	}
	pinned := acquire(t, m)
	m.mustFlush(t)
	if got := len(m.AllHealth()); got != 1 {
		t.Errorf("AllHealth() has %d workspaces, want 1", got)
	}
	if files := readFolder(t, o.Directory+"/"+testWorkspace); len(files) == 0 {
		t.Error("nothing was written")
	}
	if err := m.Drop(testWorkspace); err != nil {
		t.Errorf("Drop() = %v", err)
	}
	if files := readFolder(t, o.Directory+"/"+testWorkspace); len(files) != 0 {
		t.Errorf("%d files are left", len(files))
	}
	if pinned.Rules.View(20600).N() == 0 || pinned.Rules.Rule(pinned.Rules.InOrder()[0]).Text == "" {
		t.Error("a pinned snapshot is empty after Drop")
	}
	// It comes back when it is asked for: the store still has it.
	check(t, m)
}

func TestOptionsOutOfRange(t *testing.T) {
	a := newAuthor(2, 30)
	good := testOptions("")
	for name, change := range map[string]func(o *Options){
		"dimension":      func(o *Options) { o.Dimension = -1 },
		"large":          func(o *Options) { o.Dimension = vector.MaxDimension + 1 },
		"bank":           func(o *Options) { o.Bank = [][]float32{{1, 2}} },
		"bank of NaN":    func(o *Options) { o.Dimension, o.Bank = 1, [][]float32{{float32(nan())}} },
		"k1":             func(o *Options) { o.Scoring = DefaultScoring; o.Scoring.K1 = -1 },
		"k1 of infinity": func(o *Options) { o.Scoring = DefaultScoring; o.Scoring.K1 = -1 / zero() },
		"b":              func(o *Options) { o.Scoring = DefaultScoring; o.Scoring.B[Title] = 1.5 },
		"weight":         func(o *Options) { o.Scoring = DefaultScoring; o.Scoring.Weight[Tags] = nan() },
	} {
		o := good
		change(&o)
		m := openTest(t, a.store, o)
		if _, err := m.Acquire(testWorkspace); !errors.Is(err, ErrOptions) {
			t.Errorf("%s: Acquire() = %v, want ErrOptions", name, err)
		}
	}
}

func zero() float64 { return 0 }
func nan() float64  { return zero() / zero() }
