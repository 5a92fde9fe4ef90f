package conflict

// The features that the regression weighs, in the order of weights.tsv. Every one
// lies between 0 and 1.
const (
	featDeontic = iota
	featThreshold
	featLimit
	featDeadline
	featFrequency
	featActor
	featObject
	featCondition
	featBest       // the strongest evidence
	featBestTopic  // times the likeness of the matter, like all below
	featBestClear  // times what the blockers leave
	featSecond     // the second strongest evidence
	featCoverLow   // the smaller share of shared words
	featCoverHigh  // the larger
	featTheme      // likeness of the themes
	featAct        // likeness of the acts
	featHeads      // the heads of the themes meet
	featLadder     // the blockers
	featOneLimit   //
	featException  //
	featScope      //
	featObjects    //
	featConditions //
	featNarrower   //
	featFact       //
	featAgree      //
	featTighter    // the narrower rule asks for more
	featOnly       // one of them says "only"
	featOpenVerb   // both have acts that the other lacks
	featOpenPart   // both have complements that the other lacks
	featAside      // other clauses of the two are closer in matter
	featName       // only one of them names a place or the like
	featCosine     // of the vectors
	featNoCosine   // there are none
	featMustMay    // must against may in nearly the same words
	featNumbers    // numbers of one kind differ somewhere in the texts
	featCopyNot    // near copies, one of which denies
	featCopyModal  // near copies with other modal verbs
	featCopyIf     // near copies, one of which has a condition
	features
)

var featureNames = [features]string{"deontic", "threshold", "limit", "deadline", "frequency", "actor", "object", "condition", "best", "topic", "topic x clear", "second", "cover low", "cover high", "theme", "act", "heads", "ladder", "one limit", "exception", "scope", "objects", "conditions", "narrower", "definition", "agree", "tighter", "only", "open verbs", "open parts", "aside", "name", "cosine", "no cosine", "must or may", "numbers", "copy denied", "copy modal", "copy condition"}

// topic is the likeness of the matter, 0 to 1.
func (p *pairing) topic() float64 {
	low, high := min(p.coverA, p.coverB), max(p.coverA, p.coverB)
	t := 0.3*low + 0.3*high + 0.4*p.theme
	if p.hasCosine {
		t = 0.75*t + 0.25*p.cosine
	}
	return t
}

// clear is what the blockers leave of the evidence.
func (p *pairing) clear() float64 {
	b := &p.blockers
	c := (1 - 0.9*b[blockLadder]) * (1 - 0.9*b[blockException]) * (1 - 0.8*b[blockScope]) * (1 - 0.7*b[blockObject]) * (1 - 0.5*b[blockCondition]) * (1 - 0.9*b[blockFact]) * (1 - 0.3*b[blockNarrower]) * (1 - 0.6*b[blockAgree])
	kind, _, _ := p.best()
	return c * (1 - 0.65*p.tighter(kind))
}

// best returns the kind with the strongest evidence, and the strength of the
// second.
func (p *pairing) best() (kind int, strength, second float64) {
	for k := range p.verdicts {
		s := p.verdicts[k].strength
		if s > strength {
			kind, strength, second = k, s, strength
		} else if s > second {
			second = s
		}
	}
	return kind, strength, second
}

// collect fills in the features.
func (p *pairing) collect() {
	f := &p.features
	for k := range p.verdicts {
		f[k] = p.verdicts[k].strength
	}
	kind, best, second := p.best()
	topic := p.topic()
	f[featBest] = best
	f[featBestTopic] = best * topic
	f[featBestClear] = best * topic * p.clear()
	f[featSecond] = second * topic
	f[featCoverLow], f[featCoverHigh] = best*min(p.coverA, p.coverB), best*max(p.coverA, p.coverB)
	f[featTheme], f[featAct], f[featHeads] = best*p.theme, best*p.act, best*indicator(p.heads)
	for k := range p.blockers {
		f[featLadder+k] = best * p.blockers[k]
	}
	f[featTighter] = best * p.tighter(kind)
	f[featOnly] = best * indicator(p.ca.Only || p.cb.Only)
	f[featOpenVerb] = best * min(1, p.openA.verb, p.openB.verb)
	f[featOpenPart] = best * min(1, min(p.openA.complement, p.openB.complement)/2)
	f[featAside] = best * max(0, p.topTopic-topic)
	f[featName] = best * indicator(p.oneNames())
	if p.hasCosine {
		f[featCosine] = best * max(0, p.cosine)
	} else {
		f[featNoCosine] = best
	}
	f[featMustMay] = p.mustOrMay()
	copied := copyOf(p.a, p.b)
	f[featCopyNot] = copied * indicator((p.a.Negations-p.b.Negations)%2 != 0)
	f[featCopyModal] = copied * indicator(p.a.Demands != p.b.Demands && p.a.Permissions != p.b.Permissions)
	f[featCopyIf] = copied * indicator(p.a.Conditions != p.b.Conditions)
	f[featNumbers] = topic * p.act * p.numbersDiffer()
}

// tighter tells how far the rule about the smaller matter asks for more: it leaves
// both to be obeyed.
func (p *pairing) tighter(kind int) float64 {
	a, b := p.openA.theme+p.openA.subject+0.5*p.openA.condition, p.openB.theme+p.openB.subject+0.5*p.openB.condition
	switch p.verdicts[kind].tighter {
	case 1:
		return min(1, max(0, a-b))
	case -1:
		return min(1, max(0, b-a))
	}
	return 0
}

// oneNames tells whether one clause has a name in its scope or theme that the other
// rule lacks, and the other has none.
func (p *pairing) oneNames() bool {
	return named(p.ca, p.b) != named(p.cb, p.a)
}

func named(c *clause, in *Analysis) bool {
	for i := range c.Terms {
		t := &c.Terms[i]
		if t.Proper && (t.Role == roleCondition || t.Role == roleSubject || t.Role == roleTheme) && !in.words.has(t.Means) {
			return true
		}
	}
	return false
}

// numbersDiffer tells whether numbers of one kind differ anywhere in the texts,
// and none agrees.
func (p *pairing) numbersDiffer() float64 {
	s := 0.0
	for i := range p.a.Quantities {
		a := &p.a.Quantities[i]
		best := 0.0
		for k := range p.b.Quantities {
			b := &p.b.Quantities[k]
			c := comparable(a, b)
			if lower(a.Comparator) && lower(b.Comparator) || upper(a.Comparator) && upper(b.Comparator) && p.ca.Force != forceMay && p.cb.Force != forceMay && a.Role == roleValue {
				continue // the stricter one meets both
			}
			if c > 0 && sameValue(a, b) {
				best = 0
				break
			}
			best = max(best, c)
		}
		s = max(s, best)
	}
	return s
}

func indicator(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// mustOrMay tells whether one rule demands what the other leaves open, in nearly
// the same words: an auditor calls that contradictory.
func (p *pairing) mustOrMay() float64 {
	a, b := p.ca.Force, p.cb.Force
	if !(a == forceMay && (b == forceMust || b == forceNone) || b == forceMay && (a == forceMust || a == forceNone)) {
		return 0
	}
	low := min(p.coverA, p.coverB)
	for i := range p.a.Quantities {
		for k := range p.b.Quantities {
			a, b := &p.a.Quantities[i], &p.b.Quantities[k]
			if a.Role == roleValue && b.Role == roleValue && upper(a.Comparator) && upper(b.Comparator) && comparable(a, b) > 0 && sameValue(a, b) {
				return 0 // up to 45 minutes, no more than 45 minutes
			}
		}
	}
	if low < 0.8 {
		return 0
	}
	return (low - 0.8) * 5
}
