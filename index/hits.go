package index

import (
	"cmp"
	"slices"

	"waymark/vector"
)

// sortHits puts the better hit first; equal ones by row.
func sortHits(hits []vector.Hit) {
	slices.SortFunc(hits, func(a, b vector.Hit) int {
		if c := cmp.Compare(b.Score, a.Score); c != 0 {
			return c
		}
		return cmp.Compare(a.Row, b.Row)
	})
}
