package vector

import (
	"bytes"
	"fmt"

	"github.com/coder/hnsw"
)

// This file is the only one that knows coder/hnsw, and what follows is what it
// knows of version 0.6.1. The library builds graphs of low recall and corrupts
// them when it deletes, so only Import and Search are called, on a graph that
// was checked before and never changes. Import replaces Distance by the
// function of the stream's name; a copy of the Graph struct shares the layers
// and takes a Distance and EfSearch of its own, which makes searches
// independent of each other. Search(_, k) evaluates nodes in best-first order
// until k of them are in its result and a step brings nothing nearer, so k says
// how much work it does. What it returns is unsorted and forgets nodes, so a
// walk watches the distance function instead. It panics on input that it does
// not expect; both calls turn that into ErrGraphFailed.

// walker searches an imported graph.
type walker struct{ graph *hnsw.Graph[int] }

// importStream loads a stream that checkStream accepted.
func importStream(stream []byte) (w walker, err error) {
	defer recoverFailure("import", &err)
	graph := hnsw.NewGraph[int]()
	if err := graph.Import(bytes.NewReader(stream)); err != nil {
		return walker{}, fmt.Errorf("import: %v: %w", err, ErrGraphCorrupt)
	}
	return walker{graph}, nil
}

// walk evaluates about beam nodes of layer 0, the most promising first. visit
// gets each node's row, once for layer 0 with counts set and once for each
// upper layer that it is in, and returns its score.
func (w walker) walk(beam int, visit func(row uint32, counts bool) float32) (err error) {
	defer recoverFailure("walk", &err)
	graph := *w.graph
	graph.EfSearch = beam
	graph.Distance = func(node, _ []float32) float32 { return -visit(nodeRow(node[0])) }
	graph.Search([]float32{0}, beam)
	return nil
}

// recoverFailure turns a panic into ErrGraphFailed.
func recoverFailure(operation string, err *error) {
	if cause := recover(); cause != nil {
		*err = fmt.Errorf("%s: %v: %w", operation, cause, ErrGraphFailed)
	}
}
