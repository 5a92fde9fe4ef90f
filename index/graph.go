package index

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"waymark/vector"
)

// graphState says how the nearest rows of a segment are found.
type graphState int32

const (
	graphNone    graphState = iota // rows are scanned: the segment is small, or nobody got to it yet
	graphMaking                    // rows are scanned, and a graph is read or built
	graphReady                     // the graph is walked
	graphRefused                   // rows are scanned for good: no graph passed its self-check
)

// wantGraphs starts to read, or to build, the graphs of large segments that
// have none. One is built at a time. The caller has locked maintenance.
func (m *Manager) wantGraphs(w *workspace) {
	s := w.acquire()
	if s == nil {
		return
	}
	defer s.release()
	folder, onDisk := m.folder(w.id)
	s.eachSegment(func(segment *segment) {
		if segment.scan == nil || segment.rows < m.options.GraphRows || onDisk && segment.name == "" ||
			!segment.graphState.CompareAndSwap(int32(graphNone), int32(graphMaking)) {
			return
		}
		path := ""
		if onDisk {
			path = filepath.Join(folder, graphName(segment.name))
		}
		segment.retain()
		m.background.Go(func() {
			defer m.let(segment)
			if err := m.giveGraph(w, segment, path); err != nil {
				segment.graphState.Store(int32(graphRefused))
				if m.stopping.Err() == nil {
					m.failed(w, err)
				}
			}
		})
	})
}

// giveGraph gives a segment the graph that a file holds, or builds it, checks it
// and writes it there. A path of "" is no file.
func (m *Manager) giveGraph(w *workspace, s *segment, path string) error {
	select {
	case m.graphs <- struct{}{}:
		defer func() { <-m.graphs }()
	case <-m.stopping.Done():
		return m.stopping.Err()
	}
	graph, err := readGraph(s, path)
	if err == nil {
		s.useGraph(graph)
		return nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		m.options.Log.Warn("graph is built anew", "file", path, "reason", err)
	}
	data, err := vector.BuildGraph(m.stopping, s.scan, vector.BuildOptions{})
	if err != nil {
		return err
	}
	if graph, err = vector.OpenGraph(data, s.scan); err != nil {
		return err
	}
	if _, err := graph.SelfCheck(m.stopping); err != nil {
		return err
	}
	s.useGraph(graph)
	if path == "" {
		return nil
	}
	return w.writeGraph(path, data)
}

// writeGraph writes a graph beside its segment. A flush must not take it for
// what a crash left behind.
func (w *workspace) writeGraph(path string, data []byte) error {
	w.maintenance.Lock()
	defer w.maintenance.Unlock()
	if w.current.Load() == nil {
		return nil // dropped meanwhile
	}
	return replaceFile(path, data)
}

// readGraph reads a graph that was written, and so passed its self-check.
func readGraph(s *segment, path string) (*vector.Graph, error) {
	if path == "" {
		return nil, fs.ErrNotExist
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return vector.OpenGraph(data, s.scan)
}

// useGraph lets the segment's nearest rows be found by a graph.
func (s *segment) useGraph(graph *vector.Graph) {
	s.graph.Store(graph)
	s.graphState.Store(int32(graphReady))
}
