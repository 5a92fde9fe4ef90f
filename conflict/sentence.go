package conflict

// readClauses cuts the text into clauses and reads each.
func (r *reading) readClauses() []clause {
	var out []clause
	var label clause
	t := r.tokens
	for from := 0; from < len(t) && len(out) < MaxClauses; {
		to, next := r.sentenceEnd(from)
		if to < len(t) && t[to].word == ":" && !r.hasPredicate(from, to) {
			// "Priority 1, cooling lost: an engineer comes …" says when the rest holds.
			label = clause{}
			for i := from; i < to; i++ {
				r.addTerm(&label, i, roleCondition)
			}
			from = next
			continue
		}
		before := len(out)
		out = r.readSentence(out, from, to)
		for i := before; i < len(out); i++ {
			out[i].Terms = append(out[i].Terms, label.Terms...)
		}
		from = next
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

// sentenceEnd returns where the sentence that starts at from ends, without the mark
// that closes it, and where the next one starts.
func (r *reading) sentenceEnd(from int) (end, next int) {
	t := r.tokens
	for i := from; i < len(t); i++ {
		if i > from && r.newLine(i) {
			return i, i
		}
		if t[i].kind != kindMark {
			continue
		}
		switch t[i].word {
		case ";", "?", "!", "•", ":":
			return i, i + 1
		case ".":
			if i+1 < len(t) && t[i+1].joined {
				continue
			}
			if i > from && t[i].joined && abbreviations[t[i-1].word] && (len(t[i-1].word) > 1 || i+1 < len(t) && !t[i+1].capital) && (i+1 < len(t)) {
				continue
			}
			return i, i + 1
		}
	}
	return len(t), len(t) + 1
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
