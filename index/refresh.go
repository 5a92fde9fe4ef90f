package index

// refresh makes a snapshot of what changed in the store. The caller has locked
// writing, and the workspace is open.
func (m *Manager) refresh(w *workspace) error {
	from := w.current.Load()
	found, err := m.readChanges(w.id, from)
	if err != nil || found == nil {
		return err
	}
	r := &revision{Manager: m, version: found.version, keep: func(c *content) (*segment, error) { return m.keep(w, c) }}
	defer r.done()
	rules, err := r.revise(from.rules, &found.rules)
	if err != nil {
		return err
	}
	documents, err := r.revise(from.documents, &found.documents)
	if err != nil {
		return err
	}
	w.publish(newState(found.version, found.trails, rules, documents, m.unmapFailed))
	m.enqueue(w)
	return nil
}

// readInMemory makes a segment of its content.
func (m *Manager) readInMemory(c *content) (*segment, error) {
	image, err := c.inMemory()
	if err != nil {
		return nil, err
	}
	return newSegment(image, m.made)
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
