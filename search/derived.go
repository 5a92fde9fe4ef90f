package search

import (
	"sync"

	"waymark/index"
)

// derived keeps what searches compute once of a state and a day. Each workspace
// has its own entry and its own lock, so none waits for what another computes,
// and what was computed of a state that is gone is let go with the next call.
type derived[T any] struct {
	mu          sync.Mutex // guards byWorkspace, never held while something is made
	byWorkspace map[string]*derivedOf[T]
}

type derivedOf[T any] struct {
	mu    sync.Mutex
	of    derivedState
	byDay map[Day]T
}

// derivedState is what a value is made of. Merging gives the items of one version
// other numbers, in another collection.
type derivedState struct {
	collection *index.Collection
	version    uint64
}

const (
	// keptWorkspaces bounds what workspaces that were deleted leave behind.
	keptWorkspaces = 1024
	// keptDays is how many days' values are kept, as many as an index keeps views:
	// today, and a few that as_of asks for.
	keptDays = 8
)

// get returns the value of a state on a day, and makes it when it is first asked
// for.
func (d *derived[T]) get(workspace string, of derivedState, day Day, build func() T) T {
	w := d.entry(workspace)
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.of != of {
		w.of, w.byDay = of, map[Day]T{}
	}
	if v, ok := w.byDay[day]; ok {
		return v
	}
	if len(w.byDay) >= keptDays {
		clear(w.byDay)
	}
	v := build()
	w.byDay[day] = v
	return v
}

func (d *derived[T]) entry(workspace string) *derivedOf[T] {
	d.mu.Lock()
	defer d.mu.Unlock()
	w := d.byWorkspace[workspace]
	if w == nil {
		if d.byWorkspace == nil || len(d.byWorkspace) >= keptWorkspaces {
			d.byWorkspace = map[string]*derivedOf[T]{}
		}
		w = &derivedOf[T]{}
		d.byWorkspace[workspace] = w
	}
	return w
}
