package index

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
)

// Manager keeps the current snapshot of every workspace. It is safe for
// concurrent use. Whoever acquires a snapshot waits for nobody, except for the
// first one after the start, who opens the workspace.
//
// Locks, in the order in which they are taken: a workspace's maintenance, held
// for as long as a merge or a flush takes, and its writing, held by whoever
// makes the next snapshot.
type Manager struct {
	view       func(workspace string, read func(Reader) error) error
	options    Options
	invalid    error // why the options cannot be used
	made       *making
	workspaces sync.Map // id → *workspace
	closed     atomic.Bool

	queue      chan *workspace // that want maintenance
	background sync.WaitGroup
	stopping   context.Context
	stop       context.CancelFunc
	graphs     chan struct{} // holds a token while a graph is built
}

// workspace is the index of one workspace.
type workspace struct {
	id      string
	current atomic.Pointer[state] // nil until it is open, and when it is gone
	queued  atomic.Bool           // it waits for maintenance

	maintenance sync.Mutex
	saved       *manifest // what the files hold; nil: nothing that can be used. Guarded by maintenance, and by writing until current is set

	writing sync.Mutex // guards gone and changes of current
	gone    bool

	file    atomic.Int64           // number of the last segment file
	rebuilt atomic.Pointer[string] // why the files could not be used
	failure atomic.Pointer[string] // what last went wrong in the background
}

// Open returns a manager over a store. Nothing is read until a workspace is
// asked for; options that cannot be used are the error of asking.
func Open[R Reader](source Source[R], analyzer Analyzer, options Options) *Manager {
	m := open(source, analyzer, options)
	m.background.Go(m.maintainQueued)
	return m
}

// open is Open without background work.
func open[R Reader](source Source[R], analyzer Analyzer, options Options) *Manager {
	m := &Manager{queue: make(chan *workspace, 64), graphs: make(chan struct{}, 1)}
	if m.options, m.invalid = options.withDefaults(); m.invalid == nil {
		m.made, m.invalid = newMaking(analyzer, m.options)
	}
	m.view = func(workspace string, read func(Reader) error) error {
		return source.View(workspace, func(tx R) error { return read(tx) })
	}
	m.stopping, m.stop = context.WithCancel(context.Background())
	return m
}

// Acquire pins the current snapshot of a workspace. The first time, it opens
// the workspace: from its files and what changed since they were written, or
// from the store. The caller releases the snapshot. The errors are ErrClosed,
// ErrOptions and those of the store, such as that it has no such workspace.
func (m *Manager) Acquire(id string) (*Snapshot, error) {
	if m.closed.Load() {
		return nil, ErrClosed
	}
	if w, ok := m.workspaces.Load(id); ok {
		if s := w.(*workspace).acquire(); s != nil {
			return newSnapshot(s), nil
		}
	}
	w, err := m.opened(id)
	if err != nil {
		return nil, err
	}
	defer w.writing.Unlock()
	return newSnapshot(w.acquire()), nil
}

// acquire pins the current snapshot; nil when there is none.
func (w *workspace) acquire() *state {
	for {
		s := w.current.Load()
		if s == nil || s.retain() {
			return s
		}
		// Another one has taken its place meanwhile.
	}
}

// opened returns a workspace that is open, with writing locked.
func (m *Manager) opened(id string) (*workspace, error) {
	if m.invalid != nil {
		return nil, m.invalid
	}
	for {
		found, _ := m.workspaces.LoadOrStore(id, &workspace{id: id})
		w := found.(*workspace)
		w.writing.Lock()
		switch {
		case w.gone:
			w.writing.Unlock()
			continue
		case m.closed.Load():
			w.writing.Unlock()
			return nil, ErrClosed
		case w.current.Load() != nil:
			return w, nil
		}
		if err := m.openWorkspace(w); err != nil {
			w.gone = true
			m.workspaces.CompareAndDelete(id, w)
			w.writing.Unlock()
			return nil, fmt.Errorf("open the index of workspace %q: %w", id, err)
		}
		return w, nil
	}
}

// publish makes a snapshot the current one. Nil means none. The caller has
// locked writing.
func (w *workspace) publish(s *state) {
	if before := w.current.Swap(s); before != nil {
		before.release()
	}
}

// Refresh brings a workspace up to the store: what was committed before the
// call is in the snapshots acquired after it. The errors are ErrClosed and
// those of the store.
func (m *Manager) Refresh(id string) error {
	if m.closed.Load() {
		return ErrClosed
	}
	w, err := m.opened(id)
	if err != nil {
		return err
	}
	defer w.writing.Unlock()
	return m.refresh(w)
}

// Rebuild makes the index of a workspace anew from the store. It is needed
// after vectors were stored for content that was indexed without them: they
// change no version of the store. The errors are ErrClosed and those of the
// store; after an error, the index is as it was.
func (m *Manager) Rebuild(id string) error {
	if m.closed.Load() {
		return ErrClosed
	}
	w, err := m.opened(id)
	if err != nil {
		return err
	}
	w.writing.Unlock()
	// A flush must not remove the files that are written here.
	w.maintenance.Lock()
	defer w.maintenance.Unlock()
	w.writing.Lock()
	defer w.writing.Unlock()
	if w.gone {
		return nil
	}
	s, err := m.readAll(id, func(c *content) (*segment, error) { return m.keep(w, c) })
	if err != nil {
		return err
	}
	w.publish(s)
	w.saved = nil
	m.enqueue(w)
	return nil
}

// Drop forgets a workspace and removes its files. Snapshots that are still
// pinned stay usable. The errors are ErrClosed and those of the file system.
func (m *Manager) Drop(id string) error {
	if m.closed.Load() {
		return ErrClosed
	}
	if found, ok := m.workspaces.Load(id); ok {
		w := found.(*workspace)
		w.maintenance.Lock()
		defer w.maintenance.Unlock()
		w.writing.Lock()
		defer w.writing.Unlock()
		w.gone = true
		w.publish(nil)
		m.workspaces.CompareAndDelete(id, w)
	}
	folder, ok := m.folder(id)
	if !ok {
		return nil
	}
	if err := os.RemoveAll(folder); err != nil {
		return fmt.Errorf("remove the index of workspace %q: %w", id, err)
	}
	return nil
}

// folder returns where the files of a workspace are; false when it has none.
func (m *Manager) folder(id string) (string, bool) {
	// An id is part of a path here, so one that is not a plain name has no files.
	if m.options.Directory == "" || id == "" || id != filepath.Base(id) || !filepath.IsLocal(id) {
		return "", false
	}
	return filepath.Join(m.options.Directory, id), true
}

// Close ends the background work, writes what is not yet in the files, and
// lets the snapshots go; those that are still pinned stay usable. The error
// says what could not be written; the next start reads it from the store.
func (m *Manager) Close() error {
	if m.closed.Swap(true) {
		return nil
	}
	m.stop()
	m.background.Wait()
	var errs []error
	m.workspaces.Range(func(_, found any) bool {
		w := found.(*workspace)
		w.maintenance.Lock()
		defer w.maintenance.Unlock()
		errs = append(errs, m.flush(w))
		w.writing.Lock()
		defer w.writing.Unlock()
		w.publish(nil)
		return true
	})
	return errors.Join(errs...)
}
