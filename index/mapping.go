package index

import (
	"runtime"
	"sync/atomic"
)

// mapping is a mapped file.
type mapping struct {
	unmap func() error
	gone  atomic.Bool
}

// close unmaps the file, once.
func (m *mapping) close() error {
	if m.gone.Swap(true) {
		return nil
	}
	return m.unmap()
}

// keepMapped gives a segment the mapping that it reads. The last user of the
// segment unmaps it. If one never says that it is done, the garbage collector
// unmaps it when nobody can reach the segment any more.
func (s *segment) keepMapped(unmap func() error) {
	s.mapping = &mapping{unmap: unmap}
	runtime.AddCleanup(s, func(m *mapping) {
		// Nobody is left who could be told.
		_ = m.close()
	}, s.mapping)
}

// retain adds a user; one that holds the segment already calls it.
func (s *segment) retain() { s.users.Add(1) }

// release takes a user away. The last one unmaps the file.
func (s *segment) release() error {
	if s.users.Add(-1) > 0 || s.mapping == nil {
		return nil
	}
	return s.mapping.close()
}
