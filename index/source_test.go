package index

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"iter"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"waymark/analysis"
	"waymark/store"
)

const (
	testWorkspace = "01workspace"
	testModel     = "test-model"
	testDimension = 16
)

// fakeStore is a store made of maps, of one workspace. It writes the change log
// of the real one.
type fakeStore struct {
	mu        sync.RWMutex
	version   uint64
	trails    map[string]store.Trail
	rules     map[string]store.Rule // those in force
	documents map[string]store.Document
	vectors   map[store.Hash][]float32
	log       []store.Change
	base      time.Time // what times of changes count from
}

func newFakeStore() *fakeStore {
	return &fakeStore{
		trails: map[string]store.Trail{}, rules: map[string]store.Rule{}, documents: map[string]store.Document{},
		vectors: map[store.Hash][]float32{}, base: time.Date(2026, 1, 15, 9, 0, 0, 0, time.UTC),
	}
}

// change runs a change and logs what it says it touched.
func (f *fakeStore) change(do func() store.Change) {
	f.mu.Lock()
	defer f.mu.Unlock()
	c := do()
	f.version++
	c.Version, c.At = f.version, f.base.Add(time.Duration(f.version)*time.Second)
	f.log = append(f.log, c)
}

func (f *fakeStore) putTrail(t store.Trail) {
	f.change(func() store.Change { f.trails[t.ID] = t; return store.Change{Trails: []string{t.ID}} })
}

// putRule stores a rule in force, and its vectors.
func (f *fakeStore) putRule(r store.Rule) {
	f.change(func() store.Change {
		f.rules[r.ID] = r
		f.embed(RuleEmbeddingTexts(f.trails[r.TrailID].Name, r, splitSentences)...)
		return store.Change{Rules: []string{r.ID}}
	})
}

func (f *fakeStore) deleteRule(id string) {
	f.change(func() store.Change { delete(f.rules, id); return store.Change{Rules: []string{id}} })
}

// putDocument stores a document, and its vectors.
func (f *fakeStore) putDocument(d store.Document) {
	f.change(func() store.Change {
		f.documents[d.ID] = d
		if len(d.Passages) == 0 {
			f.embed(PassageEmbeddingText(d, store.Passage{}))
		}
		for _, p := range d.Passages {
			f.embed(PassageEmbeddingText(d, p))
		}
		return store.Change{Documents: []string{d.ID}}
	})
}

func (f *fakeStore) deleteDocument(id string) {
	f.change(func() store.Change { delete(f.documents, id); return store.Change{Documents: []string{id}} })
}

// embed stores vectors of texts. Some texts have none.
func (f *fakeStore) embed(texts ...string) {
	for _, text := range texts {
		if v := fakeVector(text); v != nil {
			f.vectors[store.HashText(text)] = v
		}
	}
}

// fakeVector is a unit vector made from the words of a text; nil for one text
// in 16.
func fakeVector(text string) []float32 {
	hash := fnv.New64a()
	fmt.Fprint(hash, text)
	if hash.Sum64()%16 == 0 {
		return nil
	}
	return unitVector(rand.New(rand.NewPCG(hash.Sum64(), 1)), testDimension)
}

func unitVector(rng *rand.Rand, dimension int) []float32 {
	v, squares := make([]float32, dimension), 0.0
	for i := range v {
		v[i] = float32(rng.NormFloat64())
		squares += float64(v[i]) * float64(v[i])
	}
	for i := range v {
		v[i] /= float32(math.Sqrt(squares))
	}
	return v
}

// View implements Source.
func (f *fakeStore) View(workspace string, read func(fakeReader) error) error {
	if workspace != testWorkspace {
		return &store.NotFoundError{Kind: "workspace", ID: workspace}
	}
	f.mu.RLock()
	defer f.mu.RUnlock()
	return read(fakeReader{f})
}

// fakeReader implements Reader.
type fakeReader struct{ *fakeStore }

func (f fakeReader) Version() (uint64, error) { return f.version, nil }

func (f fakeReader) Changes(after uint64, limit int) ([]store.Change, error) {
	log := f.log[min(after, uint64(len(f.log))):]
	if limit > 0 {
		log = log[:min(limit, len(log))]
	}
	return slices.Clone(log), nil
}

func (f fakeReader) Trails() ([]store.Trail, error) {
	return slices.SortedFunc(maps.Values(f.trails), func(a, b store.Trail) int { return cmp.Compare(a.ID, b.ID) }), nil
}

