package index

import (
	"io"
	"math"
	"slices"
	"strings"

	"waymark/analysis"
	"waymark/vector"
)

// Analyzer turns text into tokens; it is *analysis.Analyzer but in tests. It
// must be safe for concurrent use.
type Analyzer interface {
	Append(dst []analysis.Token, text string) []analysis.Token
}

// making says what all segments of an index are made, and read, with.
type making struct {
	analyzer  Analyzer
	origin    string // the same text for all that fit together
	dimension int
	bank      [][]float32
	queries   []*vector.Query // of the bank
	scoring   Scoring
}

// builder makes a segment of entries. Terms are numbered as they come, and in
// the end as they sort.
type builder struct {
	*making
	kind        Kind
	numbers     map[string]uint32
	terms       []string
	counts      []uint32 // a term: its postings so far
	frequencies *frequencyTable
	forward     []posting // rows one after the other; row is the term here
	forwardAt   []int
	lengths     [NumFields][]uint32
	counted     [NumFields]countedField
	tokens      []analysis.Token
	mark        []uint32    // a term: one more than the last row that it was seen in
	slot        []uint32    // a term: its place in found, when mark is the row
	found       []uint32    // terms of the row
	times       []Frequency // and their frequencies

	meta      *metaWriter
	rowItem   []uint32
	itemRow   []uint32
	itemBytes [][]byte
	rowBytes  [][]byte
	vectors   vectorRows
	best      []holder
}

// countedField is a field of the row before. Rows of a document share most of
// their fields, rules of a Trail their context: those are counted once.
type countedField struct {
	text   string
	valid  bool
	length uint32
	terms  []uint32
	times  []uint32
}

func newBuilder(m *making, kind Kind) *builder {
	b := &builder{making: m, kind: kind, numbers: map[string]uint32{}, frequencies: newFrequencyTable(), meta: newMetaWriter()}
	b.vectors.dimension = m.dimension
	b.best = noHolders(len(m.bank))
	return b
}

// add adds the next item. Items come in the order of their ids.
func (b *builder) add(e *entry) error {
	if e.rule != nil {
		b.meta.rule(e.rule)
	} else {
		b.meta.document(e.document)
	}
	item := uint32(len(b.itemRow))
	b.itemRow = append(b.itemRow, uint32(len(b.rowItem)))
	b.itemBytes = append(b.itemBytes, e.record)
	for i := range e.rows {
		row := &e.rows[i]
		b.addWords(&row.fields)
		b.rowBytes = append(b.rowBytes, row.record)
		if err := b.vectors.add(row.vector); err != nil {
			return err
		}
		for q := range b.best {
			if row.vector != nil {
				b.best[q].offer(vector.Dot(b.bank[q], row.vector), uint32(len(b.rowItem)))
			}
		}
		b.rowItem = append(b.rowItem, item)
	}
	if len(b.rowItem) > vector.MaxRows {
		return errTooLarge
	}
	return nil
}

// addWords counts the words of a row.
func (b *builder) addWords(fields *[NumFields]string) {
	mark := uint32(len(b.rowItem)) + 1
	b.found, b.times = b.found[:0], b.times[:0]
	for f := range NumFields {
		b.count(f, fields[f])
	}
	for f := range NumFields {
		field := &b.counted[f]
		b.lengths[f] = append(b.lengths[f], field.length)
		for i, term := range field.terms {
			if b.mark[term] != mark {
				b.mark[term], b.slot[term] = mark, uint32(len(b.found))
				b.found, b.times = append(b.found, term), append(b.times, Frequency{})
			}
			b.times[b.slot[term]][f] = field.times[i]
		}
	}
	b.forwardAt = append(b.forwardAt, len(b.forward))
	for i, term := range b.found {
		b.forward = append(b.forward, posting{term, b.frequencies.number(&b.times[i])})
		b.counts[term]++
	}
}

