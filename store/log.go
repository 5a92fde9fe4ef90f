package store

import (
	"fmt"
	"math"
	"slices"
	"time"
)

// The change log of a workspace has, for each version, what the transaction did
// to the content, in order. A transaction that changed much is cut into parts,
// so that no value grows without bound: part 0, 1, …, the last one marked.
// Replaying all entries of all versions into empty buckets gives the content,
// byte for byte.

// partSize is the size in bytes at which a part of a log record is full. The
// last entry may exceed it.
const partSize = 64 << 10

// logEntry is one put, or one deletion when Value is nil.
type logEntry struct {
	_      struct{} `cbor:",toarray"`
	Bucket bucket
	Key    []byte
	Value  []byte
}

// logPart is a part of what one version changed.
type logPart struct {
	At      time.Time  `cbor:"1,keyasint"`
	Entries []logEntry `cbor:"2,keyasint"`
	Last    bool       `cbor:"3,keyasint,omitempty"`
}

// Change says what one version of a workspace touched: the ids, sorted, each
// once. A touched id may exist no longer.
type Change struct {
	Version   uint64
	At        time.Time
	Trails    []string
	Rules     []string
	Documents []string
	Agents    []string
}

// writeLog appends what the transaction changed to the change log.
func (tx *Tx) writeLog() error {
	rest := lastOfEach(tx.entries)
	for part := 0; len(rest) > 0; part++ {
		n, size := 0, 0
		for n < len(rest) && size < partSize {
			size += len(rest[n].Key) + len(rest[n].Value)
			n++
		}
		record := logPart{At: tx.now, Entries: rest[:n], Last: n == len(rest)}
		if err := tx.putRecord(bucketChanges, changeKey(tx.version, part), record); err != nil {
			return err
		}
		rest = rest[n:]
	}
	return nil
}

// lastOfEach leaves out entries that later ones of the same key replace.
func lastOfEach(entries []logEntry) []logEntry {
	type place struct {
		bucket bucket
		key    string
	}
	last := make(map[place]int, len(entries))
	for i, entry := range entries {
		last[place{entry.Bucket, string(entry.Key)}] = i
	}
	var kept []logEntry
	for i, entry := range entries {
		if last[place{entry.Bucket, string(entry.Key)}] == i {
			kept = append(kept, entry)
		}
	}
	return kept
}

// Version returns the number of the last committed change of the workspace, 0
// when there was none.
func (s *Store) Version(workspace string) (uint64, error) {
	return view(s, workspace, (*ReadTx).Version)
}

// Version returns the number of the last change that was committed before this
// transaction began.
func (tx *ReadTx) Version() (uint64, error) {
	changes, err := tx.bucket(bucketChanges)
	if err != nil {
		return 0, err
	}
	key, _ := changes.Cursor().Last()
	if key == nil {
		return 0, nil
	}
	version, _, ok := splitChange(key)
	if !ok {
		return 0, corruptf("change log: key %x", key)
	}
	return version, nil
}

// Changes returns the changes after a version, oldest first, at most limit of
// them; limit 0 or less means all.
func (s *Store) Changes(workspace string, after uint64, limit int) ([]Change, error) {
	return view(s, workspace, func(tx *ReadTx) ([]Change, error) { return tx.Changes(after, limit) })
}

// Changes is [Store.Changes] within the transaction.
func (tx *ReadTx) Changes(after uint64, limit int) ([]Change, error) {
	var changes []Change
	err := tx.eachPart(after, func(version uint64, part logPart) (bool, error) {
		if len(changes) == 0 || changes[len(changes)-1].Version != version {
			if limit > 0 && len(changes) == limit {
				return false, nil
			}
			changes = append(changes, Change{Version: version, At: part.At})
		}
		change := &changes[len(changes)-1]
		for _, entry := range part.Entries {
			if err := change.touch(entry); err != nil {
				return false, err
			}
		}
		return true, nil
	})
	if err != nil {
		return nil, err
	}
	for i := range changes {
		for _, ids := range []*[]string{&changes[i].Trails, &changes[i].Rules, &changes[i].Documents, &changes[i].Agents} {
			slices.Sort(*ids)
			*ids = slices.Compact(*ids)
		}
	}
	return changes, nil
}

// eachPart visits the parts of the change log after a version until fn returns
// false.
func (tx *ReadTx) eachPart(after uint64, fn func(version uint64, part logPart) (bool, error)) error {
	changes, err := tx.bucket(bucketChanges)
	if err != nil {
		return err
	}
	if after == math.MaxUint64 {
		return nil
	}
	cursor := changes.Cursor()
	for key, value := cursor.Seek(changeKey(after+1, 0)); key != nil; key, value = cursor.Next() {
		version, _, ok := splitChange(key)
		if !ok {
			return corruptf("change log: key %x", key)
		}
		part, err := decodeRecord[logPart](key, value)
		if err != nil {
			return fmt.Errorf("change %d: %w", version, err)
		}
		more, err := fn(version, part)
		if err != nil {
			return fmt.Errorf("change %d: %w", version, err)
		}
		if !more {
			return nil
		}
	}
	return nil
}

// touch adds the id that an entry is about.
func (c *Change) touch(entry logEntry) error {
	ids, id, ok := (*[]string)(nil), "", len(entry.Key) > 0
	switch {
	case !ok:
	case entry.Bucket == bucketTrails:
		ids, id = &c.Trails, string(entry.Key)
	case entry.Bucket == bucketAgents:
		ids, id = &c.Agents, string(entry.Key)
	case entry.Bucket == bucketVersions, entry.Bucket == bucketHistory:
		ids = &c.Rules
		id, _, ok = splitNumbered(entry.Key)
	case entry.Bucket == bucketRules && entry.Key[0] == kindRuleHead:
		ids, id = &c.Rules, string(entry.Key[1:])
	case entry.Bucket == bucketRules:
		ids = &c.Rules
		_, id, ok = splitPair(entry.Key)
	case entry.Bucket == bucketDocuments && entry.Key[0] == kindPath:
		ids = &c.Documents
		_, id, ok = splitPair(entry.Key)
	case entry.Bucket == bucketDocuments:
		ids, id = &c.Documents, string(entry.Key[1:])
	default:
		ok = false
	}
	if !ok {
		return corruptf("entry of %s with key %x", entry.Bucket, entry.Key)
	}
	*ids = append(*ids, id)
	return nil
}
