package conflict

// spanKind says what a subordinate part of a sentence does.
type spanKind uint8

const (
	spanMain      spanKind = iota
	spanCondition          // if, when, where, for … at the start
	spanException          // unless, except, other than
	spanRelative           // who, which, that
	spanPurpose            // so that, in order to, because
	spanWithout            // without …
)

// span is a run of tokens with one function.
type span struct {
	kind     spanKind
	from, to int
	fronted  bool
	marker   int // first token after the opening words
}

// spanOpeners open a subordinate part.
var spanOpeners = cueTable[spanKind]{
	"if": spanCondition, "when": spanCondition, "whenever": spanCondition, "where": spanCondition, "wherever": spanCondition, "once": spanCondition, "in case": spanCondition, "in the event": spanCondition, "provided": spanCondition, "provided that": spanCondition, "providing": spanCondition, "as long as": spanCondition, "so long as": spanCondition,
	"as soon as": spanCondition, "on condition": spanCondition, "subject to": spanCondition, "only if": spanCondition, "only when": spanCondition, "only where": spanCondition, "only after": spanCondition, "only once": spanCondition, "until": spanCondition, "till": spanCondition, "after": spanCondition, "before": spanCondition, "prior to": spanCondition, "upon": spanCondition, "following": spanCondition,
	"during": spanCondition, "in the absence of": spanCondition, "with the consent of": spanCondition, "even if": spanCondition, "regardless of": spanCondition, "irrespective of": spanCondition, "while": spanCondition, "whether": spanCondition, "should": spanMain, "given that": spanCondition, "assuming": spanCondition, "as far as": spanCondition, "insofar as": spanCondition, "not until": spanCondition, "even when": spanCondition, "only with": spanCondition, "except when": spanException, "except if": spanException, "except where": spanException,
	"unless": spanException, "except": spanException, "except for": spanException, "other than": spanException, "apart from": spanException, "aside from": spanException, "save for": spanException, "save where": spanException, "save in": spanException, "save when": spanException, "with the exception of": spanException, "excluding": spanException, "but not": spanException, "excepting": spanException, "not including": spanException, "not counting": spanException, "outside of": spanException, "barring": spanException, "bar": spanMain, "not apply to": spanException, "not applicable to": spanException, "not apply for": spanException, "not apply when": spanException, "not apply if": spanException, "not apply where": spanException, "exempt are": spanException, "exempted are": spanException, "excepted are": spanException, "notwithstanding": spanException, "exceptions are": spanException, "the exception is": spanException, "the only exception is": spanException, "exception being": spanException, "not affected are": spanException,
	"whoever": spanRelative, "whatever": spanRelative, "anyone who": spanRelative, "everyone who": spanRelative, "who": spanRelative, "which": spanRelative, "whose": spanRelative, "whom": spanRelative, "that": spanRelative,
	"so that": spanPurpose, "so": spanPurpose, "otherwise": spanPurpose, "or else": spanPurpose, "in order to": spanPurpose, "in order that": spanPurpose, "because": spanPurpose, "since": spanPurpose, "as this": spanPurpose, "to avoid": spanPurpose, "to ensure": spanPurpose, "to prevent": spanPurpose, "so as to": spanPurpose, "to make sure": spanPurpose, "to protect": spanPurpose, "to keep": spanPurpose, "to allow": spanPurpose, "to enable": spanPurpose, "to reduce": spanPurpose,
	"without": spanWithout,
}

// frontedPrepositions open a scope at the start of a sentence that ends in a comma.
var frontedPrepositions = setOf("for in at on under with within from by as to inside outside through throughout between across over above below up")

