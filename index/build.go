package index

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"waymark/analysis"
	"waymark/store"
	"waymark/vector"
)

// row is one passage on its way into a segment.
type row struct {
	fields  [NumFields]string
	vector  []float32 // nil: none
	passage store.Passage
}

// tokenizer is the analysis of texts: analysis.Analyzer.
type tokenizer interface {
	Append(dst []analysis.Token, text string) []analysis.Token
}

// entry is one item on its way into a segment: a rule or a document with its
// rows. A rule has one row.
type entry struct {
	rule     *store.Rule
	document *store.Document
	rows     []row
}

func ruleEntry(trailName string, r store.Rule, v []float32) entry {
	place := strings.TrimSpace(trailName + "\n" + r.Domain + "\n" + r.Cluster)
	return entry{rule: &r, rows: []row{{
		fields: [NumFields]string{Body: r.Text, Title: r.Title, Tags: strings.Join(r.Tags, "\n"), AppliesWhen: strings.Join(r.AppliesWhen, "\n"), Context: place},
		vector: v,
	}}}
}

// documentEntry cuts off what the index does not need. A document without a
// passage has one row for its title and description.
func documentEntry(d store.Document, vectors [][]float32) entry {
	passages := d.Passages
	if len(passages) == 0 {
		passages, vectors = []store.Passage{{StartLine: 1, EndLine: 1}}, [][]float32{nil}
	}
	e := entry{document: &d}
	for i, p := range passages {
		body := p.Text
		if i == 0 && d.Description != "" {
			body = d.Description + "\n" + body
		}
		e.rows = append(e.rows, row{
			fields: [NumFields]string{Body: body, Title: d.Title, Tags: strings.Join(d.Tags, "\n"),
				AppliesWhen: strings.Join(d.AppliesWhen, "\n"), Context: strings.Join(p.Headings, "\n")},
			vector: vectors[i], passage: p,
		})
	}
	d.Passages, d.Raw = nil, nil
	return e
}

// assembler collects rows and makes a segment of them. Terms are numbered as
// they come, and in the end as they sort.
type assembler struct {
	ids   map[string]uint32
	terms []string
	seg   *segment
	bank  [][]float32
}

func newAssembler(dimension int, bank [][]float32) *assembler {
	a := &assembler{ids: map[string]uint32{}, bank: bank, seg: &segment{}}
	a.seg.codes.Dim = dimension
	a.seg.forwardStart = []uint32{0}
	a.seg.itemRow = []uint32{0}
	return a
}

func (a *assembler) term(text string) uint32 {
	id, seen := a.ids[text]
	if !seen {
		id = uint32(len(a.terms))
		text = strings.Clone(text)
		a.terms = append(a.terms, text)
		a.ids[text] = id
	}
	return id
}

// add analyses the rows of an entry.
func (a *assembler) add(analyzer tokenizer, e entry) error {
	found := map[uint32]frequency{}
	var order []uint32
	var tokens []analysis.Token
	for _, r := range e.rows {
		clear(found)
		order = order[:0]
		var lengths [NumFields]uint32
		for f, text := range r.fields {
			tokens = analyzer.Append(tokens[:0], text)
			for i := range tokens {
				t := &tokens[i]
				if t.Term == "" {
					continue
				}
				if t.Counted() {
					lengths[f]++
				}
				id := a.term(t.Term)
				if found[id] == 0 {
					order = append(order, id)
				}
				found[id] = found[id].more(Field(f))
			}
		}
		for _, id := range order {
			a.seg.forwardTerm = append(a.seg.forwardTerm, id)
			a.seg.forwardFreq = append(a.seg.forwardFreq, uint32(found[id]))
		}
		a.seg.lengths = append(a.seg.lengths, lengths[:]...)
		if err := a.endRow(r.vector, r.passage); err != nil {
			return err
		}
	}
	a.endItem(e.rule, e.document)
	return nil
}

// endRow closes a row whose terms and lengths were appended.
func (a *assembler) endRow(v []float32, p store.Passage) error {
	s := a.seg
	at := len(s.codes.Scale)
	if at>>6 >= len(s.hasVector) {
		s.hasVector = append(s.hasVector, 0)
	}
	dim := s.codes.Dim
	if len(v) == dim && dim > 0 {
		s.hasVector.Set(at)
		s.vectors = append(s.vectors, v...)
	} else {
		s.vectors = append(s.vectors, make([]float32, dim)...)
	}
	codes := make([]int8, dim)
	scale, residual, err := vector.QuantizeRow(s.vectors[at*dim:], codes)
	if err != nil {
		return err
	}
	s.codes.Codes = append(s.codes.Codes, codes...)
	s.codes.Scale = append(s.codes.Scale, scale)
	s.codes.Error = append(s.codes.Error, residual)
	s.rowItem = append(s.rowItem, uint32(len(s.itemRow)-1))
	s.passages = append(s.passages, p)
	s.forwardStart = append(s.forwardStart, uint32(len(s.forwardTerm)))
	return nil
}

