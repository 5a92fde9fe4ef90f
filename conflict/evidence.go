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
}

func (e *evidence) raise(strength float64, a, b, note string) {
	if strength > e.strength {
		*e = evidence{strength, a, b, note}
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
}
