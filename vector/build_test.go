package vector

import (
	"bytes"
	"context"
	"errors"
	"math/rand"
	"slices"
	"testing"
)

// mustBuild returns the bytes of a graph.
func mustBuild(t testing.TB, scan *Scan, options BuildOptions) []byte {
	t.Helper()
	data, err := BuildGraph(t.Context(), scan, options)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestBuildIsDeterministic(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	rows := newMixture(r, 10, 32, .5).draw(r, 1500)
	copy(rows[100*32:200*32], rows[:100*32])
	scan := mustScan(t, rows, 32)
	want := mustBuild(t, scan, BuildOptions{Workers: 1})
	eachKernelSet(t, func(t *testing.T) {
		for _, workers := range []int{2, 5} {
			if got := mustBuild(t, scan, BuildOptions{Workers: workers}); !bytes.Equal(got, want) {
				t.Errorf("graph built by %d workers differs", workers)
			}
		}
	})
	if got := mustBuild(t, scan, BuildOptions{Seed: 1}); bytes.Equal(got, want) {
		t.Error("graph does not depend on the seed")
	}
}

func TestBuildRefuses(t *testing.T) {
	scan := mustScan(t, make([]float32, 64), 16)
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	for _, test := range []struct {
		name    string
		ctx     context.Context
		scan    *Scan
		options BuildOptions
		want    error
	}{
		{"no rows", t.Context(), mustScan(t, nil, 16), BuildOptions{}, ErrNoRows},
		{"negative links", t.Context(), scan, BuildOptions{Links: -1}, ErrShape},
		{"too many links", t.Context(), scan, BuildOptions{Links: maxLinks + 1}, ErrShape},
		{"negative beam", t.Context(), scan, BuildOptions{Beam: -1}, ErrShape},
		{"negative pivots", t.Context(), scan, BuildOptions{Pivots: -1}, ErrShape},
		{"negative workers", t.Context(), scan, BuildOptions{Workers: -1}, ErrShape},
		{"cancelled", cancelled, mustScan(t, uniform(rand.New(rand.NewSource(1)), 9, 16), 16), BuildOptions{}, context.Canceled},
	} {
		if _, err := BuildGraph(test.ctx, test.scan, test.options); !errors.Is(err, test.want) {
			t.Errorf("%s: BuildGraph = %v, want %v", test.name, err, test.want)
		}
	}
}

// Rows in tight clusters, many of them equal, and few links leave some rows
// without any link to them.
func TestBuildReachesEveryRow(t *testing.T) {
	r := rand.New(rand.NewSource(2))
	rows := newMixture(r, 4, 24, .05).draw(r, 2000)
	for i := range 500 {
		copy(rows[(500+i)*24:(501+i)*24], rows[i/100*24:])
	}
	options, err := BuildOptions{Links: 2, Beam: 8, Pivots: 5}.withDefaults()
	if err != nil {
		t.Fatal(err)
	}
	b := newBuilder(mustScan(t, rows, 24), options)
	if err := b.insertAll(t.Context()); err != nil {
		t.Fatal(err)
	}
	if unreached(b) == 0 {
		t.Error("every row was reached before reachAll, so this test shows nothing")
	}
	b.reachAll()
	if n := unreached(b); n > 0 {
		t.Errorf("%d rows cannot be reached", n)
	}
}

// unreached counts the rows that no path leads to from the pivots.
func unreached(b *builder) int {
	reached := map[uint32]bool{}
	open := slices.Clone(b.pivots())
	for len(open) > 0 {
		row := open[len(open)-1]
		open = open[:len(open)-1]
		if !reached[row] {
			reached[row] = true
			open = append(append(open, b.neighbors(row)...), b.extra[row]...)
		}
	}
	return len(b.order) - len(reached)
}

func TestTwins(t *testing.T) {
	rows := uniform(rand.New(rand.NewSource(3)), 9, 8)
	row := func(i int) []float32 { return rows[i*8 : (i+1)*8] }
	copy(row(4), row(1))
	copy(row(8), row(1))
	clear(row(5))
	clear(row(7))
	found := findTwins(mustScan(t, rows, 8))
	for i, want := range []bool{4: true, 7: true, 8: true} {
		if got := found.isCopy(uint32(i)); got != want {
			t.Errorf("isCopy(%d) = %v, want %v", i, got, want)
		}
	}
	if !slices.Equal(found.firsts(), []uint32{1, 5}) || !slices.Equal(found.copies[1], []uint32{4, 8}) || !slices.Equal(found.copies[5], []uint32{7}) {
		t.Errorf("copies = %v, want 4 and 8 of 1, and 7 of 5", found.copies)
	}
}
