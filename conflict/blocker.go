package conflict

// The reasons why two rules do not conflict although a slot differs.
const (
	blockLadder    = iota // steps of one ladder
	blockOneLimit         // one of them holds only above or below a limit
	blockException        // one is the stated exception of the other
	blockScope            // other people, places, cases
	blockObject           // other things
	blockCondition        // other conditions
	blockNarrower         // one is about a part of the other's matter
	blockFact             // one only says what something is
	blockAgree            // another clause says the same in both
	blockers
)

var blockerNames = [blockers]string{"ladder", "one limit", "exception", "scope", "object", "condition", "narrower", "definition", "agree"}

// block finds the reasons against a conflict.
func (p *pairing) block() {
	p.exceptionBlocker()
	p.scopeBlocker()
	p.objectBlocker()
	p.factBlocker()
}
