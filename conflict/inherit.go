package conflict

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
