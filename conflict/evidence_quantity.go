package conflict

import "math"

// tolerance is by how much two values may differ and be called the same: one
// month and 30 days differ by 1.4 %, four weeks and a month by 8 %.
const tolerance = 0.04

// sameValue tells whether two quantities are the same value in another notation.
func sameValue(a, b *quantity) bool {
	if a.Dimension == dimensionTime && a.Working != b.Working {
		w, o := a, b
		if b.Working {
			w, o = b, a
		}
		// Working days stand for a span of calendar time: five of them for a week.
		low, high := w.Low*0.99, w.High*7/5*1.01
		return o.High >= low && o.Low <= high
	}
	if a.Low != a.High || b.Low != b.High {
		return close(a.Low, b.Low) && close(a.High, b.High) || a.Dimension == dimensionTime && a.Role == roleDeadline && b.Role == roleDeadline && a.High >= b.Low && b.High >= a.Low
	}
	return close(a.Low, b.Low)
}

func close(a, b float64) bool {
	if math.IsInf(a, 0) || math.IsInf(b, 0) {
		return a == b
	}
	return math.Abs(a-b) <= tolerance*math.Max(math.Abs(a), math.Abs(b))
}

// comparable returns how far two quantities measure the same thing, 0 to 1.
func comparable(a, b *quantity) float64 {
	s := 1.0
	switch {
	case a.Dimension == b.Dimension:
		if a.Dimension == dimensionCount && !meet(a.Unit, b.Unit) && !(people(a.Unit) && people(b.Unit)) {
			return 0
		}
	case a.Dimension == dimensionBare && (isCurrency(b.Dimension) || b.Dimension == dimensionCount), b.Dimension == dimensionBare && (isCurrency(a.Dimension) || a.Dimension == dimensionCount):
		s = 0.5
	case isCurrency(a.Dimension) && isCurrency(b.Dimension):
		s = 0.6
	default:
		return 0
	}
	switch {
	case len(a.Per) == 0 && len(b.Per) == 0:
	case len(a.Per) == 0 || len(b.Per) == 0:
		s *= 0.8
	case !meet(a.Per, b.Per):
		return s * 0.2
	}
	return s
}

// people tells whether what is counted are people.
func people(unit []concept) bool {
	l := loaded()
	for _, c := range unit {
		if l.groups[c] || c == thingConcept("person") || c == thingConcept("employee") {
			return true
		}
	}
	return false
}

// meet tells whether two lists share a concept.
func meet(a, b []concept) bool {
	for _, x := range a {
		for _, y := range b {
			if x == y {
				return true
			}
		}
	}
	return false
}

// bounds returns the values that a quantity admits.
func (q *quantity) bounds() (low, high float64) {
	switch q.Comparator {
	case atLeast, over:
		return q.Low, math.Inf(1)
	case atMost, under:
		return math.Inf(-1), q.High
	}
	return q.Low, q.High
}

// quantityEvidence compares the values and deadlines of the two clauses.
func (p *pairing) quantityEvidence() {
	qa, qb := p.a.Quantities, p.b.Quantities
	var usedA, usedB uint64
	// Values that agree are no news, and their partners are taken.
	for i := range qa {
		if qa[i].Clause != p.ia {
			continue
		}
		for k := range qb {
			if qb[k].Clause != p.ib || usedB&(1<<k) != 0 || comparable(&qa[i], &qb[k]) == 0 {
				continue
			}
			if sameValue(&qa[i], &qb[k]) && !opposedBounds(&qa[i], &qb[k]) {
				usedA |= 1 << i
				usedB |= 1 << k
				break
			}
		}
	}
	for i := range qa {
		if qa[i].Clause != p.ia || usedA&(1<<i) != 0 {
			continue
		}
		for k := range qb {
			if qb[k].Clause != p.ib || usedB&(1<<k) != 0 {
				continue
			}
			p.compareQuantities(&qa[i], &qb[k])
		}
	}
}

// countsActors tells whether a quantity is how many people act.
func countsActors(c *clause, q *quantity) bool {
	for i := range c.Actors {
		if c.Actors[i].Count > 0 && float64(c.Actors[i].Count) == q.Low {
			return true
		}
	}
	return false
}

