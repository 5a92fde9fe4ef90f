package conflict

import "slices"

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