// count counts the words of a field.
func (b *builder) count(f Field, text string) {
	field := &b.counted[f]
	if field.valid && field.text == text {
		return
	}
	field.text, field.valid, field.length = text, true, 0
	field.terms, field.times = field.terms[:0], field.times[:0]
	if text == "" {
		return
	}
	b.tokens = b.analyzer.Append(b.tokens[:0], text)
	for i := range b.tokens {
		t := &b.tokens[i]
		if t.Term == "" {
			continue
		}
		if t.Counted() {
			field.length++
		}
		term := b.number(t.Term)
		// Until addWords uses it for the row, slot holds places in the field.
		if at := b.slot[term]; int(at) < len(field.terms) && field.terms[at] == term {
			field.times[at]++
			continue
		}
		b.slot[term] = uint32(len(field.terms))
		field.terms, field.times = append(field.terms, term), append(field.times, 1)
	}
	if len(field.terms) > 0 {
		field.length = max(field.length, 1)
	}
}

// number returns the number of a term.
func (b *builder) number(term string) uint32 {
	n, seen := b.numbers[term]
	if !seen {
		n = uint32(len(b.terms))
		b.numbers[term] = n
		b.terms = append(b.terms, term)
		b.counts, b.mark, b.slot = append(b.counts, 0), append(b.mark, 0), append(b.slot, 0)
	}
	return n
}

// content returns the segment that was built, for a version of the store.
func (b *builder) content(version uint64) (*content, error) {
	c := &content{head: header{
		StoreVersion: version, Kind: b.kind, Dimension: uint32(b.dimension), Bank: uint32(len(b.bank)),
		Rows: uint32(len(b.rowItem)), Items: uint32(len(b.itemRow)),
	}}
	c.set(sectionOrigin, []byte(b.origin))
	if err := b.invert().encode(c); err != nil {
		return nil, err
	}
	c.set(sectionRowItem, bytesOf(b.rowItem))
	c.set(sectionItemRow, bytesOf(append(slices.Clip(b.itemRow), uint32(len(b.rowItem)))))
	c.set(sectionMeta, b.meta.bytes(b.kind))
	c.setRecords(append(slices.Clip(b.itemBytes), b.rowBytes...))
	b.vectors.encode(c)
	c.setHolders(b.best)
	return c, nil
}

// setRecords makes records the content of their two sections.
func (c *content) setRecords(records [][]byte) {
	starts := make([]uint64, 0, len(records)+1)
	at := uint64(0)
	for _, r := range records {
		starts = append(starts, at)
		at += uint64(len(r))
	}
	c.set(sectionRecordAt, bytesOf(append(starts, at)))
	c.sections[sectionRecords] = sectionContent{int64(at), func(w io.Writer) error {
		for _, r := range records {
			if _, err := w.Write(r); err != nil {
				return err
			}
		}
		return nil
	}}
}

// invert turns the lists of the rows into postings, terms in order.
func (b *builder) invert() *inverted {
	order := make([]uint32, len(b.terms))
	for i := range order {
		order[i] = uint32(i)
	}
	slices.SortFunc(order, func(x, y uint32) int { return strings.Compare(b.terms[x], b.terms[y]) })
	v := &inverted{
		terms: make([]string, len(order)), start: make([]uint32, len(order)+1),
		postings: make([]posting, len(b.forward)), frequencies: b.frequencies, lengths: b.lengths,
	}
	next := make([]uint32, len(order)) // by first number
	at := uint32(0)
	for i, old := range order {
		v.terms[i], v.start[i], next[old] = b.terms[old], at, at
		at += b.counts[old]
	}
	v.start[len(order)] = at
	for row := range b.rowItem {
		end := len(b.forward)
		if row+1 < len(b.forwardAt) {
			end = b.forwardAt[row+1]
		}
		for _, p := range b.forward[b.forwardAt[row]:end] {
			v.postings[next[p.row]] = posting{uint32(row), p.frequency}
			next[p.row]++
		}
	}
	return v
}

// maxPostings is how many postings a segment may have: their number is kept in
// 32 bits.
const maxPostings = math.MaxUint32

// full reports whether the segment should end here.
func (b *builder) full(rows int) bool {
	return len(b.rowItem) >= rows || len(b.forward) >= maxPostings/2
}
