package index

import (
	"sync"

	"waymark/store"
	"waymark/vector"
)

// Collection is the rules or the documents of one snapshot. Its rows and items
// are numbered through all segments; numbers mean nothing outside the snapshot.
type Collection struct {
	segments []*segment
	dead     []Bitmap // by segment, the rows that were removed since it was made
	rowBase  []int    // by segment, and the end
	itemBase []int
	scoring  Scoring
	bank     [][]float32

	mu    sync.Mutex
	views map[int32]*View
}

func newCollection(segments []*segment, dead []Bitmap, scoring Scoring, bank [][]float32) *Collection {
	c := &Collection{segments: segments, dead: dead, scoring: scoring, bank: bank, views: map[int32]*View{}}
	rows, items := 0, 0
	for _, s := range segments {
		c.rowBase, c.itemBase = append(c.rowBase, rows), append(c.itemBase, items)
		rows, items = rows+s.rows(), items+s.items()
	}
	c.rowBase, c.itemBase = append(c.rowBase, rows), append(c.itemBase, items)
	return c
}

// keptViews is how many days' views a collection keeps: today, and a few that
// as_of asks for.
const keptViews = 8

// View is the collection as it counts on a day, given as days since 1970-01-01.
func (c *Collection) View(day int32) *View {
	c.mu.Lock()
	defer c.mu.Unlock()
	if v, ok := c.views[day]; ok {
		return v
	}
	if len(c.views) >= keptViews {
		clear(c.views)
	}
	v := newView(c, day)
	c.views[day] = v
	return v
}

// locate finds the segment of a number in a list of bases.
func locate(bases []int, n int) int {
	low, high := 0, len(bases)-2
	for low < high {
		middle := (low + high + 1) / 2
		if bases[middle] <= n {
			low = middle
		} else {
			high = middle - 1
		}
	}
	return low
}

// Rows is how many row numbers there are, dead ones included.
func (c *Collection) Rows() int { return c.rowBase[len(c.segments)] }

// Items is how many item numbers there are, dead ones included.
func (c *Collection) Items() int { return c.itemBase[len(c.segments)] }

// ItemOf is the item of a row, −1 for a row that was removed.
func (c *Collection) ItemOf(row int) int {
	n := locate(c.rowBase, row)
	r := row - c.rowBase[n]
	if c.dead[n].Contains(r) {
		return -1
	}
	return c.itemBase[n] + int(c.segments[n].rowItem[r])
}

// Live reports whether an item was not removed.
func (c *Collection) Live(item int) bool {
	s, n, i := c.item(item)
	return !c.dead[n].Contains(int(s.itemRow[i]))
}

func (c *Collection) item(item int) (s *segment, n, i int) {
	n = locate(c.itemBase, item)
	return c.segments[n], n, item - c.itemBase[n]
}

// ID is the id of an item.
func (c *Collection) ID(item int) string {
	s, _, i := c.item(item)
	return s.id(i)
}

// Rule is the rule of an item of the rules; it must not be changed.
func (c *Collection) Rule(item int) *store.Rule {
	s, _, i := c.item(item)
	return &s.rules[i]
}

// RuleOrNil is the rule of an item, nil in a collection of documents.
func (c *Collection) RuleOrNil(item int) *store.Rule {
	s, _, i := c.item(item)
	if s.rules == nil {
		return nil
	}
	return &s.rules[i]
}

// Document is the document of an item of the documents, without its passages and
// bytes; it must not be changed.
func (c *Collection) Document(item int) *store.Document {
	s, _, i := c.item(item)
	return &s.documents[i]
}

// Passage is the passage of a row of the documents.
func (c *Collection) Passage(row int) *store.Passage {
	n := locate(c.rowBase, row)
	return &c.segments[n].passages[row-c.rowBase[n]]
}

// RowsOf gives the rows of an item: first to end−1, in passage order.
func (c *Collection) RowsOf(item int) (first, end int) {
	s, n, i := c.item(item)
	return c.rowBase[n] + int(s.itemRow[i]), c.rowBase[n] + int(s.itemRow[i+1])
}

// Vector is the vector of a row, nil when it has none; it must not be changed.
func (c *Collection) Vector(row int) []float32 {
	n := locate(c.rowBase, row)
	s, r := c.segments[n], row-c.rowBase[n]
	if !s.hasVector.Contains(r) {
		return nil
	}
	return s.row(r)
}

// HasVector reports whether a row has a vector.
func (c *Collection) HasVector(row int) bool {
	n := locate(c.rowBase, row)
	return c.segments[n].hasVector.Contains(row - c.rowBase[n])
}

// Cosine is the exact product of the query's vector and a row's.
func (c *Collection) Cosine(query []float32, row int) float32 {
	n := locate(c.rowBase, row)
	return vector.Dot(query, c.segments[n].row(row-c.rowBase[n]))
}

// Bound is how far an approximate cosine of a row can be from the exact one.
func (c *Collection) Bound(q *vector.Query, row int) float32 {
	n := locate(c.rowBase, row)
	return c.segments[n].codes.Bound(q, row-c.rowBase[n])
}

// Approximate writes the approximate cosine of every row to dst, which has room
// for all of them.
func (c *Collection) Approximate(q *vector.Query, dst []float32) error {
	for n, s := range c.segments {
		if err := s.codes.Approximate(q, 0, s.rows(), dst[c.rowBase[n]:c.rowBase[n+1]]); err != nil {
			return err
		}
	}
	return nil
}

// Missing is how many live rows have no vector.
func (c *Collection) Missing() int {
	missing := 0
	for n, s := range c.segments {
		for r := range s.rows() {
			if !c.dead[n].Contains(r) && !s.hasVector.Contains(r) {
				missing++
			}
		}
	}
	return missing
}
