package index

import (
	"cmp"
	"slices"
	"sync"

	"waymark/store"
)

// Collection is the rules in force, or the documents, of one snapshot. It is
// read by any number of goroutines at once, until the snapshot is released.
//
// Row numbers run through all segments, from 0 to Rows()−1. Each segment begins
// at a multiple of 64, so that its part of a Bitmap is a run of whole words;
// the numbers left out and those of dead rows are of no item.
type Collection struct {
	kind  Kind
	parts []*part
	rows  int
	items int
	made  *making

	order     sync.Once
	inOrder   []int
	edges     sync.Once
	edgeDays  []int32
	views     sync.Mutex // guards viewByDay
	viewByDay map[int]*View
}

// part is a segment within a collection.
type part struct {
	segment  *segment
	dead     *mask
	row      int // the number of its first row in the collection
	item     int // and of its first item
	lastRow  int // one more than its last row
	lastItem int
}

// live is how many rows of the part are not dead.
func (p *part) live() int { return p.segment.rows - p.dead.count }

// newCollection numbers the rows and items of segments with their dead rows.
func newCollection(kind Kind, parts []*part, made *making) *Collection {
	c := &Collection{kind: kind, made: made, viewByDay: map[int]*View{}}
	for _, p := range parts {
		at := &part{segment: p.segment, dead: p.dead, row: c.rows, item: c.items}
		at.lastRow, at.lastItem = at.row+p.segment.rows, at.item+p.segment.items
		c.parts = append(c.parts, at)
		c.rows, c.items = 64*wordsFor(at.lastRow), at.lastItem
	}
	return c
}

// Kind says whether these are rules or documents.
func (c *Collection) Kind() Kind { return c.kind }

// Rows is how many row numbers there are: what a list by row needs room for.
func (c *Collection) Rows() int { return c.rows }

// Items is how many item numbers there are, dead ones included.
func (c *Collection) Items() int { return c.items }

// partOf returns the part in which a row lies, nil for a number that is of no
// row.
func (c *Collection) partOf(row int) *part {
	for _, p := range c.parts {
		if row < p.lastRow {
			if row >= p.row {
				return p
			}
			return nil
		}
	}
	return nil
}

// partOfItem returns the part in which an item lies, nil for a number that is
// of none.
func (c *Collection) partOfItem(item int) *part {
	if item < 0 {
		return nil
	}
	for _, p := range c.parts {
		if item < p.lastItem {
			return p
		}
	}
	return nil
}

// ItemOf is the item of a row, −1 for a dead row and for a number that is of
// none.
func (c *Collection) ItemOf(row int) int {
	p := c.partOf(row)
	if p == nil || p.dead.rows.Contains(row-p.row) {
		return -1
	}
	return p.item + int(p.segment.rowItem[row-p.row])
}

// RowsOf gives the rows of an item, first to end−1, in the order of its
// passages.
func (c *Collection) RowsOf(item int) (first, end int) {
	p := c.partOfItem(item)
	if p == nil {
		return 0, 0
	}
	return p.row + int(p.segment.itemRow[item-p.item]), p.row + int(p.segment.itemRow[item-p.item+1])
}

// RowsOfItems returns the rows of a set of items.
func (c *Collection) RowsOfItems(items Bitmap) Bitmap {
	rows := NewBitmap(c.rows)
	items.Each(func(item int) {
		for row, end := c.RowsOf(item); row < end; row++ {
			rows.Set(row)
		}
	})
	return rows
}

// Live reports whether an item is not dead.
func (c *Collection) Live(item int) bool {
	p := c.partOfItem(item)
	return p != nil && !p.dead.rows.Contains(int(p.segment.itemRow[item-p.item]))
}

// LiveRows returns the rows that are not dead.
func (c *Collection) LiveRows() Bitmap {
	return c.gather(func(p *part, words Bitmap) {
		words.setBelow(p.segment.rows)
		words.AndNot(p.dead.rows)
	})
}

