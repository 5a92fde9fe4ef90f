package conflict

// conditionEvidence compares when the two clauses hold: with and without
// something, only in one case against always, before against after.
func (p *pairing) conditionEvidence() {
	p.withoutEvidence(p.ca, p.cb, p.b, false)
	p.withoutEvidence(p.cb, p.ca, p.a, true)
	p.onlyEvidence(p.ca, p.cb, false)
	p.onlyEvidence(p.cb, p.ca, true)
}

// withoutEvidence finds "may be ordered without X" against a demand for X.
func (p *pairing) withoutEvidence(c, other *clause, rest *Analysis, swapped bool) {
	for i := range c.Without {
		f := &c.Without[i]
		if c.Force == forceMustNot || share(f.Means, rest) < 0.5 {
			continue
		}
		if other.Force == forceMustNot && !other.Until || other.Force == forceNeedNot || meetsWithout(other, f.Means) && other.Force != forceMustNot {
			continue
		}
		s := 0.9 * (0.3 + 0.7*p.theme)
		p.raise(kindCondition, s, f.Text, p.forceWords(other), swapped, "with against without")
	}
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

// onlyEvidence finds "only if X", "only X may" against a rule without that bound.
func (p *pairing) onlyEvidence(c, other *clause, swapped bool) {
	if !c.Only || other.Only {
		return
	}
	if c.Force == forceMustNot || other.Force == forceMustNot || other.Force == forceNeedNot {
		return
	}
	s := 0.35
	if other.Universal {
		s = 0.9
	}
	s *= (0.3 + 0.7*p.act) * p.theme
	text := "only"
	if len(c.Condition) > 0 {
		text = "only " + c.Condition[0].Text
	}
	with := "always"
	if len(other.Condition) > 0 {
		with = other.Condition[0].Text
	}
	p.raise(kindCondition, s, text, with, swapped, "only against any")
}

func (p *pairing) raise(kind int, s float64, own, others string, swapped bool, note string) {
	if swapped {
		own, others = others, own
	}
	p.verdicts[kind].raise(s, own, others, note)
}
