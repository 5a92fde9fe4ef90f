package conflict

// frequencyRatio is how far two frequencies must lie apart: every ten days is not
// weekly, each working day is daily.
const frequencyRatio = 1.3

// frequencyEvidence compares how often things are done.
func (p *pairing) frequencyEvidence() {
	for i := range p.a.Frequencies {
		a := &p.a.Frequencies[i]
		if a.Clause != p.ia {
			continue
		}
		for k := range p.b.Frequencies {
			b := &p.b.Frequencies[k]
			if b.Clause != p.ib {
				continue
			}
			if a.Counted && b.Counted {
				continue // they are compared as quantities
			}
			r := frequenciesDiffer(a, b)
			if r == 0 {
				continue
			}
			if a.Adjective || b.Adjective {
				r *= 0.6
			}
			s := r * (0.15 + 0.85*p.act) * (0.3 + 0.7*p.theme)
			if s > p.verdicts[kindFrequency].strength {
				p.verdicts[kindFrequency] = evidence{s, a.Text, b.Text, "frequencies differ", larger(a.PerYear, b.PerYear)}
			}
		}
	}
}

func frequenciesDiffer(a, b *frequency) float64 {
	if a.Event != 0 || b.Event != 0 {
		if a.Event == b.Event {
			return 0
		}
		return 0.8
	}
	low, high := a, b
	if low.PerYear > high.PerYear {
		low, high = high, low
	}
	if high.PerYear <= low.PerYear*frequencyRatio {
		return 0
	}
	switch {
	case lower(low.Comparator):
		return 0.05 // at least once a year is met by every month
	case upper(high.Comparator):
		return 0.05
	}
	return 1
}
