package index

import "slices"

// refresh makes a snapshot of what changed in the store. The caller has locked
// writing, and the workspace is open.
func (m *Manager) refresh(w *workspace) error {
	from := w.current.Load()
	found, err := m.readChanges(w.id, from)
	if err != nil || found == nil {
		return err
	}
	next, err := m.apply(from, found)
	if err != nil {
		return err
	}
	w.publish(next)
	m.enqueue(w)
	return nil
}

// apply returns the snapshot that follows another.
func (m *Manager) apply(from *state, found *changes) (*state, error) {
	var made []*segment
	defer func() {
		for _, s := range made {
			m.let(s)
		}
	}()
	rules, err := m.replace(from.rules, &found.rules, found.version, &made)
	if err != nil {
		return nil, err
	}
	documents, err := m.replace(from.documents, &found.documents, found.version, &made)
	if err != nil {
		return nil, err
	}
	return newState(found.version, found.trails, rules, documents, m.unmapFailed), nil
}

// replace returns the collection in which the entries take the place of the
// touched items; the same one when that changes nothing, so that what is known
// of it stays known. New segments are added to made.
func (m *Manager) replace(c *Collection, t *touched, version uint64, made *[]*segment) (*Collection, error) {
	entries := map[string]*entry{}
	for _, e := range t.entries {
		entries[e.id] = e
	}
	dead := make([][]int, len(c.parts))
	var added []*entry
	changed := false
	for _, id := range t.ids {
		e := entries[id]
		n, item := c.locate(id)
		if n >= 0 && e != nil && c.parts[n].segment.holds(item, e) {
			continue
		}
		if n >= 0 {
			s := c.parts[n].segment
			for row := s.itemRow[item]; row < s.itemRow[item+1]; row++ {
				dead[n] = append(dead[n], int(row))
			}
		}
		if e != nil {
			added = append(added, e)
		}
		changed = changed || n >= 0 || e != nil
	}
	if !changed {
		return c, nil
	}
	parts := make([]*part, 0, len(c.parts)+1)
	for n, p := range c.parts {
		next := &part{segment: p.segment, dead: p.dead.with(p.segment, dead[n])}
		if next.live() > 0 {
			parts = append(parts, next)
		}
	}
	if len(added) > 0 {
		s, err := m.buildInMemory(c.kind, added, version)
		if err != nil {
			return nil, err
		}
		*made = append(*made, s)
		parts = append(parts, &part{segment: s, dead: emptyMask(s)})
	}
	parts, err := m.fold(parts, made)
	if err != nil {
		return nil, err
	}
	return newCollection(c.kind, parts, m.made), nil
}

// locate returns the part and the item in it that has an id; −1 for none.
func (c *Collection) locate(id string) (n, item int) {
	for n, p := range c.parts {
		if item := p.segment.find(id); item >= 0 && !p.dead.rows.Contains(int(p.segment.itemRow[item])) {
			return n, item
		}
	}
	return -1, -1
}

// buildInMemory makes a segment of entries, which are in the order of ids.
func (m *Manager) buildInMemory(kind Kind, entries []*entry, version uint64) (*segment, error) {
	b := newBuilder(m.made, kind)
	for _, e := range entries {
		if err := b.add(e); err != nil {
			return nil, err
		}
	}
	c, err := b.content(version)
	if err != nil {
		return nil, err
	}
	return m.readInMemory(c)
}

// readInMemory makes a segment of its content.
func (m *Manager) readInMemory(c *content) (*segment, error) {
	image, err := c.inMemory()
	if err != nil {
		return nil, err
	}
	return newSegment(image, m.made)
}

// fold merges the smallest parts at once, as long as that is quick, so that a
// run of small commits does not make a run of small segments.
func (m *Manager) fold(parts []*part, made *[]*segment) ([]*part, error) {
	picked := pickMerge(parts, foldRows)
	if len(picked) == 0 {
		return parts, nil
	}
	merged, err := newMerger(m.made, picked).content(picked[0].segment.kind)
	if err != nil {
		return nil, err
	}
	s, err := m.readInMemory(merged)
	if err != nil {
		return nil, err
	}
	*made = append(*made, s)
	parts = slices.DeleteFunc(parts, func(p *part) bool { return slices.Contains(picked, p) })
	return append(parts, &part{segment: s, dead: emptyMask(s)}), nil
}

// let gives up a segment.
func (m *Manager) let(s *segment) {
	if err := s.release(); err != nil {
		m.unmapFailed(err)
	}
}

// unmapFailed reports a mapping that stays behind. It costs addresses, and
// nobody can do anything about it.
func (m *Manager) unmapFailed(err error) {
	m.options.Log.Error("index file could not be unmapped", "error", err)
}
