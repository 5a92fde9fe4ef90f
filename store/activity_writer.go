package store

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"
)

const (
	// DefaultFlushInterval is how long a record of activity waits for others at
	// most, and so what a crash can lose.
	DefaultFlushInterval = time.Second

	// flushSize is how many waiting records are written without waiting longer.
	flushSize = 4096

	// maxWaiting is how many records wait at most while the disk refuses them.
	// At half a kilobyte each they take 32 MB.
	maxWaiting = 65536
)

// ActivityWriter stores activity after the answer was given: records wait for
// each other and are written with one sync for all workspaces. It must be
// closed before its store.
type ActivityWriter struct {
	store    *Store
	interval time.Duration
	onError  func(error)

	mutex   sync.Mutex // guards waiting, count, failing, dropped and closed
	waiting map[string][]Activity
	count   int
	failing bool // the last flush failed: wait for the next interval
	dropped uint64
	closed  bool

	flushing sync.Mutex // held while writing, so that records keep their order
	kick     chan struct{}
	stop     chan struct{}
	stopped  chan struct{}
}

// NewActivityWriter starts a writer. Interval is how long a record waits at
// most; zero means DefaultFlushInterval. OnError is told when records cannot be
// written, may be nil, and must not call the writer. The records wait for the
// next attempt then.
func NewActivityWriter(store *Store, interval time.Duration, onError func(error)) *ActivityWriter {
	if interval <= 0 {
		interval = DefaultFlushInterval
	}
	w := &ActivityWriter{
		store:    store,
		interval: interval,
		onError:  onError,
		waiting:  map[string][]Activity{},
		kick:     make(chan struct{}, 1),
		stop:     make(chan struct{}),
		stopped:  make(chan struct{}),
	}
	go w.run()
	return w
}

// Add hands records to the writer and returns at once. It reports ErrClosed
// after Close.
func (w *ActivityWriter) Add(workspace string, activities ...Activity) error {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if w.closed {
		return ErrClosed
	}
	room := max(maxWaiting-w.count, 0)
	if len(activities) > room {
		w.dropped += uint64(len(activities) - room)
		activities = activities[:room]
	}
	w.waiting[workspace] = append(w.waiting[workspace], activities...)
	w.count += len(activities)
	if w.count >= flushSize && !w.failing {
		select {
		case w.kick <- struct{}{}:
		default:
		}
	}
	return nil
}

// Dropped returns how many records were lost because too many were waiting.
func (w *ActivityWriter) Dropped() uint64 {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	return w.dropped
}

// Flush writes all waiting records and returns when they are on disk.
func (w *ActivityWriter) Flush() error {
	w.flushing.Lock()
	defer w.flushing.Unlock()
	w.mutex.Lock()
	batch := w.waiting
	w.waiting, w.count = map[string][]Activity{}, 0
	w.mutex.Unlock()

	// Writers that come together share a commit: one goroutine a workspace.
	var group sync.WaitGroup
	var mutex sync.Mutex
	var failed []error
	for workspace, activities := range batch {
		group.Go(func() {
			err := w.store.AppendActivity(workspace, activities)
			if err == nil || errors.Is(err, ErrNotFound) {
				return // a workspace that was deleted takes its activity along
			}
			w.putBack(workspace, activities)
			mutex.Lock()
			defer mutex.Unlock()
			failed = append(failed, fmt.Errorf("write activity: %w", err))
		})
	}
	group.Wait()
	w.mutex.Lock()
	w.failing = len(failed) > 0
	w.mutex.Unlock()
	return errors.Join(failed...)
}

// putBack lets records wait again, before those that came later.
func (w *ActivityWriter) putBack(workspace string, activities []Activity) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.waiting[workspace] = slices.Concat(activities, w.waiting[workspace])
	w.count += len(activities)
}

// Close writes what is waiting and stops the writer. A second Close does
// nothing.
func (w *ActivityWriter) Close() error {
	w.mutex.Lock()
	closed := w.closed
	w.closed = true
	w.mutex.Unlock()
	if closed {
		return nil
	}
	close(w.stop)
	<-w.stopped
	return w.Flush()
}

// run flushes once per interval, and at once when much is waiting.
func (w *ActivityWriter) run() {
	defer close(w.stopped)
	ticker := time.NewTicker(w.interval)
	defer ticker.Stop()
	for {
		select {
		case <-w.stop:
			return
		case <-ticker.C:
		case <-w.kick:
		}
		if err := w.Flush(); err != nil && w.onError != nil {
			w.onError(err)
		}
	}
}
