package index

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"

	"github.com/fxamacker/cbor/v2"

	"waymark/vector"
)

// manifest is the file that says which segment files make up a workspace, and
// which of their rows are dead. It is replaced in one rename, so the files
// always show one whole version.
type manifest struct {
	Origin    string            `cbor:"1,keyasint"`
	Version   uint64            `cbor:"2,keyasint"`
	Next      int               `cbor:"3,keyasint"`
	Rules     []manifestSegment `cbor:"4,keyasint"`
	Documents []manifestSegment `cbor:"5,keyasint"`
}

type manifestSegment struct {
	File string   `cbor:"1,keyasint"`
	Dead []uint64 `cbor:"2,keyasint"`
}

const manifestName = "manifest"

func (m *Manager) folder(workspace string) string {
	return filepath.Join(m.options.Directory, workspace)
}

// load opens the files of a workspace; nil when there are none, or none that can
// be used: then the workspace is rebuilt from the store. The caller holds w.mu.
func (m *Manager) load(w *workspace) *Snapshot {
	if m.options.Directory == "" {
		return nil
	}
	s, err := m.open(w)
	if err == nil {
		return s
	}
	if !errors.Is(err, fs.ErrNotExist) {
		w.rebuilt = err.Error()
		m.options.Log.Warn("the index of a workspace is rebuilt from the store", slog.String("workspace", w.id), slog.Any("reason", err))
	}
	return nil
}

func (m *Manager) open(w *workspace) (*Snapshot, error) {
	folder := m.folder(w.id)
	file, err := os.ReadFile(filepath.Join(folder, manifestName))
	if err != nil {
		return nil, err
	}
	var list manifest
	if err := cbor.Unmarshal(file, &list); err != nil {
		return nil, fmt.Errorf("%w: the manifest: %w", errDamaged, err)
	}
	if list.Origin != m.origin {
		return nil, fmt.Errorf("%w: it was made by another version or model", errDamaged)
	}
	w.next = list.Next
	version, err := m.storeVersion(w.id)
	if err != nil {
		return nil, err
	}
	if list.Version > version {
		return nil, fmt.Errorf("%w: it is ahead of the store, at version %d of %d", errDamaged, list.Version, version)
	}
	s := &Snapshot{StoreVersion: list.Version}
	for _, side := range []struct {
		files []manifestSegment
		to    **Collection
	}{{list.Rules, &s.Rules}, {list.Documents, &s.Documents}} {
		var segments []*segment
		var dead []Bitmap
		for _, f := range side.files {
			if f.File != filepath.Base(f.File) {
				return nil, fmt.Errorf("%w: the manifest names %q", errDamaged, f.File)
			}
			seg, err := openSegment(filepath.Join(folder, f.File), m.origin)
			if err != nil {
				return nil, err
			}
			if len(f.Dead) != (seg.rows()+63)/64 {
				return nil, fmt.Errorf("%w: the dead rows of %q do not fit", errDamaged, f.File)
			}
			seg.file = f.File
			m.openGraph(folder, seg)
			segments, dead = append(segments, seg), append(dead, f.Dead)
		}
		*side.to = m.collection(segments, dead)
	}
	return s, nil
}

// flush writes the current snapshot. The caller holds w.mu.
func (m *Manager) flush(w *workspace) error {
	s := w.current.Load()
	if m.options.Directory == "" || !w.dirty || s == nil {
		return nil
	}
	folder := m.folder(w.id)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return fmt.Errorf("make the index folder: %w", err)
	}
	list := manifest{Origin: m.origin, Version: s.StoreVersion}
	keep := map[string]bool{manifestName: true}
	for _, side := range []struct {
		from *Collection
		to   *[]manifestSegment
	}{{s.Rules, &list.Rules}, {s.Documents, &list.Documents}} {
		for n, seg := range side.from.segments {
			if seg.file == "" {
				name := fmt.Sprintf("%06d.seg", w.next)
				w.next++
				encoded, err := seg.encode(m.origin)
				if err != nil {
					return err
				}
				if err := writeFile(filepath.Join(folder, name), encoded); err != nil {
					return err
				}
				seg.file = name
			}
			keep[seg.file], keep[graphName(seg.file)] = true, true
			*side.to = append(*side.to, manifestSegment{seg.file, side.from.dead[n]})
		}
	}
	list.Next = w.next
	encoded, err := cbor.Marshal(list)
	if err != nil {
		return fmt.Errorf("encode the manifest: %w", err)
	}
	if err := writeFile(filepath.Join(folder, manifestName), encoded); err != nil {
		return err
	}
	w.dirty = false
	return m.removeOthers(folder, keep)
}

