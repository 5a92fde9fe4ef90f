package vector

import (
	"fmt"
	"math"
)

// Scan searches a matrix row by row and is exact: its hits and scores are those
// of computing Dot for every row. It is safe for concurrent use.
type Scan struct {
	rows  []float32
	codes *Quantized
}

// NewScan returns the scan over rows and their codes, as made by Quantize. It
// keeps both and does not read them yet. It returns ErrShape when they do not
// fit together.
func NewScan(rows []float32, codes *Quantized) (*Scan, error) {
	if err := codes.check(); err != nil {
		return nil, err
	}
	if len(rows) != len(codes.Codes) {
		return nil, fmt.Errorf("%d values, %d codes: %w", len(rows), len(codes.Codes), ErrShape)
	}
	return &Scan{rows: rows, codes: codes}, nil
}

// Len returns the number of rows.
func (s *Scan) Len() int { return s.codes.Len() }

// Dimension returns the number of values a row.
func (s *Scan) Dimension() int { return s.codes.Dim }

// row returns one row of the matrix.
func (s *Scan) row(i uint32) []float32 {
	at := int(i) * s.codes.Dim
	return s.rows[at : at+s.codes.Dim : at+s.codes.Dim]
}

// candidate is a row that can still be a hit, with the highest score that its
// bound allows.
type candidate struct {
	row   uint32
	upper float64
}

// Nearest implements Searcher.
//
// The proof that it is exact: let L be the k-th highest of the lower bounds
// (approximate score − bound) of all kept rows. Then k rows have scores of at
// least L. A row whose upper bound is below L scores below those k rows and is
// no hit; every other row is scored with Dot, and the best k of these are
// returned. L only grows during the pass, so a row may be dropped against the
// L of its time.
func (s *Scan) Nearest(q *Query, k int, keep *Filter) ([]Hit, error) {
	if err := checkCall(q, k, s.codes.Dim); err != nil {
		return nil, err
	}
	work := borrowScratch()
	defer work.release()
	lowest := s.gather(work, q, k, keep)
	work.best.reset(k)
	for _, c := range work.candidates {
		if c.upper >= lowest {
			work.best.offer(Hit{Row: c.row, Score: dot(q.vector, s.row(c.row))})
		}
	}
	return work.best.sorted(), nil
}

// gather leaves in work every kept row whose upper bound reached the k-th
// highest lower bound of its time, and returns the last of those.
func (s *Scan) gather(work *scratch, q *Query, k int, keep *Filter) float64 {
	work.candidates = work.candidates[:0]
	work.best.reset(k)
	lowest := math.Inf(-1)
	kept := keptRows{filter: keep, rows: uint32(s.Len())}
	for {
		block := kept.fill(work.block[:])
		if len(block) == 0 {
			return lowest
		}
		for i, product := range work.products(s.codes, q, block) {
			row := block[i]
			scale := s.codes.Scale[row]
			score, bound := q.score(product, scale), q.bound(scale, s.codes.Error[row])
			if score+bound < lowest {
				continue
			}
			work.candidates = append(work.candidates, candidate{row: row, upper: score + bound})
			if work.best.offer(Hit{Row: row, Score: roundDown(score - bound)}) && work.best.full() {
				lowest = float64(work.best.heap[0].Score)
			}
		}
	}
}
