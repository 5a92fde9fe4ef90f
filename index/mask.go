package index

import (
	"slices"
	"sync/atomic"

	"waymark/vector"
)

// mask is a set of rows of a segment that do not count, with what they subtract
// from its statistics. Dead rows are one mask; on a day, the rows that do not
// count on it are added to them. A mask never changes.
type mask struct {
	rows    Bitmap // nil: none
	count   int
	minus   []uint32   // a term: the masked rows that hold it; nil: none
	total   statistics // of the rows that are not masked
	before  []holder   // of the bank, as they were with fewer rows masked
	holders atomic.Pointer[[]holder]
}

// emptyMask masks nothing of a segment.
func emptyMask(s *segment) *mask { return &mask{total: s.total, before: s.holders} }

// with returns a mask that masks more rows. Those that are masked already may
// be among them.
func (m *mask) with(s *segment, rows []int) *mask {
	var added []int
	for _, row := range rows {
		if !m.rows.Contains(row) {
			added = append(added, row)
		}
	}
	if len(added) == 0 {
		return m
	}
	next := &mask{count: m.count, total: m.total, before: m.before}
	if known := m.holders.Load(); known != nil {
		next.before = *known
	}
	if m.rows == nil {
		next.rows, next.minus = NewBitmap(s.rows), make([]uint32, s.dictionary.terms)
	} else {
		next.rows, next.minus = slices.Clone(m.rows), slices.Clone(m.minus)
	}
	for _, row := range added {
		if next.rows.Contains(row) {
			continue
		}
		next.rows.Set(row)
		next.count++
		next.total.rows--
		if s.hasVector.Contains(row) {
			next.total.vectors--
		}
		for f := range NumFields {
			if length := s.lengths[f][row]; length > 0 {
				next.total.words[f] -= uint64(length)
				next.total.filled[f]--
			}
		}
		s.eachTerm(row, func(term uint32) { next.minus[term]++ })
	}
	return next
}

// held returns for each vector of the bank the nearest row that is not masked.
func (m *mask) held(s *segment, bank []*vector.Query) []holder {
	if known := m.holders.Load(); known != nil {
		return *known
	}
	found := s.held(m.before, m.rows, bank)
	m.holders.Store(&found)
	return found
}

// documentFrequency is how many rows that are not masked hold a term.
func (m *mask) documentFrequency(s *segment, term int) int {
	df := int(s.documents[term])
	if m.minus != nil {
		df -= int(m.minus[term])
	}
	return df
}
