package conflict

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
