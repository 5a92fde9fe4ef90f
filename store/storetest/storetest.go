// Package storetest opens stores for tests. It may be imported by tests only.
package storetest

import (
	"context"
	"errors"
	"math/rand/v2"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"waymark/store"
)

// Start is the first reading of a clock of NewClock.
var Start = time.Date(2026, time.January, 15, 9, 0, 0, 0, time.UTC)

// NewClock returns a clock that begins at Start and moves on by a millisecond
// with every reading, so that all times differ and are the same in every run.
func NewClock() func() time.Time {
	var mutex sync.Mutex
	next := Start
	return func() time.Time {
		mutex.Lock()
		defer mutex.Unlock()
		now := next
		next = next.Add(time.Millisecond)
		return now
	}
}

// Options returns options for a new database in a directory of the test, with
// a clock of NewClock, entropy that is the same in every run, and no syncs.
func Options(t testing.TB) store.Options {
	t.Helper()
	return store.Options{
		Path:    filepath.Join(t.TempDir(), "waymark.db"),
		Now:     NewClock(),
		Entropy: rand.NewChaCha8([32]byte{}),
		NoSync:  true,
	}
}

// Open opens a new, empty store. When the test ends, the store is checked and
// closed: every test proves the invariants. A test may close it itself, which
// leaves out the check.
func Open(t testing.TB) *store.Store {
	t.Helper()
	return OpenWith(t, Options(t))
}

// OpenWith is Open with given options.
func OpenWith(t testing.TB, options store.Options) *store.Store {
	t.Helper()
	s, err := store.Open(options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Check(context.Background()); err != nil && !errors.Is(err, store.ErrClosed) {
			t.Errorf("Check() = %v", err)
		}
		if err := s.Close(); err != nil {
			t.Errorf("Close() = %v", err)
		}
	})
	return s
}

// Workspace makes a workspace with that name and returns its id.
func Workspace(t testing.TB, s *store.Store, name string) string {
	t.Helper()
	workspace, err := s.CreateWorkspace(name)
	if err != nil {
		t.Fatal(err)
	}
	return workspace.ID
}
