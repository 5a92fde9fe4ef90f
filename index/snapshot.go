package index

import "waymark/store"

// Snapshot is one state of one workspace: what an answer is computed from. It is
// immutable and may be kept as long as it is wanted.
type Snapshot struct {
	// StoreVersion is the version of the workspace that the snapshot shows.
	StoreVersion uint64
	// Trails are all Trails of the workspace in order of name, then id, also
	// those without a rule in force.
	Trails    []store.Trail
	Rules     *Collection
	Documents *Collection
}
