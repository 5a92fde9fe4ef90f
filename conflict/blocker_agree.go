package conflict

// agreementBlocker finds that one of the two clauses says the same as another
// clause of the other rule, so that what the pair differs in is likely another
// matter: "must be kept clear and must not be blocked" against "must not be
// blocked".
func (p *pairing) agreementBlocker() {
	for i := range p.a.Clauses {
		for k := range p.b.Clauses {
			if (i == p.ia) == (k == p.ib) {
				continue // the pair itself, or one that shares no clause with it
			}
			o := pairing{a: p.a, b: p.b, ca: &p.a.Clauses[i], cb: &p.b.Clauses[k], ia: i, ib: k, lex: p.lex, cosine: p.cosine, hasCosine: p.hasCosine}
			o.measure()
			if o.act < 0.9 || o.antonym || o.theme < 0.6 || min(o.coverA, o.coverB) < 0.5 {
				continue
			}
			if opposition(o.ca.Force, o.cb.Force) > 0 {
				continue
			}
			o.weigh()
			if _, s, _ := o.best(); s > 0.3 {
				continue
			}
			p.blockers[blockAgree] = max(p.blockers[blockAgree], o.theme*max(o.coverA, o.coverB))
		}
	}
}