// readSpans finds the subordinate parts of the tokens from from up to to.
func (r *reading) readSpans(from, to int) []span {
	var spans []span
	t := r.tokens
	start := true // nothing of the main clause yet
	for i := from; i < to; {
		if start && r.marks[i]&tokenQuantity != 0 && prepositions[t[i].word] {
			// "From the first day of absence, a note is due."
			if end := r.frontedPhraseEnd(i, to); end > 0 && r.word(end-1) == "," {
				spans = append(spans, span{spanCondition, i, end, true, i + 1})
				i = end
				continue
			}
		}
		if r.marks[i]&(tokenAnchor|tokenQuantity) != 0 {
			start = false
			i++
			continue
		}
		kind, after, ok := spanOpeners.at(t[:to], i)
		if ok && kind == spanMain {
			ok = false
		}
		if ok && kind == spanRelative && !r.isRelative(i, from) {
			ok = false
		}
		if ok && (t[i].word == "once" || t[i].word == "provided" || t[i].word == "following") && !r.opensClause(i, to) {
			ok = false
		}
		if ok && t[i].word == "subject" && i > from && isBe(r.word(i-1)) {
			ok = false // "are subject to English law"
		}
		if ok && r.marks[i]&tokenFrequency != 0 {
			ok = false
		}
		if ok && (t[i].word == "so" || t[i].word == "otherwise") && after == i+1 && (start || r.word(i-1) != "," || !(pronouns[r.word(i+1)] || determiners[r.word(i+1)] || t[i].word == "otherwise")) {
			ok = false
		}
		if !ok {
			if start && i+1 < to && frontedPrepositions[t[i].word] {
				if end := r.frontedPhraseEnd(i, to); end > 0 {
					spans = append(spans, span{spanCondition, i, end, true, i + 1})
					i = end
					continue
				}
			}
			if t[i].kind == kindWord && !skippable[t[i].word] && !connectives[t[i].word] && t[i].word != "and" && t[i].word != "but" && t[i].word != "or" {
				start = false
			}
			i++
			continue
		}
		s := span{kind: kind, from: i, fronted: start, marker: after}
		switch {
		case start && kind != spanRelative:
			s.to = r.frontedEnd(after, to, r.prepositionalOpener(i))
		case kind == spanRelative:
			s.to = r.relativeEnd(i, from, to)
		default:
			s.to = r.trailingEnd(after, to, kind)
			if end := r.beforeMainVerb(from, i, after, s.to, spans); end > 0 {
				s.to = end
			}
		}
		if s.to <= i {
			s.to = i + 1
		}
		spans = append(spans, s)
		i = s.to
	}
	return spans
}

// connectives open a sentence without being part of its matter.
var connectives = setOf("however therefore thus otherwise moreover furthermore additionally accordingly hence please below beyond")

// isRelative tells whether "that" or "which" at i opens a relative clause: it
// follows a noun and a verb comes.
func (r *reading) isRelative(i, from int) bool {
	t := r.tokens
	if t[i].word != "that" {
		return i > from || t[i].word != "which" && t[i].word != "who"
	}
	if i == from || t[i-1].kind != kindWord {
		return false
	}
	p := &t[i-1]
	if p.means == 0 || p.form&(formS|formBase) != 0 && p.form&formParticiple == 0 && p.act == 0 {
		return false
	}
	// "that" before a noun is a determiner: "in that case".
	return !prepositions[p.word] && p.word != "so"
}

// opensClause tells whether words with a verb follow a word that is also an adverb.
func (r *reading) opensClause(i, to int) bool {
	if r.word(i) == "following" {
		return i+1 < to && (determiners[r.word(i+1)] || r.tokens[i+1].means != 0) && (i == 0 || !determiners[r.word(i-1)])
	}
	if r.word(i) == "provided" {
		return i > 0 && !isBe(r.word(i-1)) && (r.word(i+1) == "that" || determiners[r.word(i+1)] || r.word(i-1) == ",")
	}
	for j := i + 1; j < to && j < i+12; j++ {
		if r.tokens[j].kind == kindMark && r.tokens[j].word == "," {
			return false
		}
		if r.isFinite(j) {
			return true
		}
	}
	return false
}

// frontedPhraseEnd returns where a phrase of a preposition at the start of a
// sentence ends, if a comma closes it and a predicate follows.
func (r *reading) frontedPhraseEnd(i, to int) int {
	split := 0 // before the last determiner behind a noun: "in Cincinnati the supervisor"
	for j := i + 1; j < to && j < i+24; j++ {
		if j > i+1 && determiners[r.word(j)] && r.word(j) != "that" && r.tokens[j-1].means != 0 && r.tokens[j-1].kind == kindWord && r.marks[j] == 0 {
			split = j
		}
		if r.isFinite(j) {
			if split > 0 && j > split+1 {
				return split
			}
			if isModal(r.word(j)) || isBe(r.word(j)) {
				return 0
			}
		}
		if r.word(j) == "," && r.predicateFollows(j+1, to) {
			return j + 1
		}
	}
	return 0
}

