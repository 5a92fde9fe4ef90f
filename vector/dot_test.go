package vector

import (
	"fmt"
	"math"
	"math/rand"
	"testing"
)

// exactDot adds the products in float64, where the sum of a few hundred float32
// products is exact enough to be the reference.
func exactDot(a, b []float32) float64 {
	var sum float64
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}

func TestDotHasTheSameBitsInEverySet(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	var pairs [][2][]float32
	for length := range 400 {
		for _, scale := range []float32{1, 0x1p-70, 0x1p50} {
			a, b := gaussian(r, 1, length), gaussian(r, 1, length)
			for i := range a {
				a[i] *= scale
				if i%5 == 0 {
					b[i] = 0
				}
			}
			pairs = append(pairs, [2][]float32{a, b})
		}
	}
	want := make([]float32, len(pairs))
	for i, pair := range pairs {
		want[i] = dotPlain(pair[0], pair[1])
	}
	eachKernelSet(t, func(t *testing.T) {
		for i, pair := range pairs {
			if got := Dot(pair[0], pair[1]); math.Float32bits(got) != math.Float32bits(want[i]) {
				t.Fatalf("Dot of %d values = %x, want %x", len(pair[0]), got, want[i])
			}
		}
	})
}

// The expected bits come from the order of dot.go written out in Python; they
// must hold on every architecture.
func TestDotOrderIsFixed(t *testing.T) {
	a, b := make([]float32, 384), make([]float32, 384)
	for i := range a {
		a[i] = float32(i%17)/7 - 1.1
		b[i] = float32(i%23)/9 - 1.3
	}
	for _, test := range []struct {
		length int
		want   uint32
	}{{5, 0x40917f98}, {100, 0x3e965980}, {384, 0xc0c17e48}} {
		eachKernelSet(t, func(t *testing.T) {
			if got := math.Float32bits(Dot(a[:test.length], b[:test.length])); got != test.want {
				t.Errorf("Dot of %d values = %#x, want %#x", test.length, got, test.want)
			}
		})
	}
}

// Every lane must be added exactly once: a product that only one position has.
func TestDotReadsEveryPosition(t *testing.T) {
	eachKernelSet(t, func(t *testing.T) {
		for _, length := range []int{1, 15, 16, 17, 32, 48, 63, 64, 80, 128, 144, 384} {
			a, b := make([]float32, length), make([]float32, length)
			for i := range length {
				a[i], b[i] = 3, 5
				if got := Dot(a, b); got != 15 {
					t.Fatalf("Dot of %d values, all zero but %d = %v, want 15", length, i, got)
				}
				a[i], b[i] = 0, 7
			}
		}
	})
}

func TestDotIsNearTheExactProduct(t *testing.T) {
	r := rand.New(rand.NewSource(2))
	for length := 1; length < 600; length += 13 {
		a, b := uniform(r, 1, length), uniform(r, 1, length)
		if got, want := float64(Dot(a, b)), exactDot(a, b); math.Abs(got-want) > 2e-7 {
			t.Errorf("Dot of %d values = %v, want %v", length, got, want)
		}
	}
}

func TestDotPanicsOnDifferentLengths(t *testing.T) {
	long := make([]float32, 32)
	for _, pair := range [][2][]float32{{long, long[:16]}, {long[:16], long}, {long, nil}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("Dot of %d and %d values did not panic", len(pair[0]), len(pair[1]))
				}
			}()
			Dot(pair[0], pair[1])
		}()
	}
}

func BenchmarkDot(b *testing.B) {
	r := rand.New(rand.NewSource(1))
	x, y := uniform(r, 1, 384), uniform(r, 1, 384)
	best := kernels
	defer func() { kernels = best }()
	for kernels = kernelsPlain; kernels <= best; kernels++ {
		b.Run(fmt.Sprintf("kernels=%d", kernels), func(b *testing.B) {
			for b.Loop() {
				Dot(x, y)
			}
		})
	}
}
