package vector

import (
	"cmp"
	"fmt"
	"slices"
)

// Hit is one row found by a search.
type Hit struct {
	Row   uint32  // its number in the matrix
	Score float32 // Dot of the query and the row
}

// Searcher finds nearest rows. It is safe for concurrent use.
type Searcher interface {
	// Nearest returns the k rows with the highest scores among those that keep
	// keeps, best first and equal scores by ascending row; fewer when fewer rows
	// are kept. It returns ErrDimension when q does not fit the rows, and
	// ErrCount when k is below 1.
	Nearest(q *Query, k int, keep *Filter) ([]Hit, error)
}

// compareHits orders the better hit first: higher score, then smaller row.
func compareHits(a, b Hit) int {
	switch {
	case a.Score > b.Score:
		return -1
	case a.Score < b.Score:
		return 1
	}
	return cmp.Compare(a.Row, b.Row)
}

// checkCall returns why a search of rows of the dimension cannot be answered.
func checkCall(q *Query, k, dimension int) error {
	if q.Dimension() != dimension {
		return fmt.Errorf("query of %d, rows of %d: %w", q.Dimension(), dimension, ErrDimension)
	}
	if k < 1 {
		return fmt.Errorf("%d hits: %w", k, ErrCount)
	}
	return nil
}

// topHits keeps the best limit hits offered: a binary heap, worst hit first.
type topHits struct {
	limit int
	heap  []Hit
}

// reset empties the heap for so many hits.
func (t *topHits) reset(limit int) { t.limit, t.heap = limit, t.heap[:0] }

// full reports whether a further hit must beat the worst one.
func (t *topHits) full() bool { return len(t.heap) == t.limit }

// offer keeps the hit if it is among the best so far, and reports it.
func (t *topHits) offer(h Hit) bool {
	if !t.full() {
		t.heap = append(t.heap, h)
		for i := len(t.heap) - 1; i > 0; {
			parent := (i - 1) / 2
			if compareHits(t.heap[i], t.heap[parent]) <= 0 {
				break
			}
			t.heap[i], t.heap[parent] = t.heap[parent], t.heap[i]
			i = parent
		}
		return true
	}
	if compareHits(h, t.heap[0]) >= 0 {
		return false
	}
	i := 0
	for {
		child := 2*i + 1
		if child >= len(t.heap) {
			break
		}
		if child+1 < len(t.heap) && compareHits(t.heap[child+1], t.heap[child]) > 0 {
			child++
		}
		if compareHits(t.heap[child], h) <= 0 {
			break
		}
		t.heap[i] = t.heap[child]
		i = child
	}
	t.heap[i] = h
	return true
}

// sorted returns a copy of the hits, best first.
func (t *topHits) sorted() []Hit {
	hits := append(make([]Hit, 0, len(t.heap)), t.heap...)
	slices.SortFunc(hits, compareHits)
	return hits
}
