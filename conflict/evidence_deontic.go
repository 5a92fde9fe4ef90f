package conflict

// opposition is how far two forces exclude each other, if they are of one act.
func opposition(a, b force) float64 {
	if a > b {
		a, b = b, a
	}
	switch {
	case b == forceMustNot && (a == forceMust || a == forceMay):
		return 1
	case b == forceMustNot && a == forceShould:
		return 0.9
	case b == forceMustNot && a == forceNone:
		return 0.9
	case b == forceNeedNot && a == forceMust:
		return 0.9
	case b == forceNeedNot && a == forceNone:
		return 0.7
	case b == forceNeedNot && a == forceShould:
		return 0.5
	case b == forceShould && a == forceMust:
		return 0.3
	}
	return 0
}

// deonticEvidence compares what is demanded, allowed and forbidden.
func (p *pairing) deonticEvidence() {
	a, b := p.effectiveForce(p.ca, p.cb, p.b), p.effectiveForce(p.cb, p.ca, p.a)
	o := opposition(a, b)
	if p.antonym && p.bothLast() {
		return // kept for ten years, deleted after six months: a matter of time
	}
	if p.antonym {
		o = 0
		if a.binds() && b.binds() || a == forceMay && b.binds() || b == forceMay && a.binds() {
			o = 0.8
		} else if a == forceMay && b == forceMay {
			o = 0.2
		}
	}
	if o == 0 {
		return
	}
	act := p.act
	if act == lightAct && (p.light(p.ca) && p.ca.Cue == "" || p.light(p.cb) && p.cb.Cue == "") {
		act = 0.3 // "have 14 characters" orders nothing that could be forbidden
	} else if act == lightAct && (p.ca.VerbMeans != 0 && p.ca.Light || p.cb.VerbMeans != 0 && p.cb.Light) {
		act = 0.4 // "may not be taken off" forbids no wearing
	}
	s := o * (0.15 + 0.85*act) * p.theme
	// Different adjuncts on both sides: other ways, not opposite orders.
	if p.openA.complement >= 1 && p.openB.complement >= 1 {
		s *= 0.6
	}
	p.verdicts[kindDeontic].raise(s, p.forceWords(p.ca), p.forceWords(p.cb), "opposite force")
}

// bothLast tells whether both clauses say for how long or when.
func (p *pairing) bothLast() bool {
	return hasTime(p.a, p.ia) && hasTime(p.b, p.ib)
}

func hasTime(a *Analysis, clause int) bool {
	for i := range a.Quantities {
		if q := &a.Quantities[i]; q.Clause == clause && q.Dimension == dimensionTime && q.Role != roleLimit {
			return true
		}
	}
	return false
}

// effectiveForce returns the force of a clause as the other clause meets it: a
// prohibition with a way out ("not … without X") is none for one who takes it.
func (p *pairing) effectiveForce(c, other *clause, rest *Analysis) force {
	if c.Force != forceMustNot || !c.Until {
		return c.Force
	}
	if len(c.Without) > 0 && meetsWithout(other, c.Without[0].Means) {
		return forceMustNot // "without" in both: the other goes against it
	}
	for _, f := range [][]fragment{c.Without, c.Exception, c.Condition} {
		for i := range f {
			if share(f[i].Means, rest) >= 0.5 {
				return forceMust // both speak of the way out
			}
		}
	}
	return forceMustNot
}

// share returns the share of concepts that a rule has.
func share(cs []concept, in *Analysis) float64 {
	if len(cs) == 0 {
		return 0
	}
	n := 0
	for _, c := range cs {
		if in.words.has(c) {
			n++
		}
	}
	return float64(n) / float64(len(cs))
}

// forceWords returns the words that set the force of a clause.
func (p *pairing) forceWords(c *clause) string {
	if c.Says != "" {
		return c.Says
	}
	if c.Cue != "" {
		return c.Cue
	}
	if c.Verb != "" {
		return c.Verb
	}
	return "required"
}
