package index

import (
	"cmp"
	"slices"
)

// Segments are merged so that each has at least twice as many live rows as all
// smaller ones together. That leaves no more than log₃ of the rows of them, and
// copies a row about as often before it rests.
const (
	// foldRows is how many rows are merged while a commit waits for it, at some
	// 3 µs a row.
	foldRows = 256

	// smallRows is the size below which segments count as equally small.
	smallRows = 64

	// A segment of which more than one row in purgeShare is dead is written anew
	// without them.
	purgeShare = 4
)

// pickMerge returns the parts that should become one, smallest first; none when
// all is well. It keeps to the smallest ones with no more than limit live rows
// together.
func pickMerge(parts []*part, limit int) []*part {
	sorted := slices.Clone(parts)
	slices.SortStableFunc(sorted, func(a, b *part) int { return cmp.Compare(a.live(), b.live()) })
	picked, rows, sum := 0, 0, 0
	for i, p := range sorted {
		if rows += p.live(); rows > limit {
			break
		}
		size := max(p.live(), smallRows)
		if i > 0 && size < 2*sum {
			picked = i + 1
		}
		sum += size
	}
	return sorted[:picked]
}

// pickPurge returns a part with too many dead rows, as a list of one.
func pickPurge(parts []*part) []*part {
	for _, p := range parts {
		if p.dead.count > smallRows && p.dead.count*purgeShare > p.segment.rows {
			return []*part{p}
		}
	}
	return nil
}
