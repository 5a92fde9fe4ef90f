package index

import (
	"errors"
	"path/filepath"
)

// openWorkspace makes the first snapshot of a workspace: from its files and
// what changed since, or from the store. The caller has locked writing.
func (m *Manager) openWorkspace(w *workspace) error {
	s, err := m.load(w)
	switch {
	case errors.Is(err, errDamaged):
		reason := err.Error()
		w.rebuilt.Store(&reason)
		m.options.Log.Warn("index is rebuilt from the store", "workspace", w.id, "reason", err)
	case err != nil:
		return err
	}
	if s == nil {
		if s, err = m.readAll(w.id, func(c *content) (*segment, error) { return m.keep(w, c) }); err != nil {
			return err
		}
	}
	w.publish(s)
	if err := m.refresh(w); err != nil {
		w.publish(nil)
		return err
	}
	m.enqueue(w)
	return nil
}

// keep makes a segment of its content: in a file when it is large, else in
// memory until the next flush. The caller has locked writing or maintenance, so
// that no flush takes a file of nobody for what a crash left behind.
func (m *Manager) keep(w *workspace, c *content) (*segment, error) {
	folder, ok := m.folder(w.id)
	if !ok || int(c.head.Rows) < m.options.FlushRows {
		return m.readInMemory(c)
	}
	s, err := m.writeSegment(w, folder, c.toFile)
	if err != nil {
		// A full disk is no reason not to answer.
		m.failed(w, err)
		return m.readInMemory(c)
	}
	return s, nil
}

// writeSegment has a segment file written under the next number and opens it.
func (m *Manager) writeSegment(w *workspace, folder string, write func(path string) error) (*segment, error) {
	if err := makeFolder(folder); err != nil {
		return nil, err
	}
	path := filepath.Join(folder, segmentName(w.file.Add(1)))
	if err := write(path); err != nil {
		return nil, err
	}
	return openSegment(path, m.made)
}
