package conflict

import "slices"

// role is the part that a word plays in its clause.
type role uint8

const (
	roleNone       role = iota
	roleSubject         // who or what the clause speaks of, beside its theme
	roleTheme           // what the act is done to
	roleVerb            // the act
	roleComplement      // how, where, with what, to whom
	roleActor           // an office
	roleCondition       // when the clause holds
	roleException       // when it does not
	rolePurpose         // why
	roleAnchor          // what a deadline runs from
	roleHeading         // title, domain, cluster
)

// maxFragments is how many phrases and offices of one kind a clause keeps.
const maxFragments = 16

// term is a word of a clause.
type term struct {
	_ struct{} `cbor:",toarray"`

	Means  concept
	Act    concept
	Role   role
	Weak   bool // says little on its own
	Proper bool // a name or code
	Group  bool // people to whom a rule applies
}

// fragment is a phrase of a clause as it is written.
type fragment struct {
	_ struct{} `cbor:",toarray"`

	Text    string
	Opener  string // the preposition before it
	Means   []concept
	Special bool
}

// clause is one frame: who must or may do what to what, how, when, unless what.
type clause struct {
	_ struct{} `cbor:",toarray"`

	Force     force
	Only      bool // "only", "solely", "exclusively"
	OnlyWho   bool // "only" binds who acts
	Universal bool // "any", "in all cases", "regardless"
	Inherits  bool // its theme is that of the clause before
	Copula    bool // the act is in its nouns
	Passive   bool
	NotBut    bool // "not … but …": what is forbidden has been left out
	Also      bool // "also", "in addition": comes on top of something
	Fact      bool // says what something is
	Light     bool // its verb names no act
	Negative  bool // "no", "not", "never" are in it, whatever the force came to
	Act       concept
	VerbMeans concept
	Head      concept // of the theme
	Verb      string
	Cue       string // the words that set the force
	Says      string // the force with its verb, as written: "must not be shipped"
	Theme     string
	Terms     []term
	Parts     []fragment // complements
	Actors    []actor
	Condition []fragment
	Exception []fragment
	Without   []fragment
	Until     bool // a prohibition that ends: "not … unless, until, without, before"
}

// readClauses cuts the text into clauses and reads each.
func (r *reading) readClauses() []clause {
	var out []clause
	var label clause
	t := r.tokens
	for from := 0; from < len(t) && len(out) < MaxClauses; {
		to := r.sentenceEnd(from)
		if to < len(t) && t[to].word == ":" && !r.hasPredicate(from, to) {
			// "Priority 1, cooling lost: an engineer comes …" says when the rest holds.
			for i := from; i < to; i++ {
				r.addTerm(&label, i, roleCondition)
			}
			from = to + 1
			continue
		}
		before := len(out)
		out = r.readSentence(out, from, to)
		for i := before; i < len(out); i++ {
			out[i].Terms = append(out[i].Terms, label.Terms...)
		}
		from = to + 1
	}
	if len(out) > MaxClauses {
		out = out[:MaxClauses]
	}
	for i := range r.quantities {
		if r.quantities[i].Clause >= len(out) {
			r.quantities[i].Clause = max(len(out)-1, 0)
		}
	}
	for i := range r.frequencies {
		if r.frequencies[i].Clause >= len(out) {
			r.frequencies[i].Clause = max(len(out)-1, 0)
		}
	}
	return out
}

// hasPredicate tells whether a finite verb or an imperative is among the tokens.
func (r *reading) hasPredicate(from, to int) bool {
	if from < to && r.tokens[from].form&formBase != 0 {
		return true
	}
	for i := from; i < to; i++ {
		if r.isFinite(i) {
			return true
		}
	}
	return false
}

// abbreviations end in a point that ends no sentence.
var abbreviations = setOf("e.g i.e eg ie no nr approx incl excl etc vs mr mrs ms dr st inc ltd co corp a p m g e i")

// sentenceEnd returns the token that closes the sentence that starts at from, or
// the end of the text.
func (r *reading) sentenceEnd(from int) int {
	t := r.tokens
	for i := from; i < len(t); i++ {
		if i > from && r.newLine(i) {
			return i - 1 + 1 - 1
		}
		if t[i].kind != kindMark {
			continue
		}
		switch t[i].word {
		case ";", "?", "!", "•":
			return i
		case ":":
			return i
		case ".":
			if i+1 < len(t) && t[i+1].joined {
				continue
			}
			if i > from && t[i].joined && abbreviations[t[i-1].word] && (len(t[i-1].word) > 1 || i+1 < len(t) && !t[i+1].capital) && (i+1 < len(t)) {
				continue
			}
			return i
		}
	}
	return len(t)
}

