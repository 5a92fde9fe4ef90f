package vector

import (
	"math/rand"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestFilter(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	filters := []*Filter{nil, NewFilter(nil), NewFilter([]uint64{})}
	for _, size := range []int{1, 63, 64, 65, 700} {
		for _, density := range []float64{0, .02, .5, 2} {
			filters = append(filters, randomFilter(r, size, density))
		}
	}
	for i, filter := range filters {
		for _, rows := range []int{0, 1, 63, 64, 65, 128, 600, 1000} {
			want := []uint32{}
			for row := range uint32(rows) {
				if filter.Contains(row) {
					want = append(want, row)
				}
			}
			if got := filter.Count(rows); got != len(want) {
				t.Errorf("filter %d: Count(%d) = %d, want %d", i, rows, got, len(want))
			}
			for _, size := range []int{1, 7, 64, 256} {
				got, block := []uint32{}, make([]uint32, size)
				for kept := (keptRows{filter: filter, rows: uint32(rows)}); ; {
					some := kept.fill(block)
					if len(some) == 0 {
						break
					}
					got = append(got, some...)
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Fatalf("filter %d, %d rows, blocks of %d: rows differ (-want +got):\n%s", i, rows, size, diff)
				}
			}
		}
	}
	if (*Filter)(nil).Contains(9) != true || NewFilter(nil).Contains(9) != false {
		t.Error("nil must keep every row, and no words none")
	}
}
