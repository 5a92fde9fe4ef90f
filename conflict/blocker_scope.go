package conflict

// scopeBlocker finds that the rules are for different people, places or cases:
// words of one contrast set, or names, that only one of them has, on both sides.
func (p *pairing) scopeBlocker() {
	s := 0.0
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
			if a.Proper && b.Proper {
				s = max(s, 0.8*min(wa, wb))
			}
			if contrasting(p.lex, a.Means, b.Means) {
				s = max(s, min(wa, wb))
			}
		}
	}
	p.blockers[blockScope] = s
	p.blockers[blockCondition] = min(1, min(p.openA.condition, p.openB.condition)/2)
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

func contrasting(l *lexicon, a, b concept) bool {
	for _, x := range l.contrasts[a] {
		for _, y := range l.contrasts[b] {
			if x.line == y.line {
				return true
			}
		}
	}
	return false
}