// newLine tells whether a new paragraph or list item starts at token i.
func (r *reading) newLine(i int) bool {
	gap := r.text[r.tokens[i-1].end:r.tokens[i].start]
	lines := 0
	for k := range len(gap) {
		if gap[k] == '\n' {
			lines++
		}
	}
	return lines >= 2 || lines == 1 && (r.tokens[i].word == "-" || r.tokens[i].word == "*")
}

// part is a stretch of a sentence with one predicate.
type part struct {
	main    []int
	spans   []span
	from    int
	inherit bool // no subject of its own
	bare    bool // its verb has no object of its own
}

func (r *reading) readSentence(out []clause, from, to int) []clause {
	spans := r.readSpans(from, to)
	for _, s := range spans {
		// A number in a condition is a limit; "for orders over …, " too.
		if s.kind == spanCondition || s.kind == spanException || s.kind == spanRelative {
			r.limitsWithin(s.from, s.to)
		}
	}
	parts := r.splitParts(spans, from, to)
	for i := range parts {
		if len(out) >= MaxClauses {
			break
		}
		p := &parts[i]
		c := r.readClause(p)
		if len(c.Terms) == 0 && c.Force == forceNone {
			continue
		}
		if (c.Inherits || p.inherit) && len(out) > 0 {
			inheritTheme(&c, &out[len(out)-1], p.inherit)
		} else if len(out) > 0 && r.pronounObject(p.main) {
			inheritTheme(&c, &out[len(out)-1], false)
		}
		if i > 0 && p.inherit && parts[i-1].bare && len(out) > 0 {
			shareTheme(&out[len(out)-1], &c) // "may keep and take their own inhalers"
		}
		r.place(p, len(out))
		out = append(out, c)
	}
	return out
}

// splitParts groups the main tokens of a sentence by predicate and gives every
// subordinate part to its group.
func (r *reading) splitParts(spans []span, from, to int) []part {
	var main []int
	k := 0
	for i := from; i < to; {
		if k < len(spans) && spans[k].from == i {
			i = spans[k].to
			k++
			continue
		}
		main = append(main, i)
		i++
	}
	parts := []part{{from: from}}
	cur := &parts[0]
	seen := false
	for n, i := range main {
		w := r.word(i)
		if seen && (w == "," || w == "and" || w == "but" || w == "or" || w == "while" || w == "whereas" || w == "yet" || w == "nor" || w == "so" || w == "however" || w == "–" || w == "—") {
			if subject, ok := r.clauseFollows(main, n+1, w); ok {
				parts = append(parts, part{from: i, inherit: !subject})
				cur = &parts[len(parts)-1]
				seen = false
				if w != "nor" {
					continue
				}
			}
		}
		cur.main = append(cur.main, i)
		if !seen {
			seen = r.isFinite(i) || len(cur.main) == 1 && r.tokens[i].form&formBase != 0 && !r.auxIn(main[n:])
		}
	}
	last := 0
	for _, s := range spans {
		for last+1 < len(parts) && parts[last+1].from <= s.from {
			last++
		}
		parts[last].spans = append(parts[last].spans, s)
		if s.fronted && s.kind == spanCondition {
			for j := last + 1; j < len(parts); j++ {
				if parts[j].inherit {
					parts[j].spans = append(parts[j].spans, s)
				}
			}
		}
	}
	return parts
}

// auxIn tells whether a modal or form of be is among the tokens up to the next
// comma.
func (r *reading) auxIn(main []int) bool {
	for _, i := range main {
		w := r.word(i)
		if w == "," || w == "and" || w == "but" || w == "or" {
			return false
		}
		if r.isFinite(i) && (isModal(w) || isBe(w)) {
			return true
		}
	}
	return false
}

// clauseFollows tells whether a clause of its own starts at position n of the main
// tokens, behind a coordinator, and whether it has its own subject.
func (r *reading) clauseFollows(main []int, n int, coordinator string) (subject, ok bool) {
	if n < len(main) && (r.word(main[n]) == "and" || r.word(main[n]) == "but" || r.word(main[n]) == "or" || r.word(main[n]) == "while" || r.word(main[n]) == "whereas") && coordinator == "," {
		return false, false // the coordinator itself will cut
	}
	for k := n; k < len(main) && k < n+14; k++ {
		i := main[k]
		w := r.word(i)
		if k > n && (w == "," || w == "and" && coordinator != "while" && coordinator != "whereas" || w == "but") {
			return false, false
		}
		if k == n && (w == "not" || w == "never") && coordinator != "or" {
			return false, r.verbAt(main, n+1)
		}
		if r.isFinite(i) && !isPartOfVerb(r, main, k, n) {
			return k > n+r.adverbsAt(main, n), true
		}
		if k == n && coordinator != "or" && r.tokens[i].form&formBase != 0 && r.tokens[i].form&formS == 0 && k+1 < len(main) && (determiners[r.word(main[k+1])] || r.tokens[main[k+1]].possessive) {
			return false, true // another imperative or infinitive
		}
	}
	return false, false
}

