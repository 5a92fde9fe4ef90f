package index

import (
	"fmt"

	"waymark/store"
)

// Health is the state of one workspace's index.
type Health struct {
	StoreVersion uint64           `json:"store_version"`
	Rules        CollectionHealth `json:"rules"`
	Documents    CollectionHealth `json:"documents"`
	// Rebuilt says why the files could not be used at start; empty when they
	// could.
	Rebuilt string `json:"rebuilt,omitempty"`
}

// CollectionHealth is the state of one collection.
type CollectionHealth struct {
	Segments       int `json:"segments"`
	Rows           int `json:"rows"`
	DeadRows       int `json:"dead_rows"`
	RowsNoVector   int `json:"rows_without_vector"`
	SegmentsGraphs int `json:"segments_with_graph"`
}

// Health reports on a workspace.
func (m *Manager) Health(id string) (Health, error) {
	s, err := m.Snapshot(id)
	if err != nil {
		return Health{}, err
	}
	w, err := m.workspace(id)
	if err != nil {
		return Health{}, err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return Health{StoreVersion: s.StoreVersion, Rules: s.Rules.health(), Documents: s.Documents.health(), Rebuilt: w.rebuilt}, nil
}

func (c *Collection) health() CollectionHealth {
	h := CollectionHealth{Segments: len(c.segments), Rows: c.Rows(), RowsNoVector: c.Missing()}
	for n, s := range c.segments {
		h.DeadRows += c.dead[n].Count()
		if s.graph.Load() != nil {
			h.SegmentsGraphs++
		}
	}
	return h
}

func (m *Manager) storeVersion(id string) (version uint64, err error) {
	err = m.source.View(id, func(tx *store.ReadTx) error {
		version, err = tx.Version()
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("read the version of a workspace: %w", err)
	}
	return version, nil
}