// writeFile replaces a file in one step: what is there is whole, also after a
// crash.
func writeFile(path string, content []byte) error {
	temporary := path + ".new"
	f, err := os.OpenFile(temporary, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return fmt.Errorf("write the index: %w", err)
	}
	_, err = f.Write(content)
	if err == nil {
		err = f.Sync()
	}
	if closing := f.Close(); err == nil {
		err = closing
	}
	if err == nil {
		err = os.Rename(temporary, path)
	}
	if err != nil {
		return fmt.Errorf("write the index: %w", err)
	}
	return nil
}

// removeOthers deletes files of the folder that the manifest no longer names. A
// file that is still mapped lives on until its segment is let go.
func (m *Manager) removeOthers(folder string, keep map[string]bool) error {
	files, err := os.ReadDir(folder)
	if err != nil {
		return fmt.Errorf("list the index folder: %w", err)
	}
	for _, f := range files {
		if !keep[f.Name()] {
			if err := os.Remove(filepath.Join(folder, f.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return fmt.Errorf("remove an old index file: %w", err)
			}
		}
	}
	return nil
}

func (m *Manager) removeFiles(workspace string) error {
	if m.options.Directory == "" {
		return nil
	}
	if err := os.RemoveAll(m.folder(workspace)); err != nil {
		return fmt.Errorf("remove the index of a workspace: %w", err)
	}
	return nil
}

func graphName(segmentFile string) string { return strings.TrimSuffix(segmentFile, ".seg") + ".graph" }

// openGraph takes the graph beside a segment file when it is there and fits.
func (m *Manager) openGraph(folder string, s *segment) {
	if m.options.GraphRows == 0 || s.rows() < m.options.GraphRows {
		return
	}
	data, err := os.ReadFile(filepath.Join(folder, graphName(s.file)))
	if err != nil {
		return
	}
	scan, err := vector.NewScan(s.vectors, &s.codes)
	if err != nil {
		return
	}
	if g, err := vector.OpenGraph(data, scan); err == nil {
		s.graph.Store(g)
	} else {
		m.options.Log.Warn("a graph is built anew", slog.Any("reason", err))
	}
}

// buildGraphs starts building the graphs that large segments still lack; until
// one is ready and has passed its self-check, its rows are scanned. The caller
// holds w.mu.
func (m *Manager) buildGraphs(w *workspace) {
	s := w.current.Load()
	for _, c := range []*Collection{s.Rules, s.Documents} {
		for _, seg := range c.segments {
			if m.options.GraphRows == 0 || seg.rows() < m.options.GraphRows || !seg.building.CompareAndSwap(false, true) {
				continue
			}
			m.background.Add(1)
			go func() {
				defer m.background.Done()
				if err := m.buildGraph(m.stopping, w, seg); err != nil && m.stopping.Err() == nil {
					m.options.Log.Warn("a segment stays without a graph and is scanned", slog.String("workspace", w.id), slog.Any("reason", err))
				}
			}()
		}
	}
}

func (m *Manager) buildGraph(ctx context.Context, w *workspace, s *segment) error {
	if s.graph.Load() != nil {
		return nil
	}
	scan, err := vector.NewScan(s.vectors, &s.codes)
	if err != nil {
		return err
	}
	data, err := vector.BuildGraph(ctx, scan, vector.BuildOptions{})
	if err != nil {
		return err
	}
	g, err := vector.OpenGraph(data, scan)
	if err != nil {
		return err
	}
	if _, err := g.SelfCheck(ctx); err != nil {
		return err
	}
	s.graph.Store(g)
	w.mu.Lock()
	defer w.mu.Unlock()
	if m.options.Directory == "" {
		return nil
	}
	w.dirty = true
	if err := m.flush(w); err != nil {
		return err
	}
	return writeFile(filepath.Join(m.folder(w.id), graphName(s.file)), data)
}