func (r *reading) verbAt(main []int, k int) bool {
	return k < len(main) && r.tokens[main[k]].form != 0
}

func (r *reading) adverbsAt(main []int, n int) int {
	k := n
	for k < len(main) && adverbs[r.word(main[k])] {
		k++
	}
	return k - n
}

// isPartOfVerb tells whether a finite word continues a verb phrase before the
// coordinator.
func isPartOfVerb(r *reading, main []int, k, n int) bool {
	return k > n && (isModal(r.word(main[k-1])) || r.word(main[k-1]) == "not")
}

// place notes the clause of the quantities and frequencies of a part.
func (r *reading) place(p *part, n int) {
	in := func(i int) bool {
		for _, s := range p.spans {
			if i >= s.from && i < s.to {
				return true
			}
		}
		return len(p.main) > 0 && i >= p.main[0]-1 && i <= p.main[len(p.main)-1]
	}
	for k := range r.quantities {
		if in(r.quantities[k].from) || in(r.quantities[k].to-1) {
			r.quantities[k].Clause = n
		}
	}
	for k := range r.frequencies {
		if in(r.frequencies[k].from) || in(r.frequencies[k].to-1) {
			r.frequencies[k].Clause = n
		}
	}
}

// limitsWithin makes limits of the values inside a condition.
func (r *reading) limitsWithin(from, to int) {
	for k := range r.quantities {
		q := &r.quantities[k]
		if q.from >= from && q.to <= to && q.Role == roleValue {
			q.Role = roleLimit
		}
	}
}

// inheritTheme gives a clause without a subject of its own the theme and subject
// of the clause before.
func inheritTheme(c, before *clause, subjectless bool) {
	for _, t := range before.Terms {
		if t.Role == roleTheme && before.Passive || t.Role == roleSubject || t.Role == roleTheme && !subjectless || t.Role == roleTheme && c.Head == 0 {
			if !hasTerm(c.Terms, t.Means) {
				c.Terms = append(c.Terms, t)
			}
		}
	}
	if c.Theme == "" {
		c.Theme = before.Theme
	}
	if c.Head == 0 {
		c.Head = before.Head
	}
	if subjectless && len(c.Actors) == 0 && !c.Passive {
		for _, a := range before.Actors {
			if a.Relation == relationAgent {
				c.addActor(a)
			}
		}
	}
	if subjectless && c.Force == forceNone && before.Force != forceMustNot && before.Force != forceNeedNot {
		c.Force = before.Force
	}
}

// pronounObject tells whether all that stands behind the verb is a pronoun: "wear
// one", "return them".
func (r *reading) pronounObject(main []int) bool {
	p := r.readPredicate(main)
	if p.verb < 0 || p.passive || p.after >= len(main) {
		return false
	}
	switch r.word(main[p.after]) {
	case "it", "them", "one", "ones", "these", "those", "this":
		return p.after+1 >= len(main) || r.tokens[main[p.after+1]].kind != kindWord || prepositions[r.word(main[p.after+1])] || r.tokens[main[p.after+1]].means == 0
	}
	return false
}

// shareTheme gives a clause whose verb has no object the theme of the clause that
// follows.
func shareTheme(c, next *clause) {
	for i := range c.Terms {
		if c.Terms[i].Role == roleTheme {
			c.Terms[i].Role = roleSubject
		}
	}
	for _, t := range next.Terms {
		if t.Role == roleTheme && !hasTerm(c.Terms, t.Means) {
			c.Terms = append(c.Terms, t)
		}
	}
	c.Theme, c.Head = next.Theme, next.Head
}

func hasTerm(terms []term, c concept) bool {
	for _, t := range terms {
		if t.Means == c {
			return true
		}
	}
	return false
}

