package store

import (
	"errors"
	"fmt"

	"go.etcd.io/bbolt"
	berrors "go.etcd.io/bbolt/errors"
)

// Writers that come together share a commit, because a commit costs syncs and
// they cost far more than the writing. They take turns at one bbolt
// transaction, each on its own goroutine: a writer that sees another one
// waiting leaves the transaction to it, and the last one commits for all. So a
// single writer never waits for company, and while one group is being synced
// the next one gathers.
//
// bbolt can only roll back a whole transaction. A writer that fails must not
// take its group with it, so every change is noted in a journal with what was
// there before, and undone from it.

// maxGroup is how many writers share a commit at most, so that the first of
// them is answered although more keep coming.
const maxGroup = 128

// group is the writers of one bbolt transaction.
type group struct {
	root    *bbolt.Tx
	members int
	dirty   bool
	done    chan struct{} // closed after commit, when err is set
	err     error
}

// write runs fn in a transaction and returns when what it wrote is on disk.
// When fn returns an error, everything it did is undone.
func (s *Store) write(fn func(root *bbolt.Tx, journal *journal) error) error {
	s.waiting.Add(1)
	s.writing.Lock()
	s.waiting.Add(-1)
	if err := s.join(); err != nil {
		s.writing.Unlock()
		return err
	}
	g := s.group
	journal := &journal{}
	returned := false
	defer func() {
		if !returned { // fn panicked or ended its goroutine
			s.undo(journal)
			s.leave()
		}
	}()
	err := guard(func() error { return fn(g.root, journal) })
	returned = true

	if err != nil {
		s.note(err)
		s.undo(journal)
		s.leave()
		return err
	}
	g.dirty = g.dirty || journal.structural || len(journal.steps) > 0
	s.leave()
	<-g.done
	return g.err
}

// join makes sure that there is a group to write in.
func (s *Store) join() error {
	switch {
	case s.options.ReadOnly:
		return ErrReadOnly
	case s.closed:
		return ErrClosed
	case s.broken != nil:
		return s.broken
	case s.group != nil:
		return nil
	}
	var root *bbolt.Tx
	err := guard(func() (err error) {
		root, err = s.db.Begin(true)
		return err
	})
	if err != nil {
		s.note(err)
		return err
	}
	s.group = &group{root: root, done: make(chan struct{})}
	return nil
}

// leave ends a writer's turn. The last one of a group commits.
func (s *Store) leave() {
	s.group.members++
	if s.waiting.Load() == 0 || s.group.members >= maxGroup || s.broken != nil {
		s.commit()
	}
	s.writing.Unlock()
}

// commit ends the current group.
func (s *Store) commit() {
	g := s.group
	s.group = nil
	defer close(g.done)
	if s.broken != nil {
		g.err = s.broken
		return
	}
	g.err = guard(func() error {
		if !g.dirty {
			return g.root.Rollback()
		}
		return g.root.Commit()
	})
	if g.err != nil {
		s.note(g.err)
		g.err = fmt.Errorf("commit: %w", g.err)
	}
}

// undo takes back the steps of a writer that failed. When even that fails,
// nothing of the group may be committed.
func (s *Store) undo(journal *journal) {
	if s.broken != nil {
		return
	}
	if err := guard(func() error { return journal.undo(0) }); err != nil {
		s.broken = err
	}
}

// note remembers that bbolt panicked during a write: its memory cannot be
// trusted after that, and it may hold its own locks for ever.
func (s *Store) note(err error) {
	var fault *faultError
	if errors.As(err, &fault) && s.broken == nil {
		s.broken = fault
	}
}

// read runs fn in a read transaction.
func (s *Store) read(fn func(root *bbolt.Tx) error) error {
	err := guard(func() error { return s.db.View(fn) })
	if errors.Is(err, berrors.ErrDatabaseNotOpen) {
		return ErrClosed
	}
	return err
}

// journal notes changes together with what was there before them. Making and
// deleting a whole bucket cannot be undone; structural says that it was done,
// as the last step of a writer that can no longer fail.
type journal struct {
	steps      []step
	structural bool
}

// step is one change. Old is nil when the key was not there.
type step struct {
	bucket *bbolt.Bucket
	key    []byte
	old    []byte
}

// put sets a key. The journal keeps key; bbolt keeps value.
func (j *journal) put(bucket *bbolt.Bucket, key, value []byte) error {
	old := clone(bucket.Get(key))
	if err := bucket.Put(key, value); err != nil {
		return fmt.Errorf("put: %w", err)
	}
	j.steps = append(j.steps, step{bucket, key, old})
	return nil
}

// delete removes a key, which may be absent.
func (j *journal) delete(bucket *bbolt.Bucket, key []byte) error {
	old := clone(bucket.Get(key))
	if old == nil {
		return nil
	}
	if err := bucket.Delete(key); err != nil {
		return fmt.Errorf("delete: %w", err)
	}
	j.steps = append(j.steps, step{bucket, key, old})
	return nil
}

// undo takes back all steps after the first n, last first.
func (j *journal) undo(n int) error {
	for len(j.steps) > n {
		last := j.steps[len(j.steps)-1]
		var err error
		if last.old == nil {
			err = last.bucket.Delete(last.key)
		} else {
			err = last.bucket.Put(last.key, last.old)
		}
		if err != nil {
			return fmt.Errorf("undo: %w", err)
		}
		j.steps = j.steps[:len(j.steps)-1]
	}
	return nil
}

// clone copies bytes that bbolt owns. It returns nil for nil and a non-nil slice
// for an empty one.
func clone(b []byte) []byte {
	if b == nil {
		return nil
	}
	return append([]byte{}, b...)
}
