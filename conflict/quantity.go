package conflict

import (
	"strconv"
	"strings"
)

// quantityRole is the part a quantity plays in its clause.
type quantityRole uint8

const (
	roleValue    quantityRole = iota // what is to be met: at least 12 characters
	roleLimit                        // when the clause holds: orders over 5,000 USD
	roleDeadline                     // by when: within two days of delivery
)

// quantity is a number with its unit, or a moment of the calendar.
type quantity struct {
	_ struct{} `cbor:",toarray"`

	Dimension  string
	Low, High  float64 // in the base of the dimension; equal unless a range
	Comparator comparator
	Role       quantityRole
	Working    bool      // counts working days only
	Side       side      // before or after the anchor
	Unit       []concept // of a count: the words for what is counted
	Per        []concept // per night, per person
	Anchor     []concept // what a deadline runs from
	Near       []concept // the words around it
	Text       string    // as the rule writes it
	Clause     int

	from, to int // tokens
	nounFrom int // where the counted noun starts, or zero
	ordinal  bool
	perText  string  // " per shift", when it stands apart
	perYear  float64 // how many of its "per" make a year, or zero
	settled  bool    // its role stands
	anchorTo int     // one past the anchor, or zero
}

// side says on which side of its anchor a deadline lies.
type side uint8

const (
	noSide side = iota
	sideBefore
	sideAfter
)

// namingNouns make a number behind them a name: line 4, section 7.3.
var namingNouns = setOf("line gate building hall room form section article annex appendix class category level tier grade priority severity version stage phase zone area unit site block step no number nr clause paragraph chapter iso type model series bay dock track schedule exhibit part attachment rule regulation directive act code plant floor lane warehouse lot machine press reactor tank page figure table point item din en iec group band")

// readQuantities finds every quantity and frequency of the text and marks their
// tokens.
func (r *reading) readQuantities() {
	t := r.tokens
	for i := 0; i < len(t); {
		if f, ok := r.frequencyAt(i); ok {
			if len(r.frequencies) < maxQuantities {
				r.frequencies = append(r.frequencies, f)
			}
			r.mark(f.from, f.to, tokenFrequency)
			i = f.to
			continue
		}
		q, ok := r.phraseDeadlineAt(i)
		if !ok {
			q, ok = r.calendarAt(i)
			if ok {
				r.compareAndRange(&q)
			}
		}
		if !ok {
			q, ok = r.measureAt(i)
		}
		if !ok {
			i++
			continue
		}
		r.finish(&q)
		if q.Dimension == dimensionCount && len(q.Per) == 0 {
			r.readDistantPer(&q)
		}
		if q.Dimension == dimensionCount && q.perYear > 0 && len(r.frequencies) < maxQuantities {
			// "One sample per shift" is also how often a sample is taken.
			r.frequencies = append(r.frequencies, frequency{PerYear: q.perYear * q.Low, Comparator: q.Comparator, Text: q.Text + q.perText, from: q.from, to: q.to, Counted: true})
		}
		if len(r.quantities) < maxQuantities {
			r.quantities = append(r.quantities, q)
		}
		if q.nounFrom > 0 {
			r.mark(q.from, q.nounFrom, tokenQuantity) // the noun is still a word of the clause
		} else {
			r.mark(q.from, q.to, tokenQuantity)
		}
		i = q.to
	}
}

// readIntervals makes frequencies of times that follow a word such as "interval":
// "the calibration interval is six months".
func (r *reading) readIntervals() {
	for k := range r.quantities {
		q := &r.quantities[k]
		if q.Dimension != dimensionTime || q.Low <= 0 || q.Role != roleValue || len(r.frequencies) >= maxQuantities {
			continue
		}
		for i := q.from - 1; i >= 0 && i > q.from-12 && r.word(i) != "." && r.word(i) != ";"; i-- {
			if w := r.word(i); w == "interval" || w == "intervals" || w == "cycle" || w == "frequency" {
				r.frequencies = append(r.frequencies, frequency{PerYear: 8760 / q.Low, Text: q.Text, from: q.from, to: q.to})
				break
			}
		}
	}
}

// maxQuantities is how many quantities of a rule are compared.
const maxQuantities = 24

