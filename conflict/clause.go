package conflict

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
