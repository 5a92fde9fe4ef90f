package conflict

import "strings"

var modalWords = setOf("must shall may might can could should will would require requires cannot ought mustn't can't won't shouldn't needn't needs need has have don't doesn't do does isn't aren't")

func isModal(w string) bool { return modalWords[w] }

var beWords = setOf("is are was were be been being")

func isBe(w string) bool { return beWords[w] }

// isFinite tells whether token i can be the finite verb of a clause.
func (r *reading) isFinite(i int) bool {
	if i < 0 || i >= len(r.tokens) {
		return false
	}
	t := &r.tokens[i]
	w := t.word
	if t.kind != kindWord || r.marks[i]&(tokenQuantity|tokenFrequency) != 0 && w != "may" {
		return false
	}
	switch w {
	case "be", "been", "being":
		return false
	case "need", "has", "have", "needs", "require", "requires":
		prev := r.word(i - 1)
		if determiners[prev] && prev != "all" && prev != "both" || prev == "to" || prev == "business" {
			return false
		}
		return true
	case "may":
		return r.marks[i]&tokenQuantity == 0
	case "can", "will", "might", "must", "do":
		return !determiners[r.word(i-1)] || r.word(i-1) == "all"
	}
	if isModal(w) || isBe(w) {
		return true
	}
	if t.form&formS == 0 || t.inside || r.anyAuxAfter(i+1) {
		return false
	}
	// A form on -s is a verb behind a noun and before what a verb takes.
	if i == 0 {
		return false
	}
	p := &r.tokens[i-1]
	if n := i + 1; n < len(r.tokens) && r.tokens[n].form&formBase != 0 && r.tokens[n].form&formS == 0 && lightVerbs[wordConcept(r.tokens[n].stem)] && n+1 < len(r.tokens) && !isModal(r.word(n)) {
		return false // "fire drills take place"
	}
	if p.form&formS != 0 && !r.lex.nounVerbs[p.stem] && r.lex.nounVerbs[t.stem] {
		return false // "approves orders"
	}
	if p.form&formIng != 0 && p.form&formBase == 0 && i == r.sentenceStart(i)+1 {
		return false // "splitting orders"
	}
	if p.kind != kindWord || determiners[p.word] || prepositions[p.word] || p.possessive || p.word == "and" || p.word == "or" {
		return p.kind == kindWord && (p.word == "who" || p.word == "which" || p.word == "that" || p.word == "it" || p.word == "and" && t.act != 0 && r.objectFollows(i))
	}
	if r.insidePhrase(i) && (i+1 >= len(r.tokens) || r.tokens[i+1].kind == kindMark) {
		return false // "sent from private phones."
	}
	return r.objectFollows(i)
}

// insidePhrase tells whether the words before token i belong to a preposition other
// than "of".
func (r *reading) insidePhrase(i int) bool {
	for k := i - 1; k >= 0; k-- {
		t := &r.tokens[k]
		if prepositions[t.word] {
			return t.word != "of"
		}
		if t.kind != kindWord || t.means == 0 {
			return false
		}
	}
	return false
}

// sentenceStart returns the first token of the sentence of token i.
func (r *reading) sentenceStart(i int) int {
	for i > 0 && r.word(i-1) != "." && r.word(i-1) != ";" && r.word(i-1) != ":" && r.word(i-1) != "," {
		i--
	}
	return i
}

// objectFollows tells whether what follows token i fits behind a verb.
func (r *reading) objectFollows(i int) bool {
	if i+1 >= len(r.tokens) {
		return true
	}
	n := &r.tokens[i+1]
	if n.kind == kindMark {
		return n.word == "." || n.word == ";" || n.word == ","
	}
	if isModal(n.word) && n.word != "have" || isBe(n.word) {
		return false
	}
	if n.kind == kindNumber || determiners[n.word] || n.word == "no" || particles[n.word] || prepositions[n.word] || pronouns[n.word] || adverbs[n.word] || n.word == "whether" || n.word == "how" || n.word == "if" || r.marks[i+1] != 0 || n.capital {
		return true
	}
	if n.form&formS != 0 && r.lex.nounVerbs[r.tokens[i].stem] { // "purchase orders reports"
		return false
	}
	return n.means != 0 && r.tokens[i].form&formS != 0
}

// anyAuxAfter tells whether a modal or a form of be follows before the sentence or
// a subordinate part ends.
func (r *reading) anyAuxAfter(i int) bool {
	for ; i < len(r.tokens); i++ {
		w := r.word(i)
		if w == "." || w == ";" || w == "," || w == "who" || w == "which" || w == "that" || w == "if" || w == "when" || w == "unless" || w == "before" || w == "after" || w == "and" || w == "but" {
			return false
		}
		if isModal(w) || isBe(w) {
			return true
		}
	}
	return false
}

