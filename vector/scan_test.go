package vector

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
)

// plainOrder is the oracle: Dot for every row, then a full sort that leaves
// equal scores in the order of their rows.
func plainOrder(rows []float32, dimension int, v []float32) []Hit {
	hits := []Hit{}
	for i := range len(rows) / dimension {
		hits = append(hits, Hit{Row: uint32(i), Score: dotPlain(v, rows[i*dimension:(i+1)*dimension])})
	}
	slices.SortStableFunc(hits, func(a, b Hit) int { return cmp.Compare(b.Score, a.Score) })
	return hits
}

// best returns the first k of the hits that keep keeps.
func best(hits []Hit, k int, keep *Filter) []Hit {
	kept := []Hit{}
	for _, hit := range hits {
		if len(kept) < k && keep.Contains(hit.Row) {
			kept = append(kept, hit)
		}
	}
	return kept
}

// matrices returns rows of many kinds, by name, with queries for them.
func matrices(r *rand.Rand, dimension int) map[string][2][]float32 {
	random := uniform(r, 600, dimension)
	clustered := newMixture(r, 7, dimension, .3).draw(r, 600)
	duplicated := slices.Clone(random)
	for i := range 600 {
		copy(duplicated[i*dimension:(i+1)*dimension], random[i%11*dimension:])
	}
	zeros := slices.Clone(clustered)
	for i := 0; i < 600; i += 3 {
		clear(zeros[i*dimension : (i+1)*dimension])
	}
	scaled := gaussian(r, 600, dimension)
	for i := range scaled {
		scaled[i] *= float32(uint(1) << (i / dimension % 40))
	}
	tiny := slices.Clone(scaled)
	for i := range tiny {
		tiny[i] *= 0x1p-140
	}
	// Ever nearer to the query, so that no row can be left out early.
	ascending := make([]float32, 600*dimension)
	for i := range 600 {
		for j := range dimension {
			ascending[i*dimension+j] = random[j] * float32(i+1) / 600
		}
	}
	near := slices.Clone(random[:2*dimension])
	return map[string][2][]float32{
		"random":     {random, uniform(r, 2, dimension)},
		"clustered":  {clustered, clustered[:2*dimension]},
		"duplicated": {duplicated, near},
		"zero rows":  {zeros, clustered[:2*dimension]},
		"scaled":     {scaled, gaussian(r, 2, dimension)},
		"tiny":       {tiny, gaussian(r, 2, dimension)},
		"ascending":  {ascending, near},
		"zero query": {random, make([]float32, dimension)},
		"one row":    {random[:dimension], near},
		"no row":     {nil, near},
	}
}

func TestScanEqualsPlainScan(t *testing.T) {
	for _, dimension := range []int{1, 7, 48, 100, 384} {
		sets := matrices(rand.New(rand.NewSource(int64(dimension))), dimension)
		eachKernelSet(t, func(t *testing.T) {
			for name, set := range sets {
				r := rand.New(rand.NewSource(5))
				rows, queries := set[0], set[1]
				count := len(rows) / dimension
				scan := mustScan(t, rows, dimension)
				filters := map[string]*Filter{
					"none": nil, "empty": NewFilter(nil), "short": randomFilter(r, count/2, .5),
					"long": randomFilter(r, count+200, .3), "all": randomFilter(r, count, 2),
				}
				for _, density := range []float64{.001, .01, .1, .5, .99} {
					filters[fmt.Sprint(density)] = randomFilter(r, count, density)
				}
				for at := 0; at < len(queries); at += dimension {
					v := queries[at : at+dimension]
					q, order := mustQuery(t, v), plainOrder(rows, dimension, v)
					for filter, keep := range filters {
						for _, k := range []int{1, 10, 250, count + 5} {
							got, err := scan.Nearest(q, k, keep)
							if err != nil {
								t.Fatal(err)
							}
							if want := best(order, k, keep); !slices.Equal(got, want) {
								t.Fatalf("dim %d, %s, filter %s: Nearest(%d) differs (-want +got):\n%s", dimension, name, filter, k, gocmp.Diff(want, got))
							}
						}
					}
				}
			}
		})
	}
}

func TestScanRefuses(t *testing.T) {
	rows := uniform(rand.New(rand.NewSource(1)), 10, 32)
	scan := mustScan(t, rows, 32)
	q := mustQuery(t, rows[:32])
	short := mustQuery(t, rows[:16])
	if _, err := scan.Nearest(short, 3, nil); !errors.Is(err, ErrDimension) {
		t.Errorf("Nearest of a short query = %v, want %v", err, ErrDimension)
	}
	for _, k := range []int{0, -1} {
		if _, err := scan.Nearest(q, k, nil); !errors.Is(err, ErrCount) {
			t.Errorf("Nearest(%d) = %v, want %v", k, err, ErrCount)
		}
	}
	z := *scan.codes
	if _, err := NewScan(rows[:32], &z); !errors.Is(err, ErrShape) {
		t.Errorf("NewScan of too few rows = %v, want %v", err, ErrShape)
	}
	z.Error = z.Error[:3]
	if _, err := NewScan(rows, &z); !errors.Is(err, ErrShape) {
		t.Errorf("NewScan of too few errors = %v, want %v", err, ErrShape)
	}
	z = Quantized{}
	if _, err := NewScan(nil, &z); !errors.Is(err, ErrShape) {
		t.Errorf("NewScan without a dimension = %v, want %v", err, ErrShape)
	}
}

func BenchmarkScan(b *testing.B) {
	for _, count := range []int{13_000, 100_000} {
		if count > 13_000 && testing.Short() {
			continue
		}
		r := rand.New(rand.NewSource(1))
		m := newMixture(r, 200, 384, .8)
		scan := mustScan(b, m.draw(r, count), 384)
		queries := m.draw(r, 64)
		for _, density := range []float64{1, .1, .01} {
			keep := randomFilter(r, count, density)
			if density == 1 {
				keep = nil
			}
			b.Run(fmt.Sprintf("rows=%d/kept=%g", count, density), func(b *testing.B) {
				i, rescored := 0, 0
				for b.Loop() {
					v := queries[i%64*384:][:384]
					q, err := NewQuery(v)
					if err != nil {
						b.Fatal(err)
					}
					if _, err := scan.Nearest(q, 10, keep); err != nil {
						b.Fatal(err)
					}
					i++
				}
				for i := range 64 {
					q := mustQuery(b, queries[i*384:][:384])
					rescored += scan.rescored(q, 10, keep)
				}
				b.ReportMetric(float64(rescored)/64, "rescored/op")
			})
		}
	}
}

// rescored returns how many rows a search computes Dot for.
func (s *Scan) rescored(q *Query, k int, keep *Filter) int {
	work := borrowScratch()
	defer work.release()
	lowest, count := s.gather(work, q, k, keep), 0
	for _, c := range work.candidates {
		if c.upper >= lowest {
			count++
		}
	}
	return count
}
