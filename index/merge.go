package index

import (
	"bytes"
	"cmp"
	"io"
	"slices"

	"waymark/vector"
)

// merger makes one segment of the live items of several. Nothing is analysed,
// embedded or quantized again, and the segment is, byte for byte, the one that
// would have been built of those items.
type merger struct {
	*making
	parts []*part
	order []source
	rows  int
	// moved is for each part and row the row in the new segment; noRow for dead
	// ones.
	moved [][]uint32
}

// source is an item of the new segment: item of parts[part].
type source struct{ part, item int }

func newMerger(m *making, parts []*part) *merger {
	g := &merger{making: m, parts: parts}
	for n, p := range parts {
		moved := make([]uint32, p.segment.rows)
		for i := range moved {
			moved[i] = noRow
		}
		g.moved = append(g.moved, moved)
		for item := range p.segment.items {
			if !p.dead.rows.Contains(int(p.segment.itemRow[item])) {
				g.order = append(g.order, source{n, item})
			}
		}
	}
	slices.SortFunc(g.order, func(a, b source) int {
		return cmp.Compare(parts[a.part].segment.id(a.item), parts[b.part].segment.id(b.item))
	})
	g.eachItem(func(_ int, s *segment, first, end int, moved []uint32) {
		for row := first; row < end; row++ {
			moved[row] = uint32(g.rows)
			g.rows++
		}
	})
	return g
}

// eachItem visits the items of the new segment, in order, with their rows in
// their old one.
func (g *merger) eachItem(visit func(item int, s *segment, first, end int, moved []uint32)) {
	for _, from := range g.order {
		s := g.parts[from.part].segment
		visit(from.item, s, int(s.itemRow[from.item]), int(s.itemRow[from.item+1]), g.moved[from.part])
	}
}

// content returns the merged segment. It reads the old ones until it is
// written. A segment is as old as the newest of its parts.
func (g *merger) content(kind Kind) (*content, error) {
	if g.rows > vector.MaxRows {
		return nil, errTooLarge
	}
	c := &content{head: header{
		Kind: kind, Dimension: uint32(g.dimension), Bank: uint32(len(g.bank)),
		Rows: uint32(g.rows), Items: uint32(len(g.order)),
	}}
	for _, p := range g.parts {
		c.head.StoreVersion = max(c.head.StoreVersion, p.segment.version)
	}
	c.set(sectionOrigin, []byte(g.origin))
	words, err := g.invert()
	if err != nil {
		return nil, err
	}
	if err := words.encode(c); err != nil {
		return nil, err
	}
	g.setItems(c, kind)
	g.setVectors(c)
	g.setBank(c)
	return c, nil
}

// setItems writes the sections of items and their records.
func (g *merger) setItems(c *content, kind Kind) {
	meta := newMetaWriter()
	rowItem, itemRow := make([]uint32, 0, g.rows), make([]uint32, 0, len(g.order)+1)
	g.eachItem(func(item int, s *segment, first, end int, _ []uint32) {
		for range end - first {
			rowItem = append(rowItem, uint32(len(itemRow)))
		}
		itemRow = append(itemRow, uint32(len(rowItem)-(end-first)))
		if kind == Rules {
			meta.rule(&s.ruleMeta[item])
		} else {
			meta.document(&s.documentMeta[item])
		}
	})
	c.set(sectionRowItem, bytesOf(rowItem))
	c.set(sectionItemRow, bytesOf(append(itemRow, uint32(g.rows))))
	c.set(sectionMeta, meta.bytes(kind))
	records := make([][]byte, 0, len(g.order)+g.rows)
	g.eachItem(func(item int, s *segment, _, _ int, _ []uint32) { records = append(records, s.record(item)) })
	g.eachItem(func(_ int, s *segment, first, end int, _ []uint32) {
		for row := first; row < end; row++ {
			records = append(records, s.record(s.items+row))
		}
	})
	c.setRecords(records)
}