// measureAt reads a number with its unit or noun.
func (r *reading) measureAt(i int) (quantity, bool) {
	t := r.tokens
	start := i
	currency := ""
	if u, ok := r.lex.units[t[i].word]; ok && isCurrency(u.dimension) && (t[i].kind == kindMark || t[i].capitals || len(t[i].word) == 3) && i+1 < len(t) && t[i+1].kind == kindNumber {
		currency = u.dimension
		i++
	}
	n, ok := r.numberAt(i)
	if !ok {
		return quantity{}, false
	}
	if currency == "" && r.isName(n) {
		return quantity{}, false
	}
	q := quantity{from: start, to: n.to, Low: n.value, High: n.value, ordinal: n.ordinal}
	if n.ordinal {
		return r.ordinalAt(q, n)
	}
	// A second number makes a range: 8 to 12, 8-12, between 8 and 12.
	if end, ok := r.rangeEnd(n); ok {
		q.High, q.to, q.Comparator = end.value, end.to, between
	}
	factor := 1.0
	if currency != "" {
		q.Dimension = currency
	} else if u, working, to, ok := r.unitAt(q.to); ok {
		q.Dimension, factor, q.Working, q.to = u.dimension, u.factor, working, to
		if isCurrency(u.dimension) && n.words && n.value <= 12 && to-1 < len(t) && t[to-1].word == "pounds" {
			q.Dimension, factor = "mass", 453.59
		}
	} else if q.to, ok = r.countedAt(&q); !ok {
		if n.words && n.value <= 1 { // "one of", "the single"
			return quantity{}, false
		}
		q.Dimension = dimensionBare
	}
	q.Low, q.High = q.Low*factor, q.High*factor
	if q.Dimension == dimensionBare && start > 1 && r.word(start-1) == "of" && r.word(start-2) == "age" || q.Dimension == dimensionBare && start > 0 && r.word(start-1) == "aged" {
		q.Role, q.settled = roleLimit, true // from the age of four
		if start > 3 && r.word(start-4) == "from" {
			q.Comparator = atLeast
		}
	}
	if q.Low > q.High {
		q.Low, q.High = q.High, q.Low
	}
	r.compare(&q)
	return q, true
}

// ordinalAt reads "the third working day", "the 15th of the month"; other ordinals
// ("the second reminder") are words.
func (r *reading) ordinalAt(q quantity, n number) (quantity, bool) {
	t := r.tokens
	i := n.to
	working := false
	for i < len(t) && unitAdjectives[t[i].word] {
		working = working || t[i].word == "working" || t[i].word == "business"
		i++
	}
	if i < len(t) {
		if u, ok := r.lex.units[t[i].word]; ok && u.dimension == dimensionTime && u.factor >= 1 && t[i].word != "quarter" && !strings.HasSuffix(t[i].word, "s") {
			q.Dimension, q.Low, q.High, q.Working, q.to = dimensionTime, n.value*u.factor, n.value*u.factor, working, i+1
			q.Role = roleDeadline
			r.compare(&q)
			if r.word(q.from) == "from" {
				q.Comparator = equal // from the third day on: when it starts
			}
			return q, true
		}
		if t[i].word == "of" && !n.words || !n.words && r.dayOfMonth(n.from) {
			q.Dimension, q.Low, q.High = dimensionTime, n.value*24, n.value*24
			q.Role = roleDeadline
			if w := r.word(q.from - 2); w == "by" || w == "until" || w == "before" {
				q.from, q.Comparator = q.from-2, atMost
			}
			r.compare(&q)
			return q, true
		}
	}
	return q, false
}

// dayOfMonth tells whether an ordinal behind "by the" or the like is a day.
func (r *reading) dayOfMonth(i int) bool {
	if r.word(i-1) != "the" {
		return false
	}
	switch r.word(i - 2) {
	case "by", "until", "before", "after", "on", "from", "till":
		n := r.word(i + 2)
		return n == "" || functionWords[n] || prepositions[n] || r.tokens[i+2].kind == kindMark
	}
	return false
}

// isName tells whether a number is part of a name: "line 4", "ISO 27001".
func (r *reading) isName(n number) bool {
	t := r.tokens
	i := n.from
	if n.words || i == 0 || r.unitFollows(n.to) {
		return false
	}
	p := t[i-1]
	if p.word == "-" && i > 1 && p.joined {
		p = t[i-2]
	} else if p.word == "." && i > 1 && t[i-2].word == "no" {
		return true
	}
	if p.kind != kindWord {
		return false
	}
	if namingNouns[p.word] || p.capitals && !r.isUnitWord(p.word) {
		return true
	}
	return p.capital && i > 1 && t[i-2].kind == kindWord && !functionWords[p.word] && months[p.word] == 0 && !r.isUnitWord(p.word)
}

func (r *reading) isUnitWord(w string) bool {
	_, ok := r.lex.units[w]
	return ok
}

