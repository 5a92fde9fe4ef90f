package conflict

import "strings"

func (c *clause) addActor(a actor) {
	if len(c.Actors) < maxFragments {
		c.Actors = append(c.Actors, a)
	}
}

// relation says what an office has to do with the act.
type relation uint8

const (
	relationAgent     relation = iota // does it
	relationSource                    // gives approval
	relationRecipient                 // is told, is sent to
)

// actor is an office that acts, approves or is told.
type actor struct {
	_ struct{} `cbor:",toarray"`

	Text     string
	Relation relation
	Means    []concept
	Head     concept
	Office   bool // a role word ends it; else a group
	Count    int  // two people, one person; zero: not said
}

// subjectActor reads the subject of an active clause, the main tokens from start up to
// end, as an actor. It returns where its words start and end among the main tokens.
func (r *reading) subjectActor(c *clause, main []int, start, end int, p predicate) (from, to int) {
	if p.passive || start >= end {
		return 0, 0
	}
	k := start + firstWord(r, main[start:end])
	a, n := r.officeAt(main[:end], k)
	if n == 0 {
		return 0, 0
	}
	a.Relation = relationAgent
	if p.copula && p.verb < 0 && isBe(r.word(main[p.at])) && !r.responsible(main, p) {
		return 0, 0 // "the manager is a member of the board" says who is what
	}
	if v := p.at; p.copula && p.verb < 0 && (r.word(main[v]) == "has" || r.word(main[v]) == "have") || p.verb >= 0 && consists[r.word(main[p.verb])] {
		return 0, 0 // "the team has nine members" says nothing that the team does
	}
	c.addActor(a)
	c.OnlyWho = c.OnlyWho || k > start && r.word(main[k-1]) == "only" || r.word(main[k]) == "only"
	if !a.Office {
		return 0, 0
	}
	return k, k + n
}

// consists are verbs whose subject does nothing.
var consists = setOf("consists consist comprises comprise includes include contains contain has have")

// responsible tells whether the predicate is "is responsible for" or the like.
func (r *reading) responsible(main []int, p predicate) bool {
	for k := p.at; k < len(main) && k < p.at+5; k++ {
		switch r.word(main[k]) {
		case "responsible", "accountable", "required", "allowed", "permitted", "authorised", "authorized", "entitled", "charge":
			return true
		}
	}
	return false
}

// officeAt reads a noun phrase at position k of the main tokens that names an
// office or a group, and how many positions it takes.
func (r *reading) officeAt(main []int, k int) (actor, int) {
	var a actor
	start := k
	if k >= len(main) {
		return a, 0
	}
	for k < len(main) && (determiners[r.word(main[k])] || r.word(main[k]) == "only" || r.word(main[k]) == "both" || r.word(main[k]) == "own" || r.word(main[k]) == "at" || r.word(main[k]) == "least") {
		if r.word(main[k]) == "no" {
			return a, 0
		}
		k++
	}
	if k < len(main) {
		if n, ok := r.numberAt(main[k]); ok && !n.ordinal && n.value >= 1 && n.value < 20 && n.to-n.from == 1 {
			if r.word(main[k]-1) != "least" { // of two minima the higher meets both
				a.Count = int(n.value)
			}
			k++
		}
	}
	first, last := k, -1
	ofSeen := false
	headWord := ""
scan:
	for ; k < len(main) && k < start+14; k++ {
		i := main[k]
		t := &r.tokens[i]
		if k > first && i != main[k-1]+1 {
			break
		}
		switch {
		case t.word == "of" && last >= 0:
			ofSeen = true
			continue
		case (t.word == "and" || t.word == "or") && last >= 0 && k+1 < len(main):
			// "the CFO and the CEO": a second office.
			if b, n := r.officeAt(main, k+1); n > 0 && b.Office {
				a.Means = append(a.Means, b.Means...)
				last = k + n
				k = last
				a.Count += max(b.Count, 1)
			}
			break scan
		case t.word == "in" && r.word(i+1) == "charge", t.word == "on" && (r.word(i+1) == "duty" || r.word(i+1) == "call" || r.word(i+1) == "site"):
			if k+1 < len(main) {
				last = k + 1
				k++
			}
			continue
		case determiners[t.word] && ofSeen && t.word != "no":
			continue
		case t.inside && t.kind == kindWord:
			if r.isOffice(t.word) {
				headWord = t.word
			}
			last = k
			continue
		case t.kind == kindMark && t.word == "-" || t.kind == kindMark && t.word == "&":
			continue
		case r.hyphenated(i) && t.kind == kindWord && (last < 0 || !ofSeen):
			if t.means != 0 {
				a.Means = append(a.Means, t.means)
			}
			continue // "on-call"
		case t.kind != kindWord || r.marks[i]&(tokenFrequency|tokenAnchor) != 0:
			break scan
		case r.marks[i]&tokenQuantity != 0 && a.Count == 0:
			break scan
		case t.means == 0 && !r.isOffice(t.word) || functionWords[t.word] && !t.capitals:
			break scan
		}
		if t.possessive && k+1 < len(main) && r.tokens[main[k+1]].inside {
			return a, 0 // "a doctor's note"
		}
		if t.means != 0 {
			a.Means = append(a.Means, t.means)
		}
		if !ofSeen {
			headWord, a.Head = t.word, t.means
		}
		last = k
	}
	if last < 0 {
		return a, 0
	}
	a.Text = r.phrase(main[start], main[last]+1)
	a.Office = r.isOffice(headWord) || (determiners[r.word(main[start])] || strings.HasSuffix(headWord, "s") && start == first) && agentive(headWord) && !r.lex.groups[a.Head]
	if !a.Office && !r.lex.groups[a.Head] && !(ofSeen && membership[headWord] && r.isOffice(r.word(main[last]))) {
		return a, 0
	}
	if r.lex.groups[a.Head] && !a.Office && a.Count == 0 {
		a.Office = false
	}
	return a, last + 1 - start
}

