package conflict

// exceptionBlocker finds the exception of one rule in the other.
func (p *pairing) exceptionBlocker() {
	if len(p.ca.Exception) > 0 && len(p.cb.Exception) > 0 && share2(p.ca.Exception[0].Means, p.cb.Exception[0].Means) > 0.5 {
		return // both make the same exception
	}
	p.blockers[blockException] = max(exceptionIn(p.a, p.cb), exceptionIn(p.b, p.ca))
}

// exceptionIn returns how far a clause speaks of an exception of a rule.
func exceptionIn(a *Analysis, c *clause) float64 {
	best := 0.0
	for i := range a.Clauses {
		for k := range a.Clauses[i].Exception {
			f := &a.Clauses[i].Exception[k]
			n, total := 0.0, 0.0
			for _, m := range f.Means {
				if loaded().weak[m] {
					continue
				}
				w := 1.0
				if mainTerm(&a.Clauses[i], m) {
					w = 0.3 // it is of the rule's own matter too
				}
				total += w
				if hasTerm(c.Terms, m) {
					n += w
				}
			}
			if total > 0 {
				best = max(best, min(1, 1.5*n/total))
			}
		}
	}
	return best
}

// mainTerm tells whether a clause has a word outside its exceptions.
func mainTerm(c *clause, m concept) bool {
	for i := range c.Terms {
		if c.Terms[i].Means == m && c.Terms[i].Role != roleException {
			return true
		}
	}
	return false
}