func (r *reading) readClause(p *part) clause {
	var c clause
	main := p.main
	pred := r.readPredicate(main)
	f, cueFrom, cueTo := r.readForce(forceRegion(r, main, pred))
	c.Force = f
	if cueTo > cueFrom {
		c.Cue = r.phrase(cueFrom, cueTo)
	}
	c.Says = r.says(&c, main, pred, cueFrom, cueTo)
	for _, i := range main {
		switch r.word(i) {
		case "only", "solely", "exclusively", "alone", "else":
			c.Only = true
		case "but":
			if w := r.word(i - 1); w == "nobody" || w == "none" || w == "nothing" {
				c.Only, c.OnlyWho = true, w != "nothing"
			}
		case "any", "always", "regardless", "everyone", "anyone", "whatever", "irrespective", "anytime", "anywhere", "everywhere", "unconditionally":
			c.Universal = true
		case "also", "additionally", "addition", "too", "besides", "moreover", "furthermore", "additional", "second":
			c.Also = true
		case "or":
			c.Universal = c.Universal || r.word(i+1) == "not" && (i+2 >= len(r.tokens) || r.tokens[i+2].kind == kindMark)
		case "not", "no", "never", "cannot", "nobody", "none", "neither":
			c.Negative = true
		}
	}
	p.bare = pred.verb >= 0 && !pred.passive && pred.after >= len(main)
	roles := r.assignRoles(&c, main, pred)
	r.addTerms(&c, main, roles)
	for _, s := range p.spans {
		r.addSpan(&c, s)
	}
	r.readApprovals(&c, main, pred)
	c.Fact = c.Force == forceNone && r.defines(main, pred)
	r.normalise(&c, p, main, pred)
	return c
}

// says returns the words of the force and its verb: "must not be shipped", "is
// forbidden", "not charged" for "no … are charged".
func (r *reading) says(c *clause, main []int, p predicate, cueFrom, cueTo int) string {
	if cueTo == cueFrom+1 && (r.word(cueFrom) == "no" || r.word(cueFrom) == "nobody" || r.word(cueFrom) == "neither") {
		if p.verb >= 0 && p.passive {
			return "not " + r.tokens[main[p.verb]].text
		}
		if p.verb >= 0 {
			return r.slice(cueFrom, cueTo) + " … " + r.tokens[main[p.verb]].text
		}
		return "not allowed"
	}
	if p.at < 0 {
		return c.Cue
	}
	from, to := p.at, p.verb+1
	if p.verb < 0 {
		if cueTo > cueFrom {
			return c.Cue
		}
		return ""
	}
	if cueTo > cueFrom && (cueFrom < main[from] || cueFrom > main[to-1]) {
		return c.Cue + " … " + r.tokens[main[p.verb]].text
	}
	if isBe(r.word(main[from])) && r.word(main[min(from+1, to-1)]) != "to" {
		from++ // "is reimbursed": the verb says it
	}
	for k := from + 1; k < to; k++ {
		if main[k] != main[k-1]+1 {
			from = k
		}
	}
	if to-from > 6 {
		from = to - 6
	}
	return r.phrase(main[from], main[to-1]+1)
}

