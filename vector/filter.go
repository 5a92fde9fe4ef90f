package vector

import "math/bits"

// Filter keeps some rows of a matrix and drops the others. A nil *Filter keeps
// every row. A Filter is read-only during a search.
type Filter struct{ words []uint64 }

// NewFilter returns the filter that keeps the rows whose bit is set: row r is
// bit r mod 64 of word r / 64. Rows beyond the words are dropped, so no words,
// nil or empty, keep nothing. The filter refers to words and does not copy them.
func NewFilter(words []uint64) *Filter { return &Filter{words: words} }

// Contains reports whether the filter keeps a row.
func (f *Filter) Contains(row uint32) bool {
	if f == nil {
		return true
	}
	word := row / 64
	return int(word) < len(f.words) && f.words[word]>>(row%64)&1 != 0
}

// Count returns how many of the first rows the filter keeps.
func (f *Filter) Count(rows int) int {
	if f == nil {
		return rows
	}
	count := 0
	for i, word := range f.words[:min(len(f.words), (rows+63)/64)] {
		if rest := rows - 64*i; rest < 64 {
			word &= 1<<rest - 1
		}
		count += bits.OnesCount64(word)
	}
	return count
}

// keptRows lists the rows that a filter keeps, ascending, block by block.
type keptRows struct {
	filter *Filter
	rows   uint32 // rows of the matrix
	next   uint32 // without a filter: the next row; with one: the row of bit 0 of the next word
	base   uint32 // the row of bit 0 of word
	word   uint64 // bits not yet listed
}

// fill writes the next rows to dst and returns those written: none at the end.
func (k *keptRows) fill(dst []uint32) []uint32 {
	if k.filter == nil {
		dst = dst[:min(uint32(len(dst)), k.rows-k.next)]
		for i := range dst {
			dst[i] = k.next + uint32(i)
		}
		k.next += uint32(len(dst))
		return dst
	}
	count := 0
	for {
		for ; k.word != 0; k.word &= k.word - 1 {
			if count == len(dst) {
				return dst
			}
			dst[count] = k.base + uint32(bits.TrailingZeros64(k.word))
			count++
		}
		if k.next >= k.rows || int(k.next/64) >= len(k.filter.words) {
			return dst[:count]
		}
		k.base, k.word = k.next, k.filter.words[k.next/64]
		if rest := k.rows - k.base; rest < 64 {
			k.word &= 1<<rest - 1
		}
		k.next += 64
	}
}