// predicate is the verb of a clause and where its parts are, as positions in the
// list of the clause's main tokens.
type predicate struct {
	at      int // first word of the verb phrase, or -1
	verb    int // the verb that names the act, or -1
	after   int // first word behind the verb
	passive bool
	copula  bool // be, need, have: the act is in the nouns

	existential bool // there is

	subjectFrom int // where an inverted subject starts, or zero
}

// modalAdjectives are followed by "to" and the act.
var modalAdjectives = setOf("required allowed permitted entitled obliged obligated expected authorised authorized free able forbidden prohibited supposed bound encouraged asked advised requested welcome eligible liable responsible due ready prepared instructed needed necessary mandatory compulsory optional")

// readPredicate finds the predicate among the main tokens.
func (r *reading) readPredicate(main []int) predicate {
	p := predicate{at: -1, verb: -1, after: len(main)}
	word := func(k int) string {
		if k < 0 || k >= len(main) {
			return ""
		}
		return r.tokens[main[k]].word
	}
	form := func(k int) verbForm {
		if k < 0 || k >= len(main) {
			return 0
		}
		return r.tokens[main[k]].form
	}
	first := 0
	for first < len(main) && (r.tokens[main[first]].kind != kindWord || adverbs[word(first)] && word(first) != "only" || connectives[word(first)] || word(first) == "and" || word(first) == "but" || word(first) == "please") {
		first++
	}
	// A modal, a form of be, or a verb on -s.
	for k := first; k < len(main); k++ {
		w := word(k)
		if r.isFinite(main[k]) && (isModal(w) || isBe(w)) {
			p.at = k
			break
		}
	}
	if p.at < 0 || p.at > first && form(first)&formBase != 0 && r.imperativeLikely(main, first, p.at) {
		for k := first + 1; k < len(main); k++ {
			if p.at < 0 && r.pluralSubjectVerb(main, k) {
				p.at, p.verb, p.after = k, k, k+1
				return p
			}
			if r.isFinite(main[k]) && (p.at < 0 || k < p.at) {
				if !(form(first)&formBase != 0 && r.tokens[main[first]].act != 0 && determiners[word(first+1)]) {
					p.at, p.verb, p.after = k, k, k+1
					return p
				}
			}
		}
		if form(first)&formBase != 0 {
			p.at, p.verb, p.after = first, first, first+1
			return p
		}
		if p.at < 0 {
			if k := r.unknownVerb(main, first); k > 0 {
				p.at, p.verb, p.after = k, k, k+1
				return p
			}
			// A plural subject: "employees submit claims".
			for k := first + 1; k < len(main); k++ {
				t := &r.tokens[main[k]]
				if t.form&formBase != 0 && r.marks[main[k]] == 0 && !determiners[word(k-1)] && !prepositions[word(k-1)] && (r.objectFollows(main[k]) || r.plural(main[k-1])) && !r.tokens[main[k-1]].possessive && r.tokens[main[k-1]].kind == kindWord && word(k-1) != "and" && word(k-1) != "or" {
					p.at, p.verb, p.after = k, k, k+1
					return p
				}
			}
			return p
		}
	}
	if p.at == first+1 && word(first) == "there" {
		// "There is one appraisal a year": what there is is the theme.
		return predicate{at: p.at, verb: -1, after: p.at + 1, existential: true}
	}
	if p.at <= first || r.negativeOpening(main[:p.at]) {
		if q, ok := r.inverted(main, p.at); ok {
			return q
		}
	}
	// Walk over the verb phrase to the verb that names the act.
	be := false
	k := p.at
	need := word(k) == "need" || word(k) == "needs" || word(k) == "has" || word(k) == "have" || word(k) == "require" || word(k) == "requires"
	for k < len(main) {
		w := word(k)
		switch {
		case isBe(w):
			be = true
			k++
			continue
		case isModal(w), w == "not", w == "to" && k > p.at, w == "n't", w == "no" && need:
			k++
			continue
		case adverbs[w] && !prepositions[w] || len(w) > 4 && w[len(w)-2:] == "ly" && form(k) == 0 && r.tokens[main[k]].kind == kindWord:
			k++
			continue
		case modalAdjectives[w]:
			if word(k+1) == "to" {
				k += 2
				be = false
				continue
			}
			if w == "responsible" && word(k+1) == "for" {
				k += 2
				be = false
				if form(k)&formIng != 0 {
					p.verb, p.after = k, k+1
					return p
				}
			}
			p.copula, p.after = true, min(k+1, len(main))
			return p
		}
		break
	}
	if need && word(p.at+1) != "to" && word(p.at+1) != "not" && word(p.at+1) != "been" && word(p.at+1) != "also" {
		p.copula, p.after = true, min(k, len(main))
		return p
	}
	if k >= len(main) {
		p.copula = true
		return p
	}
	f := form(k)
	switch {
	case be && (f&formParticiple != 0 || f == 0 && strings.HasSuffix(word(k), "ed") && len(word(k)) > 4) && !r.nounPhraseHead(main, k):
		p.verb, p.after, p.passive = k, k+1, true
	case be:
		p.copula, p.after = true, k
	case f&(formBase|formIng) != 0:
		p.verb, p.after = k, k+1
		if word(k) == "require" || word(k) == "get" {
			p.copula = true
		}
	default:
		if r.tokens[main[k]].kind == kindWord && !determiners[word(k)] && isModal(word(p.at)) {
			p.verb, p.after = k, k+1 // a verb that no table knows
		} else {
			p.copula, p.after = true, k
		}
	}
	return p
}

