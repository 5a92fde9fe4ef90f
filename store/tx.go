package store

import (
	"bytes"
	"fmt"
	"iter"
	"time"

	"go.etcd.io/bbolt"
)

// ReadTx is one consistent state of one workspace. It is given to the function
// of [Store.View] and ends with it. What its methods return stays valid.
type ReadTx struct {
	workspace string
	root      *bbolt.Bucket // of the workspace; nil when the transaction ended
	buckets   [bucketEnd]*bbolt.Bucket
	writes    int // how often a Tx changed something
}

// Tx is a ReadTx that can write. Its methods see what was written before them.
// A method that returns an error has changed nothing, so the function may go
// on. All that is written in one Tx gets one version.
//
// It may write while ranging over a sequence, such as that of [ReadTx.Rules]:
// what was there when the range began and is there when its turn comes is
// visited once.
type Tx struct {
	ReadTx
	store   *Store
	global  *bbolt.Tx // for names and tokens, which span workspaces
	journal *journal
	entries []logEntry
	claims  []claim
	now     time.Time
	version uint64 // that a change in this transaction gets
	ids     uint32 // how many ids were given out
}

// View runs fn on one consistent state of a workspace. It returns the error of
// fn, or a *NotFoundError when no workspace has the id.
func (s *Store) View(workspace string, fn func(*ReadTx) error) error {
	return s.read(func(root *bbolt.Tx) error {
		bucket, err := workspaceBucket(root, workspace)
		if err != nil {
			return err
		}
		tx := &ReadTx{workspace: workspace, root: bucket}
		defer tx.end()
		return fn(tx)
	})
}

// Update runs fn in a transaction that may write to a workspace. When fn
// returns an error, nothing of what it did is stored, and Update returns that
// error; otherwise it returns when all is on disk. Fn runs once, on the calling
// goroutine, while other writers wait: prepare embeddings and files before.
func (s *Store) Update(workspace string, fn func(*Tx) error) error {
	return s.write(func(root *bbolt.Tx, journal *journal) error {
		bucket, err := workspaceBucket(root, workspace)
		if err != nil {
			return err
		}
		tx := &Tx{
			ReadTx:  ReadTx{workspace: workspace, root: bucket},
			store:   s,
			global:  root,
			journal: journal,
			now:     s.clock(),
		}
		defer tx.end()
		last, err := tx.Version()
		if err != nil {
			return err
		}
		tx.version = last + 1
		if err := fn(tx); err != nil {
			return err
		}
		if err := tx.checkClaims(); err != nil {
			return err
		}
		return tx.writeLog()
	})
}

// view returns what fn finds in a read transaction.
func view[T any](s *Store, workspace string, fn func(*ReadTx) (T, error)) (T, error) {
	var result T
	err := s.View(workspace, func(tx *ReadTx) (err error) {
		result, err = fn(tx)
		return err
	})
	return result, err
}

// update returns what fn makes in a transaction that may write.
func update[T any](s *Store, workspace string, fn func(*Tx) (T, error)) (T, error) {
	var result T
	err := s.Update(workspace, func(tx *Tx) (err error) {
		result, err = fn(tx)
		return err
	})
	if err != nil {
		var none T
		return none, err
	}
	return result, nil
}

// workspaceBucket returns the bucket of a workspace.
func workspaceBucket(root *bbolt.Tx, workspace string) (*bbolt.Bucket, error) {
	all := root.Bucket(topWorkspaces)
	if all == nil {
		return nil, corruptf("bucket %q is missing", topWorkspaces)
	}
	if workspace != "" {
		if bucket := all.Bucket([]byte(workspace)); bucket != nil {
			return bucket, nil
		}
	}
	return nil, &NotFoundError{Kind: "workspace", ID: workspace}
}

// end makes every later use of the transaction an error.
func (tx *ReadTx) end() {
	tx.root = nil
	tx.buckets = [bucketEnd]*bbolt.Bucket{}
}

// bucket returns one bucket of the workspace.
func (tx *ReadTx) bucket(b bucket) (*bbolt.Bucket, error) {
	if tx.root == nil {
		return nil, ErrTxDone
	}
	if tx.buckets[b] == nil {
		found := tx.root.Bucket([]byte(b.String()))
		if found == nil {
			return nil, corruptf("bucket %q of workspace %q is missing", b, tx.workspace)
		}
		found.FillPercent = fill
		tx.buckets[b] = found
	}
	return tx.buckets[b], nil
}

// fill is how full bbolt leaves the pages that it splits. Its default of one
// half suits keys that come in any order, one at a time. Ours come in ascending
// order or many at once: 10,000 rules take 0.6 of the space.
const fill = 0.9

// get returns the value of a key, nil when there is none. The value belongs to
// bbolt.
func (tx *ReadTx) get(b bucket, key []byte) ([]byte, error) {
	in, err := tx.bucket(b)
	if err != nil {
		return nil, err
	}
	return in.Get(key), nil
}

