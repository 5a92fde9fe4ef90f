package vector

import (
	"fmt"
	"math"
	"sync/atomic"
)

// Graph searches by walking a graph of near rows; see build.go. The scores of
// its hits are exact; that they are the best hits is nearly always so, which
// SelfCheck measures. It is safe for concurrent use.
type Graph struct {
	scan    *Scan
	twins   twins
	pivots  []uint32
	walker  walker
	failure atomic.Pointer[error]
}

// When and how far to walk, measured with 100,000 rows of 384 values made from
// passages of a legal corpus and questions about it. Evaluating 1,000 nodes
// found .985 of the ten best rows, 20 nodes a hit .98 of the hundred best. One
// node took as long as 60 rows of a scan: coder/hnsw keeps its neighbors and
// visited nodes in maps.
const (
	minBeam     = 1000
	beamPerHit  = 20
	rowsPerNode = 60

	// A walk that met fewer kept rows a hit than this went through a region
	// where the filter keeps next to nothing, and tells little about the rest.
	minMetPerHit = 4
)

// What a walk sees in the upper layers: the way to the pivot that it starts at.
const (
	pointsNowhere float32 = iota
	pointsToHead
	pointsToPivot
)

// OpenGraph checks the bytes of a graph and loads it; data is not kept. It
// returns ErrGraphFormat, ErrGraphCorrupt, ErrGraphMismatch when the graph was
// built over other rows than those of scan, or ErrGraphFailed.
func OpenGraph(data []byte, scan *Scan) (*Graph, error) {
	parts, err := decodeGraph(data, scan)
	if err != nil {
		return nil, fmt.Errorf("open graph: %w", err)
	}
	walker, err := importStream(parts.stream)
	if err != nil {
		return nil, fmt.Errorf("open graph: %w", err)
	}
	return &Graph{scan: scan, twins: parts.twins, pivots: parts.pivots, walker: walker}, nil
}

// Err returns why the graph is no longer walked, ErrGraphFailed, or nil.
func (g *Graph) Err() error {
	if failure := g.failure.Load(); failure != nil {
		return *failure
	}
	return nil
}

// Nearest implements Searcher. It scans, and so is exact, when a scan of the
// kept rows costs less than a walk, when a walk met too few of them, and for
// good once a walk failed, which Err then tells.
func (g *Graph) Nearest(q *Query, k int, keep *Filter) ([]Hit, error) {
	if err := checkCall(q, k, g.scan.Dimension()); err != nil {
		return nil, err
	}
	beam, walk := plan(k, keep.Count(g.scan.Len()), g.scan.Len())
	if !walk || g.failure.Load() != nil {
		return g.scan.Nearest(q, k, keep)
	}
	hits, met, err := g.walk(q, k, beam, keep)
	if err != nil {
		g.failure.CompareAndSwap(nil, &err)
	}
	if err != nil || met < minMetPerHit*k {
		return g.scan.Nearest(q, k, keep)
	}
	return hits, nil
}

// plan returns how many nodes to evaluate so that the best k of the kept rows
// are met, and whether that costs less than scanning the kept rows.
func plan(k, kept, rows int) (beam int, walk bool) {
	nodes := max(minBeam, beamPerHit*float64(k)) * float64(rows) / float64(max(kept, 1))
	if rowsPerNode*nodes >= float64(kept) {
		return 0, false
	}
	return int(nodes), true
}

// walk returns the best k kept rows that a walk meets, and how many it meets.
func (g *Graph) walk(q *Query, k, beam int, keep *Filter) (hits []Hit, met int, err error) {
	work := borrowScratch()
	defer work.release()
	work.best.reset(k)
	z := g.scan.codes
	head, pivot := g.start(work, q)
	err = g.walker.walk(beam, func(row uint32, counts bool) float32 {
		if !counts {
			switch row {
			case pivot:
				return pointsToPivot
			case head:
				return pointsToHead
			}
			return pointsNowhere
		}
		work.block[0] = row
		scale := z.Scale[row]
		score := q.score(work.products(z, q, work.block[:1])[0], scale)
		met += g.offer(&work.best, q, row, score+q.bound(scale, z.Error[row]), keep)
		return float32(score)
	})
	if err != nil {
		return nil, 0, err
	}
	return work.best.sorted(), met, nil
}

// start returns the pivot nearest to the query and its head in the upper layers.
func (g *Graph) start(work *scratch, q *Query) (head, pivot uint32) {
	z, nearest, best := g.scan.codes, 0, math.Inf(-1)
	for at := 0; at < len(g.pivots); at += blockRows {
		block := g.pivots[at:min(at+blockRows, len(g.pivots))]
		for i, product := range work.products(z, q, block) {
			if score := q.score(product, z.Scale[block[i]]); score > best {
				nearest, best = at+i, score
			}
		}
	}
	return g.pivots[nearest%fanOut(len(g.pivots))], g.pivots[nearest]
}

// offer offers those of a row and its copies that are kept, and returns their
// number. None of them scores above upper.
func (g *Graph) offer(best *topHits, q *Query, row uint32, upper float64, keep *Filter) int {
	promising := !best.full() || upper >= float64(best.heap[0].Score)
	score, scored := float32(0), false
	met := 0
	offer := func(row uint32) {
		if !keep.Contains(row) {
			return
		}
		met++
		if !promising {
			return
		}
		if !scored {
			score, scored = dot(q.vector, g.scan.row(row)), true
		}
		best.offer(Hit{Row: row, Score: score})
	}
	offer(row)
	for _, row := range g.twins.copies[row] {
		offer(row)
	}
	return met
}