// assignRoles says of each main token which part it plays.
func (r *reading) assignRoles(c *clause, main []int, p predicate) []role {
	roles := make([]role, len(main))
	c.Passive, c.Copula = p.passive, p.copula
	if p.verb >= 0 {
		v := &r.tokens[main[p.verb]]
		c.Act, c.VerbMeans, c.Verb = v.act, v.means, v.text
		c.Light = lightVerbs[wordConcept(v.stem)]
		if c.Act == 0 {
			c.Act = r.lex.acts[v.stem]
		}
		roles[p.verb] = roleVerb
		if c.VerbMeans == 0 {
			c.VerbMeans = wordConcept(v.stem)
		}
	}
	at := p.at
	if at < 0 {
		at = 0
	}
	from := 0
	if p.subjectFrom > 0 {
		from, at = p.subjectFrom, p.verb
	}
	actorFrom, actorTo := r.subjectActor(c, main, from, at, p)
	actorSubject := actorTo > 0
	for k := from; k < at; k++ {
		switch {
		case k >= actorFrom && k < actorTo:
			roles[k] = roleActor
		case actorSubject:
			roles[k] = roleSubject
		case p.passive || p.copula:
			roles[k] = roleTheme
		default:
			roles[k] = roleSubject
		}
	}
	if p.verb < 0 && p.copula {
		r.nominalAct(c, main[from:at], roles[from:at])
	}
	c.Inherits = at > 0 && pronouns[r.word(main[firstWord(r, main)])] && firstWord(r, main) == at-1
	// Behind the verb: the object up to the next preposition, then complements.
	inObject := !p.passive
	opener, fragFrom := "", -1
	closeFragment := func(k int) {
		if fragFrom >= 0 && k > fragFrom && !r.noPlace(main, fragFrom, opener) {
			c.Parts = appendFragment(c.Parts, r.fragmentOf(main, fragFrom, k, opener))
		}
		fragFrom = -1
	}
	sawObject := false
	for k := p.after; k < len(main); k++ {
		i := main[k]
		w := r.word(i)
		if r.marks[i]&(tokenQuantity|tokenFrequency) != 0 && fragFrom >= 0 && r.tokens[i].means == 0 {
			closeFragment(k)
		}
		if prepositions[w] && r.marks[i]&(tokenQuantity|tokenFrequency) == 0 && w != "of" && !r.tokens[i].inside {
			closeFragment(k)
			inObject = false
			opener, fragFrom = w, k+1
			if n := r.actorPhrase(c, main, k, p); n > 0 {
				for j := k + 1; j < k+1+n && j < len(main); j++ {
					roles[j] = roleActor
				}
				fragFrom = -1
				k += n
			}
			continue
		}
		if r.marks[i]&tokenQuantity != 0 && prepositions[w] {
			inObject = false // "on Tuesday"
		}
		switch {
		case w == "but" && k > p.after && r.denied(main[:k]) && k+1 < len(main) && (prepositions[r.word(main[k+1])] || determiners[r.word(main[k+1])]):
			closeFragment(k)
			c.Parts, c.NotBut = c.Parts[:0], true // "not in euros but in dollars"
		case inObject:
			roles[k] = roleTheme
			sawObject = sawObject || r.tokens[i].means != 0 && r.marks[i]&(tokenQuantity|tokenFrequency) == 0
			if p.copula {
				roles[k] = roleComplement
			}
		case roles[k] == roleNone:
			roles[k] = roleComplement
		}
	}
	closeFragment(len(main))
	if p.copula && p.after < len(main) {
		end := p.after
		for end < len(main) && !prepositions[r.word(main[end])] {
			end++
		}
		if end > p.after {
			c.Parts = appendFragment(c.Parts, r.fragmentOf(main, p.after, end, ""))
		}
	}
	// "The employee pays for lost tickets": the first adjunct is the theme.
	if !p.passive && !p.copula && !sawObject && (actorSubject || len(c.Actors) > 0 && c.Actors[0].Relation == relationAgent) && len(c.Parts) > 0 && themeOpeners[c.Parts[0].Opener] && !c.Parts[0].Special {
		for k := p.after; k < len(main); k++ {
			if roles[k] == roleComplement && r.tokens[main[k]].means != 0 && slices.Contains(c.Parts[0].Means, r.tokens[main[k]].means) {
				roles[k] = roleTheme
				sawObject = true
			}
		}
	}
	// An inanimate subject of a verb without object is the theme.
	if !p.passive && !p.copula && !sawObject && !actorSubject {
		for k := range roles[:at] {
			if roles[k] == roleSubject {
				roles[k] = roleTheme
			}
		}
	}
	if !p.passive && p.verb >= 0 && toldActs[c.Act] {
		// "Inform the officer": whom one tells is no theme.
		if a, n := r.officeAt(main, p.after); n > 0 && a.Office {
			a.Relation = relationRecipient
			c.addActor(a)
			for k := p.after; k < p.after+n && k < len(main); k++ {
				roles[k] = roleActor
			}
		}
	}
	if p.copula && p.verb < 0 && p.after > 0 && p.after < len(main) && dutyAdjectives[r.word(main[p.after-1])] && (r.word(main[p.after]) == "for" || r.word(main[p.after]) == "to") {
		// "The buyer is responsible for the invoice": the invoice is the theme.
		for k := from; k < at; k++ {
			if roles[k] == roleTheme {
				roles[k] = roleSubject
			}
		}
		for k := p.after + 1; k < len(main) && roles[k] == roleComplement && !prepositions[r.word(main[k])]; k++ {
			roles[k] = roleTheme
		}
	}
	r.readTheme(c, main, roles)
	return roles
}

// dutyAdjectives stand between a person and what he or she has to see to.
var dutyAdjectives = setOf("responsible liable accountable entitled eligible answerable")

// themeOpeners are prepositions behind which a verb without object has its theme.
var themeOpeners = map[string]bool{"for": true, "on": true, "about": true, "to": true, "of": true, "over": true, "at": true, "upon": true}

// toldActs have a person as their object.
var toldActs = map[concept]bool{actConcept("report"): true, actConcept("answer"): true, actConcept("request"): true, actConcept("train"): true}

func firstWord(r *reading, main []int) int {
	for k, i := range main {
		w := r.word(i)
		if r.tokens[i].kind == kindWord && !connectives[w] && !adverbs[w] && w != "and" && w != "but" && w != "all" {
			return k
		}
	}
	return 0
}

func appendFragment(fs []fragment, f fragment) []fragment {
	if len(fs) >= maxFragments {
		return fs
	}
	return append(fs, f)
}

