package conflict

// pairing is two clauses while they are compared. a and b are their analyses,
// ca and cb the clauses, ia and ib their places.
type pairing struct {
	a, b   *Analysis
	ca, cb *clause
	ia, ib int
	lex    *lexicon

	act       float64 // likeness of the acts, 0 to 1
	antonym   bool    // the acts undo each other
	theme     float64 // likeness of the themes
	heads     bool    // the heads of the themes meet
	coverA    float64 // share of a's words found in b, by weight
	coverB    float64
	openA     residue // words of a that b does not have
	openB     residue
	verdicts  [kinds]evidence
	blockers  [blockers]float64
	features  [features]float64
	topTopic  float64 // the closest matter of any two clauses of the rules
	cosine    float64 // of the vectors; NaN when there are none
	hasCosine bool
}

// residue is the weight of the words of one clause that the other rule lacks, by
// the part they play.
type residue struct {
	theme, subject, condition, complement, actor, verb float64

	themeShare float64 // share of theme and subject that is left over
}

// weight is how much a word counts for the matter.
func (t *term) weight() float64 {
	w := 1.0
	switch {
	case t.Weak:
		w = 0.25
	case t.Proper:
		w = 1.2
	}
	switch t.Role {
	case roleTheme:
		return w * 1.2
	case roleVerb:
		return w * 0.7
	case roleSubject:
		return w * 0.8
	case roleComplement:
		return w * 0.7
	case roleCondition:
		return w * 0.6
	case roleActor:
		return w * 0.4
	case roleAnchor:
		return w * 0.4
	case roleException:
		return w * 0.25
	case rolePurpose:
		return w * 0.15
	}
	return w * 0.8
}

// has tells whether a rule has the word, or the act it names.
func (a *Analysis) has(t *term) bool {
	return a.words.has(t.Means) || t.Act != 0 && a.words.has(t.Act)
}

// cover returns the share of a clause's words found in a rule and what is left
// over.
func cover(c *clause, in *Analysis) (share float64, open residue) {
	found, total, matter := 0.0, 0.0, 0.0
	for i := range c.Terms {
		t := &c.Terms[i]
		w := t.weight()
		switch t.Role {
		case roleTheme:
			matter += w / 1.2
		case roleSubject:
			matter += w / 0.8
		}
		total += w
		if in.has(t) {
			found += w
			continue
		}
		switch t.Role {
		case roleTheme:
			open.theme += w / 1.2
		case roleSubject:
			open.subject += w / 0.8
		case roleCondition:
			open.condition += w / 0.6
		case roleComplement:
			open.complement += w / 0.7
		case roleActor:
			open.actor += w / 0.4
		case roleVerb:
			open.verb += w / 0.7
		}
	}
	if matter > 0 {
		open.themeShare = (open.theme + open.subject) / matter
	}
	if total == 0 {
		return 0, open
	}
	return found / total, open
}

// measure fills in how alike the two clauses are.
func (p *pairing) measure() {
	p.coverA, p.openA = cover(p.ca, p.b)
	p.coverB, p.openB = cover(p.cb, p.a)
	p.act, p.antonym = p.actLikeness()
	p.theme = (themeIn(p.ca, p.cb, p.b) + themeIn(p.cb, p.ca, p.a)) / 2
	p.heads = p.headIn(p.ca.Head, p.cb, p.b) && p.headIn(p.cb.Head, p.ca, p.a)
}

func (p *pairing) headIn(head concept, c *clause, a *Analysis) bool {
	return head == 0 || hasTerm(c.Terms, head) || a.words.has(head)
}

// themeIn returns the share of the words of a clause's theme that the other
// clause has: as its theme fully, elsewhere less.
func themeIn(c, other *clause, rest *Analysis) float64 {
	found, total := 0.0, 0.0
	for i := range c.Terms {
		t := &c.Terms[i]
		if t.Role != roleTheme {
			continue
		}
		w := 1.0
		if t.Weak {
			w = 0.3
		}
		if t.Means == c.Head {
			w *= 1.5
		}
		total += w
		best := 0.0
		for k := range other.Terms {
			o := &other.Terms[k]
			if o.Means != t.Means && (t.Act == 0 || o.Act != t.Act) {
				continue
			}
			if o.Role == roleTheme {
				best = 1
				break
			}
			best = max(best, 0.85)
		}
		if best == 0 && rest.has(t) {
			best = 0.6
		}
		found += w * best
	}
	if total == 0 {
		return 0.5
	}
	return found / total
}

// actLikeness compares what the clauses have done, in verb or noun.
func (p *pairing) actLikeness() (likeness float64, antonym bool) {
	a, b := p.ca, p.cb
	switch {
	case a.Act != 0 && a.Act == b.Act, a.VerbMeans != 0 && a.VerbMeans == b.VerbMeans:
		return 1, false
	case a.Act != 0 && b.Act != 0 && p.lex.antonyms[[2]concept{a.Act, b.Act}]:
		return 1, true
	}
	inB, inA := a.Act != 0 && hasAct(b, a.Act), b.Act != 0 && hasAct(a, b.Act)
	switch {
	case inA || inB:
		return 0.9, false
	case a.Act != 0 && b.Act != 0 && p.lex.kin[[2]concept{a.Act, b.Act}]:
		return 0.7, false
	case p.light(a) || p.light(b):
		return lightAct, false // "the limit is …", "needs …", "stays below …"
	}
	if a.Act != 0 && b.Act != 0 {
		return 0.1, false
	}
	return 0.3, false
}

// lightAct is the likeness of acts when one of them is only "be" or "have".
const lightAct = 0.6

// lightVerbs name no act of their own.
var lightVerbs = func() map[concept]bool {
	set := map[concept]bool{}
	for w := range setOf("be have get take come go stay remain last amount total cost happen occur lie hold run make do give apply reach live meet allow need require include contain see bring put set receive cover begin start end") {
		set[wordConcept(stem(w))] = true
	}
	return set
}()

func (p *pairing) light(c *clause) bool {
	return c.VerbMeans == 0 || c.Light
}

// hasAct tells whether a word of a clause names an act.
func hasAct(c *clause, act concept) bool {
	for i := range c.Terms {
		if c.Terms[i].Act == act {
			return true
		}
	}
	return false
}
