package index

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"waymark/analysis"
	"waymark/store"
)

// Source is what the index reads: a consistent view of one workspace.
type Source interface {
	View(workspace string, fn func(*store.ReadTx) error) error
}

// Options say how the index is made. None may change while it is open.
type Options struct {
	// Directory holds the index files, one folder a workspace; empty: nothing is
	// kept, and every start reads the store anew.
	Directory string
	// Model is the id of the embedding model whose vectors are used, Dimension
	// their length.
	Model     string
	Dimension int
	// Bank are the vectors of the gate's everyday questions.
	Bank [][]float32
	// Scoring is DefaultScoring when it is the zero value.
	Scoring Scoring
	// GraphRows is the size from which a segment gets a graph for nearest
	// neighbours; 0: never.
	GraphRows int
	// FlushAfter is how long after a change the files are written; 0: 5 s.
	FlushAfter time.Duration
	// Log receives what happens in the background; nil: nothing is logged.
	Log *slog.Logger
}

// Manager keeps the current snapshot of each workspace. It is safe for
// concurrent use: readers take the snapshot that is current and are never
// blocked by a refresh.
type Manager struct {
	source   Source
	options  Options
	analyzer tokenizer
	origin   string // what segments were made with: another origin makes them useless

	mu         sync.Mutex // guards workspaces and closed
	workspaces map[string]*workspace
	closed     bool

	background sync.WaitGroup
	stop       context.CancelFunc
	stopping   context.Context
}

// workspace is the state of one workspace. Its mutex is held by the one writer.
type workspace struct {
	id      string
	current atomic.Pointer[Snapshot]

	mu      sync.Mutex
	dirty   bool // the current snapshot is not what the files hold
	timer   *time.Timer
	next    int // number of the next segment file
	rebuilt string
}

// ErrClosed is returned when a manager is used after Close.
var ErrClosed = errors.New("the index is closed")

// Open makes a manager over a store. Nothing is read until a workspace is asked
// for.
func Open(source Source, analyzer *analysis.Analyzer, options Options) *Manager {
	if options.Scoring == (Scoring{}) {
		options.Scoring = DefaultScoring
	}
	if options.FlushAfter == 0 {
		options.FlushAfter = 5 * time.Second
	}
	if options.Log == nil {
		options.Log = slog.New(slog.DiscardHandler)
	}
	sum := sha256.New()
	fmt.Fprintf(sum, "analysis %d, model %q, %d dimensions", analysis.Version, options.Model, options.Dimension)
	for _, v := range options.Bank {
		sum.Write(bytesOf(v))
	}
	m := &Manager{source: source, options: options, analyzer: analyzer, origin: hex.EncodeToString(sum.Sum(nil)), workspaces: map[string]*workspace{}}
	m.stopping, m.stop = context.WithCancel(context.Background())
	return m
}

func (m *Manager) workspace(id string) (*workspace, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return nil, ErrClosed
	}
	w, ok := m.workspaces[id]
	if !ok {
		w = &workspace{id: id}
		m.workspaces[id] = w
	}
	return w, nil
}

// Snapshot returns the current snapshot of a workspace, reading its files and
// catching up with the store when it is first asked for.
func (m *Manager) Snapshot(id string) (*Snapshot, error) {
	w, err := m.workspace(id)
	if err != nil {
		return nil, err
	}
	if s := w.current.Load(); s != nil {
		return s, nil
	}
	if err := m.refresh(w); err != nil {
		return nil, err
	}
	return w.current.Load(), nil
}

// Refresh brings a workspace up to the store; what was committed before the call
// is in the snapshot when it returns.
func (m *Manager) Refresh(id string) error {
	w, err := m.workspace(id)
	if err != nil {
		return err
	}
	return m.refresh(w)
}

func (m *Manager) refresh(w *workspace) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	from := w.current.Load()
	if from == nil {
		from = m.load(w)
	}
	c, err := m.read(w.id, from)
	if err != nil {
		return err
	}
	if from != nil && from.StoreVersion == c.version {
		w.current.CompareAndSwap(nil, from.withTrails(c.trails))
		return nil
	}
	next, err := m.apply(from, c)
	if err != nil {
		return err
	}
	w.current.Store(next)
	m.changed(w)
	return nil
}

func (s *Snapshot) withTrails(trails []store.Trail) *Snapshot {
	return &Snapshot{StoreVersion: s.StoreVersion, Trails: trails, Rules: s.Rules, Documents: s.Documents}
}

// apply makes the snapshot that follows from one and the content that was read
// after it.
func (m *Manager) apply(from *Snapshot, c *content) (*Snapshot, error) {
	if c.everything {
		from = &Snapshot{Rules: m.collection(nil, nil), Documents: m.collection(nil, nil)}
	}
	rules, err := m.replace(from.Rules, c.ruleIDs, c.rules)
	if err != nil {
		return nil, err
	}
	documents, err := m.replace(from.Documents, c.documentIDs, c.documents)
	if err != nil {
		return nil, err
	}
	return &Snapshot{StoreVersion: c.version, Trails: c.trails, Rules: rules, Documents: documents}, nil
}

func (m *Manager) collection(segments []*segment, dead []Bitmap) *Collection {
	return newCollection(segments, dead, m.options.Scoring, m.options.Bank)
}

// Rebuild forgets what is derived of a workspace and makes it anew from the
// store. It is needed after vectors were stored for content that is indexed
// already.
func (m *Manager) Rebuild(id string) error {
	w, err := m.workspace(id)
	if err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	c, err := m.read(id, nil)
	if err != nil {
		return err
	}
	next, err := m.apply(nil, c)
	if err != nil {
		return err
	}
	w.current.Store(next)
	m.changed(w)
	return nil
}

// Drop forgets a workspace that was deleted, and removes its files.
func (m *Manager) Drop(id string) error {
	m.mu.Lock()
	w := m.workspaces[id]
	delete(m.workspaces, id)
	m.mu.Unlock()
	if w != nil {
		w.mu.Lock()
		if w.timer != nil {
			w.timer.Stop()
		}
		w.dirty = false
		w.mu.Unlock()
	}
	return m.removeFiles(id)
}

// Close writes what is not yet in the files and ends the background work.
func (m *Manager) Close() error {
	m.mu.Lock()
	if m.closed {
		m.mu.Unlock()
		return nil
	}
	m.closed = true
	var all []*workspace
	for _, w := range m.workspaces {
		all = append(all, w)
	}
	m.mu.Unlock()
	m.stop()
	var errs []error
	for _, w := range all {
		w.mu.Lock()
		if w.timer != nil {
			w.timer.Stop()
		}
		errs = append(errs, m.flush(w))
		w.mu.Unlock()
	}
	m.background.Wait()
	return errors.Join(errs...)
}

// changed plans what follows a new snapshot: writing it to the files, and graphs
// for large segments. The caller holds w.mu.
func (m *Manager) changed(w *workspace) {
	w.dirty = true
	if m.options.Directory != "" && w.timer == nil {
		w.timer = time.AfterFunc(m.options.FlushAfter, func() {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.timer = nil
			if err := m.flush(w); err != nil {
				m.options.Log.Error("the index could not be written", slog.Any("error", err))
			}
		})
	}
	m.buildGraphs(w)
}
