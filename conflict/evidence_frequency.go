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
			r := frequenciesDiffer(a, b)
			if r == 0 {
				continue
			}
			if a.Adjective || b.Adjective {
				r *= 0.6
			}
			s := r * (0.35 + 0.65*p.act) * (0.3 + 0.7*p.theme)
			p.verdicts[kindFrequency].raise(s, a.Text, b.Text, "frequencies differ")
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
		return 0.2 // at least once a year is met by every month
	case upper(high.Comparator):
		return 0.2
	}
	return 1
}