// rangeEnd reads the second number of a range behind n.
func (r *reading) rangeEnd(n number) (number, bool) {
	t := r.tokens
	i := n.to
	// The first number may carry its unit: "from 5 EUR to 10 EUR".
	if _, _, to, ok := r.unitAt(i); ok {
		i = to
	}
	if i+1 >= len(t) {
		return number{}, false
	}
	sep := t[i].word
	j := i + 1
	switch sep {
	case "to", "-", "–", "—":
	case "and":
		if n.from == 0 || !(t[n.from-1].word == "between" || n.from > 1 && t[n.from-2].word == "between") {
			return number{}, false
		}
	default:
		return number{}, false
	}
	if u, ok := r.lex.units[t[j].word]; ok && isCurrency(u.dimension) && j+1 < len(t) {
		j++
	}
	end, ok := r.numberAt(j)
	if !ok || end.ordinal || end.value <= n.value || sep == "-" && !(t[i].joined == t[j].joined) {
		return number{}, false
	}
	return end, true
}

// countedAt reads what is counted behind a number: "five failed login attempts".
func (r *reading) countedAt(q *quantity) (int, bool) {
	t := r.tokens
	i := q.to
	if i < len(t) && t[i].word == "-" {
		i++
	}
	if i < len(t) && q.Low == 1 && r.word(q.to-1) == "one" && t[i].form&formS != 0 && t[i].form&formBase == 0 && (i+1 < len(t) && (determiners[t[i+1].word] || prepositions[t[i+1].word])) {
		return q.to, false // "whoever needs one uses the camera"
	}
	var unit []concept
	last := q.to
	for n := 0; i < len(t) && n < 4; i++ {
		w := &t[i]
		if w.kind != kindWord || functionWords[w.word] || prepositions[w.word] || isModal(w.word) {
			if n == 0 && (w.word == "more" || w.word == "other" || w.word == "such" || w.word == "fewer" || w.word == "of") && w.kind == kindWord && w.word != "of" {
				continue
			}
			break
		}
		if n > 0 && w.form&formParticiple != 0 && i+1 < len(t) && (prepositions[t[i+1].word] || t[i+1].kind == kindMark) {
			break // "two people trained in"
		}
		if _, isUnit := r.lex.units[w.word]; isUnit && n > 0 && w.possessive {
			break
		}
		if n == 0 && bareAdjectives[w.word] {
			return q.to, false // six high
		}
		unit = append(unit, w.means)
		last = i + 1
		n++
	}
	if len(unit) == 0 {
		return q.to, false
	}
	q.Dimension, q.Unit, q.nounFrom = dimensionCount, unit, q.to
	return last, true
}

// bareAdjectives follow a number without being what is counted.
var bareAdjectives = setOf("high wide long deep tall old apart")

// compareAndRange finds the comparator and a second end of a moment of the calendar.
func (r *reading) compareAndRange(q *quantity) {
	t := r.tokens
	if q.to+1 < len(t) && (t[q.to].word == "to" || t[q.to].word == "and" || t[q.to].word == "-" || t[q.to].word == "–" || t[q.to].word == "until") {
		if end, ok := r.calendarAt(q.to + 1); ok && end.Dimension == q.Dimension && end.Low != q.Low &&
			(t[q.to].word != "and" || q.from > 0 && t[q.from-1].word == "between") {
			q.High, q.to, q.Comparator = end.High, end.to, between
		}
	}
	if q.from > 3 && r.word(q.from-1) == "of" && r.word(q.from-2) == "end" && r.word(q.from-3) == "the" && r.word(q.from-4) == "by" {
		q.from, q.Role, q.Comparator = q.from-4, roleDeadline, atMost // by the end of January
		return
	}
	if q.from > 0 {
		switch t[q.from-1].word {
		case "by", "before", "until", "till":
			q.Role, q.Side = roleDeadline, noSide
			q.Comparator = atMost
			q.from--
		case "after", "from":
			if q.Comparator == equal {
				q.Comparator = atLeast
			}
			q.from--
		case "on", "at", "in", "every", "each":
			q.from--
		}
	}
	r.compare(q)
}

// compare finds the comparator of a quantity on either side of it.
func (r *reading) compare(q *quantity) {
	t := r.tokens
	i := q.from
	for skipped := 0; i > 0 && skipped < 3 && (t[i-1].word == "the" || t[i-1].word == "a" || t[i-1].word == "of" || t[i-1].word == "total" || t[i-1].word == "any" || t[i-1].word == "every"); skipped++ {
		i--
	}
	c, from, ok := comparatorsBefore.before(t, q.from)
	if !ok {
		c, from, ok = comparatorsBefore.before(t, i)
	}
	if ok && c == over && q.Dimension == dimensionTime && r.word(from) == "over" && from > 0 && r.tokens[from-1].form&(formParticiple|formBase|formS) != 0 {
		c, q.settled = equal, true // depreciated over five years
	}
	if ok {
		if c == over && from > 0 && (t[from-1].word == "not" || t[from-1].word == "never") {
			c = atMost
			from--
		}
		if !(q.Comparator == between && (c == atLeast || c == between)) {
			q.Comparator = c
		}
		q.from = from
	} else if q.Comparator == between && q.from > 0 && (t[q.from-1].word == "between" || t[q.from-1].word == "from") {
		q.from--
	}
	if c, to, ok := comparatorsAfter.at(t, q.to); ok && (q.Comparator == equal || !((c == atLeast || c == atMost) && q.Comparator == between)) {
		q.Comparator, q.to = c, to
	} else if q.to < len(t) && t[q.to].word == "(" || q.to < len(t) && t[q.to].word == "," {
		if c, to, ok := comparatorsAfter.at(t, q.to+1); ok && q.Comparator == equal && t[to-1].word != "more" {
			q.Comparator, q.to = c, to
		}
	}
}

