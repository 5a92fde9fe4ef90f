package index

import (
	"cmp"
	"fmt"
	"runtime"
	"slices"

	"waymark/vector"
)

// Vectors are the vectors of one segment of a collection. The slices lie in
// mapped memory: they must not be written to, and not be used after the
// snapshot was released.
type Vectors struct {
	First int // the number of the first row
	Rows  int // how many rows follow, dead ones included
	Live  int // how many of them are not dead
	// Has has a bit for each of the rows, from 0: whether it has a vector. The
	// others are zeros.
	Has   Bitmap
	Data  []float32 // dimension values a row
	Codes *vector.Quantized
}

// Vectors returns the vectors segment by segment; none when the index holds
// none.
func (c *Collection) Vectors() []Vectors {
	var all []Vectors
	for _, p := range c.parts {
		s := p.segment
		if s.scan != nil {
			all = append(all, Vectors{First: p.row, Rows: s.rows, Live: p.live(), Has: s.hasVector, Data: s.vectors, Codes: &s.codes})
		}
	}
	return all
}

// HasVector reports whether a row has a vector.
func (c *Collection) HasVector(row int) bool {
	p := c.partOf(row)
	return p != nil && p.segment.hasVector.Contains(row-p.row)
}

// WithVector returns the rows that have a vector and are not dead.
func (c *Collection) WithVector() Bitmap {
	return c.gather(func(p *part, words Bitmap) {
		words.Or(p.segment.hasVector)
		words.AndNot(p.dead.rows)
	})
}

// RowsWithoutVector is how many rows that are not dead have no vector.
func (c *Collection) RowsWithoutVector() int {
	n := 0
	for _, p := range c.parts {
		n += p.dead.total.rows - p.dead.total.vectors
	}
	return n
}

// HasVectors reports whether any row that counts has a vector. None has after a
// change of model, until they are made anew.
func (v *View) HasVectors() bool { return v.total.vectors > 0 }

// Vector returns the vector of a row, nil when it has none. It must not be
// changed, nor used after the snapshot was released.
func (c *Collection) Vector(row int) []float32 {
	p := c.partOf(row)
	if p == nil || !p.segment.hasVector.Contains(row-p.row) {
		return nil
	}
	return p.segment.vector(row - p.row)
}

// Cosine is the exact cosine of a vector of unit length and that of a row, 0
// when the row has none. The vector has the dimension of the index.
func (c *Collection) Cosine(query []float32, row int) float32 {
	v := c.Vector(row)
	if v == nil {
		return 0
	}
	cosine := vector.Dot(query, v)
	runtime.KeepAlive(c)
	return cosine
}

// Approximate writes an approximate cosine of every row to dst, which is by row
// and has room for Rows() numbers. It is within Bound of the exact one. The
// error is that of a query of another dimension.
func (c *Collection) Approximate(q *vector.Query, dst []float32) error {
	for _, p := range c.parts {
		if p.segment.scan == nil {
			continue
		}
		if err := p.segment.codes.Approximate(q, 0, p.segment.rows, dst[p.row:p.lastRow]); err != nil {
			return fmt.Errorf("approximate cosines: %w", err)
		}
	}
	runtime.KeepAlive(c)
	return nil
}

// Bound is how far the approximate cosine of a row can be from the exact one.
func (c *Collection) Bound(q *vector.Query, row int) float32 {
	p := c.partOf(row)
	if p == nil || p.segment.scan == nil {
		return 0
	}
	return p.segment.codes.Bound(q, row-p.row)
}

// Nearest returns the k rows with the highest cosines among the rows of keep
// that are not dead and have a vector, best first, equal ones in the order of
// their items' ids; a nil keep means the rows that count on the day. It is
// exact where the rows are scanned, and nearly so where a segment has a graph
// (see vector.Graph); the scores are exact in either case. The error is that of
// a query of another dimension, or of a k below 1.
func (v *View) Nearest(q *vector.Query, k int, keep Bitmap) ([]vector.Hit, error) {
	if keep == nil {
		keep = v.Counting()
	}
	var all []vector.Hit
	for _, p := range v.parts {
		s := p.segment
		if s.scan == nil {
			continue
		}
		words := slices.Clone(s.hasVector)
		words.And(p.words(keep))
		words.AndNot(p.dead.rows)
		var searcher vector.Searcher = s.scan
		if graph := s.graph.Load(); graph != nil {
			searcher = graph
		}
		hits, err := searcher.Nearest(q, k, vector.NewFilter(words))
		if err != nil {
			return nil, fmt.Errorf("nearest rows: %w", err)
		}
		for _, h := range hits {
			all = append(all, vector.Hit{Row: h.Row + uint32(p.row), Score: h.Score})
		}
	}
	slices.SortFunc(all, func(a, b vector.Hit) int {
		return cmp.Or(
			cmp.Compare(b.Score, a.Score),
			cmp.Compare(v.ID(v.ItemOf(int(a.Row))), v.ID(v.ItemOf(int(b.Row)))),
			cmp.Compare(a.Row, b.Row))
	})
	runtime.KeepAlive(v)
	return all[:min(k, len(all))], nil
}