// noPlace tells whether an adjunct says neither where nor how: an infinitive, or
// "in accordance with".
func (r *reading) noPlace(main []int, k int, opener string) bool {
	switch r.word(main[k]) {
	case "accordance", "line", "order", "addition", "respect", "regard", "relation", "connection", "particular", "general", "principle", "case", "which", "behalf":
		return true
	}
	return opener == "to" && r.tokens[main[k]].form&formBase != 0 && !(k > 0 && r.tokens[main[k]].form&formS != 0)
}

// denied tells whether "not" is among the tokens.
func (r *reading) denied(main []int) bool {
	for _, i := range main {
		if r.word(i) == "not" {
			return true
		}
	}
	return false
}

// nominalAct takes the act of a clause such as "sharing accounts is forbidden" or
// "the use of private phones is prohibited" from its subject.
func (r *reading) nominalAct(c *clause, subject []int, roles []role) {
	for k, i := range subject {
		t := &r.tokens[i]
		if t.kind != kindWord || determiners[t.word] || adverbs[t.word] {
			continue
		}
		gerund := t.form&formIng != 0 && k+1 < len(subject)
		nominal := t.act != 0 && k+1 < len(subject) && (r.word(subject[k+1]) == "of" || r.word(subject[k+1]) == "to" && t.form&formS == 0)
		if gerund || nominal {
			c.Act, c.VerbMeans, c.Verb = r.lex.acts[t.stem], t.means, t.text
			if t.means == 0 {
				c.VerbMeans = wordConcept(t.stem)
			}
			roles[k] = roleVerb
		}
		return
	}
}

// fragmentOf returns the main tokens from from up to to as a phrase.
func (r *reading) fragmentOf(main []int, from, to int, opener string) fragment {
	f := fragment{Opener: opener}
	last := from
	for k := from; k < to; k++ {
		i := main[k]
		if k > from && main[k] != main[k-1]+1 {
			break
		}
		if w := r.word(i); k > from && (w == "and" || w == "or" || w == ",") && k+1 < to && r.tokens[main[k+1]].form&(formParticiple|formBase) != 0 && r.tokens[main[k+1]].form&formS == 0 && r.tokens[main[k+1]].act != 0 {
			break
		}
		if r.marks[i]&(tokenQuantity|tokenFrequency|tokenAnchor) != 0 {
			f.Special = true
		}
		if m := r.tokens[i].means; m != 0 && r.marks[i]&(tokenQuantity|tokenFrequency) == 0 {
			f.Means = append(f.Means, m)
		}
		last = k + 1
	}
	for last > from && r.tokens[main[last-1]].kind == kindMark {
		last--
	}
	if last > from {
		f.Text = r.phrase(main[from], main[last-1]+1)
	}
	return f
}

// readTheme takes the words of the theme and its head.
func (r *reading) readTheme(c *clause, main []int, roles []role) {
	from, to := -1, -1
	for k := range main {
		if roles[k] != roleTheme {
			if from >= 0 {
				break
			}
			continue
		}
		w := r.word(main[k])
		if from < 0 && (r.tokens[main[k]].inside && r.tokens[main[k]].means == 0 || r.marks[main[k]]&(tokenQuantity|tokenFrequency) != 0 || determiners[w] || w == "no" || r.tokens[main[k]].kind == kindMark || prepositions[w] || w == "of" || particles[w] || pronouns[w] || w == "we" || w == "you" || w == "and" || w == "only" || w == "alone" || w == "there" || connectives[w] || w == "not" || w == "but") {
			continue
		}
		if from >= 0 && main[k] != main[k-1]+1 {
			break
		}
		if from < 0 {
			from = k
		}
		to = k + 1
	}
	if from < 0 {
		return
	}
	headDone, headAct := false, false
	for k := from; k < to; k++ {
		i := main[k]
		w := r.word(i)
		if w == "of" && c.Head != 0 && (headAct || r.lex.weak[c.Head]) {
			continue // the loss of a device: the device
		}
		if prepositions[w] || r.marks[i]&(tokenQuantity|tokenFrequency) != 0 || c.Head != 0 && r.qualifies(main, k, to) {
			headDone = headDone || c.Head != 0
			continue
		}
		if m := r.tokens[i].means; m != 0 && !headDone {
			c.Head, headAct = m, r.tokens[i].act != 0
		}
	}
	end := to
	for k := from; k < to; k++ {
		if k > from && (r.marks[main[k]]&(tokenQuantity|tokenFrequency) != 0 || prepositions[r.word(main[k])] && r.word(main[k]) != "of" && k > from+3) {
			end = k
			break
		}
	}
	for k := from + 1; k < end; k++ {
		if w := r.word(main[k]); k > from+1 && (adverbs[w] && !prepositions[w] || w == "themselves" || w == "himself" || w == "itself") || r.tokens[main[k]].kind == kindMark && (w == "(" || w == "[") {
			end = k
			break
		}
	}
	for end > from && (r.tokens[main[end-1]].kind == kindMark || prepositions[r.word(main[end-1])] || r.word(main[end-1]) == "of") {
		end--
	}
	if end > from && end-from <= 10 {
		c.Theme = r.phrase(main[from], main[end-1]+1)
	} else if end > from {
		c.Theme = r.phrase(main[from], main[from+9]+1)
	}
}

