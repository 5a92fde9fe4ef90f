package index

import "fmt"

// segmentRows is how many rows a segment has at most that is built of all that
// the store holds. That bounds the memory it takes: a segment is kept, in a
// file, before the next one is begun.
const segmentRows = 1 << 16

// readAll makes a state of all that the store holds of a workspace. What is
// built is handed to keep.
func (m *Manager) readAll(id string, keep func(*content) (*segment, error)) (*state, error) {
	a := &assembly{made: m.made, keep: keep}
	defer func() {
		for _, s := range a.segments {
			m.let(s)
		}
	}()
	var found *changes
	err := m.view(id, func(tx Reader) error {
		version, err := tx.Version()
		if err != nil {
			return err
		}
		r, err := m.newReading(tx, version)
		if err != nil {
			return err
		}
		found, a.version = r.changes, version
		if err := r.everything(a.add); err != nil {
			return err
		}
		return a.finish()
	})
	if err != nil {
		return nil, fmt.Errorf("read workspace %q: %w", id, err)
	}
	parts := map[Kind][]*part{}
	for _, s := range a.segments {
		parts[s.kind] = append(parts[s.kind], &part{segment: s, dead: emptyMask(s)})
	}
	rules, documents := newCollection(Rules, parts[Rules], m.made), newCollection(Documents, parts[Documents], m.made)
	return newState(found.version, found.trails, rules, documents, m.unmapFailed), nil
}

// assembly builds segments of a run of entries.
type assembly struct {
	made     *making
	version  uint64
	keep     func(*content) (*segment, error)
	builder  *builder // of the segment that is being built; nil: none
	segments []*segment
}

// add adds the next item. A segment ends where another kind begins, and when it
// is full.
func (a *assembly) add(kind Kind, e *entry) error {
	if a.builder != nil && (a.builder.kind != kind || a.builder.full(segmentRows)) {
		if err := a.finish(); err != nil {
			return err
		}
	}
	if a.builder == nil {
		a.builder = newBuilder(a.made, kind)
	}
	return a.builder.add(e)
}

// addAll adds items of a kind and ends their last segment.
func (a *assembly) addAll(kind Kind, entries []*entry) error {
	for _, e := range entries {
		if err := a.add(kind, e); err != nil {
			return err
		}
	}
	return a.finish()
}

// finish ends the segment that is being built.
func (a *assembly) finish() error {
	if a.builder == nil {
		return nil
	}
	c, err := a.builder.content(a.version)
	if err != nil {
		return err
	}
	a.builder = nil
	s, err := a.keep(c)
	if err != nil {
		return err
	}
	a.segments = append(a.segments, s)
	return nil
}
