package conflict

import "slices"

// Version is the version of the frames. Stored analyses of another version are
// refused by Decode and are made again with Analyze.
//
//	1  first
const Version = 1

// Analysis is what a rule says, taken apart: its clauses with their slots, its
// quantities and frequencies, and the words of its heading. It does not change
// after Analyze and may be compared by any number of goroutines.
type Analysis struct {
	// Vector is the embedding of the rule, of length one, or nil. It is not part
	// of the stored form, since the index keeps it: set it after Decode.
	Vector []float32

	frames
	words  wordSet       // of all clauses and the heading
	scopes []headedScope // words of the heading that have a place in contrasts.txt
}

// frames is the stored part of an Analysis.
type frames struct {
	_ struct{} `cbor:",toarray"`

	Clauses     []clause
	Quantities  []quantity
	Frequencies []frequency
	Heading     []term // title, Trail, domain, cluster, tags, applies_when
	Negations   int    // how many words deny
	Demands     int    // how many words demand
	Permissions int    // how many words permit
	Conditions  int    // how many words open a condition
	NoRule      bool   // a lead-in, a question, a purpose: nothing to obey
}

// Analyze takes a rule apart. It reads at most MaxText bytes and takes time
// linear in what it reads; any text has an analysis.
func Analyze(in Input) *Analysis {
	r := newReading(in.Text)
	r.readQuantities()
	r.readIntervals()
	a := &Analysis{Vector: in.Vector}
	a.Clauses = r.readClauses()
	r.settleRoles(a.Clauses)
	a.Quantities, a.Frequencies = r.quantities, r.frequencies
	a.NoRule = r.statesNoRule()
	r.countCues(&a.frames)
	for _, s := range slices.Concat([]string{in.Title, in.Trail, in.Domain, in.Cluster}, in.Tags, in.AppliesWhen) {
		a.Heading = appendWords(a.Heading, s)
	}
	a.index()
	return a
}

// appendWords appends the words of a heading.
func appendWords(terms []term, text string) []term {
	if text == "" {
		return terms
	}
	r := newReading(text)
	var c clause
	for i := range r.tokens {
		r.addTerm(&c, i, roleHeading)
	}
	for _, t := range c.Terms {
		if len(terms) < maxHeading && !hasTerm(terms, t.Means) {
			terms = append(terms, t)
		}
	}
	return terms
}

// maxHeading is how many words of headings are kept.
const maxHeading = 32

// statesNoRule tells whether a text is a lead-in to a list, a question, or says
// what a document is for.
func (r *reading) statesNoRule() bool {
	t := r.tokens
	if len(t) == 0 {
		return true
	}
	last := t[len(t)-1].word
	if last == ":" || last == "?" {
		return true
	}
	if r.word(0) == "the" && (r.word(1) == "purpose" || r.word(1) == "scope" || r.word(1) == "aim" || r.word(1) == "goal") && r.word(2) == "of" {
		return true
	}
	// "This policy applies to all …"
	return len(t) > 4 && (t[0].word == "this" || t[0].word == "these") && (t[2].word == "applies" || t[2].word == "apply") && t[3].word == "to"
}

// settleRoles decides which values are limits by where they stand: behind a noun
// of the subject or object rather than behind the verb.
func (r *reading) settleRoles(clauses []clause) {
	for k := range r.quantities {
		q := &r.quantities[k]
		if q.settled || q.Role != roleValue || q.Dimension == dimensionClock || q.Dimension == dimensionWeekday || q.Dimension == dimensionDate {
			continue
		}
		bounded := q.Comparator == over || q.Comparator == under || q.Comparator == atLeast || q.Comparator == atMost || q.Comparator == between
		if !bounded {
			continue
		}
		i := q.from - 1
		if i < 0 {
			if (isCurrency(q.Dimension) || q.Dimension == dimensionPercent) && r.word(q.to) != "of" {
				q.Role = roleLimit // "Up to 1,000 EUR the team lead signs"
			}
			continue
		}
		p := &r.tokens[i]
		if p.word == "of" || p.word == "worth" || p.word == "valued" || p.word == "costing" || p.word == "cost" || p.word == "costs" || p.word == "exceeding" {
			i--
			if i < 0 {
				continue
			}
			p = &r.tokens[i]
		}
		before := r.finiteBefore(q.from)
		first := r.word(q.from)
		attributive := p.kind == kindWord && p.means != 0 && p.form&(formBase|formS) == 0 || p.kind == kindWord && p.act != 0 && p.form == 0
		switch {
		case isCurrency(q.Dimension) && q.Clause < len(clauses) && isApproval(clauses[q.Clause].Act):
			q.Role = roleLimit
		case !before && !r.imperativeStart(q.from) && (p.kind == kindWord && (p.means != 0 || p.inside) && !(i > 0 && r.pluralSubjectVerb([]int{i - 1, i, q.from}, 1)) || i == q.from-2 || r.word(i) == ","):
			q.Role = roleLimit
		case attributive && (q.Comparator == over || q.Comparator == under || first == "from" || first == "of" || first == "in" || q.Comparator == atLeast && (r.word(q.to-1) == "more" || r.word(q.to-1) == "above" || r.word(q.to-1) == "over")):
			q.Role = roleLimit
		case attributive && first == "up" && q.Clause < len(clauses) && isApproval(clauses[q.Clause].Act):
			q.Role = roleLimit
		}
	}
}

// finiteBefore tells whether a finite verb stands before token i in its sentence.
func (r *reading) finiteBefore(i int) bool {
	for k := i - 1; k >= 0; k-- {
		w := r.word(k)
		if w == "." || w == ";" || w == ":" {
			return false
		}
		if r.isFinite(k) {
			return true
		}
	}
	return false
}

// imperativeStart tells whether the sentence of token i opens with a bare verb.
func (r *reading) imperativeStart(i int) bool {
	k := i
	for k > 0 && r.word(k-1) != "." && r.word(k-1) != ";" && r.word(k-1) != ":" {
		k--
	}
	for k < i && adverbs[r.word(k)] {
		k++
	}
	return k < i && r.tokens[k].form&formBase != 0
}

// headedScope is a word of a heading with its line in contrasts.txt.
type headedScope struct {
	means concept
	line  int
}

// index makes what Compare needs beside the stored part.
func (a *Analysis) index() {
	for i := range a.Clauses {
		for _, t := range a.Clauses[i].Terms {
			a.words.add(t.Means)
			a.words.add(t.Act)
		}
		for _, f := range a.Clauses[i].Actors {
			for _, m := range f.Means {
				a.words.add(m)
			}
		}
	}
	for _, t := range a.Heading {
		a.words.add(t.Means)
		a.words.add(t.Act)
		for _, c := range loaded().contrasts[t.Means] {
			if c.heading {
				a.scopes = append(a.scopes, headedScope{t.Means, c.line})
			}
		}
	}
	for _, q := range a.Quantities {
		for _, m := range q.Unit {
			a.words.add(m)
		}
	}
	a.words.sort()
}
