package index

import (
	"bytes"
	"math"
	"sync/atomic"
	"time"

	"waymark/store"
	"waymark/vector"
)

// segment is an immutable set of items with everything that is derived from
// them. Its slices may lie in a mapped file, so nobody writes to them.
//
//	rows      0 … rows−1, those of an item side by side in passage order
//	terms     sorted; the postings of term t are postRow and postFreq from
//	          postStart[t] to postStart[t+1], rows ascending
//	forward   the terms of row r are forwardTerm and forwardFreq from
//	          forwardStart[r] to forwardStart[r+1]: what a removed row subtracts
//	lengths   NumFields numbers a row: the words that count in each field
//	bank      by question of the gate's bank, the highest cosine of a row and
//	          which row that is
type segment struct {
	rowItem, itemRow                       []uint32
	lengths                                []uint32
	forwardStart, forwardTerm, forwardFreq []uint32
	termStart                              []uint32
	termBytes                              []byte
	postStart, postRow, postFreq           []uint32
	hasVector                              Bitmap
	vectors                                []float32
	codes                                  vector.Quantized
	bankCosine                             []float32
	bankRow                                []uint32

	rules     []store.Rule     // of a segment of rules, by item
	documents []store.Document // of a segment of documents, by item
	passages  []store.Passage  // by row

	// What follows is made by prepare.
	from, until []int32 // days on which an item becomes and stays searchable
	file        string  // its name in the index directory; empty: only in memory
	graph       atomic.Pointer[vector.Graph]
	building    atomic.Bool // whether a graph was asked for
}

func (s *segment) rows() int  { return len(s.rowItem) }
func (s *segment) items() int { return len(s.itemRow) - 1 }
func (s *segment) terms() int { return len(s.termStart) - 1 }

func (s *segment) term(t int) string { return string(s.termBytes[s.termStart[t]:s.termStart[t+1]]) }

// find returns the number of a term, −1 when the segment does not hold it.
func (s *segment) find(term string) int {
	low, high := 0, s.terms()
	for low < high {
		middle := int(uint(low+high) >> 1)
		switch c := bytes.Compare(s.termBytes[s.termStart[middle]:s.termStart[middle+1]], []byte(term)); {
		case c == 0:
			return middle
		case c < 0:
			low = middle + 1
		default:
			high = middle
		}
	}
	return -1
}

func (s *segment) id(item int) string {
	if s.rules != nil {
		return s.rules[item].ID
	}
	return s.documents[item].ID
}

func (s *segment) row(r int) []float32 {
	dim := s.codes.Dim
	return s.vectors[r*dim : (r+1)*dim : (r+1)*dim]
}

// measureBank finds for each question of the bank the nearest row; the first of
// equals.
func (s *segment) measureBank(bank [][]float32) {
	s.bankCosine, s.bankRow = make([]float32, len(bank)), make([]uint32, len(bank))
	for i, question := range bank {
		s.bankCosine[i], s.bankRow[i] = s.nearest(question, nil)
	}
}

// nearest is the highest cosine of a row outside the mask, and the row; minus
// infinity when there is none.
func (s *segment) nearest(question []float32, masked Bitmap) (float32, uint32) {
	best, at := float32(math.Inf(-1)), uint32(math.MaxUint32)
	for r := range s.rows() {
		if !s.hasVector.Contains(r) || masked.Contains(r) {
			continue
		}
		if c := vector.Dot(question, s.row(r)); c > best {
			best, at = c, uint32(r)
		}
	}
	return best, at
}

// prepare reads the days of the items: rules by their effective window,
// documents by the end of their validity.
func (s *segment) prepare() {
	s.from, s.until = make([]int32, s.items()), make([]int32, s.items())
	for i := range s.items() {
		var from, until string
		if s.rules != nil {
			from, until = s.rules[i].EffectiveFrom, s.rules[i].EffectiveUntil
		} else {
			until = s.documents[i].ValidUntil
		}
		s.from[i], s.until[i] = dayOr(from, math.MinInt32), dayOr(until, math.MaxInt32)
	}
}

// dayOr is the day of a text written 2006-01-02, as days since 1970, or the
// fallback where there is none that can be read.
func dayOr(text string, fallback int32) int32 {
	t, err := time.Parse(time.DateOnly, text)
	if err != nil {
		return fallback
	}
	return int32(t.Unix() / 86400)
}
