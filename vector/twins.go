package vector

import (
	"cmp"
	"slices"
)

// twins are rows that are equal value for value. A graph links only the first
// row of each kind, or the links of a text stored a thousand times would all
// lead to its copies and nowhere else; a search adds the copies to its hits.
type twins struct {
	copies map[uint32][]uint32 // first row → its copies, ascending
	first  map[uint32]uint32   // copy → first row
}

// add records the copies, ascending, of a first row.
func (t *twins) add(first uint32, copies []uint32) {
	if t.copies == nil {
		t.copies, t.first = map[uint32][]uint32{}, map[uint32]uint32{}
	}
	t.copies[first] = copies
	for _, row := range copies {
		t.first[row] = first
	}
}

// isCopy reports whether a row is the copy of an earlier one.
func (t *twins) isCopy(row uint32) bool {
	_, found := t.first[row]
	return found
}

// firsts returns the rows that have copies, ascending.
func (t *twins) firsts() []uint32 {
	rows := make([]uint32, 0, len(t.copies))
	for row := range t.copies {
		rows = append(rows, row)
	}
	slices.Sort(rows)
	return rows
}

// findTwins groups the equal rows of a scan.
func findTwins(scan *Scan) twins {
	order := make([]uint32, scan.Len())
	for i := range order {
		order[i] = uint32(i)
	}
	z := scan.codes
	slices.SortFunc(order, func(a, b uint32) int {
		// Rows that differ nearly always differ in one of the first two.
		if c := cmp.Or(cmp.Compare(z.Scale[a], z.Scale[b]), cmp.Compare(z.Error[a], z.Error[b])); c != 0 {
			return c
		}
		return cmp.Or(slices.Compare(scan.row(a), scan.row(b)), cmp.Compare(a, b))
	})
	var found twins
	for len(order) > 0 {
		end := 1
		for end < len(order) && slices.Equal(scan.row(order[0]), scan.row(order[end])) {
			end++
		}
		if end > 1 {
			found.add(order[0], slices.Clone(order[1:end]))
		}
		order = order[end:]
	}
	return found
}
