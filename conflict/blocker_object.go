package conflict

// objectBlocker finds that the rules are about different things: words of theme
// or subject that only one of them has, on both sides; or on one side only, when
// it speaks of a part of the other's matter.
func (p *pairing) objectBlocker() {
	a, b := p.openA.theme+p.openA.subject, p.openB.theme+p.openB.subject
	p.blockers[blockObject] = min(1, min(a, b), 1.5*min(p.openA.themeShare, p.openB.themeShare))
	p.blockers[blockNarrower] = min(1, (max(a, b)-min(a, b))/2)
}

// factBlocker finds that one of the clauses only says what something is.
func (p *pairing) factBlocker() {
	if p.ca.Fact || p.cb.Fact {
		p.blockers[blockFact] = 1
	}
}