// qualifies tells whether the word at k is a participle or adverb behind the noun
// that it belongs to: "claims received later".
func (r *reading) qualifies(main []int, k, to int) bool {
	t := &r.tokens[main[k]]
	if t.word == "later" || t.word == "earlier" || t.word == "alone" {
		return true
	}
	if t.form&formParticiple == 0 || t.form&formBase != 0 {
		return false
	}
	if k+1 >= to {
		return true
	}
	n := &r.tokens[main[k+1]]
	return n.means == 0 || prepositions[n.word] || n.word == "later" || n.word == "earlier" || len(n.word) > 4 && n.word[len(n.word)-2:] == "ly"
}

// addTerms notes the words of the main tokens.
func (r *reading) addTerms(c *clause, main []int, roles []role) {
	for k, i := range main {
		if r.marks[i]&(tokenQuantity|tokenFrequency) != 0 {
			continue
		}
		role := roles[k]
		if r.marks[i]&tokenAnchor != 0 {
			role = roleAnchor
		}
		r.addTerm(c, i, role)
	}
}

func (r *reading) addTerm(c *clause, i int, ro role) {
	t := &r.tokens[i]
	if t.means == 0 && t.act == 0 || t.inside && t.means == 0 {
		return
	}
	if t.means == 0 {
		return
	}
	c.Terms = append(c.Terms, term{Means: t.means, Act: t.act, Role: ro, Weak: r.lex.weak[t.means], Group: r.lex.groups[t.means],
		Proper: t.kind == kindNumber || t.capitals || t.capital && i > 0 && r.tokens[i-1].kind == kindWord})
}

// addSpan notes a subordinate part.
func (r *reading) addSpan(c *clause, s span) {
	ro := roleCondition
	switch s.kind {
	case spanCondition:
		if s.from > 0 && r.word(s.from-1) == "and" && !s.fronted {
			ro = rolePurpose // "and whenever they are soiled": one case more
		}
	case spanException:
		ro = roleException
	case spanPurpose:
		ro = rolePurpose
	case spanWithout:
		ro = roleComplement
	}
	f := fragment{Opener: r.slice(s.from, s.marker), Special: s.fronted}
	for i := s.from; i < s.to; i++ {
		if i >= s.marker && r.tokens[i].means != 0 && r.marks[i]&(tokenQuantity|tokenFrequency) == 0 {
			f.Means = append(f.Means, r.tokens[i].means)
		}
		if r.marks[i]&(tokenQuantity|tokenFrequency) != 0 {
			continue
		}
		r.addTerm(c, i, ro)
		switch r.word(i) {
		case "or":
			c.Universal = c.Universal || r.word(i+1) == "not"
		case "any", "all", "every", "regardless", "irrespective", "even", "whether":
			c.Universal = c.Universal || s.kind == spanCondition && (r.word(s.from) == "even" || r.word(s.from) == "regardless" || r.word(s.from) == "irrespective" || r.word(s.from) == "whether")
		}
	}
	to := s.to
	for to > s.from && r.tokens[to-1].kind == kindMark && r.word(to-1) != "%" && r.word(to-1) != ")" {
		to--
	}
	f.Text = r.phrase(s.from, to)
	switch s.kind {
	case spanCondition:
		if r.word(s.from) == "only" || s.from > 0 && r.word(s.from-1) == "only" {
			c.Only = true
		}
		c.Condition = appendFragment(c.Condition, f)
	case spanException:
		c.Exception = appendFragment(c.Exception, f)
	case spanWithout:
		c.Without = appendFragment(c.Without, f)
	}
}

