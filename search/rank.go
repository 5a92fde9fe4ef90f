package search

import (
	"cmp"
	"slices"
	"strings"

	"waymark/index"
)

// scored is one item with the row that carried its score.
type scored struct {
	item     int
	row      int
	bm25     float64
	coverage float64
	cosine   float64
	signal   float64
	standing float64 // 1, or less for a document that does not govern
	bonus    float64 // what the item has more because the query names it
	score    float64
}

// ranking is what rank is asked: which items may be returned, which rows pass,
// and how many of the best are wanted.
type ranking struct {
	fusion Fusion
	gate   Gate
	null   float64 // what unrelated questions reach in this workspace
	// allowed tells whether an item is in the scope.
	allowed func(item int) bool
	// surely tells whether a row passes without looking at its meaning, such as
	// one that holds a code of the query.
	surely func(row int) bool
	// standing is the factor of an item's score.
	standing func(item int) float64
	// bonus is added to an item's score: what lifts an item that the query names
	// by its id.
	bonus func(item int) float64
	// before breaks ties of the score ahead of the id; nil: only the id does.
	before func(a, b int) int
	top    int
}

// rank returns the best items, best first, and how many items pass in all. A row
// passes when surely says so or its own signal is not negative; an item has the
// score of the best of its rows that pass. It is exact: a row is scored with its
// exact cosine unless the bounds alone prove that it cannot matter.
func (e *evidence) rank(r ranking) (best []scored, total int) {
	type candidate struct {
		row       int
		item      int
		low, high float64 // bounds of the score
	}
	var candidates []candidate
	floors := map[int]float64{} // by item, the highest lower bound of a row that passes
	for row := range e.bm25 {
		item := e.view.ItemOf(row)
		if item < 0 || !r.allowed(item) {
			continue
		}
		low, high := e.cosineBounds(row)
		coverage := e.coverage(row)
		// A row for which nothing speaks does not pass, however low the null is.
		passes := func(cosine float64) bool {
			return (cosine > 0 || coverage > 0) && r.gate.Signal(cosine, coverage, r.null) >= 0
		}
		if !r.surely(row) && !passes(low) {
			if !passes(high) {
				continue
			}
			low = e.cosine(row)
			high = low
			if !passes(low) {
				continue
			}
		}
		standing := r.standing(item)
		bonus := r.bonus(item)
		c := candidate{row, item, standing*r.fusion.Score(e.weight, low, coverage) + bonus, standing*r.fusion.Score(e.weight, high, coverage) + bonus}
		candidates = append(candidates, c)
		if floor, seen := floors[item]; !seen || c.low > floor {
			floors[item] = c.low
		}
	}
	need := kthLargest(floors, r.top)
	exact := map[int]scored{}
	for _, c := range candidates {
		if c.high < need {
			continue
		}
		s := e.score(r, c.item, c.row)
		if held, seen := exact[c.item]; !seen || s.score > held.score {
			exact[c.item] = s
		}
	}
	for _, s := range exact {
		best = append(best, s)
	}
	slices.SortFunc(best, func(a, b scored) int {
		if c := cmp.Compare(b.score, a.score); c != 0 {
			return c
		}
		if r.before != nil {
			if c := r.before(a.item, b.item); c != 0 {
				return c
			}
		}
		return strings.Compare(e.view.ID(a.item), e.view.ID(b.item))
	})
	return best[:min(len(best), r.top)], len(floors)
}

func (e *evidence) score(r ranking, item, row int) scored {
	s := scored{item: item, row: row, bm25: e.bm25[row], coverage: e.coverage(row), cosine: e.cosine(row), standing: r.standing(item), bonus: r.bonus(item)}
	s.signal = r.gate.Signal(s.cosine, s.coverage, r.null)
	s.score = s.standing*r.fusion.Score(e.weight, s.cosine, s.coverage) + s.bonus
	return s
}

// kthLargest is the k-th largest of the values, or less than all of them when
// there are fewer.
func kthLargest(values map[int]float64, k int) float64 {
	if len(values) <= k {
		return -1
	}
	sorted := make([]float64, 0, len(values))
	for _, v := range values {
		sorted = append(sorted, v)
	}
	slices.Sort(sorted)
	return sorted[len(sorted)-k]
}

// rowsWith marks the rows that hold any of the terms.
func rowsWith(view *index.View, terms []string) func(row int) bool {
	if len(terms) == 0 {
		return func(int) bool { return false }
	}
	var marked []index.Bitmap
	for _, t := range terms {
		marked = append(marked, view.RowsWith(t))
	}
	return func(row int) bool {
		for _, m := range marked {
			if m.Contains(row) {
				return true
			}
		}
		return false
	}
}