// opposedBounds tells whether one is a minimum and the other a maximum.
func opposedBounds(a, b *quantity) bool {
	low := func(c comparator) bool { return c == atLeast || c == over }
	high := func(c comparator) bool { return c == atMost || c == under }
	return low(a.Comparator) && high(b.Comparator) || high(a.Comparator) && low(b.Comparator)
}

func (p *pairing) compareQuantities(a, b *quantity) {
	s := comparable(a, b)
	if s == 0 && a.Role == roleDeadline && b.Role == roleDeadline && a.Dimension != b.Dimension {
		s = 0.6 // by the end of January, within a week: two answers to when
		s *= (0.15 + 0.85*p.act) * (0.3 + 0.7*p.theme) * (0.6 + 0.4*p.nearness(a, b))
		p.verdicts[kindDeadline].raise(s, a.Text, b.Text, "deadlines of two kinds")
		return
	}
	if s == 0 {
		return
	}
	if a.Dimension == dimensionCount && countsActors(p.ca, a) && countsActors(p.cb, b) {
		return // two clerks, one clerk: actorEvidence
	}
	near := p.nearness(a, b)
	switch {
	case a.Role == roleLimit && b.Role == roleLimit:
		return // limitEvidence
	case a.Role == roleLimit || b.Role == roleLimit:
		if a.Dimension == dimensionTime {
			return
		}
		s *= 0.4
	case a.Role == roleDeadline && b.Role == roleDeadline:
		p.compareDeadlines(a, b, s)
		return
	case a.Role != b.Role:
		s *= 0.7 // a deadline against a duration
	}
	r := incompatible(a, b, p.ca, p.cb)
	if r == 0 {
		return
	}
	s *= r * (0.4 + 0.6*near) * (0.2 + 0.8*max(p.act, 0.4*near)) * (0.3 + 0.7*p.theme)
	kind := kindThreshold
	if a.Dimension == dimensionTime && (a.Role == roleDeadline || b.Role == roleDeadline) {
		kind = kindDeadline
	}
	tighter := 0
	switch {
	case upper(a.Comparator) && upper(b.Comparator):
		tighter = larger(b.High, a.High)
	case lower(a.Comparator) && lower(b.Comparator):
		tighter = larger(a.Low, b.Low)
	}
	if s > p.verdicts[kind].strength {
		p.verdicts[kind] = evidence{s, a.Text, b.Text, "values differ", tighter}
	}
}

// larger returns 1 when a is larger, -1 when b is, else 0.
func larger(a, b float64) int {
	switch {
	case a > b:
		return 1
	case a < b:
		return -1
	}
	return 0
}

// incompatible tells how far two values of one thing cannot both be met.
func incompatible(a, b *quantity, ca, cb *clause) float64 {
	la, ha := a.bounds()
	lb, hb := b.bounds()
	if ha < lb && !close(ha, lb) || hb < la && !close(hb, la) {
		return 1 // nothing meets both
	}
	exactA, exactB := a.Comparator == equal || a.Comparator == between || a.Comparator == aroundOrSame, b.Comparator == equal || b.Comparator == between || b.Comparator == aroundOrSame
	switch {
	case exactA && exactB:
		if sameValue(a, b) {
			return 0
		}
		return 0.9 // ranges that overlap
	case sameValue(a, b):
		return 0.1
	case upper(a.Comparator) && upper(b.Comparator):
		// Two maxima: a permission up to more than the other allows.
		switch {
		case ca.Force == forceMay || cb.Force == forceMay:
			return 0.9
		case ca.Force == forceMust && cb.Force == forceMust:
			return 0.1 // the lower one meets both
		}
		return 0.7
	case lower(a.Comparator) && lower(b.Comparator):
		return 0.05 // the stricter minimum meets both
	}
	return 0.3 // an exact value inside the bounds of the other
}

func upper(c comparator) bool { return c == atMost || c == under }
func lower(c comparator) bool { return c == atLeast || c == over }

// nearness returns how alike the words around two quantities are.
func (p *pairing) nearness(a, b *quantity) float64 {
	n, total := 0, 0
	for _, c := range a.Near {
		total++
		if p.b.words.has(c) {
			n++
		}
	}
	for _, c := range b.Near {
		total++
		if p.a.words.has(c) {
			n++
		}
	}
	if total == 0 {
		return 0.5
	}
	return float64(n) / float64(total)
}
