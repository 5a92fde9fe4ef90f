package index

import (
	"math"
	"slices"
	"sync"
)

// View is a collection as it counts on one day. Rows of rules outside their
// effective days and of documents past their validity are masked: they have
// scores like any other row, but no part in the statistics, so their words
// change no score.
type View struct {
	*Collection
	masks []*mask // by part: dead rows, and rows that do not count on the day
	total statistics
	norms *norms

	bestOnce sync.Once
	best     []float32
}

// keptViews is how many views a collection keeps: today's, and a few that are
// asked for by date.
const keptViews = 8

// View is the collection on a day, counted from 1970-01-01. Days between which
// no item begins or ceases to count share one view.
func (c *Collection) View(day int32) *View {
	stretch := c.stretch(day)
	c.views.Lock()
	defer c.views.Unlock()
	if v, ok := c.viewByDay[stretch]; ok {
		return v
	}
	if len(c.viewByDay) >= keptViews {
		clear(c.viewByDay)
	}
	v := newView(c, day)
	c.viewByDay[stretch] = v
	return v
}

// stretch numbers the stretches of days on which the same items count.
func (c *Collection) stretch(day int32) int {
	c.edges.Do(func() {
		for _, p := range c.parts {
			for _, w := range p.segment.windows {
				if w.from != NoDay {
					c.edgeDays = append(c.edgeDays, w.from)
				}
				if w.until < math.MaxInt32 {
					c.edgeDays = append(c.edgeDays, w.until+1)
				}
			}
		}
		slices.Sort(c.edgeDays)
		c.edgeDays = slices.Compact(c.edgeDays)
	})
	at, found := slices.BinarySearch(c.edgeDays, day)
	if found {
		at++
	}
	return at
}

func newView(c *Collection, day int32) *View {
	v := &View{Collection: c}
	for _, p := range c.parts {
		var rows []int
		for i := range p.segment.windows {
			if w := &p.segment.windows[i]; !w.holds(day) {
				for row := p.segment.itemRow[w.item]; row < p.segment.itemRow[w.item+1]; row++ {
					rows = append(rows, int(row))
				}
			}
		}
		m := p.dead.with(p.segment, rows)
		v.masks = append(v.masks, m)
		v.total.plus(&m.total)
	}
	v.norms = newNorms(&c.made.scoring, v.total)
	return v
}

// N is how many rows count.
func (v *View) N() int { return v.total.rows }

// AverageLength is the mean length of a field over the rows that count and have
// it; 0 when none has.
func (v *View) AverageLength(f Field) float64 { return v.norms.average[f] }

// Counts reports whether a row counts on the day.
func (v *View) Counts(row int) bool {
	for i, p := range v.parts {
		if row < p.lastRow {
			return row >= p.row && !v.masks[i].rows.Contains(row-p.row)
		}
	}
	return false
}

// ItemCounts reports whether an item counts on the day.
func (v *View) ItemCounts(item int) bool {
	if v.partOfItem(item) == nil {
		return false
	}
	first, _ := v.RowsOf(item)
	return v.Counts(first)
}

// Counting returns the rows that count on the day.
func (v *View) Counting() Bitmap {
	rows := NewBitmap(v.Rows())
	for i, p := range v.parts {
		words := p.words(rows)
		words.setBelow(p.segment.rows)
		words.AndNot(v.masks[i].rows)
	}
	return rows
}

// BankMaxima is for each vector of the bank the highest cosine of a row that
// counts; minus infinity where no row has a vector. It must not be changed.
func (v *View) BankMaxima() []float32 {
	v.bestOnce.Do(func() {
		v.best = make([]float32, len(v.made.queries))
		for i := range v.best {
			v.best[i] = float32(math.Inf(-1))
		}
		for i, p := range v.parts {
			for q, h := range v.masks[i].held(p.segment, v.made.queries) {
				v.best[q] = max(v.best[q], h.cosine)
			}
		}
	})
	return v.best
}