// hyphenated tells whether a hyphen without spaces follows token i.
func (r *reading) hyphenated(i int) bool {
	t := r.tokens
	return i+2 < len(t) && t[i+1].word == "-" && t[i+1].joined && t[i+2].joined
}

func (r *reading) isOffice(w string) bool {
	if r.lex.offices[w] {
		return true
	}
	if n := len(w); n > 3 && w[n-1] == 's' && r.lex.offices[w[:n-1]] {
		return true
	}
	return false
}

// membership nouns stand before the office to which somebody belongs.
var membership = setOf("member members one some representative representatives delegate delegates colleague")

// approvals are nouns whose "of" or "from" names who approves.
var approvalActs = []concept{actConcept("approve"), actConcept("sign"), actConcept("decide"), actConcept("inspect"), actConcept("review"), actConcept("allow"), actConcept("release")}

func isApproval(a concept) bool {
	for _, b := range approvalActs {
		if a == b && a != 0 {
			return true
		}
	}
	return false
}

// actorPhrase reads the office behind the preposition at position k, and how many
// positions it takes.
func (r *reading) actorPhrase(c *clause, main []int, k int, p predicate) int {
	a, n := r.officeAt(main, k+1)
	if n == 0 && p.passive && r.word(main[k]) == "by" && r.word(main[k]+1) == "whoever" {
		c.addActor(actor{Text: r.slice(main[k]+1, min(main[k]+4, len(r.tokens))), Office: true, Head: wordConcept("whoever"), Means: []concept{wordConcept("whoever")}})
		return 0
	}
	if n == 0 && p.passive && r.word(main[k]) == "by" {
		a, n = r.agentAt(main, k+1)
	}
	if n == 0 {
		return 0
	}
	switch r.word(main[k]) {
	case "by":
		a.Relation = relationAgent
	case "from":
		a.Relation = relationSource
	case "to":
		a.Relation = relationRecipient
		if k > 0 && r.word(main[k-1]) == "up" {
			a.Relation = relationAgent // it is up to the head
		}
		if !a.Office {
			return 0
		}
	case "with":
		if !a.Office {
			return 0
		}
		a.Relation = relationSource
	default:
		return 0
	}
	c.addActor(a)
	after := k + 1 + n
	c.OnlyWho = c.OnlyWho || k > 0 && r.word(main[k-1]) == "only" || after < len(main) && (r.word(main[after]) == "only" || r.word(main[after]) == "alone") || k+1 < len(main) && r.word(main[k+1]) == "only"
	return n
}

