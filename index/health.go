package index

import (
	"cmp"
	"slices"
)

// Health is the state of the index of one workspace.
type Health struct {
	Workspace    string           `json:"workspace"`
	StoreVersion uint64           `json:"store_version"`
	Rules        CollectionHealth `json:"rules"`
	Documents    CollectionHealth `json:"documents"`
	// Rebuilt says why the files could not be used at start and all was read
	// from the store; empty when they could, or when there were none.
	Rebuilt string `json:"rebuilt,omitempty"`
	// Failure is what last went wrong in the background: a file that could not
	// be written, a graph that failed its self-check. Answers do not suffer.
	Failure string `json:"failure,omitempty"`
}

// CollectionHealth is the state of one collection.
type CollectionHealth struct {
	Items          int `json:"items"`     // not dead
	Rows           int `json:"rows"`      // not dead
	DeadRows       int `json:"dead_rows"` // wait for a merge
	RowsNoVector   int `json:"rows_without_vector"`
	Segments       int `json:"segments"`
	SegmentsOnDisk int `json:"segments_on_disk"`
	// RowsByGraph is how many rows lie in segments whose graph is walked, and
	// GraphsInTheMaking how many graphs are being read or built.
	RowsByGraph       int `json:"rows_by_graph"`
	GraphsInTheMaking int `json:"graphs_in_the_making"`
}

// Health returns the state of a workspace, which it opens when nobody did yet.
// The errors are those of Acquire.
func (m *Manager) Health(id string) (Health, error) {
	s, err := m.Acquire(id)
	if err != nil {
		return Health{}, err
	}
	defer s.Release()
	h := Health{Workspace: id, StoreVersion: s.StoreVersion, Rules: s.Rules.Health(), Documents: s.Documents.Health()}
	if found, ok := m.workspaces.Load(id); ok {
		w := found.(*workspace)
		h.Rebuilt, h.Failure = text(w.rebuilt.Load()), text(w.failure.Load())
	}
	return h, nil
}

// text returns a text that may not be there.
func text(t *string) string {
	if t == nil {
		return ""
	}
	return *t
}

// AllHealth returns the states of the workspaces that are open, in the order of
// their ids.
func (m *Manager) AllHealth() []Health {
	var all []Health
	m.workspaces.Range(func(id, _ any) bool {
		if h, err := m.Health(id.(string)); err == nil {
			all = append(all, h)
		}
		return true
	})
	slices.SortFunc(all, func(a, b Health) int { return cmp.Compare(a.Workspace, b.Workspace) })
	return all
}

// Health returns the state of the collection.
func (c *Collection) Health() CollectionHealth {
	h := CollectionHealth{Segments: len(c.parts), Items: len(c.InOrder())}
	if c.made.dimension > 0 {
		h.RowsNoVector = c.RowsWithoutVector()
	}
	for _, p := range c.parts {
		h.Rows += p.live()
		h.DeadRows += p.dead.count
		if p.segment.name != "" {
			h.SegmentsOnDisk++
		}
		switch graphState(p.segment.graphState.Load()) {
		case graphMaking:
			h.GraphsInTheMaking++
		case graphReady:
			if p.segment.graph.Load().Err() == nil {
				h.RowsByGraph += p.segment.rows
			}
		}
	}
	return h
}
