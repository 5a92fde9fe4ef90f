package index

import (
	"encoding/binary"
	"math"
)

// inverted is the word side of a segment in the making: its terms in order,
// with their postings.
type inverted struct {
	terms       []string
	start       []uint32  // a term: where its postings begin; and the end
	postings    []posting // of all terms, each by ascending row
	frequencies *frequencyTable
	lengths     [NumFields][]uint32
}

// encode writes the sections that hold words.
func (v *inverted) encode(c *content) error {
	frequencies, renumber := v.frequencies.byUse()
	for i := range v.postings {
		p := &v.postings[i]
		p.frequency = renumber[p.frequency]
	}
	groups, terms := encodeDictionary(v.terms)
	documents := make([]uint32, len(v.terms))
	starts := make([]uint32, 0, len(v.terms)+1)
	var encoded []byte
	for t := range v.terms {
		list := v.postings[v.start[t]:v.start[t+1]]
		documents[t] = uint32(len(list))
		starts = append(starts, uint32(len(encoded)))
		encoded = appendPostings(encoded, list)
		if len(encoded) > math.MaxUint32-packSlack {
			return errTooLarge
		}
	}
	starts = append(starts, uint32(len(encoded)))
	encoded = append(encoded, make([]byte, packSlack)...)
	forwardAt, forward := v.forward()
	if len(terms) > math.MaxUint32 || len(forward) > math.MaxUint32 {
		return errTooLarge
	}
	lengths := make([]uint32, 0, len(v.lengths[Body])*int(NumFields))
	for f := range NumFields {
		lengths = append(lengths, v.lengths[f]...)
	}
	c.head.Terms = uint32(len(v.terms))
	c.set(sectionGroups, bytesOf(groups))
	c.set(sectionTerms, terms)
	c.set(sectionDocuments, bytesOf(documents))
	c.set(sectionPostingsAt, bytesOf(starts))
	c.set(sectionPostings, encoded)
	c.set(sectionFrequencies, bytesOf(frequencies))
	c.set(sectionLengths, bytesOf(lengths))
	c.set(sectionForwardAt, bytesOf(forwardAt))
	c.set(sectionForward, forward)
	return nil
}

// forward turns the postings around: the terms of each row, ascending, encoded.
func (v *inverted) forward() (starts []uint32, encoded []byte) {
	rows := len(v.lengths[Body])
	at := make([]uint32, rows+1)
	for _, p := range v.postings {
		at[p.row+1]++
	}
	for r := range rows {
		at[r+1] += at[r]
	}
	terms := make([]uint32, len(v.postings))
	next := make([]uint32, rows)
	copy(next, at)
	for t := range v.terms {
		for _, p := range v.postings[v.start[t]:v.start[t+1]] {
			terms[next[p.row]] = uint32(t)
			next[p.row]++
		}
	}
	starts = make([]uint32, 0, rows+1)
	for r := range rows {
		starts = append(starts, uint32(len(encoded)))
		before := uint32(0)
		for _, t := range terms[at[r]:at[r+1]] {
			encoded = binary.AppendUvarint(encoded, uint64(t-before))
			before = t
		}
	}
	return append(starts, uint32(len(encoded))), encoded
}

// eachTerm calls f for the terms of a row, ascending.
func (s *segment) eachTerm(row int, f func(term uint32)) {
	data := s.forward[s.forwardAt[row]:s.forwardAt[row+1]]
	term := uint32(0)
	for len(data) > 0 {
		gap, size := binary.Uvarint(data)
		if size <= 0 {
			return
		}
		data = data[size:]
		term += uint32(gap)
		if int(term) < s.dictionary.terms {
			f(term)
		}
	}
}
