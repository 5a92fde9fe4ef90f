package conflict

// Kind says what two rules differ in.
type Kind string

// The kinds of conflict, as in the contract.
const (
	KindDeontic   Kind = "deontic"
	KindThreshold Kind = "threshold"
	KindDeadline  Kind = "deadline"
	KindFrequency Kind = "frequency"
	KindActor     Kind = "actor"
	KindObject    Kind = "object"
	KindCondition Kind = "condition"
)

// The places of the kinds in tables. Threshold has two: values and limits.
const (
	kindDeontic = iota
	kindThreshold
	kindLimit
	kindDeadline
	kindFrequency
	kindActor
	kindObject
	kindCondition
	kinds
)

var kindNames = [kinds]Kind{KindDeontic, KindThreshold, KindThreshold, KindDeadline, KindFrequency, KindActor, KindObject, KindCondition}

// evidence is how strongly one slot speaks for a conflict, with what stands
// against what.
type evidence struct {
	strength float64 // 0 to 1
	a, b     string  // the two values in the words of their rules
	note     string  // for explain
	tighter  int     // which side asks for more: 1 a, -1 b, 0 neither
}

func (e *evidence) raise(strength float64, a, b, note string) {
	if strength > e.strength {
		*e = evidence{strength: strength, a: a, b: b, note: note}
	}
}

// weigh finds the evidence of every kind.
func (p *pairing) weigh() {
	p.frequencyEvidence()
	p.quantityEvidence()
	p.actorEvidence()
	p.objectEvidence()
	p.conditionEvidence()
	p.deonticEvidence()
	p.limitEvidence()
	p.discount()
}

// discount lowers what two prohibitions or two permissions differ in: both can be
// kept.
func (p *pairing) discount() {
	a, b := p.ca.Force, p.cb.Force
	switch {
	case a == forceMustNot && b == forceMustNot && !p.ca.Until && !p.cb.Until, a == forceNeedNot && b == forceNeedNot, a == forceMustNot && b == forceNeedNot, a == forceNeedNot && b == forceMustNot:
		for k := range p.verdicts {
			if k != kindLimit {
				p.verdicts[k].strength *= 0.2
			}
		}
	case a == forceMay && b == forceMay && !p.ca.Only && !p.cb.Only:
		p.verdicts[kindObject].strength *= 0.3
		p.verdicts[kindActor].strength *= 0.4
	}
}