func (f fakeReader) Rules(filter store.RuleFilter) iter.Seq2[store.Rule, error] {
	return func(yield func(store.Rule, error) bool) {
		for _, id := range slices.Sorted(maps.Keys(f.rules)) {
			if r := f.rules[id]; (filter.TrailID == "" || r.TrailID == filter.TrailID) && !yield(r, nil) {
				return
			}
		}
	}
}

func (f fakeReader) RuleHead(id string) (store.RuleHead, error) {
	r, ok := f.rules[id]
	if !ok {
		return store.RuleHead{}, &store.NotFoundError{Kind: "rule", ID: id}
	}
	return store.RuleHead{ID: id, TrailID: r.TrailID, InForce: r.Version, Latest: r.Version}, nil
}

func (f fakeReader) RuleVersion(id string, version int) (store.Rule, error) {
	r, ok := f.rules[id]
	if !ok || r.Version != version {
		return store.Rule{}, &store.NotFoundError{Kind: "version", ID: id}
	}
	return r, nil
}

func (f fakeReader) Documents(store.DocumentParts) iter.Seq2[store.Document, error] {
	return func(yield func(store.Document, error) bool) {
		for _, id := range slices.Sorted(maps.Keys(f.documents)) {
			if !yield(f.documents[id], nil) {
				return
			}
		}
	}
}

func (f fakeReader) Document(id string, _ store.DocumentParts) (store.Document, error) {
	d, ok := f.documents[id]
	if !ok {
		return store.Document{}, &store.NotFoundError{Kind: "document", ID: id}
	}
	return d, nil
}

func (f fakeReader) GetVectors(model string, hashes []store.Hash) ([][]float32, error) {
	all := make([][]float32, len(hashes))
	for i, h := range hashes {
		if model == testModel {
			all[i] = f.vectors[h]
		}
	}
	return all, nil
}

// splitSentences cuts a long rule at full stops.
func splitSentences(text string) []string {
	if len(text) < 160 {
		return []string{text}
	}
	var all []string
	for _, s := range strings.SplitAfter(text, ". ") {
		if s = strings.TrimSpace(s); s != "" {
			all = append(all, s)
		}
	}
	return all
}

// testBank are the vectors of four questions.
func testBank() [][]float32 {
	rng := rand.New(rand.NewPCG(7, 7))
	var bank [][]float32
	for range 4 {
		bank = append(bank, unitVector(rng, testDimension))
	}
	return bank
}

func testOptions(directory string) Options {
	return Options{Directory: directory, Model: testModel, Dimension: testDimension, Bank: testBank(), Split: splitSentences, FlushRows: 100}
}

var testAnalyzer = analysis.New()

// openTest opens an index without background work, and closes it with the test.
func openTest(t testing.TB, f *fakeStore, o Options) *Manager {
	t.Helper()
	m := open(f, testAnalyzer, o)
	t.Cleanup(func() {
		if err := m.Close(); err != nil {
			t.Errorf("Close() = %v", err)
		}
	})
	return m
}

func acquire(t testing.TB, m *Manager) *Snapshot {
	t.Helper()
	s, err := m.Acquire(testWorkspace)
	if err != nil {
		t.Fatalf("Acquire() = %v", err)
	}
	t.Cleanup(s.Release)
	return s
}

func refresh(t testing.TB, m *Manager) {
	t.Helper()
	if err := m.Refresh(testWorkspace); err != nil {
		t.Fatalf("Refresh() = %v", err)
	}
}

func check(t testing.TB, m *Manager) {
	t.Helper()
	if err := m.Check(testWorkspace); err != nil {
		t.Fatalf("Check() = %v", err)
	}
}

// maintainNow does the background work of the workspace.
func (m *Manager) maintainNow(t testing.TB) {
	t.Helper()
	found, ok := m.workspaces.Load(testWorkspace)
	if !ok {
		t.Fatal("the workspace is not open")
	}
	m.maintain(found.(*workspace))
	if failure := text(found.(*workspace).failure.Load()); failure != "" {
		t.Fatalf("maintenance: %s", failure)
	}
}

// mustFlush writes what is in memory.
func (m *Manager) mustFlush(t testing.TB) {
	t.Helper()
	found, _ := m.workspaces.Load(testWorkspace)
	w := found.(*workspace)
	w.maintenance.Lock()
	defer w.maintenance.Unlock()
	if err := m.flush(w); err != nil {
		t.Fatalf("flush: %v", err)
	}
}
