package conflict

// force is the deontic force of a clause.
type force uint8

const (
	forceNone    force = iota // says how things are; read as an obligation
	forceMust                 // must, shall, is required to
	forceShould               // should
	forceMay                  // may, can, is allowed
	forceNeedNot              // need not, is optional
	forceMustNot              // must not, never, is forbidden
	forceFact                 // a definition or plain statement
)

// binds tells whether a force demands the act, or states it as done.
func (f force) binds() bool { return f == forceMust || f == forceShould || f == forceNone }

// forceCues are the words that set the force of a clause, in order of what
// overrides what: a later kind gives way to an earlier one.
var forceCues = cueTable[force]{
	// Nobody is held to it.
	"not required": forceNeedNot, "not necessary": forceNeedNot, "not needed": forceNeedNot, "not mandatory": forceNeedNot, "not compulsory": forceNeedNot, "not obliged": forceNeedNot, "not obligatory": forceNeedNot, "not obligated": forceNeedNot,
	"need not": forceNeedNot, "needn't": forceNeedNot, "needs no": forceNeedNot, "need no": forceNeedNot, "no need": forceNeedNot, "not need": forceNeedNot, "not have to": forceNeedNot, "don't have to": forceNeedNot, "don't need": forceNeedNot, "doesn't need": forceNeedNot, "optional": forceNeedNot, "voluntary": forceNeedNot,
	"left to": forceNeedNot, "nobody has to": forceNeedNot, "nobody needs": forceNeedNot, "nobody is required": forceNeedNot, "nobody is obliged": forceNeedNot, "not ask for": forceNeedNot, "won't ask for": forceNeedNot, "won't ask": forceNeedNot, "up to you": forceNeedNot, "no obligation": forceNeedNot, "not bound": forceNeedNot, "unnecessary": forceNeedNot, "exempt from": forceNeedNot, "exempted from": forceNeedNot, "not call for": forceNeedNot, "at liberty": forceMay, "dispensed with": forceNeedNot, "can be omitted": forceNeedNot, "may be omitted": forceNeedNot, "may be skipped": forceNeedNot, "can be skipped": forceNeedNot, "not responsible for": forceNeedNot,
	"requires no": forceNeedNot, "require no": forceNeedNot, "not require": forceNeedNot, "not requires": forceNeedNot, "no longer required": forceNeedNot, "no longer necessary": forceNeedNot, "no longer needed": forceNeedNot, "is waived": forceNeedNot, "are waived": forceNeedNot, "be waived": forceNeedNot, "may choose not to": forceNeedNot, "choose not to": forceNeedNot, "discretionary": forceNeedNot, "not called for": forceNeedNot, "refuse to": forceMustNot,
	"not be required": forceNeedNot, "not be obliged": forceNeedNot, "not be necessary": forceNeedNot, "not be needed": forceNeedNot, "no longer need": forceNeedNot, "no longer needs": forceNeedNot, "no longer have to": forceNeedNot, "no longer has to": forceNeedNot,
	// Forbidden.
	"must not": forceMustNot, "mustn't": forceMustNot, "may not": forceMustNot, "shall not": forceMustNot, "should not": forceMustNot, "shouldn't": forceMustNot, "cannot": forceMustNot, "can't": forceMustNot, "can not": forceMustNot, "will not": forceMustNot, "won't": forceMustNot, "ought not": forceMustNot,
	"never": forceMustNot, "forbidden": forceMustNot, "prohibited": forceMustNot, "banned": forceMustNot, "ruled out": forceMustNot, "off limits": forceMustNot, "not permitted": forceMustNot, "not allowed": forceMustNot, "not authorised": forceMustNot, "not authorized": forceMustNot, "not entitled": forceMustNot, "not acceptable": forceMustNot, "unacceptable": forceMustNot, "not tolerated": forceMustNot, "impermissible": forceMustNot, "not eligible": forceMustNot, "ineligible": forceMustNot, "not be permitted": forceMustNot, "not be allowed": forceMustNot, "disallowed": forceMustNot, "not possible": forceMustNot, "not open to": forceMustNot, "not available": forceMustNot, "not an option": forceMustNot, "out of the question": forceMustNot, "barred from": forceMustNot, "no right": forceMustNot,
	"do not": forceMustNot, "does not": forceMustNot, "don't": forceMustNot, "doesn't": forceMustNot, "is not": forceMustNot, "are not": forceMustNot, "isn't": forceMustNot, "aren't": forceMustNot, "not to be": forceMustNot, "refrain from": forceMustNot, "no longer": forceMustNot, "under no circumstances": forceMustNot, "in no case": forceMustNot, "at no time": forceMustNot, "on no account": forceMustNot, "in no event": forceMustNot, "nobody": forceMustNot, "none of": forceMustNot, "not be": forceMustNot, "neither": forceMustNot, "nor": forceMustNot, "nothing": forceMustNot, "prohibits": forceMustNot, "forbids": forceMustNot, "strictly prohibited": forceMustNot, "is excluded": forceMustNot, "are excluded": forceMustNot, "nowhere": forceMustNot, "not use": forceMustNot,
	// Allowed.
	"may": forceMay, "can": forceMay, "might": forceMay, "could": forceMay, "allowed": forceMay, "allows": forceMay, "permitted": forceMay, "permits": forceMay, "permissible": forceMay, "entitled": forceMay, "free to": forceMay, "authorised to": forceMay, "authorized to": forceMay, "eligible": forceMay, "acceptable": forceMay, "has the right": forceMay, "have the right": forceMay, "is possible": forceMay, "are possible": forceMay, "open to": forceMay, "available to": forceMay, "available for": forceMay, "welcome to": forceMay, "has the option": forceMay, "have the option": forceMay, "at their own discretion": forceMay, "at their discretion": forceMay, "at its discretion": forceMay, "is enough": forceMay, "are enough": forceMay, "is sufficient": forceMay, "are sufficient": forceMay, "suffices": forceMay, "suffice": forceMay, "be permitted": forceMay, "be allowed": forceMay, "tolerated": forceMay, "right to": forceMay, "an option": forceMay, "is fine": forceMay, "are fine": forceMay, "is ok": forceMay, "okay": forceMay,
	// Demanded.
	"must": forceMust, "shall": forceMust, "required": forceMust, "requires": forceMust, "require": forceMust, "needs": forceMust, "need": forceMust, "needed": forceMust, "have to": forceMust, "has to": forceMust, "having to": forceMust, "mandatory": forceMust, "compulsory": forceMust, "obligatory": forceMust, "obliged": forceMust, "obligated": forceMust, "is to": forceMust, "are to": forceMust, "necessary": forceMust, "will": forceMust, "ensure": forceMust, "ensures": forceMust, "responsible for": forceMust, "bound to": forceMust, "essential": forceMust, "indispensable": forceMust, "make sure": forceMust, "imperative": forceMust, "agrees to": forceMust, "agree to": forceMust,
	"should": forceShould, "ought to": forceShould, "recommended": forceShould, "advised": forceShould, "advisable": forceShould, "encouraged": forceShould, "expected to": forceMust, "is expected": forceMust, "are expected": forceMust,
}