// find decodes the record under a key. It reports false when there is none.
func find[T any](tx *ReadTx, b bucket, key []byte) (record T, ok bool, err error) {
	value, err := tx.get(b, key)
	if err != nil || value == nil {
		return record, false, err
	}
	record, err = decodeRecord[T](key, value)
	if err != nil {
		return record, false, fmt.Errorf("%s %q: %w", b, key, err)
	}
	return record, true, nil
}

// scan visits all keys that begin with prefix, in order, with their values.
// Both belong to bbolt. A cursor of bbolt is lost when its bucket changes, so a
// new one goes on after the last key then.
func (tx *ReadTx) scan(b bucket, prefix []byte) iter.Seq2[pair, error] {
	return func(yield func(pair, error) bool) {
		in, err := tx.bucket(b)
		if err != nil {
			yield(pair{}, err)
			return
		}
		cursor, writes := in.Cursor(), tx.writes
		key, value := cursor.Seek(prefix)
		for key != nil && bytes.HasPrefix(key, prefix) {
			last := key
			if !yield(pair{key, value}, nil) {
				return
			}
			if tx.writes != writes {
				cursor, writes = in.Cursor(), tx.writes
				if key, value = cursor.Seek(last); !bytes.Equal(key, last) {
					continue
				}
			}
			key, value = cursor.Next()
		}
	}
}

// scanBack visits the keys that begin with prefix and come before the key
// before, last first. The bucket must not be changed meanwhile.
func (tx *ReadTx) scanBack(b bucket, prefix, before []byte) iter.Seq2[pair, error] {
	return func(yield func(pair, error) bool) {
		in, err := tx.bucket(b)
		if err != nil {
			yield(pair{}, err)
			return
		}
		cursor := in.Cursor()
		back := cursor.Prev
		if key, _ := cursor.Seek(before); key == nil {
			back = cursor.Last
		}
		for key, value := back(); key != nil && bytes.HasPrefix(key, prefix); key, value = cursor.Prev() {
			if !yield(pair{key, value}, nil) {
				return
			}
		}
	}
}

// pair is a key and its value.
type pair struct{ key, value []byte }

// records decodes all records whose keys begin with prefix, in order of keys.
func records[T any](tx *ReadTx, b bucket, prefix []byte) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for p, err := range tx.scan(b, prefix) {
			var record T
			if err == nil {
				record, err = decodeRecord[T](p.key, p.value)
				if err != nil {
					err = fmt.Errorf("%s %q: %w", b, p.key, err)
				}
			}
			if !yield(record, err) || err != nil {
				return
			}
		}
	}
}

// collect gathers what a sequence yields, up to its first error.
func collect[T any](sequence iter.Seq2[T, error]) ([]T, error) {
	var all []T
	for record, err := range sequence {
		if err != nil {
			return nil, err
		}
		all = append(all, record)
	}
	return all, nil
}

// keys copies all keys that begin with prefix.
func (tx *ReadTx) keys(b bucket, prefix []byte) ([][]byte, error) {
	var all [][]byte
	for p, err := range tx.scan(b, prefix) {
		if err != nil {
			return nil, err
		}
		all = append(all, clone(p.key))
	}
	return all, nil
}

// put sets the value of a key. It is the only way to change a bucket of a
// workspace, besides delete, and adds content to the change log. Setting the
// value that is there already is no change.
func (tx *Tx) put(b bucket, key, value []byte) error {
	in, err := tx.bucket(b)
	if err != nil {
		return err
	}
	if old := in.Get(key); old != nil && bytes.Equal(old, value) {
		return nil
	}
	if err := tx.journal.put(in, key, value); err != nil {
		return err
	}
	tx.writes++
	if b.logged() {
		tx.entries = append(tx.entries, logEntry{Bucket: b, Key: key, Value: value})
	}
	return nil
}

// delete removes a key, which may be absent. See put.
func (tx *Tx) delete(b bucket, key []byte) error {
	in, err := tx.bucket(b)
	if err != nil {
		return err
	}
	if in.Get(key) == nil {
		return nil
	}
	if err := tx.journal.delete(in, key); err != nil {
		return err
	}
	tx.writes++
	if b.logged() {
		tx.entries = append(tx.entries, logEntry{Bucket: b, Key: key})
	}
	return nil
}

// putRecord sets the record of a key.
func (tx *Tx) putRecord(b bucket, key []byte, record any) error {
	value, err := encodeRecord(key, record)
	if err != nil {
		return err
	}
	return tx.put(b, key, value)
}

// putMark sets a key that says it all.
func (tx *Tx) putMark(b bucket, key []byte) error {
	return tx.put(b, key, seal(codecMark, key, nil))
}

// atomically runs one method of a transaction: when it fails, what it did is
// undone, and the transaction is as it was before.
func (tx *Tx) atomically(step func() error) error {
	if tx.root == nil {
		return ErrTxDone
	}
	steps, entries, claims := len(tx.journal.steps), len(tx.entries), len(tx.claims)
	err := step()
	if err != nil {
		if undone := tx.journal.undo(steps); undone != nil {
			return undone
		}
		tx.writes++
		tx.entries, tx.claims = tx.entries[:entries], tx.claims[:claims]
	}
	return err
}
