package index

import (
	"encoding/binary"
)

// The dictionary of a segment holds its terms in byte order, in groups of 16.
// The first term of a group is written whole, led by its length; each of the
// others as the length of what it shares with the one before, the length of the
// rest, and the rest; lengths are uvarints. A list of the groups' offsets, with
// the end behind it, is what a look-up searches.

// groupSize is how many terms a group has: few enough to walk through, many
// enough that the list of offsets is small beside the terms.
const groupSize = 16

// dictionary finds terms and their numbers. Its slices may be mapped.
type dictionary struct {
	terms  int
	groups []uint32 // offset of each group in data, and the end
	data   []byte
}

// encodeDictionary writes terms that are in order.
func encodeDictionary(terms []string) (groups []uint32, data []byte) {
	for i, term := range terms {
		if i%groupSize == 0 {
			groups = append(groups, uint32(len(data)))
			data = binary.AppendUvarint(data, uint64(len(term)))
			data = append(data, term...)
			continue
		}
		shared := sharedPrefix(terms[i-1], term)
		data = binary.AppendUvarint(data, uint64(shared))
		data = binary.AppendUvarint(data, uint64(len(term)-shared))
		data = append(data, term[shared:]...)
	}
	return append(groups, uint32(len(data))), data
}

func sharedPrefix(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// group returns the terms of a group, encoded.
func (d *dictionary) group(g int) []byte { return d.data[d.groups[g]:d.groups[g+1]] }

// takeLength reads the length of what follows; damaged bytes give one that
// fits.
func takeLength(data []byte) (length int, rest []byte) {
	n, rest := takeNumber(data)
	return int(min(n, uint64(len(rest)))), rest
}

func takeNumber(data []byte) (n uint64, rest []byte) {
	n, size := binary.Uvarint(data)
	if size <= 0 {
		return 0, nil
	}
	return n, data[size:]
}

// takeTerm reads the next term of a group over the one before it, in term.
func takeTerm(data, term []byte, first bool) (next, rest []byte) {
	var shared uint64
	if !first {
		shared, data = takeNumber(data)
		shared = min(shared, uint64(len(term)))
	}
	length, data := takeLength(data)
	return append(term[:shared], data[:length]...), data[length:]
}

// find returns the number of a term, −1 when the dictionary does not hold it.
func (d *dictionary) find(term string) int {
	low, high := 0, len(d.groups)-1
	for low < high {
		middle := int(uint(low+high) >> 1)
		length, data := takeLength(d.group(middle))
		if term < string(data[:length]) {
			high = middle
		} else {
			low = middle + 1
		}
	}
	if low == 0 {
		return -1
	}
	var buffer [128]byte
	held, data := buffer[:0], d.group(low-1)
	for i := range min(groupSize, d.terms-(low-1)*groupSize) {
		held, data = takeTerm(data, held, i == 0)
		if string(held) >= term {
			if string(held) == term {
				return (low-1)*groupSize + i
			}
			return -1
		}
	}
	return -1
}

// termReader reads the terms of a dictionary in order.
type termReader struct {
	dictionary *dictionary
	number     int // of the term that next returns
	held       []byte
	data       []byte
}

// next returns the next term, which is valid until the following call, and
// false at the end.
func (r *termReader) next() ([]byte, bool) {
	if r.number == r.dictionary.terms {
		return nil, false
	}
	first := r.number%groupSize == 0
	if first {
		r.data = r.dictionary.group(r.number / groupSize)
	}
	r.held, r.data = takeTerm(r.data, r.held, first)
	r.number++
	return r.held, true
}
