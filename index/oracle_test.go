package index

import (
	"fmt"
	"testing"
)

// TestHistoryLeavesNoTrace is the oracle of this package: whatever happened to
// the content, and however it lies in memory and on disk, every number is that
// of an index built of the content at once. Check compares all of them.
func TestHistoryLeavesNoTrace(t *testing.T) {
	steps := 120
	if testing.Short() {
		steps = 60
	}
	for seed := range uint64(3) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			directory := t.TempDir()
			a := newAuthor(seed, 40)
			m := open(a.store, testAnalyzer, testOptions(directory))
			defer func() {
				if err := m.Close(); err != nil {
					t.Errorf("Close() = %v", err)
				}
			}()
			var seen struct{ merged, reopened, dead int }
			for range steps {
				for range 1 + a.rng.IntN(3) {
					a.step()
				}
				refresh(t, m)
				switch n := a.rng.IntN(30); {
				case n < 4:
					m.maintainNow(t)
					seen.merged++
				case n < 6:
					m.mustFlush(t)
				case n < 8:
					// A start after Close, and one after a crash: nothing that Close
					// does was done.
					if n == 6 {
						if err := m.Close(); err != nil {
							t.Fatalf("Close() = %v", err)
						}
					}
					m = open(a.store, testAnalyzer, testOptions(directory))
					seen.reopened++
				case n < 9:
					if err := m.Rebuild(testWorkspace); err != nil {
						t.Fatalf("Rebuild() = %v", err)
					}
				case n < 18:
					check(t, m)
				}
			}
			check(t, m)
			h, err := m.Health(testWorkspace)
			if err != nil || h.Rebuilt != "" || h.Failure != "" {
				t.Errorf("Health() = %+v, %v, want nothing rebuilt and no failure", h, err)
			}
			if h.Rules.Segments > 8 || h.Documents.Segments > 8 {
				t.Errorf("%d and %d segments, want at most 8", h.Rules.Segments, h.Documents.Segments)
			}
			if h.Rules.Items == 0 || h.Documents.Rows < 2*h.Documents.Items || seen.merged == 0 || seen.reopened == 0 {
				t.Errorf("the test saw too little: %+v %+v", seen, h)
			}
		})
	}
}

// entriesOf returns the entries of all that a store holds.
func entriesOf(t testing.TB, m *Manager) map[Kind][]*entry {
	t.Helper()
	all := map[Kind][]*entry{}
	err := m.view(testWorkspace, func(tx Reader) error {
		r, err := m.newReading(tx, 0)
		if err != nil {
			return err
		}
		return r.everything(func(kind Kind, e *entry) error {
			all[kind] = append(all[kind], e)
			return nil
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func build(t testing.TB, m *Manager, kind Kind, entries []*entry) *segment {
	t.Helper()
	a := &assembly{made: m.made, version: 1, keep: m.readInMemory}
	if err := a.addAll(kind, entries); err != nil {
		t.Fatal(err)
	}
	return a.segments[0]
}

// TestMergedIsBuilt: a merge gives the bytes that building what is left gives.
func TestMergedIsBuilt(t *testing.T) {
	a := newAuthor(11, 50)
	m := openTest(t, a.store, testOptions(""))
	for range 150 {
		a.step()
	}
	before := entriesOf(t, m)
	for range 60 {
		a.step()
	}
	after := entriesOf(t, m)
	for _, kind := range []Kind{Rules, Documents} {
		old := build(t, m, kind, before[kind])
		var dead []int
		var changed []*entry
		kept := map[string]bool{}
		for _, e := range after[kind] {
			if item := old.find(e.id); item < 0 || !old.holds(item, e) {
				changed = append(changed, e)
			} else {
				kept[e.id] = true
			}
		}
		for item := range old.items {
			if !kept[old.id(item)] {
				for row := old.itemRow[item]; row < old.itemRow[item+1]; row++ {
					dead = append(dead, int(row))
				}
			}
		}
		fresh := build(t, m, kind, changed)
		if len(dead) == 0 || len(kept) == 0 || len(changed) == 0 {
			t.Fatalf("%s: %d rows dead, %d items kept, %d changed: want some of each", kind, len(dead), len(kept), len(changed))
		}
		merged, err := newMerger(m.made, []*part{
			{segment: fresh, dead: emptyMask(fresh)}, {segment: old, dead: emptyMask(old).with(old, dead)},
		}).content(kind)
		if err != nil {
			t.Fatal(err)
		}
		image, err := merged.inMemory()
		if err != nil {
			t.Fatal(err)
		}
		want := build(t, m, kind, after[kind]).image
		if string(image) == string(want) {
			continue
		}
		got, _ := readHead(image, int64(len(image)))
		wanted, _ := readHead(want, int64(len(want)))
		for s := range got.Table {
			if got.Table[s] != wanted.Table[s] {
				t.Errorf("%s: section %d is %+v, want %+v", kind, s, got.Table[s], wanted.Table[s])
			}
		}
	}
}
