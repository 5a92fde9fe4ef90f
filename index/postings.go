package index

import (
	"encoding/binary"
	"math"
)

// The postings of a term list the rows that hold it, ascending, each with the
// number of its Frequency in the segment's table of frequencies. That table is
// in order of use, so nearly all numbers are small: 0 is "once in the body".
//
//	one row        row and frequency number, as uvarints
//	several rows   blocks of 128 rows, the last one shorter. A block is
//	               the width in bits of its gaps, one byte
//	               the width in bits of its frequency numbers, one byte
//	               the gaps, packed: how many rows lie between a row and the
//	               one before it (in the block before, or −1)
//	               the frequency numbers, packed
//
// How many rows there are is the term's document frequency, kept beside the
// offset of its postings. Blocks carry no maxima to skip by: what is asked here
// are questions of many words, for which adding up all postings is faster than
// skipping among them (see DESIGN.md).

// blockSize is how many postings a block has.
const blockSize = 128

// posting is one row that holds a term.
type posting struct {
	row       uint32
	frequency uint32 // its number in the table of frequencies
}

// appendPostings appends the encoded postings of a term.
func appendPostings(dst []byte, list []posting) []byte {
	if len(list) == 1 {
		dst = binary.AppendUvarint(dst, uint64(list[0].row))
		return binary.AppendUvarint(dst, uint64(list[0].frequency))
	}
	var gaps, frequencies [blockSize]uint32
	next := uint32(0)
	for len(list) > 0 {
		block := list[:min(blockSize, len(list))]
		for i, p := range block {
			gaps[i], frequencies[i] = p.row-next, p.frequency
			next = p.row + 1
		}
		gapWidth, frequencyWidth := packWidth(gaps[:len(block)]), packWidth(frequencies[:len(block)])
		dst = append(dst, byte(gapWidth), byte(frequencyWidth))
		dst = appendPacked(dst, gaps[:len(block)], gapWidth)
		dst = appendPacked(dst, frequencies[:len(block)], frequencyWidth)
		list = list[len(block):]
	}
	return dst
}

// postings reads the encoded postings of a term block by block.
type postings struct {
	data        []byte // not yet read, and packSlack more
	left        int    // rows not yet read
	single      bool
	last        uint32 // the row before the next block; −1 before the first
	rows        [blockSize]uint32
	frequencies [blockSize]uint32
}

// open begins to read the postings of a term that df rows hold.
func (p *postings) open(data []byte, df int) {
	p.data, p.left, p.single, p.last = data, df, df == 1, math.MaxUint32
}

// next reads the next block and returns how many rows it has: 0 at the end.
func (p *postings) next() int {
	n := min(p.left, blockSize)
	p.left -= n
	if p.single {
		if n == 0 {
			return 0
		}
		row, size := binary.Uvarint(p.data)
		frequency, _ := binary.Uvarint(p.data[max(size, 0):])
		p.rows[0], p.frequencies[0] = uint32(row), uint32(frequency)
		return 1
	}
	if n == 0 {
		return 0
	}
	gapWidth, frequencyWidth := int(p.data[0]), int(p.data[1])
	gapSize := packedSize(n, gapWidth)
	unpack(p.rows[:n], p.data[2:], gapWidth)
	unpack(p.frequencies[:n], p.data[2+gapSize:], frequencyWidth)
	p.data = p.data[2+gapSize+packedSize(n, frequencyWidth):]
	row := p.last
	for i := range p.rows[:n] {
		row += p.rows[i] + 1
		p.rows[i] = row
	}
	p.last = row
	return n
}