// defines tells whether a clause says what something is: "X is any Y that …",
// "X means …". A value ("the limit is 50 EUR") is no definition.
func (r *reading) defines(main []int, p predicate) bool {
	if p.verb >= 0 {
		w := r.word(main[p.verb])
		return w == "means" || w == "denotes" || w == "comprises" || p.passive && (w == "defined" || w == "understood" || w == "called" || w == "referred" || w == "deemed" || w == "considered" || w == "regarded")
	}
	if !p.copula || p.at < 0 || !isBe(r.word(main[p.at])) || p.after >= len(main) {
		return false
	}
	for k := p.after; k < len(main) && k < p.after+3; k++ {
		if taskNouns[r.word(main[k])] {
			return false
		}
		if r.marks[main[k]]&(tokenQuantity|tokenFrequency) != 0 && r.word(main[k]) != "one" {
			return false
		}
	}
	switch r.word(main[p.after]) {
	case "a", "an", "any", "anyone", "anybody", "anything", "those", "one", "someone", "everyone", "everything", "all", "every", "each":
		return true
	case "the":
		return r.word(main[0]) != "the" && !r.tokens[main[p.after]].capital
	}
	return false
}

// normalise brings negations that bind something else than the act into one form:
// what must not exceed 60 is at most 60, what is rejected below 20 has at least 20.
func (r *reading) normalise(c *clause, p *part, main []int, pred predicate) {
	if c.Force == forceMustNot && r.alone(main) {
		c.Force = forceMust // what nobody does alone is done by two
	}
	if c.NotBut && c.Force == forceMustNot {
		c.Force, c.Cue = forceNone, ""
	}
	if c.Force == forceMustNot {
		for _, s := range p.spans {
			w := r.word(s.from)
			if s.kind == spanWithout || w == "unless" || w == "until" || w == "before" || w == "till" || w == "prior" {
				c.Until = true
			}
		}
	}
	if len(main) == 0 {
		return
	}
	verb := main[len(main)-1]
	if pred.at >= 0 {
		verb = main[pred.at]
	}
	rejects := c.Act == actConcept("refuse") || c.Act == actConcept("ban")
	for k := range r.quantities {
		q := &r.quantities[k]
		if q.to <= main[0] || q.from > main[len(main)-1] {
			continue
		}
		if q.Comparator == equal && q.Role == roleValue && !c.Negative && (pred.copula || c.Light) {
			q.Comparator = r.namedBound(main, q)
		}
		switch {
		case c.Force == forceMustNot && (q.Comparator == atMost || q.Comparator == atLeast) && r.negated(q) && !r.negationBefore(main, q.from):
			c.Force = forceMust
		case c.Force == forceMustNot && q.Role == roleValue && q.from > verb && (q.Comparator == over || q.Comparator == under) && !c.Until && !r.attributive(q):
			c.Force, q.Comparator, q.settled = forceMust, opposite(q.Comparator), true
		case rejects && c.Force != forceMustNot && c.Force != forceNeedNot && q.from < verb && (q.Comparator == over || q.Comparator == under):
			c.Force, q.Comparator, q.Role, q.settled = forceMust, opposite(q.Comparator), roleValue, true
			c.Act, c.VerbMeans, c.Light = 0, 0, true
			q.Text += " " + c.Verb
		}
	}
}

// attributive tells whether a quantity only says which of the things behind a noun
// are meant: "children under twelve".
func (r *reading) attributive(q *quantity) bool {
	if q.from == 0 {
		return false
	}
	t := &r.tokens[q.from-1]
	return t.kind == kindWord && t.means != 0 && t.form&(formBase|formS|formParticiple) == 0
}

// namedBound returns what a noun makes of a value: the limit is 10, a minimum of 3.
func (r *reading) namedBound(main []int, q *quantity) comparator {
	for _, i := range main {
		switch r.word(i) {
		case "limit", "maximum", "ceiling", "cap", "max", "upper", "highest":
			return atMost
		case "minimum", "lowest", "least":
			return atLeast
		}
	}
	return equal
}

// alone tells whether "alone" or "unaccompanied" is among the tokens.
func (r *reading) alone(main []int) bool {
	for _, i := range main {
		switch r.word(i) {
		case "alone", "unaccompanied", "unattended", "unsupervised":
			return true
		}
	}
	return false
}

func opposite(c comparator) comparator {
	if c == over {
		return atMost
	}
	return atLeast
}

// negated tells whether a negation is part of a quantity's comparator.
func (r *reading) negated(q *quantity) bool {
	for i := q.from; i < q.to; i++ {
		switch r.word(i) {
		case "not", "no", "never", "nothing":
			return true
		}
	}
	return false
}

// negationBefore tells whether a negation other than that of a quantity stands
// among the main tokens before token i.
func (r *reading) negationBefore(main []int, i int) bool {
	for _, k := range main {
		if k >= i {
			return false
		}
		switch r.word(k) {
		case "not", "no", "never", "cannot", "nobody", "none", "forbidden", "prohibited":
			return true
		}
	}
	return false
}
