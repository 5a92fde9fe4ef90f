package vector

import (
	"fmt"
	"math"
	"slices"
)

// digitBase is the base in which a query code is split into two signed bytes,
// code = digitBase·high + low with 0 ≤ low < digitBase, for the byte products
// of AVX-512 VNNI. The 15 bits of a code make the query's part in the error of
// an approximate score about 1/100 of the row's.
const (
	digitBase    = 128
	maxQueryCode = digitBase*digitBase - 1
)

// Query is a vector prepared for any number of searches. It is read-only and
// may be shared by goroutines.
type Query struct {
	vector []float32
	codes  []int16 // vector ≈ scale·codes
	digits []int8  // for every 64 codes: 64 high digits, then 64 low ones
	offset int32   // 128·Σ codes, see dotCodesAVX512
	scale  float64

	// The three factors of Bound, derived in bound.go.
	perError, perScale, slack float64
}

// NewQuery prepares a copy of v. It returns ErrShape when v is empty or longer
// than MaxDimension, and ErrValue when v holds a NaN or an infinity or is
// longer than MaxNorm. A vector of zeros is a valid query; it is as near to one
// row as to any other.
func NewQuery(v []float32) (*Query, error) {
	if _, err := rowCount(len(v), len(v)); err != nil {
		return nil, err
	}
	largest, err := largestMagnitude(v)
	if err != nil {
		return nil, fmt.Errorf("query: %w", err)
	}
	q := &Query{
		vector: slices.Clone(v),
		codes:  make([]int16, len(v)),
		digits: make([]int8, 2*lanes*((len(v)+lanes-1)/lanes)),
	}
	// 128·limit·dimension < 2^31 bounds the sum of all products of codes.
	limit := min(maxQueryCode, math.MaxInt32/(128*len(v)))
	var inverse float64
	if largest > 0 {
		q.scale, inverse = largest/float64(limit), float64(limit)/largest
	}
	var residual float64
	for i, value := range q.vector {
		code := math.RoundToEven(float64(value) * inverse)
		rest := float64(value) - float64(q.scale*code)
		residual += float64(rest * rest)
		q.codes[i] = int16(code)
	}
	q.split()
	q.setBound(math.Sqrt(residual)*sumSlack, norm(v))
	return q, nil
}

// split derives digits and offset from codes.
func (q *Query) split() {
	digits := q.digits
	q.offset = 0
	for codes := q.codes; len(codes) > 0; digits = digits[2*lanes:] {
		block := codes[:min(lanes, len(codes))]
		high, low := digits[:lanes], digits[lanes:2*lanes]
		for i, code := range block {
			high[i], low[i] = int8(code>>7), int8(code&(digitBase-1))
			q.offset += 128 * int32(code)
		}
		codes = codes[len(block):]
	}
}

// Dimension returns the number of values of the query.
func (q *Query) Dimension() int { return len(q.vector) }
