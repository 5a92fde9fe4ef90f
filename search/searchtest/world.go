// Package searchtest opens a whole read path for tests: a store, the writer that
// fills it, the index over it, and the service and the tools that answer from
// it. It may be imported by tests only.
package searchtest

import (
	"context"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"waymark/analysis"
	"waymark/embedding"
	"waymark/embedding/embeddingtest"
	"waymark/index"
	"waymark/ingest"
	"waymark/search"
	"waymark/store"
	"waymark/store/storetest"
	"waymark/tool"
)

// Today is the day on which every world begins.
const Today = "2026-12-01"

// Options say what a world is made of. The zero value is the fast stand-in for
// the encoder, no conflicts, no index files, and days in UTC.
type Options struct {
	Embedder           embedding.Embedder
	Comparer           search.Comparer
	Directory          string // of the index files
	Zone               *time.Location
	ReviewDueAfterDays int
	// Conflicts compares the rules of a Trail as they are written.
	Conflicts ingest.Checker
	// Activity keeps the activity in the store, as a daemon does, instead of in
	// Recorder.
	Activity bool
}

// World is everything that answers, over one store.
type World struct {
	Store    *store.Store
	Writer   *ingest.Writer
	Index    *index.Manager
	Service  *search.Service
	Tools    *tool.Registry
	Embedder *Counter
	Recorder *Recorder
	Activity *store.ActivityWriter // nil without Options.Activity

	t       testing.TB
	options Options
	bank    [][]float32
	clock   atomic.Int64 // Unix seconds
}

// Open makes a world over an empty store; both are closed when the test ends.
func Open(t testing.TB, o Options) *World {
	t.Helper()
	if o.Embedder == nil {
		o.Embedder = embeddingtest.New()
	}
	if o.Zone == nil {
		o.Zone = time.UTC
	}
	w := &World{Store: storetest.Open(t), Embedder: &Counter{Embedder: o.Embedder}, Recorder: &Recorder{}, t: t, options: o}
	if o.Activity {
		w.Activity = store.NewActivityWriter(w.Store, 0, func(err error) { t.Errorf("activity: %v", err) })
		t.Cleanup(func() {
			if err := w.Activity.Close(); err != nil {
				t.Errorf("Close() of the activity = %v", err)
			}
		})
	}
	w.SetDay(Today)
	w.bank = bank(t, o.Embedder)
	w.open()
	w.Writer = ingest.NewWriter(ingest.Options{Store: w.Store, Embedder: o.Embedder, Conflicts: o.Conflicts,
		AfterCommit: func(_ context.Context, workspace string) error { return w.Index.Refresh(workspace) }})
	t.Cleanup(func() {
		if err := w.Index.Close(); err != nil {
			t.Errorf("Close() of the index = %v", err)
		}
	})
	return w
}

// OpenReal is Open with the encoder and the model in the binary, in place of the
// stand-in.
func OpenReal(t testing.TB, o Options) *World {
	t.Helper()
	encoder, err := realEncoder()
	if err != nil {
		t.Fatal(err)
	}
	o.Embedder = encoder
	return Open(t, o)
}

var realEncoder = sync.OnceValues(func() (*embedding.Encoder, error) { return embedding.New(embedding.Options{}) })

// banks keeps the vectors of the gate's questions by model: they are the same in
// every test.
var banks sync.Map

func bank(t testing.TB, e embedding.Embedder) [][]float32 {
	t.Helper()
	if made, ok := banks.Load(e.ModelID()); ok {
		return made.([][]float32)
	}
	questions := search.Bank()
	vectors := make([][]float32, len(questions))
	var group errgroup.Group
	group.SetLimit(4)
	for i, q := range questions {
		group.Go(func() (err error) {
			vectors[i], err = e.EmbedQuery(context.Background(), q)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		t.Fatal(err)
	}
	banks.Store(e.ModelID(), vectors)
	return vectors
}

func (w *World) open() {
	analyzer := analysis.New()
	w.Index = index.Open(w.Store, analyzer, index.Options{Directory: w.options.Directory, Model: w.Embedder.ModelID(),
		Dimension: w.Embedder.Dimension(), Bank: w.bank, Split: ingest.RuleSplitter(w.options.Embedder)})
	var recorder search.Recorder = w.Recorder
	if w.Activity != nil {
		recorder = w.Activity
	}
	w.Service = search.NewService(search.Options{Index: w.Index, Embedder: w.Embedder, Analyzer: analyzer, Recorder: recorder,
		Comparer: w.options.Comparer, Now: w.Now, Zone: w.options.Zone, ReviewDueAfterDays: w.options.ReviewDueAfterDays})
	w.Tools = tool.NewRegistry(w.Service)
}

// Restart closes the index and opens everything above the store again, as a
// daemon that ends and starts does.
func (w *World) Restart() {
	w.t.Helper()
	w.Close()
	w.open()
}

// Close writes the index files, so that a test can damage them before Restart.
func (w *World) Close() {
	w.t.Helper()
	if err := w.Index.Close(); err != nil {
		w.t.Fatal(err)
	}
}

// IndexFolder is where the index files of a workspace lie.
func (w *World) IndexFolder(workspace string) string {
	return filepath.Join(w.options.Directory, workspace)
}

// Now is the clock of the service.
func (w *World) Now() time.Time { return time.Unix(w.clock.Load(), 0) }

// SetTime moves the clock.
func (w *World) SetTime(t time.Time) { w.clock.Store(t.Unix()) }

// SetDay moves the clock to noon of a day, UTC.
func (w *World) SetDay(day string) {
	w.t.Helper()
	d, err := time.Parse(time.DateOnly, day)
	if err != nil {
		w.t.Fatal(err)
	}
	w.SetTime(d.Add(12 * time.Hour))
}

// Counter is an embedder that counts the questions it was asked, and fails when
// it is told to.
type Counter struct {
	embedding.Embedder
	Questions atomic.Int64
	Failure   atomic.Pointer[error]
}

// EmbedQuery implements embedding.Embedder.
func (c *Counter) EmbedQuery(ctx context.Context, text string) ([]float32, error) {
	c.Questions.Add(1)
	if failure := c.Failure.Load(); failure != nil {
		return nil, *failure
	}
	return c.Embedder.EmbedQuery(ctx, text)
}

// Recorder keeps the activity of all workspaces in memory.
type Recorder struct {
	mu      sync.Mutex
	records map[string][]store.Activity
}

// Add implements search.Recorder.
func (r *Recorder) Add(workspace string, activities ...store.Activity) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.records == nil {
		r.records = map[string][]store.Activity{}
	}
	r.records[workspace] = append(r.records[workspace], activities...)
	return nil
}

// Take returns the records of a workspace and forgets them.
func (r *Recorder) Take(workspace string) []store.Activity {
	r.mu.Lock()
	defer r.mu.Unlock()
	taken := r.records[workspace]
	delete(r.records, workspace)
	return taken
}