// setVectors writes the sections of vectors and their codes.
func (g *merger) setVectors(c *content) {
	has := NewBitmap(g.rows)
	g.eachItem(func(_ int, s *segment, first, end int, moved []uint32) {
		for row := first; row < end; row++ {
			if s.hasVector.Contains(row) {
				has.Set(int(moved[row]))
			}
		}
	})
	c.set(sectionHasVector, bytesOf(has))
	values := int64(g.rows) * int64(g.dimension)
	c.sections[sectionVectors] = g.copied(4*values, func(s *segment, first, end int) []byte {
		return bytesOf(s.vectors[first*g.dimension : end*g.dimension])
	})
	c.sections[sectionCodes] = g.copied(values, func(s *segment, first, end int) []byte {
		return bytesOf(s.codes.Codes[first*g.dimension : end*g.dimension])
	})
	c.sections[sectionScales] = g.copied(4*int64(g.rows), func(s *segment, first, end int) []byte {
		return bytesOf(s.codes.Scale[first:end])
	})
	c.sections[sectionErrors] = g.copied(4*int64(g.rows), func(s *segment, first, end int) []byte {
		return bytesOf(s.codes.Error[first:end])
	})
}

// copied is a section that is copied item by item.
func (g *merger) copied(length int64, rows func(s *segment, first, end int) []byte) sectionContent {
	return sectionContent{length, func(w io.Writer) (err error) {
		g.eachItem(func(_ int, s *segment, first, end int, _ []uint32) {
			if err == nil {
				_, err = w.Write(rows(s, first, end))
			}
		})
		return err
	}}
}

// setBank writes the holders of the bank.
func (g *merger) setBank(c *content) {
	best := noHolders(len(g.bank))
	for n, p := range g.parts {
		for q, h := range p.dead.held(p.segment, g.queries) {
			if h.row != noRow {
				best[q].offer(h.cosine, g.moved[n][h.row])
			}
		}
	}
	c.setHolders(best)
}

// invert merges the words: terms in order, the postings of each without dead
// rows and by new row.
func (g *merger) invert() (*inverted, error) {
	v := &inverted{frequencies: newFrequencyTable()}
	for f := range NumFields {
		v.lengths[f] = make([]uint32, g.rows)
	}
	readers := make([]*termReader, len(g.parts))
	heads := make([][]byte, len(g.parts))
	for n, p := range g.parts {
		for row, to := range g.moved[n] {
			for f := range NumFields {
				if to != noRow {
					v.lengths[f][to] = p.segment.lengths[f][row]
				}
			}
		}
		readers[n] = &termReader{dictionary: &p.segment.dictionary}
		heads[n], _ = readers[n].next()
	}
	for {
		var least []byte
		for _, h := range heads {
			if h != nil && (least == nil || bytes.Compare(h, least) < 0) {
				least = h
			}
		}
		if least == nil {
			v.start = append(v.start, uint32(len(v.postings)))
			return v, nil
		}
		term, begin := string(least), len(v.postings)
		for n, h := range heads {
			if h == nil || string(h) != term {
				continue
			}
			g.appendPostings(v, n, readers[n].number-1)
			if next, more := readers[n].next(); more {
				heads[n] = next
			} else {
				heads[n] = nil
			}
		}
		if len(v.postings) > maxPostings {
			return nil, errTooLarge
		}
		if len(v.postings) == begin {
			continue // only dead rows held the term
		}
		v.terms, v.start = append(v.terms, term), append(v.start, uint32(begin))
		slices.SortFunc(v.postings[begin:], func(a, b posting) int { return cmp.Compare(a.row, b.row) })
	}
}

// appendPostings appends the postings of a term of a part under their new rows.
func (g *merger) appendPostings(v *inverted, n, term int) {
	s := g.parts[n].segment
	var list postings
	s.openPostings(&list, term)
	for size := list.next(); size > 0; size = list.next() {
		for i, row := range list.rows[:size] {
			if to := g.moved[n][row]; to != noRow {
				v.postings = append(v.postings, posting{to, v.frequencies.number(&s.frequencies[list.frequencies[i]])})
			}
		}
	}
}
