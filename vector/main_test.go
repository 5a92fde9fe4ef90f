package vector

import (
	"fmt"
	"math"
	"math/rand"
	"testing"
)

// eachKernelSet runs f once with every set of kernels that this machine has.
func eachKernelSet(t *testing.T, f func(t *testing.T)) {
	best := kernels
	t.Cleanup(func() { kernels = best })
	for set := kernelsPlain; set <= best; set++ {
		kernels = set
		t.Run(fmt.Sprintf("kernels=%d", set), f)
	}
	kernels = best
}

// gaussian returns count rows of normally distributed values.
func gaussian(r *rand.Rand, count, dimension int) []float32 {
	rows := make([]float32, count*dimension)
	for i := range rows {
		rows[i] = float32(r.NormFloat64())
	}
	return rows
}

// normalize scales every row to unit length; rows of zeros stay.
func normalize(rows []float32, dimension int) []float32 {
	for at := 0; at < len(rows); at += dimension {
		row := rows[at : at+dimension]
		if length := norm(row); length > 0 {
			for i := range row {
				row[i] = float32(float64(row[i]) / length)
			}
		}
	}
	return rows
}

// uniform returns unit rows in directions that are all equally likely.
func uniform(r *rand.Rand, count, dimension int) []float32 {
	return normalize(gaussian(r, count, dimension), dimension)
}

// mixture draws rows from a number of clusters: a centre of unit length plus
// noise of length about spread.
type mixture struct {
	centres   []float32
	dimension int
	spread    float64
}

func newMixture(r *rand.Rand, clusters, dimension int, spread float64) *mixture {
	return &mixture{centres: uniform(r, clusters, dimension), dimension: dimension, spread: spread}
}

// draw returns count unit rows.
func (m *mixture) draw(r *rand.Rand, count int) []float32 {
	rows := gaussian(r, count, m.dimension)
	deviation := m.spread / math.Sqrt(float64(m.dimension))
	for at := 0; at < len(rows); at += m.dimension {
		centre := r.Intn(len(m.centres)/m.dimension) * m.dimension
		for i := range m.dimension {
			rows[at+i] = m.centres[centre+i] + float32(deviation)*rows[at+i]
		}
	}
	return normalize(rows, m.dimension)
}

// mustScan returns the scan over rows.
func mustScan(t testing.TB, rows []float32, dimension int) *Scan {
	t.Helper()
	z, err := Quantize(rows, dimension)
	if err != nil {
		t.Fatal(err)
	}
	s, err := NewScan(rows, z)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// mustQuery prepares a query.
func mustQuery(t testing.TB, v []float32) *Query {
	t.Helper()
	q, err := NewQuery(v)
	if err != nil {
		t.Fatal(err)
	}
	return q
}

// randomFilter keeps every row with the probability density.
func randomFilter(r *rand.Rand, rows int, density float64) *Filter {
	words := make([]uint64, (rows+63)/64)
	for i := range rows {
		if r.Float64() < density {
			words[i/64] |= 1 << (i % 64)
		}
	}
	return NewFilter(words)
}
