package conflict

import "strings"

// conditionEvidence compares when the two clauses hold: with and without
// something, only in one case against always, before against after.
func (p *pairing) conditionEvidence() {
	p.withoutEvidence(p.ca, p.cb, p.b, false)
	p.withoutEvidence(p.cb, p.ca, p.a, true)
	p.onlyEvidence(p.ca, p.cb, false)
	p.onlyEvidence(p.cb, p.ca, true)
	p.orderEvidence()
}

// withoutEvidence finds "may be ordered without X" against a demand for X.
func (p *pairing) withoutEvidence(c, other *clause, rest *Analysis, swapped bool) {
	for i := range c.Without {
		f := &c.Without[i]
		if c.Force == forceMustNot || share(f.Means, rest) < 0.5 || !demands(other, f.Means) {
			continue
		}
		if other.Force == forceMustNot && !other.Until || other.Force == forceNeedNot || meetsWithout(other, f.Means) && other.Force != forceMustNot {
			continue
		}
		s := 0.9 * (0.3 + 0.7*p.theme)
		p.raise(kindCondition, s, f.Text, p.forceWords(other), swapped, "with against without")
	}
}

// demands tells whether a clause has at least half of the given words as what it
// is about, and binds.
func demands(c *clause, means []concept) bool {
	if c.Force == forceMay && !c.Only {
		return false
	}
	n := 0
	for _, m := range means {
		for i := range c.Terms {
			if t := &c.Terms[i]; t.Means == m && t.Role != rolePurpose && t.Role != roleException && !(t.Role == roleTheme && c.Copula) {
				n++
				break
			}
		}
	}
	return 2*n >= len(means) && n > 0
}

// meetsWithout tells whether a clause also says "without" the same.
func meetsWithout(c *clause, means []concept) bool {
	for i := range c.Without {
		if meet(c.Without[i].Means, means) {
			return true
		}
	}
	return false
}

// onlyEvidence finds "only if X" against a rule that holds in any case.
func (p *pairing) onlyEvidence(c, other *clause, swapped bool) {
	if !c.Only || other.Only {
		return
	}
	text := p.limitText(c)
	if len(c.Condition) > 0 {
		text = c.Condition[0].Text
	}
	if text == "" {
		return
	}
	if c.Force == forceMustNot || other.Force == forceMustNot || other.Force == forceNeedNot {
		return
	}
	s := 0.4
	if other.Universal {
		s = 0.9
	}
	s *= (0.2 + 0.8*p.act) * p.theme
	with := "always"
	if len(other.Condition) > 0 {
		with = other.Condition[0].Text
	}
	if !strings.HasPrefix(text, "only ") {
		text = "only " + text
	}
	p.raise(kindCondition, s, text, with, swapped, "only against any")
}

// limitText returns the limit under which a clause holds, as written.
func (p *pairing) limitText(c *clause) string {
	a, i := p.a, p.ia
	if c == p.cb {
		a, i = p.b, p.ib
	}
	for k := range a.Quantities {
		if q := &a.Quantities[k]; q.Clause == i && q.Role == roleLimit {
			return q.Text
		}
	}
	return ""
}

// order says on which side of something an act lies: -1 before it, 1 after it, 0
// not said. What must not be done before lies after.
func order(c *clause, f *fragment) int {
	o := 0
	switch f.Opener {
	case "before", "prior to", "until", "till", "not until":
		o = -1
	case "after", "once", "as soon as", "following", "only after", "only once", "upon", "only when":
		o = 1
	}
	if c.Force == forceMustNot || f.Opener == "not until" {
		o = -o
	}
	return o
}

// orderEvidence finds before against after the same.
func (p *pairing) orderEvidence() {
	for i := range p.ca.Condition {
		a := &p.ca.Condition[i]
		oa := order(p.ca, a)
		if oa == 0 {
			continue
		}
		for k := range p.cb.Condition {
			b := &p.cb.Condition[k]
			if order(p.cb, b) != -oa || share2(a.Means, b.Means) < 0.5 {
				continue
			}
			s := 0.9 * (0.2 + 0.8*p.act) * (0.3 + 0.7*p.theme)
			p.verdicts[kindCondition].raise(s, ordered(p.ca, a), ordered(p.cb, b), "before against after")
		}
	}
}

// ordered returns a condition as written, with the denial of its clause.
func ordered(c *clause, f *fragment) string {
	if c.Force == forceMustNot {
		return "not " + f.Text
	}
	return f.Text
}

// share2 returns the share of the shorter list found in the longer.
func share2(a, b []concept) float64 {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(a) == 0 {
		return 0
	}
	n := 0
	for _, c := range a {
		for _, d := range b {
			if c == d {
				n++
				break
			}
		}
	}
	return float64(n) / float64(len(a))
}

func (p *pairing) raise(kind int, s float64, own, others string, swapped bool, note string) {
	if swapped {
		own, others = others, own
	}
	p.verdicts[kind].raise(s, own, others, note)
}
