package vector

import (
	"errors"
	"fmt"
	"math"
	"math/rand"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestQuantizeRow(t *testing.T) {
	row := []float32{127, -63.5, 31.75, 0, -127}
	codes := make([]int8, len(row))
	scale, residual, err := QuantizeRow(row, codes)
	if err != nil {
		t.Fatal(err)
	}
	// -63.5 and 31.75 are rounded, the first to the even neighbor.
	if diff := cmp.Diff([]int8{127, -64, 32, 0, -127}, codes); diff != "" || scale != 1 {
		t.Errorf("scale = %v, want 1; codes differ (-want +got):\n%s", scale, diff)
	}
	if got, want := float64(residual), math.Sqrt(.5*.5+.25*.25); got < want || got > want*(1+1e-6) {
		t.Errorf("error = %v, want %v or just above", got, want)
	}
}

func TestQuantizeRefuses(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(-1))
	for _, test := range []struct {
		name      string
		rows      []float32
		dimension int
		want      error
	}{
		{"no dimension", []float32{1}, 0, ErrShape},
		{"negative dimension", []float32{1}, -3, ErrShape},
		{"huge dimension", nil, MaxDimension + 1, ErrShape},
		{"part of a row", make([]float32, 7), 4, ErrShape},
		{"NaN", []float32{0, 0, nan, 0}, 2, ErrValue},
		{"infinity", []float32{0, inf}, 2, ErrValue},
		{"too long", []float32{0x1p60, 0x1p60}, 2, ErrValue},
	} {
		if _, err := Quantize(test.rows, test.dimension); !errors.Is(err, test.want) {
			t.Errorf("%s: Quantize = %v, want %v", test.name, err, test.want)
		}
	}
	for _, v := range [][]float32{nil, make([]float32, MaxDimension+1)} {
		if _, err := NewQuery(v); !errors.Is(err, ErrShape) {
			t.Errorf("NewQuery of %d values = %v, want %v", len(v), err, ErrShape)
		}
	}
	for _, v := range [][]float32{{1, nan}, {inf, 1}, {0x1p61}} {
		if _, err := NewQuery(v); !errors.Is(err, ErrValue) {
			t.Errorf("NewQuery(%v) = %v, want %v", v, err, ErrValue)
		}
	}
}

// hostile returns a vector of a random kind, made to be hard to approximate.
func hostile(r *rand.Rand, dimension int) []float32 {
	v := gaussian(r, 1, dimension)
	switch r.Intn(8) {
	case 0: // one huge value leaves no codes for the rest
		v[r.Intn(dimension)] = 1e4
	case 1: // values between two codes
		for i := range v {
			v[i] = (float32(r.Intn(255)-127) + .5) / 127
		}
	case 2: // below the normal range
		for i := range v {
			v[i] *= 0x1p-147
		}
	case 3: // so small that the products vanish
		for i := range v {
			v[i] *= 0x1p-80
		}
	case 4: // near the largest length
		for i := range v {
			v[i] *= 0x1p50
		}
	case 5: // nothing
		clear(v)
	case 6: // the largest sum of products that codes can have
		for i := range v {
			v[i] = .5
		}
	}
	return v
}

func TestApproximateStaysWithinBound(t *testing.T) {
	eachKernelSet(t, func(t *testing.T) {
		r := rand.New(rand.NewSource(3))
		for _, dimension := range []int{1, 3, 16, 48, 65, 384, 1100, 5000} {
			count := 2 * blockRows / (1 + dimension/100)
			var rows []float32
			for range count {
				rows = append(rows, hostile(r, dimension)...)
			}
			z, err := Quantize(rows, dimension)
			if err != nil {
				t.Fatal(err)
			}
			scores := make([]float32, count)
			for range 20 {
				v := hostile(r, dimension)
				// The worst case of ‖q‖‖e‖: a query along what rounding left of a row.
				if r.Intn(2) == 0 {
					row := r.Intn(count)
					for i := range v {
						v[i] = rows[row*dimension+i] - z.Scale[row]*float32(z.Codes[row*dimension+i])
					}
				}
				q := mustQuery(t, v)
				if err := z.Approximate(q, 0, count, scores); err != nil {
					t.Fatal(err)
				}
				for i, score := range scores {
					want := Dot(v, rows[i*dimension:(i+1)*dimension])
					if got, bound := math.Abs(float64(score)-float64(want)), float64(z.Bound(q, i)); got > bound {
						t.Fatalf("dim %d: row %d is approximated with %v, Dot is %v: off by %v, bound %v", dimension, i, score, want, got, bound)
					}
				}
			}
		}
	})
}