// predicateFollows tells whether a verb that can carry a clause comes.
func (r *reading) predicateFollows(i, to int) bool {
	if i < to && r.tokens[i].form&formBase != 0 {
		return true
	}
	for j := i; j < to; j++ {
		if r.isFinite(j) {
			return true
		}
	}
	return false
}

// frontedEnd returns where a condition at the start of a sentence ends: behind the
// first comma after its own verb that leaves a predicate, or before the subject
// of the next modal verb.
func (r *reading) frontedEnd(i, to int, nounPhrase bool) int {
	verbSeen := false
	firstComma, firstFinite, verbComma := 0, 0, 0
	for j := i; j < to; j++ {
		if firstFinite == 0 && r.isFinite(j) {
			firstFinite = j
		}
		if r.isFinite(j) || r.tokens[j].form&(formParticiple|formIng|formBase) != 0 && j > i {
			verbSeen = true
		}
		if r.word(j) != "," {
			continue
		}
		if verbComma == 0 && verbSeen && !r.listContinues(j, to) {
			verbComma = j + 1
		}
		if nounPhrase && firstFinite > 0 {
			if _, _, opens := spanOpeners.at(r.tokens[:to], j+1); opens || r.word(j+1) == "and" || r.word(j+1) == "but" {
				return r.nounPhraseStart(firstFinite, i) // the comma belongs to the main clause
			}
		}
		if firstComma == 0 && r.predicateFollows(j+1, to) {
			firstComma = j + 1
		}
		if (verbSeen || nounPhrase) && r.predicateFollows(j+1, to) && !r.listContinues(j, to) {
			return j + 1
		}
	}
	if firstComma > 0 {
		return firstComma
	}
	if verbComma > 0 && !nounPhrase {
		return verbComma // the verb behind the comma is in no table
	}
	// No comma: the second finite verb belongs to the main clause.
	seen := 0
	for j := i; j < to; j++ {
		if !r.isFinite(j) {
			continue
		}
		seen++
		if seen == 2 || seen == 1 && nounPhrase {
			return r.nounPhraseStart(j, i)
		}
	}
	return to
}

// prepositionalOpener tells whether the opener at i may stand before a noun alone.
func (r *reading) prepositionalOpener(i int) bool {
	w := r.word(i)
	switch w {
	case "after", "before", "during", "upon", "following", "prior", "subject", "regardless", "irrespective", "in", "without":
		return true
	}
	return false
}

// nounPhraseStart returns where the noun phrase before the finite verb at j starts,
// after token i.
func (r *reading) nounPhraseStart(j, i int) int {
	k := j
	for k > i && (r.tokens[k-1].means != 0 && r.tokens[k-1].form&formParticiple == 0 || determiners[r.word(k-1)] || r.word(k-1) == "nor") {
		k--
		if determiners[r.word(k)] || r.word(k) == "nobody" || r.word(k) == "everyone" || r.word(k) == "anyone" {
			break
		}
	}
	if k > i {
		return k
	}
	return j
}

// listContinues tells whether the comma at j only separates members of a list:
// "a laptop, phone or tablet".
func (r *reading) listContinues(j, to int) bool {
	for k := j + 1; k < to && k < j+6; k++ {
		if r.word(k) == "or" || r.word(k) == "and" {
			for m := k + 1; m < to && m < k+6; m++ {
				if r.word(m) == "," {
					return true
				}
			}
			return false
		}
		if r.isFinite(k) || determiners[r.word(k)] && k == j+1 {
			return false
		}
	}
	return false
}

// trailingEnd returns where a subordinate part behind the predicate ends.
func (r *reading) trailingEnd(i, to int, kind spanKind) int {
	for j := i; j < to; j++ {
		w := r.word(j)
		if w == "," {
			if kind == spanException || kind == spanWithout {
				if r.listContinues(j, to) {
					continue
				}
				return j
			}
			next := r.word(j + 1)
			if next == "and" || next == "but" || next == "or" || next == "in" || next == "unless" || next == "except" || next == "while" || next == "whereas" || next == "so" || next == "which" || next == "provided" || next == "after" || next == "at" || next == "with" || r.isFinite(j+1) {
				return j
			}
			if r.predicateFollows(j+1, to) && j > i+1 {
				return j
			}
		}
		if (w == "and" || w == "but" || w == "or") && j > i && r.finiteSoon(j+1, to) {
			return j
		}
		if kind, _, ok := spanOpeners.at(r.tokens[:to], j); ok && j > i && (kind == spanException || kind == spanPurpose || kind == spanWithout) {
			return j
		}
	}
	return to
}

