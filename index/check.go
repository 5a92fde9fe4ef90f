package index

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// maxFindings is how many differences Check lists.
const maxFindings = 20

// Check compares the index of a workspace, brought up to the store, with one
// that is built from the store for this alone: everything that an answer is
// made from, bit for bit. It returns the differences, joined, or an error of
// the store. It takes as long as Rebuild and disturbs nobody.
func (m *Manager) Check(id string) error {
	// A commit between the two reads would be a difference that is none.
	for range 5 {
		if err := m.Refresh(id); err != nil {
			return err
		}
		kept, err := m.Acquire(id)
		if err != nil {
			return err
		}
		defer kept.Release()
		fresh, err := m.readAll(id, m.readInMemory)
		if err != nil {
			return err
		}
		defer fresh.release()
		if fresh.version == kept.StoreVersion {
			found := append(differences(kept.Rules, fresh.rules), differences(kept.Documents, fresh.documents)...)
			if !slices.Equal(kept.Trails, fresh.trails) {
				found = append(found, errors.New("the Trails differ"))
			}
			return errors.Join(found...)
		}
	}
	return fmt.Errorf("workspace %q changes too fast to be checked", id)
}

// differences compares two collections of the same items by all that can be
// read of them. They may be cut into segments in different ways.
func differences(a, b *Collection) []error {
	d := &comparison{a: a, b: b, rowOfA: make([]int, b.rows), scores: make([]float64, a.rows)}
	d.items()
	if d.found != nil {
		return d.found
	}
	a.stretch(0)
	b.stretch(0)
	// Dead items may have left days in one of them at which nothing changes.
	days := append(append([]int32{math.MinInt32 + 1, math.MaxInt32}, a.edgeDays...), b.edgeDays...)
	slices.Sort(days)
	days = slices.Compact(days)
	step := max(1, len(days)/checkedDays)
	for i := 0; i < len(days); i += step {
		d.views(a.View(days[i]), b.View(days[i]), days[i])
	}
	return d.found
}

// checkedDays is on how many days, about, two collections are compared.
const checkedDays = 8

// comparison collects differences.
type comparison struct {
	a, b   *Collection
	rowOfA []int     // by row of b, the row of a that should be the same
	scores []float64 // by row of a; zeros between terms
	found  []error
}

func (d *comparison) add(format string, arguments ...any) {
	if len(d.found) < maxFindings {
		d.found = append(d.found, fmt.Errorf(d.a.kind.String()+": "+format, arguments...))
	}
}

// items compares the items with their records, rows and vectors.
func (d *comparison) items() {
	if len(d.a.InOrder()) != len(d.b.InOrder()) {
		d.add("%d items, want %d", len(d.a.InOrder()), len(d.b.InOrder()))
		return
	}
	for i, x := range d.a.InOrder() {
		y := d.b.InOrder()[i]
		p, q := d.a.partOfItem(x), d.b.partOfItem(y)
		id := d.b.ID(y)
		if d.a.ID(x) != id {
			d.add("item %q, want %q", d.a.ID(x), id)
			return
		}
		if string(p.segment.record(x-p.item)) != string(q.segment.record(y-q.item)) {
			d.add("item %q: the records differ", id)
		}
		first, end := d.a.RowsOf(x)
		other, otherEnd := d.b.RowsOf(y)
		if end-first != otherEnd-other {
			d.add("item %q: %d rows, want %d", id, end-first, otherEnd-other)
			return
		}
		for row := range end - first {
			d.rowOfA[other+row] = first + row
			d.rows(id, row, first+row, other+row)
		}
	}
}

// rows compares two rows of an item.
func (d *comparison) rows(id string, n, x, y int) {
	p, q := d.a.partOf(x), d.b.partOf(y)
	s, t := p.segment, q.segment
	i, j := x-p.row, y-q.row
	if string(s.record(s.items+i)) != string(t.record(t.items+j)) {
		d.add("item %q: row %d: the records differ", id, n)
	}
	for f := range NumFields {
		if s.lengths[f][i] != t.lengths[f][j] {
			d.add("item %q: row %d: length of %s is %d, want %d", id, n, f, s.lengths[f][i], t.lengths[f][j])
		}
	}
	if !slices.Equal(d.a.Vector(x), d.b.Vector(y)) {
		d.add("item %q: row %d: the vectors differ", id, n)
	}
	if s.scan != nil && (s.codes.Scale[i] != t.codes.Scale[j] || s.codes.Error[i] != t.codes.Error[j]) {
		d.add("item %q: row %d: the codes differ", id, n)
	}
}

// views compares the numbers of a day: those of all rows together, those of
// each term, and what each term adds to each row.
func (d *comparison) views(v, w *View, day int32) {
	if v.N() != w.N() {
		d.add("day %d: %d rows count, want %d", day, v.N(), w.N())
	}
	for f := range NumFields {
		if v.AverageLength(f) != w.AverageLength(f) {
			d.add("day %d: average length of %s is %v, want %v", day, f, v.AverageLength(f), w.AverageLength(f))
		}
	}
	if !slices.Equal(v.BankMaxima(), w.BankMaxima()) {
		d.add("day %d: maxima of the bank are %v, want %v", day, v.BankMaxima(), w.BankMaxima())
	}
	for i, x := range v.InOrder() {
		y := w.InOrder()[i]
		if v.ItemCounts(x) != w.ItemCounts(y) {
			d.add("day %d: item %q counts: %v, want %v", day, v.ID(x), v.ItemCounts(x), w.ItemCounts(y))
		}
	}
	for _, p := range d.b.parts {
		reader := termReader{dictionary: &p.segment.dictionary}
		for term, more := reader.next(); more; term, more = reader.next() {
			d.term(v, w, day, p, reader.number-1, string(term))
		}
	}
	d.noMoreTerms(v, w, day)
}

// term compares what a term adds to the rows of a part of b.
func (d *comparison) term(v, w *View, day int32, p *part, number int, term string) {
	if v.DF(term) != w.DF(term) {
		d.add("day %d: %q is in %d rows, want %d", day, term, v.DF(term), w.DF(term))
		return
	}
	idf := w.IDF(term)
	v.Score([]QueryTerm{{Term: term, Count: 1}}, d.scores, nil)
	var list postings
	p.segment.openPostings(&list, number)
	for size := list.next(); size > 0; size = list.next() {
		for i, row := range list.rows[:size] {
			frequency := &p.segment.frequencies[list.frequencies[i]]
			want := float64(idf * w.norms.saturate(w.norms.sum(frequency, &p.segment.lengths, row)))
			if got := d.scores[d.rowOfA[p.row+int(row)]]; got != want {
				d.add("day %d: %q adds %v to row %d of %q, want %v", day, term, got, row, w.ID(w.ItemOf(p.row+int(row))), want)
			}
		}
	}
	v.eachRow(term, func(row int) { d.scores[row] = 0 })
}

// noMoreTerms looks for terms that live rows of a hold and b does not know.
func (d *comparison) noMoreTerms(v, w *View, day int32) {
	for _, p := range d.a.parts {
		reader := termReader{dictionary: &p.segment.dictionary}
		for term, more := reader.next(); more; term, more = reader.next() {
			if w.DF(string(term)) != v.DF(string(term)) {
				d.add("day %d: %q is in %d rows, want %d", day, term, v.DF(string(term)), w.DF(string(term)))
			}
		}
	}
}
