package index

import (
	"sync/atomic"

	"waymark/store"
)

// Snapshot is one state of one workspace: what an answer is computed from. It
// never changes. Its collections and their views are used until it is released.
type Snapshot struct {
	// StoreVersion is the version of the workspace that the snapshot shows.
	StoreVersion uint64
	// Trails are all Trails of the workspace in the order in which the store gives
	// them: that of their folded names, then ids; also those without a rule.
	Trails []store.Trail
	// Rules are the rules that are approved, whatever their effective days. Two
	// snapshots between which no rule changed share one collection.
	Rules *Collection
	// Documents are all documents. They are shared like Rules.
	Documents *Collection

	state    *state
	released atomic.Bool
}

// newSnapshot returns a snapshot that takes over one use of a state.
func newSnapshot(s *state) *Snapshot {
	return &Snapshot{StoreVersion: s.version, Trails: s.trails, Rules: s.rules, Documents: s.documents, state: s}
}

// Release lets the snapshot go; a second time is nothing more. The files behind
// it are unmapped when the last one who pinned it has let it go and a newer one
// has taken its place.
func (s *Snapshot) Release() {
	if !s.released.Swap(true) {
		s.state.release()
	}
}
