package conflict

// actorEvidence compares who acts, approves and is told.
func (p *pairing) actorEvidence() {
	for i := range p.ca.Actors {
		a := &p.ca.Actors[i]
		for k := range p.cb.Actors {
			b := &p.cb.Actors[k]
			s := actorsDiffer(a, b)
			if s == 0 || p.sharedActor(a, b) {
				continue
			}
			if bearsCost(p.ca.Act) && bearsCost(p.cb.Act) && a.Relation == relationAgent && b.Relation == relationAgent && !p.ca.Until && p.ca.Force == p.cb.Force {
				s = max(s, 0.9) // who pays is one or the other
			}
			s *= (0.2 + 0.8*p.act) * (0.2 + 0.8*p.theme)
			if themeTerm(p.cb, a.Head) || themeTerm(p.ca, b.Head) {
				s *= 0.4 // managers approve; the holidays of managers are approved by …
			}
			if p.ca.Also || p.cb.Also {
				s *= 0.3 // the one on top of the other
			}
			if p.act < 0.5 {
				s *= 0.5
			}
			p.verdicts[kindActor].raise(s, a.Text, b.Text, "offices differ")
		}
	}
}

// themeTerm tells whether a clause is about a concept.
func themeTerm(c *clause, means concept) bool {
	for i := range c.Terms {
		if c.Terms[i].Means == means && c.Terms[i].Role == roleTheme {
			return true
		}
	}
	return false
}

// bearsCost tells whether an act says who pays.
func bearsCost(act concept) bool {
	return act == actConcept("pay") || act == actConcept("cover")
}

// actorsDiffer tells how far two actors exclude each other.
func actorsDiffer(a, b *actor) float64 {
	if (a.Relation == relationRecipient) != (b.Relation == relationRecipient) {
		return 0
	}
	s := 1.0
	if !a.Office || !b.Office {
		s = 0.6
		if !a.Office && !b.Office {
			s = 0.25
		}
	}
	if a.Count != b.Count && a.Count > 0 && b.Count > 0 {
		return 1
	}
	if a.Head == b.Head && a.Head != 0 {
		// "the plant manager" and "the sales manager" share their head.
		if !onlyHead(a) && !onlyHead(b) && !meetOutside(a, b) {
			return s
		}
		return 0
	}
	if meet(a.Means, b.Means) {
		return s * 0.6
	}
	return s
}

func onlyHead(a *actor) bool { return len(a.Means) <= 1 }

// meetOutside tells whether two offices share a word beside their head.
func meetOutside(a, b *actor) bool {
	for _, x := range a.Means {
		if x == a.Head {
			continue
		}
		for _, y := range b.Means {
			if x == y {
				return true
			}
		}
	}
	return false
}

// sharedActor tells whether the office of one clause also acts in the other.
func (p *pairing) sharedActor(a, b *actor) bool {
	for i := range p.cb.Actors {
		if o := &p.cb.Actors[i]; o.Relation == a.Relation && actorsDiffer(a, o) == 0 {
			return true
		}
	}
	for i := range p.ca.Actors {
		if o := &p.ca.Actors[i]; o.Relation == b.Relation && actorsDiffer(o, b) == 0 {
			return true
		}
	}
	return false
}