func TestRounding(t *testing.T) {
	up := math.Nextafter32(.1, 1)
	for _, test := range []struct {
		x         float64
		low, high float32
	}{
		{.5, .5, .5},
		{float64(float32(.1)), .1, .1},
		{float64(float32(.1)) + 1e-12, .1, up},
		{float64(up) - 1e-12, .1, up},
		{-float64(up) + 1e-12, -up, -.1},
		{1e-300, 0, math.SmallestNonzeroFloat32},
		{0, 0, 0},
	} {
		if low, high := roundDown(test.x), roundUp(test.x); low != test.low || high != test.high {
			t.Errorf("%v is rounded to %v and %v, want %v and %v", test.x, low, high, test.low, test.high)
		}
	}
}

// A bound that always holds may still be useless. For unit rows of 384 values it
// must be near the length of what rounding left, about .007.
func TestBoundIsTight(t *testing.T) {
	rows := uniform(rand.New(rand.NewSource(4)), 50, 384)
	z, err := Quantize(rows, 384)
	if err != nil {
		t.Fatal(err)
	}
	q := mustQuery(t, rows[:384])
	for i := range 50 {
		if bound, limit := z.Bound(q, i), 1.05*z.Error[i]; bound > limit || bound > .01 {
			t.Errorf("Bound(%d) = %v, want at most %v", i, bound, limit)
		}
	}
}

func TestApproximateIsTheSameInEverySet(t *testing.T) {
	r := rand.New(rand.NewSource(5))
	for _, dimension := range []int{7, 16, 48, 64, 100, 112, 384, 2048} {
		rows := gaussian(r, 77, dimension)
		z, err := Quantize(rows, dimension)
		if err != nil {
			t.Fatal(err)
		}
		z.Codes[0] = -128 // never written by Quantize, but a mapped file may hold it
		q := mustQuery(t, gaussian(r, 1, dimension))
		list := []uint32{76, 0, 0, 5, 31, 8, 75}
		want := make([]float32, len(list))
		best := kernels
		kernels = kernelsPlain
		if err := z.ApproximateRows(q, list, want); err != nil {
			t.Fatal(err)
		}
		kernels = best
		eachKernelSet(t, func(t *testing.T) {
			got, all := make([]float32, len(list)), make([]float32, 77)
			if err := errors.Join(z.ApproximateRows(q, list, got), z.Approximate(q, 0, 77, all)); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("dim %d: scores differ (-want +got):\n%s", dimension, diff)
			}
			for i, row := range list {
				if all[row] != want[i] {
					t.Errorf("dim %d: Approximate of row %d = %v, want %v", dimension, row, all[row], want[i])
				}
			}
		})
	}
}

func TestApproximateRefuses(t *testing.T) {
	z, err := Quantize(make([]float32, 64), 16)
	if err != nil {
		t.Fatal(err)
	}
	q, other, dst := mustQuery(t, make([]float32, 16)), mustQuery(t, make([]float32, 8)), make([]float32, 4)
	for _, test := range []struct {
		name string
		err  error
		want error
	}{
		{"dimension", z.Approximate(other, 0, 4, dst), ErrDimension},
		{"negative row", z.Approximate(q, -1, 2, dst), ErrShape},
		{"backwards", z.Approximate(q, 3, 2, dst), ErrShape},
		{"row beyond the end", z.Approximate(q, 2, 5, dst), ErrShape},
		{"short dst", z.Approximate(q, 0, 4, dst[:3]), ErrShape},
		{"listed row beyond the end", z.ApproximateRows(q, []uint32{4}, dst), ErrShape},
		{"short dst for a list", z.ApproximateRows(q, []uint32{1, 2}, dst[:1]), ErrShape},
		{"nothing", z.Approximate(q, 2, 2, nil), nil},
	} {
		if !errors.Is(test.err, test.want) {
			t.Errorf("%s: %v, want %v", test.name, test.err, test.want)
		}
	}
}

func BenchmarkApproximate(b *testing.B) {
	r := rand.New(rand.NewSource(1))
	const count = 13_000
	z, err := Quantize(uniform(r, count, 384), 384)
	if err != nil {
		b.Fatal(err)
	}
	q, scores := mustQuery(b, uniform(r, 1, 384)), make([]float32, count)
	best := kernels
	defer func() { kernels = best }()
	for kernels = kernelsPlain; kernels <= best; kernels++ {
		b.Run(fmt.Sprintf("kernels=%d", kernels), func(b *testing.B) {
			for b.Loop() {
				if err := z.Approximate(q, 0, count, scores); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(count)*float64(b.N)/b.Elapsed().Seconds(), "rows/s")
		})
	}
}
