package index

import (
	"cmp"
	"slices"
)

// smallFrequencies is up to which number of times in the body alone a
// frequency is numbered without a map.
const smallFrequencies = 64

// frequencyTable numbers the frequencies of a segment in the making.
type frequencyTable struct {
	all   []Frequency
	used  []uint32 // how many postings have it
	small [smallFrequencies]uint32
	large map[Frequency]uint32
}

func newFrequencyTable() *frequencyTable { return &frequencyTable{large: map[Frequency]uint32{}} }

// number returns the number of a frequency and counts its use.
func (t *frequencyTable) number(f *Frequency) uint32 {
	small := f.bodyOnly() && f[Body] < smallFrequencies
	n := uint32(0)
	if small {
		n = t.small[f[Body]] // one more than the number; 0: none yet
	} else {
		n = t.large[*f]
	}
	if n == 0 {
		t.all, t.used = append(t.all, *f), append(t.used, 0)
		n = uint32(len(t.all))
		if small {
			t.small[f[Body]] = n
		} else {
			t.large[*f] = n
		}
	}
	t.used[n-1]++
	return n - 1
}

// byUse returns the frequencies with the most used first, equally used ones by
// their values, and for each number given out so far the one it has there.
func (t *frequencyTable) byUse() (sorted []Frequency, renumber []uint32) {
	order := make([]uint32, len(t.all))
	for i := range order {
		order[i] = uint32(i)
	}
	slices.SortFunc(order, func(a, b uint32) int {
		if c := cmp.Compare(t.used[b], t.used[a]); c != 0 {
			return c
		}
		return slices.Compare(t.all[a][:], t.all[b][:])
	})
	sorted, renumber = make([]Frequency, len(order)), make([]uint32, len(order))
	for i, old := range order {
		sorted[i], renumber[old] = t.all[old], uint32(i)
	}
	return sorted, renumber
}
