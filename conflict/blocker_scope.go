package conflict

// scopeBlocker finds that the rules are for different people, places or cases:
// words of one contrast set, or names, that only one of them has, on both sides.
func (p *pairing) scopeBlocker() {
	s := p.subjectsDiffer()
	for i := range p.ca.Terms {
		a := &p.ca.Terms[i]
		wa := scopeWeight(a)
		if wa == 0 || p.b.words.has(a.Means) {
			continue
		}
		for k := range p.cb.Terms {
			b := &p.cb.Terms[k]
			wb := scopeWeight(b)
			if wb == 0 || p.a.words.has(b.Means) {
				continue
			}
			if a.Proper && b.Proper && !(a.Role == roleComplement && b.Role == roleComplement) {
				s = max(s, 0.8*min(wa, wb))
			}
			if contrasting(p.lex, a.Means, b.Means, a.Role == roleComplement && b.Role == roleComplement) {
				if p.onlyWho(a, b) {
					p.verdicts[kindActor].raise(0.8*(0.2+0.8*p.act)*(0.4+0.6*p.theme), p.subjectText(p.ca), p.subjectText(p.cb), "only the one against the other")
					continue
				}
				s = max(s, min(wa, wb))
			}
		}
	}
	p.blockers[blockScope] = max(s, 0.8*p.agentsDiffer(), 0.7*p.recipientsDiffer(), 0.9*p.headingsDiffer())
	p.blockers[blockCondition] = min(1, min(p.openA.condition, p.openB.condition)/2)
}

// onlyWho tells whether one clause admits only those whom the other does not name.
func (p *pairing) onlyWho(a, b *term) bool {
	who := func(t *term) bool { return t.Role == roleSubject || t.Role == roleTheme || t.Role == roleActor }
	return (p.ca.OnlyWho || p.cb.OnlyWho) && who(a) && who(b) && p.ca.Force != forceMustNot && p.cb.Force != forceMustNot && p.cb.Force != forceNeedNot && p.ca.Force != forceNeedNot
}

func (p *pairing) subjectText(c *clause) string {
	s := c.Theme
	if len(c.Actors) > 0 {
		s = c.Actors[0].Text
	}
	if c.OnlyWho {
		return "only " + s
	}
	return s
}

// subjectsDiffer tells whether both clauses have a subject beside their theme and
// most of its words are the other rule's on neither side: resellers and schools.
func (p *pairing) subjectsDiffer() float64 {
	if kind, _, _ := p.best(); kind == kindActor || p.ca.OnlyWho || p.cb.OnlyWho {
		return 0
	}
	if min(subjectLeft(p.ca, p.b), subjectLeft(p.cb, p.a)) >= 0.5 {
		return 0.8
	}
	return 0
}

// subjectLeft returns the share of a clause's subject that the other rule lacks;
// words that say little count only when there are no others.
func subjectLeft(c *clause, in *Analysis) float64 {
	left, total := 0.0, 0.0
	for i := range c.Terms {
		t := &c.Terms[i]
		if t.Role != roleSubject || t.Weak {
			continue
		}
		total++
		if !in.has(t) {
			left++
		}
	}
	if total == 0 {
		return 0
	}
	return left / total
}

// agentsDiffer tells how far the subjects of the two clauses are different people:
// what buyers may do binds no engineer. Who must act is a matter of actorEvidence,
// so this counts for the other kinds only.
func (p *pairing) agentsDiffer() float64 {
	if kind, _, _ := p.best(); kind == kindActor || p.ca.OnlyWho || p.cb.OnlyWho {
		return 0
	}
	s := 0.0
	for i := range p.ca.Actors {
		a := &p.ca.Actors[i]
		if a.Relation != relationAgent || p.lex.weak[a.Head] {
			continue
		}
		for k := range p.cb.Actors {
			b := &p.cb.Actors[k]
			if b.Relation != relationAgent || p.lex.weak[b.Head] {
				continue
			}
			if p.sharedActor(a, b) || actorsDiffer(a, b) == 0 {
				return 0
			}
			s = 1
		}
	}
	return s
}

// headingsDiffer tells whether the headings of the rules shut each other out: one
// stands under contractors, the other under employees.
func (p *pairing) headingsDiffer() float64 {
	for _, a := range p.a.scopes {
		for _, b := range p.b.scopes {
			if a.line == b.line && a.means != b.means && !p.b.words.has(a.means) && !p.a.words.has(b.means) {
				return 1
			}
		}
	}
	return 0
}

// recipientsDiffer tells whether the two acts are done towards different people:
// telling the officer is not telling the authority.
func (p *pairing) recipientsDiffer() float64 {
	if kind, _, _ := p.best(); kind == kindActor || kind == kindDeontic {
		return 0
	}
	s := 0.0
	for i := range p.ca.Actors {
		for k := range p.cb.Actors {
			a, b := &p.ca.Actors[i], &p.cb.Actors[k]
			if a.Relation == relationRecipient && b.Relation == relationRecipient {
				if actorsDiffer(a, b) < 0.5 {
					return 0
				}
				s = 1
			}
		}
	}
	return s
}

// scopeWeight is how far a word in its role says for whom or when a rule holds.
func scopeWeight(t *term) float64 {
	switch t.Role {
	case roleSubject, roleCondition, roleNone:
		return 1
	case roleTheme:
		return 0.9
	case roleComplement:
		return 0.5
	}
	return 0
}

// contrasting tells whether two concepts stand on one line of contrasts.txt; of
// complements, only on one that is no line of values.
func contrasting(l *lexicon, a, b concept, complements bool) bool {
	for _, x := range l.contrasts[a] {
		for _, y := range l.contrasts[b] {
			if x.line == y.line && !(complements && x.value) {
				return true
			}
		}
	}
	return false
}
