package vector

import "sync"

const (
	// blockRows is how many rows are scored at a time: their numbers and
	// products fit into the first-level cache beside the query.
	blockRows = 256

	// rowGroup is how many rows the assembly takes at a time.
	rowGroup = 4
)

// dotCodesPlain is dotCodes without assembly.
func dotCodesPlain(codes []int8, dimension int, rows []uint32, query []int16, products []int32) {
	query = query[:dimension]
	for i, row := range rows {
		at := int(row) * dimension
		code := codes[at : at+dimension : at+dimension]
		var s0, s1, s2, s3 int32
		j := 0
		for ; j+4 <= len(query); j += 4 {
			c, d := code[j:j+4:j+4], query[j:j+4:j+4]
			s0 += int32(c[0]) * int32(d[0])
			s1 += int32(c[1]) * int32(d[1])
			s2 += int32(c[2]) * int32(d[2])
			s3 += int32(c[3]) * int32(d[3])
		}
		for ; j < len(query); j++ {
			s0 += int32(code[j]) * int32(query[j])
		}
		products[i] = s0 + s1 + s2 + s3
	}
}

// scratch is the working memory of one call.
type scratch struct {
	block      [blockRows]uint32
	product    [blockRows]int32
	candidates []candidate
	best       topHits
}

var scratchPool = sync.Pool{New: func() any { return new(scratch) }}

func borrowScratch() *scratch { return scratchPool.Get().(*scratch) }

func (s *scratch) release() { scratchPool.Put(s) }

// products returns the products of codes for up to blockRows rows of z. They
// are valid until the next call.
func (s *scratch) products(z *Quantized, q *Query, rows []uint32) []int32 {
	whole := len(rows) - len(rows)%rowGroup
	dotCodes(z.Codes, z.Dim, rows[:whole], q, s.product[:whole])
	if whole < len(rows) {
		var last [rowGroup]uint32
		for i := range last {
			last[i] = rows[min(whole+i, len(rows)-1)]
		}
		dotCodes(z.Codes, z.Dim, last[:], q, s.product[whole:whole+rowGroup])
	}
	return s.product[:len(rows)]
}
