package conflict

// limitEvidence compares the limits above or below which the clauses hold. The
// same outcome from another limit on is a conflict; another outcome from another
// limit on is a ladder.
func (p *pairing) limitEvidence() {
	outcome := max(p.verdicts[kindActor].strength, p.verdicts[kindThreshold].strength, p.verdicts[kindDeontic].strength, p.verdicts[kindDeadline].strength, p.verdicts[kindFrequency].strength)
	opposed := opposition(p.ca.Force, p.cb.Force) > 0 || p.verdicts[kindCondition].strength > 0.4
	limited := 0
	for i := range p.a.Quantities {
		a := &p.a.Quantities[i]
		if a.Clause != p.ia || a.Role != roleLimit {
			continue
		}
		limited |= 1
		for k := range p.b.Quantities {
			b := &p.b.Quantities[k]
			if b.Clause != p.ib || b.Role != roleLimit {
				continue
			}
			s := comparable(a, b)
			if s == 0 {
				continue
			}
			limited |= 4
			if sameValue(a, b) && !opposedBounds(a, b) {
				continue
			}
			la, ha := a.bounds()
			lb, hb := b.bounds()
			exact := a.Comparator == equal && b.Comparator == equal
			apart := !exact && (ha <= lb || hb <= la || close(ha, lb) || close(hb, la))
			switch {
			case opposed && !apart:
				p.verdicts[kindLimit].raise(s*0.9*(0.3+0.7*p.act)*p.theme, a.Text, b.Text, "limits overlap")
			case apart || outcome > 0.25:
				p.blockers[blockLadder] = max(p.blockers[blockLadder], s)
			default:
				r := 1.0
				if lower(a.Comparator) != lower(b.Comparator) {
					r = 0.5
				}
				p.verdicts[kindLimit].raise(s*r*(0.05+0.95*p.act)*(0.3+0.7*p.theme), a.Text, b.Text, "limits differ")
			}
		}
	}
	for k := range p.b.Quantities {
		if b := &p.b.Quantities[k]; b.Clause == p.ib && b.Role == roleLimit {
			limited |= 2
		}
	}
	if limited == 1 || limited == 2 {
		p.blockers[blockOneLimit] = 1
	}
}
