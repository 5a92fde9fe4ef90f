package vector

import (
	"fmt"
	"math"
)

const (
	// MaxDimension is the largest dimension of a row. It leaves a query at least
	// 8 bits a value while int8 products still add up in 32 bits (NewQuery).
	MaxDimension = 1 << 16

	// MaxRows is the largest number of rows of one matrix. A graph keeps a row
	// number in the bits of one float32, which leaves room for a mark (stream.go).
	MaxRows = 1 << 29

	// MaxNorm is the largest Euclidean length of a row or query. Two of them
	// multiply to 2^120, so no dot product leaves the float32 range.
	MaxNorm = 1 << 60

	// maxCode is the largest int8 code; -128 is left out so that the range is
	// the same on both sides of zero.
	maxCode = 127
)

// Quantized holds the int8 codes of n rows: row i is Scale[i] times its codes,
// give or take a vector whose length is at most Error[i]. The slices may alias
// mapped memory; nothing in this package writes to them.
type Quantized struct {
	Dim   int       // values a row
	Codes []int8    // n×Dim, -127 to 127
	Scale []float32 // n, largest magnitude of the row over 127
	Error []float32 // n, Euclidean length of row − scale·code, rounded up
}

// Quantize returns the codes of a matrix of whole rows. It returns ErrShape or
// ErrValue when rows cannot be a matrix of that dimension.
func Quantize(rows []float32, dimension int) (*Quantized, error) {
	count, err := rowCount(len(rows), dimension)
	if err != nil {
		return nil, err
	}
	z := &Quantized{
		Dim:   dimension,
		Codes: make([]int8, len(rows)),
		Scale: make([]float32, count),
		Error: make([]float32, count),
	}
	for i := range count {
		at := i * dimension
		z.Scale[i], z.Error[i], err = QuantizeRow(rows[at:at+dimension], z.Codes[at:at+dimension])
		if err != nil {
			return nil, fmt.Errorf("row %d: %w", i, err)
		}
	}
	return z, nil
}

// QuantizeRow writes the codes of one row, which have its length, and returns
// what belongs beside them in Scale and Error. It returns ErrValue when the row
// holds a NaN or an infinity or is longer than MaxNorm.
func QuantizeRow(row []float32, codes []int8) (scale, residual float32, err error) {
	largest, err := largestMagnitude(row)
	if err != nil {
		return 0, 0, err
	}
	scale = float32(largest / maxCode)
	var step, inverse float64
	if scale > 0 {
		step, inverse = float64(scale), 1/float64(scale)
	}
	var squares float64
	codes = codes[:len(row)]
	for i, value := range row {
		x := float64(value)
		code := min(max(int32(math.RoundToEven(x*inverse)), -maxCode), maxCode)
		codes[i] = int8(code)
		rest := x - step*float64(code)
		squares += float64(rest * rest)
	}
	return scale, roundUp(math.Sqrt(squares) * sumSlack), nil
}

// Len returns the number of rows.
func (z *Quantized) Len() int { return len(z.Scale) }

// check returns ErrShape unless the slices fit together.
func (z *Quantized) check() error {
	count, err := rowCount(len(z.Codes), z.Dim)
	if err != nil {
		return err
	}
	if len(z.Scale) != count || len(z.Error) != count {
		return fmt.Errorf("%d rows of codes, %d scales, %d errors: %w", count, len(z.Scale), len(z.Error), ErrShape)
	}
	return nil
}

// rowCount returns how many rows of the dimension make up a matrix of so many
// values, or ErrShape.
func rowCount(values, dimension int) (int, error) {
	if dimension < 1 || dimension > MaxDimension {
		return 0, fmt.Errorf("dimension %d, want 1 to %d: %w", dimension, MaxDimension, ErrShape)
	}
	if values%dimension != 0 || values/dimension > MaxRows {
		return 0, fmt.Errorf("%d values, want at most %d rows of %d: %w", values, MaxRows, dimension, ErrShape)
	}
	return values / dimension, nil
}

// largestMagnitude returns the largest absolute value of v, or ErrValue.
func largestMagnitude(v []float32) (float64, error) {
	var largest float32
	for i, x := range v {
		if x < 0 {
			x = -x
		}
		if !(x <= math.MaxFloat32) {
			return 0, fmt.Errorf("value %d is %v: %w", i, v[i], ErrValue)
		}
		largest = max(largest, x)
	}
	// Only a vector with a value this large can be too long, so the usual one
	// does not pay for its norm.
	if float64(largest) > MaxNorm/float64(MaxDimension) && norm(v) > MaxNorm {
		return 0, fmt.Errorf("length %g, want at most %g: %w", norm(v), float64(MaxNorm), ErrValue)
	}
	return float64(largest), nil
}

// sumSlack covers the float64 rounding of a sum of up to MaxDimension squares
// and its root, relative error below 2^-36, many times over.
const sumSlack = 1 + 1.0/(1<<30)

// norm returns the Euclidean length of v, rounded up.
func norm(v []float32) float64 {
	var squares float64
	for _, x := range v {
		squares += float64(float64(x) * float64(x))
	}
	return math.Sqrt(squares) * sumSlack
}

// roundUp returns the smallest float32 that is at least x.
func roundUp(x float64) float32 {
	y := float32(x)
	if float64(y) < x {
		y = math.Nextafter32(y, float32(math.Inf(1)))
	}
	return y
}

// roundDown returns the largest float32 that is at most x.
func roundDown(x float64) float32 { return -roundUp(-x) }
