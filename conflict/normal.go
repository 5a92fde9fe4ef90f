package conflict

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
