package index

import "runtime"

// QueryTerm is a term of a query with how often it stands there.
type QueryTerm struct {
	Term  string
	Count int
}

// DF is how many of the rows that count hold a term in any field.
func (v *View) DF(term string) int {
	df := 0
	for i, p := range v.parts {
		if t := p.segment.dictionary.find(term); t >= 0 {
			df += v.masks[i].documentFrequency(p.segment, t)
		}
	}
	runtime.KeepAlive(v)
	return df
}

// IDF is the weight of a term; see Scoring.
func (v *View) IDF(term string) float64 { return inverseFrequency(v.N(), v.DF(term)) }

// Score adds to scores, for every row, masked ones included, its BM25F score,
// and to held the weight of the terms that it holds at all: n·idf each. Both are
// by row and have room for Rows() numbers; held may be nil. The terms are added
// up one after the other, so the sums of a row depend on nothing but the row,
// the terms in their order, and the statistics of the view. Those of a dead row
// mean nothing.
func (v *View) Score(terms []QueryTerm, scores, held []float64) {
	found := make([]int, len(v.parts))
	for _, q := range terms {
		df := 0
		for i, p := range v.parts {
			found[i] = p.segment.dictionary.find(q.Term)
			if found[i] >= 0 {
				df += v.masks[i].documentFrequency(p.segment, found[i])
			}
		}
		weight := float64(q.Count) * inverseFrequency(v.N(), df)
		for i, p := range v.parts {
			if found[i] < 0 {
				continue
			}
			heldHere := held
			if held != nil {
				heldHere = held[p.row:p.lastRow]
			}
			v.addTerm(p.segment, found[i], weight, scores[p.row:p.lastRow], heldHere)
		}
	}
	runtime.KeepAlive(v)
}

// addTerm adds weight·x/(K1+x) to scores of the rows of a segment that hold a
// term, and weight to held unless that is nil.
func (v *View) addTerm(s *segment, term int, weight float64, scores, held []float64) {
	var list postings
	s.openPostings(&list, term)
	n, times, lengths := v.norms, s.bodyTimes, s.lengths[Body]
	for size := list.next(); size > 0; size = list.next() {
		rows, numbers := list.rows[:size], list.frequencies[:size]
		for i, row := range rows {
			var share float64
			if t, length := times[numbers[i]]-1, lengths[row]; t < bodyTable && length < normTable {
				share = n.body[t][length]
			} else {
				share = n.saturate(n.sum(&s.frequencies[numbers[i]], &s.lengths, row))
			}
			scores[row] += float64(weight * share)
		}
		if held != nil {
			for _, row := range rows {
				held[row] += weight
			}
		}
	}
}

// RowsWith is the set of rows that hold a term in any field: masked ones
// included, dead ones not.
func (v *View) RowsWith(term string) Bitmap {
	rows := NewBitmap(v.Rows())
	v.eachRow(term, func(row int) { rows.Set(row) })
	for _, p := range v.parts {
		p.words(rows).AndNot(p.dead.rows)
	}
	return rows
}

// eachRow calls f for the rows that hold a term, dead ones included.
func (v *View) eachRow(term string, f func(row int)) {
	for _, p := range v.parts {
		t := p.segment.dictionary.find(term)
		if t < 0 {
			continue
		}
		var list postings
		p.segment.openPostings(&list, t)
		for size := list.next(); size > 0; size = list.next() {
			for _, row := range list.rows[:size] {
				f(p.row + int(row))
			}
		}
	}
	runtime.KeepAlive(v)
}

// TermScore returns how often a term stands in the fields of a row, and what it
// adds to the row's score when it stands once in the query; nothing and 0 when
// the row does not hold it. It is what Score adds, bit for bit.
func (v *View) TermScore(term string, row int) (Frequency, float64) {
	p := v.partOf(row)
	if p == nil {
		return Frequency{}, 0
	}
	t := p.segment.dictionary.find(term)
	if t < 0 {
		return Frequency{}, 0
	}
	var list postings
	p.segment.openPostings(&list, t)
	local := uint32(row - p.row)
	for size := list.next(); size > 0; size = list.next() {
		if list.rows[size-1] < local {
			continue
		}
		for i, r := range list.rows[:size] {
			if r == local {
				frequency := p.segment.frequencies[list.frequencies[i]]
				share := v.norms.saturate(v.norms.sum(&frequency, &p.segment.lengths, r))
				return frequency, float64(v.IDF(term) * share)
			}
		}
		break
	}
	return Frequency{}, 0
}
