package conflict

// objectEvidence compares where, with what and in what form: words of the
// complements that only one of the rules has, on both sides.
func (p *pairing) objectEvidence() {
	for i := range p.ca.Parts {
		a := &p.ca.Parts[i]
		if a.Special && len(a.Means) == 0 {
			continue
		}
		openA := max(p.unknown(a.Means, p.b), indicator(p.valuesRejected(a, p.b)))
		if openA == 0 {
			continue
		}
		for k := range p.cb.Parts {
			b := &p.cb.Parts[k]
			openB := max(p.unknown(b.Means, p.a), indicator(p.valuesRejected(b, p.a)))
			if openB == 0 {
				continue
			}
			s := min(openA, openB)
			if p.valuesRejected(a, p.b) || p.valuesRejected(b, p.a) {
				s = 1
			}
			if p.valuesContrast(a, b) {
				s = 1
			}
			if !openersAgree(a.Opener, b.Opener) {
				s *= 0.6
			}
			s *= (0.2 + 0.8*p.act) * p.theme
			p.verdicts[kindObject].raise(s, withOpener(a), withOpener(b), "complements differ")
		}
	}
}

// unknown returns the share of concepts that a rule lacks, weak ones aside.
func (p *pairing) unknown(cs []concept, in *Analysis) float64 {
	n, total := 0, 0
	for _, c := range cs {
		if p.lex.weak[c] {
			continue
		}
		total++
		if !in.words.has(c) {
			n++
		}
	}
	if total == 0 {
		return 0
	}
	return float64(n) / float64(total)
}

// valuesRejected tells whether a rule names the words of a phrase only to refuse
// them: "Pathfinder is not used".
func (p *pairing) valuesRejected(f *fragment, in *Analysis) bool {
	refused, total := 0, 0
	for _, m := range f.Means {
		if p.lex.weak[m] {
			continue
		}
		total++
		for i := range in.Clauses {
			c := &in.Clauses[i]
			for k := range c.Terms {
				if c.Terms[k].Means == m && (c.Terms[k].Role == roleTheme || c.Terms[k].Role == roleSubject || c.Terms[k].Role == roleComplement) {
					if c.Force != forceMustNot || c.Until {
						return false
					}
					refused++
				}
			}
		}
	}
	return total > 0 && refused >= total
}

// valuesContrast tells whether two phrases hold values that shut each other out:
// the red bin, the yellow bin.
func (p *pairing) valuesContrast(a, b *fragment) bool {
	for _, x := range a.Means {
		for _, y := range b.Means {
			if x == y {
				continue
			}
			for _, c := range p.lex.contrasts[x] {
				for _, d := range p.lex.contrasts[y] {
					if c.line == d.line && c.value {
						return true
					}
				}
			}
		}
	}
	return false
}

// openerClass groups prepositions that open the same kind of adjunct.
var openerClass = map[string]int{"in": 1, "on": 1, "at": 1, "into": 1, "onto": 1, "inside": 1, "within": 1, "by": 2, "via": 2, "through": 2, "with": 2, "using": 2, "over": 2, "to": 3, "towards": 3, "toward": 3, "from": 4, "for": 5, "as": 6, "": 7, "under": 1, "outside": 1}

func openersAgree(a, b string) bool {
	x, y := openerClass[a], openerClass[b]
	return x == y || (x == 1 || x == 2) && (y == 1 || y == 2)
}

// withOpener returns a phrase without its preposition.
func withOpener(f *fragment) string { return f.Text }