// meansNouns may follow "by" without being who acts.
var meansNouns = setOf("email mail post phone telephone letter courier hand car train bus plane taxi ship road rail sea air fax card cheque check transfer debit cash default law means way machine computer system software order agreement contract form message text chat video fingerprint name number date weight volume type category reference default invoice ticket standard region")

// agentAt reads whoever stands behind "by" in the passive, office or not.
func (r *reading) agentAt(main []int, k int) (actor, int) {
	var a actor
	start, last := k, -1
	named := false
	for ; k < len(main) && k < start+7; k++ {
		i := main[k]
		t := &r.tokens[i]
		if k > start && i != main[k-1]+1 || t.kind != kindWord || r.marks[i]&(tokenQuantity|tokenFrequency|tokenAnchor) != 0 {
			break
		}
		if determiners[t.word] && k == start {
			named = true
			continue
		}
		if t.means == 0 || prepositions[t.word] || t.form&formIng != 0 && k == start {
			break
		}
		named = named || t.capital
		a.Means = append(a.Means, t.means)
		a.Head = t.means
		last = k
	}
	if last < 0 || !named || meansNouns[r.word(main[last])] {
		return a, 0
	}
	a.Text, a.Office = r.slice(main[start], main[last]+1), true
	return a, last + 1 - start
}

// taskNouns and the like say whose the act is: "is the task of the buyer", "lies
// with the buyer".
var taskNouns = setOf("task responsibility job duty lies rests remains business matter")

// readApprovals reads "need the approval of the CFO", "with the consent of legal",
// "approval by two directors": the office behind a noun of approval, and the act
// that a verb without one of its own ("need", "is subject to") leaves to the noun.
func (r *reading) readApprovals(c *clause, main []int, p predicate) {
	for k := range main {
		i := main[k]
		t := &r.tokens[i]
		if taskNouns[t.word] && k+2 < len(main) && (r.word(main[k+1]) == "of" || r.word(main[k+1]) == "with") {
			if a, n := r.officeAt(main, k+2); n > 0 && !r.hasActor(c, a) {
				a.Relation = relationAgent
				c.addActor(a)
				r.retag(c, a)
			}
		}
		if (t.word == "to" && k > 0 && r.word(main[k-1]) == "up" || t.word == "for" && k == p.after && p.copula) && k+1 < len(main) {
			// "It is up to the head to decide", "is for the board to decide".
			if a, n := r.officeAt(main, k+1); n > 0 && k+1+n < len(main) && r.word(main[k+1+n]) == "to" && !r.hasActor(c, a) {
				a.Relation = relationAgent
				c.addActor(a)
				r.retag(c, a)
			}
		}
		if t.act == 0 || k == p.verb {
			continue
		}
		if p.copula && c.Act == 0 && k >= p.after && (isApproval(t.act) || k == len(main)-1 || !r.nounFollows(main, k)) && r.marks[i]&tokenQuantity == 0 {
			c.Act, c.VerbMeans = t.act, t.means
		}
		if !isApproval(t.act) || k+2 >= len(main) {
			continue
		}
		if w := r.word(main[k+1]); w == "of" || w == "by" || w == "from" {
			if a, n := r.officeAt(main, k+2); n > 0 && a.Office && !r.hasActor(c, a) {
				a.Relation = relationSource
				c.addActor(a)
				r.retag(c, a)
			}
		}
	}
}

func (r *reading) nounFollows(main []int, k int) bool {
	return k+1 < len(main) && r.tokens[main[k+1]].means != 0 && r.tokens[main[k+1]].kind == kindWord
}

func (r *reading) hasActor(c *clause, a actor) bool {
	for _, b := range c.Actors {
		if b.Text == a.Text {
			return true
		}
	}
	return false
}

// retag makes the words of an office words of an actor.
func (r *reading) retag(c *clause, a actor) {
	for _, m := range a.Means {
		for k := range c.Terms {
			if c.Terms[k].Means == m && (c.Terms[k].Role == roleComplement || c.Terms[k].Role == roleTheme || c.Terms[k].Role == roleNone) {
				c.Terms[k].Role = roleActor
			}
		}
	}
}