// gather fills the words of each part of a new set of rows.
func (c *Collection) gather(fill func(p *part, words Bitmap)) Bitmap {
	rows := NewBitmap(c.rows)
	for _, p := range c.parts {
		fill(p, p.words(rows))
	}
	return rows
}

// words returns the part's own words of a set of rows of the collection.
func (p *part) words(rows Bitmap) Bitmap {
	begin := min(p.row/64, len(rows))
	return rows[begin:min(begin+wordsFor(p.segment.rows), len(rows))]
}

// ID is the id of an item.
func (c *Collection) ID(item int) string {
	p := c.partOfItem(item)
	if p == nil {
		return ""
	}
	return p.segment.id(item - p.item)
}

// Find returns the item with an id, −1 when there is none.
func (c *Collection) Find(id string) int {
	for _, p := range c.parts {
		if i := p.segment.find(id); i >= 0 && !p.dead.rows.Contains(int(p.segment.itemRow[i])) {
			return p.item + i
		}
	}
	return -1
}

// InOrder returns the items that are not dead in the order of their ids. It
// must not be changed.
func (c *Collection) InOrder() []int {
	c.order.Do(func() {
		for item := range c.items {
			if c.Live(item) {
				c.inOrder = append(c.inOrder, item)
			}
		}
		// Each part is in order already; one part needs nothing more.
		if len(c.parts) > 1 {
			slices.SortFunc(c.inOrder, func(a, b int) int { return cmp.Compare(c.ID(a), c.ID(b)) })
		}
	})
	return c.inOrder
}

// RuleMeta is what filters read of an item of the rules.
func (c *Collection) RuleMeta(item int) *RuleMeta {
	p := c.partOfItem(item)
	return &p.segment.ruleMeta[item-p.item]
}

// DocumentMeta is what filters read of an item of the documents.
func (c *Collection) DocumentMeta(item int) *DocumentMeta {
	p := c.partOfItem(item)
	return &p.segment.documentMeta[item-p.item]
}

// Rule returns the stored rule of an item of the rules: the version in force.
// It must not be changed. It is decoded at the first call and kept; filters
// read RuleMeta, which needs no decoding.
func (c *Collection) Rule(item int) *store.Rule {
	p := c.partOfItem(item)
	return &p.segment.rule(item - p.item).Rule
}

// RuleOrNil is Rule in a collection of rules, nil in one of documents.
func (c *Collection) RuleOrNil(item int) *store.Rule {
	if c.kind != Rules {
		return nil
	}
	return c.Rule(item)
}

// Document returns the stored document of an item of the documents, without its
// passages and raw bytes. It must not be changed. It is decoded at the first
// call and kept; filters read DocumentMeta, which needs no decoding.
func (c *Collection) Document(item int) *store.Document {
	p := c.partOfItem(item)
	return p.segment.document(item - p.item)
}

// Passage returns the passage of a row. That of a rule has its text, or the
// piece of it that the row stands for, and nothing else. It is decoded at every
// call.
func (c *Collection) Passage(row int) *store.Passage {
	p := c.partOf(row)
	if p == nil {
		return &store.Passage{}
	}
	return p.segment.passage(row - p.row)
}

// fields returns the text of each field of a row, as it was analysed.
func (c *Collection) fields(row int) [NumFields]string {
	p := c.partOf(row)
	if p == nil || p.dead.rows.Contains(row-p.row) {
		return [NumFields]string{}
	}
	local := row - p.row
	item := int(p.segment.rowItem[local])
	passage := p.segment.passage(local)
	if c.kind == Rules {
		record := p.segment.rule(item)
		fields := ruleFields(record.TrailName, &record.Rule)
		fields[Body] = passage.Text
		return fields
	}
	return passageFields(p.segment.document(item), passage, local == int(p.segment.itemRow[item]))
}