// priority orders forces when a clause holds several cues.
func (f force) priority() int {
	switch f {
	case forceNeedNot:
		return 5
	case forceMustNot:
		return 4
	case forceMay:
		return 3
	case forceMust:
		return 2
	case forceShould:
		return 1
	}
	return 0
}

// readForce returns the force of a clause from its main words, with the tokens of
// the cue that set it.
func (r *reading) readForce(main []int) (f force, cueFrom, cueTo int) {
	t := r.tokens
	words := make([]token, 0, len(main))
	index := make([]int, 0, len(main))
	for _, i := range main {
		if r.marks[i]&(tokenQuantity|tokenFrequency) != 0 {
			if n := len(words); n > 0 && words[n-1].word != "#" {
				words = append(words, token{word: "#"}) // no cue reaches over a number
				index = append(index, i)
			}
			continue
		}
		if w := t[i].word; w != "not" && w != "no" && w != "never" && w != "only" && skippable[w] {
			continue
		}
		words = append(words, t[i])
		index = append(index, i)
	}
	for k := range words {
		w := words[k].word
		if k+1 < len(words) && words[k+1].word == "but" && (w == "nobody" || w == "none" || w == "nothing") {
			continue // nobody but the vet: the vet only
		}
		if k+1 < len(words) && (words[k+1].word == "else" && (w == "nobody" || w == "nothing" || w == "nowhere" || w == "anyone") || w == "no" && (words[k+1].word == "other" || k+2 < len(words) && words[k+2].word == "else")) {
			continue // it binds who or what, and forbids nothing else
		}
		if w == "no" && k > 1 && words[k-1].word == "or" && words[k-2].word == "yes" {
			continue
		}
		if w == "no" && k+1 < len(words) && words[k+1].word != "later" && words[k+1].word != "more" && words[k+1].word != "less" && words[k+1].word != "longer" && words[k+1].word != "one" && words[k+1].word != "earlier" && words[k+1].word != "need" && words[k+1].word != "circumstances" && words[k+1].kind == kindWord {
			if forceMustNot.priority() > f.priority() {
				f, cueFrom, cueTo = forceMustNot, index[k], index[k]+1
			}
		}
		g, to, ok := forceCues.at(words, k)
		if !ok || to == k+1 && attributive(words, k) || g.priority() < f.priority() || g.priority() == f.priority() && !(g == f && plainDenials[r.slice(cueFrom, cueTo)]) {
			continue
		}
		f, cueFrom, cueTo = g, index[k], index[to-1]+1
	}
	if f == forceMustNot && cueTo == cueFrom+1 && r.word(cueFrom) == "no" {
		for k := range words {
			switch words[k].word {
			case "needed", "required", "necessary", "need", "needs", "compulsory", "mandatory", "obligatory":
				return forceNeedNot, cueFrom, cueTo // no quote is needed
			}
		}
	}
	return f, cueFrom, cueTo
}