// finish reads what stands behind a quantity: per what, and what it runs from.
func (r *reading) finish(q *quantity) {
	r.readPer(q)
	r.readDeadline(q)
	r.readNear(q)
	end := max(q.to, q.anchorTo)
	if q.to > q.from {
		q.Text = r.phrase(q.from, end)
	}
}

// readPer reads "per night", "a month", "for each employee".
func (r *reading) readPer(q *quantity) {
	t := r.tokens
	for range 2 {
		i := q.to
		if i+1 >= len(t) || q.Dimension == dimensionTime && (t[i].word == "each" || t[i].word == "every") {
			return // "for one hour every month" says how often
		}
		switch w := t[i].word; {
		case w == "per", w == "/", w == "each" && q.Dimension != dimensionWeekday, w == "every":
		case w == "a" || w == "an":
			if !perNouns[t[i+1].word] {
				return
			}
		case w == "for" && i+2 < len(t) && (t[i+1].word == "each" || t[i+1].word == "every"):
			i++
		case w == "in" && i+2 < len(t) && (t[i+1].word == "a" || t[i+1].word == "any" || t[i+1].word == "each" || t[i+1].word == "one") && perNouns[t[i+2].word]:
			i++
		default:
			return
		}
		j := i + 1
		if j < len(t) && (t[j].word == "calendar" || t[j].word == "working" || t[j].word == "school" || t[j].word == "financial") {
			j++
		}
		if j >= len(t) || t[j].kind != kindWord || functionWords[t[j].word] {
			return
		}
		if (t[i].word == "each" || t[i].word == "every") && !perNouns[t[j].word] && !r.isUnitWord(t[j].word) {
			return
		}
		per := t[j].means
		if u, ok := r.lex.units[t[j].word]; ok {
			per = conceptOf("per:" + u.dimension + strconv.FormatFloat(u.factor, 'g', -1, 64))
		}
		q.Per = append(q.Per, per)
		if v, ok := perYear[t[j].word]; ok {
			q.perYear = v
		} else if u, ok := r.lex.units[t[j].word]; ok && u.dimension == dimensionTime {
			q.perYear = 8760 / u.factor
		}
		q.to = j + 1
	}
}

// readDistantPer reads the "per shift" of "one sample is taken per shift".
func (r *reading) readDistantPer(q *quantity) {
	for i := q.to; i+1 < len(r.tokens) && i < q.to+7; i++ {
		if r.tokens[i].kind != kindWord || r.marks[i]&(tokenQuantity|tokenFrequency) != 0 {
			return
		}
		if r.word(i) != "per" && r.word(i) != "each" && r.word(i) != "every" {
			continue
		}
		w := r.word(i + 1)
		q.perText = " " + r.slice(i, i+2)
		if v, ok := perYear[w]; ok {
			q.perYear = v
		} else if u, ok := r.lex.units[w]; ok && u.dimension == dimensionTime {
			q.perYear = 8760 / u.factor
		}
		return
	}
}

// perNouns may follow "a" in "60 EUR a month".
var perNouns = setOf("second minute hour day night week fortnight month quarter year shift person head kilometre kilometer km mile unit piece kilo kilogram litre liter metre meter hectare tonne ton season term semester employee seat ticket trip stay visit")

// readNear collects the words around a quantity by which two quantities are held
// to be of the same thing.
func (r *reading) readNear(q *quantity) {
	t := r.tokens
	n := 0
	for i := q.from - 1; i >= 0 && i > q.from-8 && n < 4; i-- {
		if t[i].kind == kindMark && t[i].word != "-" && t[i].word != "(" {
			break
		}
		if c := t[i].means; c != 0 {
			q.Near = append(q.Near, c)
			n++
		}
	}
	n = 0
	for i := q.to; i < len(t) && i < q.to+6 && n < 3; i++ {
		if t[i].kind == kindMark && t[i].word != "-" {
			break
		}
		if c := t[i].means; c != 0 {
			q.Near = append(q.Near, c)
			n++
		}
	}
}
