package index

import (
	"fmt"
	"os"
	"path/filepath"
)

// flushVersions is how many versions of the store the files may be behind: to
// read the change log that far again takes the next start a few milliseconds.
const flushVersions = 256

// unsaved reports whether so much is in memory only that it should be written.
// The caller has locked maintenance.
func (m *Manager) unsaved(w *workspace) bool {
	s := w.acquire()
	if s == nil {
		return false
	}
	defer s.release()
	if _, ok := m.folder(w.id); !ok {
		return false
	}
	if w.saved == nil {
		return true
	}
	rows, written := 0, w.saved.names()
	s.eachSegment(func(segment *segment) {
		if segment.name == "" || !written[segment.name] {
			rows += segment.rows
		}
	})
	return rows >= m.options.FlushRows || s.version >= w.saved.Version+flushVersions
}

// flush writes the current snapshot, so that the next start opens it. The
// caller has locked maintenance.
func (m *Manager) flush(w *workspace) error {
	// Files with higher numbers are being made for states to come.
	w.writing.Lock()
	s, last := w.acquire(), w.file.Load()
	w.writing.Unlock()
	if s == nil {
		return nil
	}
	defer s.release()
	folder, ok := m.folder(w.id)
	if !ok || w.saved != nil && w.saved.shows(s) {
		return nil
	}
	f := &manifest{Version: s.version}
	mapped := map[*segment]*segment{}
	defer func() {
		for _, segment := range mapped {
			m.let(segment)
		}
	}()
	for _, c := range s.collections() {
		for _, p := range c.parts {
			name := p.segment.name
			if name == "" {
				image := p.segment.image
				written, err := m.writeSegment(w, folder, func(path string) error {
					return writeNewFile(path, func(f *os.File) error {
						_, err := f.Write(image)
						return err
					})
				})
				if err != nil {
					return fmt.Errorf("write the index of workspace %q: %w", w.id, err)
				}
				mapped[p.segment], name = written, written.name
			}
			f.Segments = append(f.Segments, manifestSegment{Name: name, Dead: packRows(p.dead.rows)})
		}
	}
	if err := m.writeManifest(w, folder, f); err != nil {
		return fmt.Errorf("write the index of workspace %q: %w", w.id, err)
	}
	keep := f.names()
	m.mapInstead(w, mapped, keep)
	w.saved = f
	if err := removeOthers(folder, keep, last); err != nil {
		return fmt.Errorf("remove old files of workspace %q: %w", w.id, err)
	}
	return nil
}

// writeManifest puts a manifest into its place.
func (m *Manager) writeManifest(w *workspace, folder string, f *manifest) error {
	err := m.view(w.id, func(tx Reader) (err error) {
		f.Change, err = changeDigest(tx, f.Version)
		return err
	})
	if err != nil {
		return err
	}
	data, err := f.encode()
	if err != nil {
		return err
	}
	if err := makeFolder(folder); err != nil {
		return err
	}
	return replaceFile(filepath.Join(folder, manifestName), data)
}

// shows reports whether the files are those of a snapshot, dead rows included:
// those change with the version only.
func (f *manifest) shows(s *state) bool {
	written, all := f.names(), true
	s.eachSegment(func(segment *segment) { all = all && segment.name != "" && written[segment.name] })
	return all && f.Version == s.version
}

// mapInstead lets the current snapshot read the files that were written instead
// of the memory that they were written from, and adds to keep what it reads.
func (m *Manager) mapInstead(w *workspace, mapped map[*segment]*segment, keep map[string]bool) {
	w.writing.Lock()
	defer w.writing.Unlock()
	s := w.current.Load()
	if s == nil {
		return
	}
	rules, documents := m.exchanged(s.rules, mapped), m.exchanged(s.documents, mapped)
	if rules != s.rules || documents != s.documents {
		s = newState(s.version, s.trails, rules, documents, m.unmapFailed)
		w.publish(s)
	}
	s.eachSegment(func(segment *segment) { keep[segment.name], keep[graphName(segment.name)] = true, true })
}

// exchanged returns a collection that reads other segments of the same bytes;
// the same one when it has none of them.
func (m *Manager) exchanged(c *Collection, mapped map[*segment]*segment) *Collection {
	parts, changed := make([]*part, len(c.parts)), false
	for i, p := range c.parts {
		parts[i] = p
		if other := mapped[p.segment]; other != nil {
			parts[i], changed = &part{segment: other, dead: p.dead}, true
		}
	}
	if !changed {
		return c
	}
	return newCollection(c.kind, parts, m.made)
}
