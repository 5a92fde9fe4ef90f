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
	featBest        // the strongest evidence
	featBestTopic   // times the likeness of the matter
	featBestClear   // times that, times what the blockers leave
	featSecond      // the second strongest evidence
	featNone        // no evidence at all
	featCoverLow    // the smaller share of shared words
	featCoverHigh   // the larger
	featTheme       // likeness of the themes
	featAct         // likeness of the acts
	featHeads       // the heads of the themes meet
	featLadder      // the blockers
	featOneLimit    //
	featException   //
	featScope       //
	featObjects     //
	featConditions  //
	featNarrower    //
	featFact        //
	featOnly        // one of them says "only"
	featMustMay     // must against may in nearly the same words
	featOpenVerb    // both have acts that the other lacks
	featOpenPart    // both have complements that the other lacks
	featCosine      // of the vectors
	featCosineKnown //
	features
)

var featureNames = [features]string{"deontic", "threshold", "limit", "deadline", "frequency", "actor", "object", "condition", "best", "best x topic", "best x topic x clear", "second", "none", "cover low", "cover high", "theme", "act", "heads", "ladder", "one limit", "exception", "scope", "objects", "conditions", "narrower", "definition", "only", "must or may", "open verbs", "open parts", "cosine", "cosine known"}

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
	c := (1 - 0.9*b[blockLadder]) * (1 - 0.9*b[blockException]) * (1 - 0.8*b[blockScope]) * (1 - 0.7*b[blockObject]) * (1 - 0.5*b[blockCondition]) * (1 - 0.9*b[blockFact]) * (1 - 0.3*b[blockNarrower])
	return c
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
	_, best, second := p.best()
	topic := p.topic()
	f[featBest], f[featSecond] = best, second
	f[featBestTopic] = best * topic
	f[featBestClear] = best * topic * p.clear()
	f[featNone] = indicator(best < 0.15)
	f[featCoverLow], f[featCoverHigh] = min(p.coverA, p.coverB), max(p.coverA, p.coverB)
	f[featTheme], f[featAct], f[featHeads] = p.theme, p.act, indicator(p.heads)
	for k := range p.blockers {
		f[featLadder+k] = p.blockers[k]
	}
	f[featOnly] = indicator(p.ca.Only || p.cb.Only)
	f[featMustMay] = p.mustOrMay()
	f[featOpenVerb] = min(1, p.openA.verb, p.openB.verb)
	f[featOpenPart] = min(1, min(p.openA.complement, p.openB.complement)/2)
	if p.hasCosine {
		f[featCosine], f[featCosineKnown] = max(0, p.cosine), 1
	} else {
		f[featCosine], f[featCosineKnown] = 0, 0
	}
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
	if low < 0.8 {
		return 0
	}
	return (low - 0.8) * 5
}
