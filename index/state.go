package index

import (
	"sync/atomic"

	"waymark/store"
)

// state is what snapshots of one version share. It holds its segments as long
// as it has users.
type state struct {
	version   uint64
	trails    []store.Trail
	rules     *Collection
	documents *Collection
	users     atomic.Int64
	report    func(error) // is told what goes wrong when files are unmapped
}

// newState returns a state with one user.
func newState(version uint64, trails []store.Trail, rules, documents *Collection, report func(error)) *state {
	s := &state{version: version, trails: trails, rules: rules, documents: documents, report: report}
	s.users.Store(1)
	s.eachSegment((*segment).retain)
	return s
}

// with returns a state of the same version in which one collection is another.
func (s *state) with(c *Collection) *state {
	rules, documents := s.rules, s.documents
	if c.kind == Rules {
		rules = c
	} else {
		documents = c
	}
	return newState(s.version, s.trails, rules, documents, s.report)
}

func (s *state) collections() [2]*Collection { return [2]*Collection{s.rules, s.documents} }

// collection returns the collection of a kind.
func (s *state) collection(kind Kind) *Collection {
	if kind == Rules {
		return s.rules
	}
	return s.documents
}

func (s *state) eachSegment(f func(*segment)) {
	for _, c := range s.collections() {
		for _, p := range c.parts {
			f(p.segment)
		}
	}
}

// retain adds a user unless the last one has gone.
func (s *state) retain() bool {
	for {
		n := s.users.Load()
		if n <= 0 {
			return false
		}
		if s.users.CompareAndSwap(n, n+1) {
			return true
		}
	}
}

// release takes a user away. The last one lets the segments go.
func (s *state) release() {
	if s.users.Add(-1) != 0 {
		return
	}
	s.eachSegment(func(segment *segment) {
		if err := segment.release(); err != nil {
			s.report(err)
		}
	})
}
