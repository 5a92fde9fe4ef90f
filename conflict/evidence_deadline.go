package conflict

// compareDeadlines compares two deadlines. Two of them for one act are two answers
// to one question, unless both only say how early at the latest something must
// be done.
func (p *pairing) compareDeadlines(a, b *quantity, s float64) {
	anchor := 1.0
	if len(a.Anchor) > 0 && len(b.Anchor) > 0 && !meet(a.Anchor, b.Anchor) {
		anchor = 0.75
	}
	r := 1.0
	la, ha := a.bounds()
	lb, hb := b.bounds()
	switch {
	case ha < lb && !close(ha, lb) || hb < la && !close(hb, la):
	case lower(a.Comparator) && lower(b.Comparator):
		r = 0.05
	case lower(a.Comparator) || lower(b.Comparator):
		r = 0.6
		if a.Side == sideBefore && b.Side == sideBefore {
			r = 0.7
		}
	case a.Side != noSide && b.Side != noSide && a.Side != b.Side:
		r = 0.8
	}
	s *= r * anchor * (0.15 + 0.85*p.act) * (0.3 + 0.7*p.theme) * (0.6 + 0.4*p.nearness(a, b))
	tighter := larger(b.High, a.High)
	if a.Side == sideBefore && b.Side == sideBefore {
		tighter = -tighter
	}
	if s > p.verdicts[kindDeadline].strength {
		p.verdicts[kindDeadline] = evidence{s, a.Text, b.Text, "deadlines differ", tighter}
	}
}