func (a *assembler) endItem(rule *store.Rule, document *store.Document) {
	if rule != nil {
		a.seg.rules = append(a.seg.rules, *rule)
	} else {
		a.seg.documents = append(a.seg.documents, *document)
	}
	a.seg.itemRow = append(a.seg.itemRow, uint32(len(a.seg.rowItem)))
}

// finish sorts the terms, turns the forward lists into postings, and returns the
// segment.
func (a *assembler) finish() *segment {
	s := a.seg
	order := make([]uint32, len(a.terms))
	for i := range order {
		order[i] = uint32(i)
	}
	slices.SortFunc(order, func(x, y uint32) int { return strings.Compare(a.terms[x], a.terms[y]) })
	sorted := make([]uint32, len(a.terms))
	s.termStart = make([]uint32, 1, len(a.terms)+1)
	for i, old := range order {
		sorted[old] = uint32(i)
		s.termBytes = append(s.termBytes, a.terms[old]...)
		s.termStart = append(s.termStart, uint32(len(s.termBytes)))
	}
	s.postStart = make([]uint32, len(a.terms)+1)
	for i, t := range s.forwardTerm {
		s.forwardTerm[i] = sorted[t]
		s.postStart[sorted[t]+1]++
	}
	for i := range a.terms {
		s.postStart[i+1] += s.postStart[i]
	}
	next := slices.Clone(s.postStart)
	s.postRow, s.postFreq = make([]uint32, len(s.forwardTerm)), make([]uint32, len(s.forwardTerm))
	for r := range s.rows() {
		for i := s.forwardStart[r]; i < s.forwardStart[r+1]; i++ {
			t := s.forwardTerm[i]
			s.postRow[next[t]], s.postFreq[next[t]] = uint32(r), s.forwardFreq[i]
			next[t]++
		}
	}
	s.measureBank(a.bank)
	s.prepare()
	return s
}

// buildSegment makes a segment of entries; their order is that of the items.
func buildSegment(analyzer tokenizer, dimension int, bank [][]float32, entries []entry) (*segment, error) {
	a := newAssembler(dimension, bank)
	for _, e := range entries {
		if err := a.add(analyzer, e); err != nil {
			return nil, err
		}
	}
	return a.finish(), nil
}

// mergeSegments makes one segment of the live rows of several, in order, without
// analysing or quantising anything again.
func mergeSegments(dimension int, bank [][]float32, segments []*segment, dead []Bitmap) *segment {
	a := newAssembler(dimension, bank)
	for n, from := range segments {
		mapped := make([]uint32, from.terms())
		for t := range mapped {
			mapped[t] = unmapped
		}
		for item := range from.items() {
			first, end := int(from.itemRow[item]), int(from.itemRow[item+1])
			if dead[n].Contains(first) {
				continue
			}
			for r := first; r < end; r++ {
				a.copyRow(from, r, mapped)
			}
			if from.rules != nil {
				a.endItem(&from.rules[item], nil)
			} else {
				a.endItem(nil, &from.documents[item])
			}
		}
	}
	return a.finish()
}

// unmapped marks a term of which no live row was seen yet.
const unmapped = math.MaxUint32

func (a *assembler) copyRow(from *segment, r int, mapped []uint32) {
	s := a.seg
	for i := from.forwardStart[r]; i < from.forwardStart[r+1]; i++ {
		t := from.forwardTerm[i]
		if mapped[t] == unmapped {
			mapped[t] = a.term(from.term(int(t)))
		}
		s.forwardTerm = append(s.forwardTerm, mapped[t])
		s.forwardFreq = append(s.forwardFreq, from.forwardFreq[i])
	}
	s.lengths = append(s.lengths, from.lengths[r*int(NumFields):(r+1)*int(NumFields)]...)
	dim := s.codes.Dim
	at := len(s.codes.Scale)
	if at>>6 >= len(s.hasVector) {
		s.hasVector = append(s.hasVector, 0)
	}
	if from.hasVector.Contains(r) {
		s.hasVector.Set(at)
	}
	s.vectors = append(s.vectors, from.vectors[r*dim:(r+1)*dim]...)
	s.codes.Codes = append(s.codes.Codes, from.codes.Codes[r*dim:(r+1)*dim]...)
	s.codes.Scale = append(s.codes.Scale, from.codes.Scale[r])
	s.codes.Error = append(s.codes.Error, from.codes.Error[r])
	s.rowItem = append(s.rowItem, uint32(len(s.itemRow)-1))
	s.passages = append(s.passages, from.passages[r])
	s.forwardStart = append(s.forwardStart, uint32(len(s.forwardTerm)))
}

// sortEntries puts entries in the order of their ids.
func sortEntries(entries []entry) {
	id := func(e entry) string {
		if e.rule != nil {
			return e.rule.ID
		}
		return e.document.ID
	}
	slices.SortFunc(entries, func(a, b entry) int { return cmp.Compare(id(a), id(b)) })
}