// unknownVerb returns the position of a word on -s that no table knows and that
// stands where the verb of "the vet dehorns calves" stands, or zero.
func (r *reading) unknownVerb(main []int, first int) int {
	for first < len(main) && (determiners[r.word(main[first])] || r.word(main[first]) == "only") {
		first++
	}
	if first == 0 || first >= len(main) {
		return 0
	}
	for k := first + 1; k < len(main)-1 && k < first+7; k++ {
		t, p := &r.tokens[main[k]], &r.tokens[main[k-1]]
		if r.marks[main[k]] != 0 || t.kind != kindWord || p.kind != kindWord || prepositions[t.word] || functionWords[t.word] {
			return 0
		}
		w := t.word
		if t.form == 0 && len(w) > 4 && w[len(w)-1] == 's' && w[len(w)-2] != 's' && p.means != 0 && p.word[len(p.word)-1] != 's' {
			return k
		}
	}
	return 0
}

// pluralSubjectVerb tells whether the word at k is a verb without ending behind a
// plural noun: "parents send notes".
func (r *reading) pluralSubjectVerb(main []int, k int) bool {
	t, s := &r.tokens[main[k]], r.word(main[k-1])
	if t.form&formBase == 0 || t.form&formS != 0 || r.marks[main[k]] != 0 || t.inside || len(s) < 4 || s[len(s)-1] != 's' || s[len(s)-2] == 's' || r.tokens[main[k-1]].means == 0 || r.insidePhrase(main[k-1]) {
		return false
	}
	return k+1 < len(main)
}

// particles belong to the verb before them.
var particles = setOf("out up off down back away over on in")

// plural tells whether token i is a plural noun that can act.
func (r *reading) plural(i int) bool {
	w := r.word(i)
	return len(w) > 3 && w[len(w)-1] == 's' && (r.isOffice(w) || r.lex.groups[r.tokens[i].means]) || w == "staff" || w == "people" || w == "we" || w == "you"
}

// negativeOpening tells whether a sentence opens with a phrase that swaps subject
// and verb: "under no circumstances may", "only then does".
func (r *reading) negativeOpening(main []int) bool {
	if len(main) == 0 || len(main) > 5 {
		return false
	}
	w := r.word(main[0])
	return w == "only" || w == "never" || w == "nor" || len(main) > 1 && r.word(main[1]) == "no" && prepositions[w]
}

// inverted reads a clause whose subject stands behind its first verb: from the
// verb behind the subject on it is like any other.
func (r *reading) inverted(main []int, at int) (predicate, bool) {
	k := at + 1
	if k >= len(main) || !(determiners[r.word(main[k])] || r.tokens[main[k]].means != 0 && r.tokens[main[k]].form == 0) || isBe(r.word(main[at])) && at == 0 {
		return predicate{}, false
	}
	be := isBe(r.word(main[at]))
	for k++; k < len(main); k++ {
		t := &r.tokens[main[k]]
		if isBe(t.word) || t.word == "to" || isModal(t.word) {
			be = be || isBe(t.word)
			continue
		}
		if be && t.form&formParticiple != 0 || !be && t.form&formBase != 0 || r.word(main[k-1]) == "to" && t.form != 0 {
			return predicate{at: at, subjectFrom: at + 1, verb: k, after: k + 1, passive: be && t.form&formParticiple != 0}, true
		}
	}
	return predicate{}, false
}

// nounPhraseHead tells whether the participle at k only qualifies a noun: "is an
// approved supplier" is excluded by its article, "are registered users" is not.
func (r *reading) nounPhraseHead(main []int, k int) bool {
	if k+1 >= len(main) {
		return false
	}
	n := &r.tokens[main[k+1]]
	return n.kind == kindWord && n.means != 0 && !r.lex.weak[n.means] && !prepositions[n.word] && n.form == 0 && r.marks[main[k+1]] == 0 && !(len(n.word) > 4 && n.word[len(n.word)-2:] == "ly") && (k+2 >= len(main) || r.tokens[main[k+2]].kind == kindMark)
}

// imperativeLikely tells whether the clause opens with an imperative although a
// modal follows later: "Report accidents that must be …" is cut before, so only
// "Do" and bare verbs before a determiner count.
func (r *reading) imperativeLikely(main []int, first, aux int) bool {
	next := first + 1
	return next < aux && (determiners[r.tokens[main[next]].word] || r.tokens[main[next]].possessive)
}