// plainDenials are cues that give way to one that says more: "is not" to "not
// allowed".
var plainDenials = map[string]bool{"is not": true, "are not": true, "not be": true, "isn't": true, "aren't": true}

// forceRegion returns the main tokens that may set the force of a clause: all of
// them when the act is in its nouns, else those up to the verb, and a "no" at the
// start of its object.
func forceRegion(r *reading, main []int, p predicate) []int {
	if p.verb < 0 {
		return main
	}
	to := min(p.verb+3, len(main)) // "choose not to", "left to"
	for k := p.after; k < len(main) && k < p.after+3; k++ {
		if w := r.word(main[k]); w == "no" || w == "never" || w == "nothing" || w == "only" || w == "nobody" || w == "none" {
			to = max(to, min(k+3, len(main)))
		}
	}
	return main[:to]
}

// attributiveCues are adjectives that set no force in front of their noun:
// "prohibited items must be handed in".
var attributiveCues = setOf("prohibited forbidden banned permitted allowed required needed necessary mandatory compulsory obligatory optional voluntary eligible entitled acceptable unacceptable recommended unnecessary essential ineligible discretionary permissible")

func attributive(words []token, k int) bool {
	if !attributiveCues[words[k].word] || k+1 >= len(words) || k > 0 && (isBe(words[k-1].word) || words[k-1].word == "not") {
		return false
	}
	n := &words[k+1]
	return n.kind == kindWord && n.means != 0 && !prepositions[n.word]
}

// skippable words may stand inside a cue: "must also not", "is generally not allowed".
var skippable = setOf("also then normally usually generally typically still already strictly expressly explicitly therefore thus hereby always currently absolutely completely in any way ordinarily")