// beforeMainVerb returns where a subordinate part inside the subject ends: before
// the finite verb of the main clause, if no verb of it stands before. Zero means
// that the part follows the main verb.
func (r *reading) beforeMainVerb(from, i, after, to int, spans []span) int {
	for k := from; k < i; k++ {
		inside := false
		for _, s := range spans {
			inside = inside || k >= s.from && k < s.to
		}
		if !inside && (r.isFinite(k) || k > from && r.pluralSubjectVerb([]int{k - 1, k, min(k+1, len(r.tokens)-1)}, 1) || r.tokens[k].form&formBase != 0 && k == from && !prepositions[r.word(k+1)]) {
			return 0
		}
	}
	own := 0
	if r.clauseOpener(i, after) {
		own = 1
	}
	for k := after; k < to; k++ {
		if r.isFinite(k) && !(k > after && (isModal(r.word(k-1)) || isBe(r.word(k-1)) || r.word(k-1) == "not")) {
			if own == 0 {
				if start := r.nounPhraseStart(k, after); start > after && determiners[r.word(start)] {
					return start // "during the term neither A nor B shall"
				}
				return k
			}
			own--
		}
	}
	return 0
}

// clauseOpener tells whether an opener needs a verb of its own.
func (r *reading) clauseOpener(i, after int) bool {
	switch r.word(i) {
	case "if", "when", "whenever", "where", "wherever", "once", "unless", "because", "since", "while", "whether", "as", "provided":
		return true
	}
	return r.word(after-1) == "if" || r.word(after-1) == "when" || r.word(after-1) == "where" || r.word(after-1) == "that"
}

// relativeEnd returns where the relative clause at i ends.
func (r *reading) relativeEnd(i, from, to int) int {
	nonRestrictive := i > from && r.word(i-1) == ","
	mainBefore := false
	for j := from; j < i; j++ {
		mainBefore = mainBefore || r.isFinite(j)
	}
	seen := 0
	first := i + 1
	for first < to && adverbs[r.word(first)] {
		first++
	}
	if first < to && r.tokens[first].form&(formBase|formS|formParticiple) != 0 && !r.isFinite(first) {
		seen = 1 // "who travel": a plural verb
	}
	for j := first; j < to; j++ {
		w := r.word(j)
		if w == "," {
			if nonRestrictive || seen > 0 {
				return j
			}
			continue
		}
		if seen > 0 && !mainBefore && r.pluralVerb(j) {
			return j
		}
		if !r.isFinite(j) {
			continue
		}
		if isModal(w) && j > i+1 && (isModal(r.word(j-1)) || r.word(j-1) == "not") || isBe(w) && j > i+1 && (isModal(r.word(j-1)) || isBe(r.word(j-1)) || r.word(j-1) == "not") {
			continue // the second half of "must be"
		}
		seen++
		if seen >= 2 && !mainBefore {
			if r.word(j-1) == "and" || r.word(j-1) == "or" {
				continue
			}
			// Step back over the adverb: "who travel also must".
			return j
		}
	}
	return to
}

// pluralVerb tells whether token j is a verb without ending behind a noun and
// before an object: "all who decide accept no gifts".
func (r *reading) pluralVerb(j int) bool {
	t, p := &r.tokens[j], &r.tokens[j-1]
	if t.form&formBase == 0 || t.form&formS != 0 || r.marks[j] != 0 || p.kind != kindWord || p.means == 0 || p.form&formIng != 0 {
		return false
	}
	n := r.word(j + 1)
	return determiners[n] || n == "no" || n == "their"
}

// finiteSoon tells whether a finite verb starts at i or follows a short subject.
func (r *reading) finiteSoon(i, to int) bool {
	for j := i; j < to && j < i+8; j++ {
		w := r.word(j)
		if w == "," || w == "and" || w == "or" || w == "if" || w == "who" || w == "which" || w == "that" || w == "when" {
			return false
		}
		if isModal(w) || isBe(w) || w == "do" || w == "does" {
			return true
		}
		if j == i && (r.tokens[j].form&formS != 0) && r.isFinite(j) {
			return true
		}
		if w == "not" || w == "never" {
			return true
		}
		if j > i && prepositions[w] {
			return false
		}
	}
	return false
}
