package conflict

// phraseDeadlines are deadlines without a number, as the hours that they may take.
var phraseDeadlines = func() cueTable[phraseDeadline] {
	table := cueTable[phraseDeadline]{}
	for phrase, d := range map[string]phraseDeadline{
		"immediately": {0, 0}, "at once": {0, 0}, "without delay": {0, 0}, "without undue delay": {0, 0}, "straight away": {0, 0}, "right away": {0, 0}, "straightaway": {0, 0}, "forthwith": {0, 0},
		"instantly": {0, 0}, "on the spot": {0, 0}, "there and then": {0, 0}, "overnight": {8, 16}, "by close of business": {4, 24}, "close of business": {4, 24}, "by end of day": {4, 24}, "end of day": {4, 24}, "by month end": {240, 744}, "at month end": {240, 744}, "by year end": {4380, 8784},
		"the day after": {24, 48}, "on the day after": {24, 48}, "on the day of": {4, 24}, "same day": {4, 24}, "within the week": {48, 168}, "within the day": {4, 24}, "the day before": {24, 48}, "on the day before": {24, 48}, "the evening before": {12, 24}, "before the end of the day": {4, 24}, "within the hour": {0.5, 1},
	} {
		table[phrase] = d
	}
	for period, d := range map[string]phraseDeadline{
		"the same day": {4, 24}, "the same working day": {4, 24}, "the same business day": {4, 24}, "the same shift": {1, 12}, "the same week": {48, 168}, "the same month": {240, 744},
		"the next day": {24, 48}, "the following day": {24, 48}, "the next working day": {24, 72}, "the following working day": {24, 72}, "the next business day": {24, 72}, "the following business day": {24, 72}, "the next shift": {8, 24}, "the next morning": {8, 24}, "the following morning": {8, 24},
		"the following week": {168, 336}, "the next week": {168, 336}, "the following month": {744, 1488}, "the next month": {744, 1488}, "the following year": {8760, 17520}, "the next year": {8760, 17520}, "the next quarter": {2208, 4416}, "the following quarter": {2208, 4416},
	} {
		for _, opener := range []string{"", "by ", "on ", "of ", "in ", "before ", "by the end of ", "at the end of ", "before the end of ", "end of ", "until ", "until the end of ", "not later than ", "no later than "} {
			if opener == "" && d.low > 72 {
				continue // "into the next year" is no deadline
			}
			table[opener+period] = d
		}
	}
	for period, d := range map[string]phraseDeadline{
		"day": {4, 24}, "working day": {4, 24}, "business day": {4, 24}, "shift": {1, 12}, "week": {48, 168}, "working week": {48, 168}, "month": {240, 744}, "quarter": {1400, 2208}, "year": {4380, 8784}, "calendar year": {4380, 8784}, "financial year": {4380, 8784},
	} {
		for _, opener := range []string{"by the end of the ", "before the end of the ", "at the end of the ", "until the end of the ", "no later than the end of the "} {
			table[opener+period] = d
		}
	}
	return table
}()

// phraseDeadline is the range of hours a phrase stands for.
type phraseDeadline struct{ low, high float64 }

// phraseDeadlineAt reads a deadline without a number at token i.
func (r *reading) phraseDeadlineAt(i int) (quantity, bool) {
	d, to, ok := phraseDeadlines.at(r.tokens, i)
	if !ok {
		return quantity{}, false
	}
	t := r.tokens
	if t[i].word == "immediately" && to < len(t) && (t[to].word == "before" || t[to].word == "prior" || t[to].word == "preceding" || t[to].word == "following" || t[to].word == "adjacent") {
		return quantity{}, false
	}
	return quantity{Dimension: dimensionTime, Low: d.low, High: d.high, Comparator: atMost, Role: roleDeadline, from: i, to: to}, true
}

// deadlineOpeners stand before a time that is a deadline, the comparator included
// ("no later than" has been taken in by then).
var deadlineOpeners = map[string]bool{"within": true, "in": true, "by": true, "after": true, "for": false, "inside": true}

// anchorOpeners stand behind a time and open what it runs from.
var anchorOpeners = cueTable[side]{
	"of": sideAfter, "after": sideAfter, "from": sideAfter, "following": sideAfter, "since": sideAfter, "upon": sideAfter, "once": sideAfter, "counted from": sideAfter, "starting from": sideAfter, "as of": sideAfter,
	"before": sideBefore, "prior to": sideBefore, "ahead of": sideBefore, "in advance of": sideBefore, "in advance": sideBefore, "beforehand": sideBefore, "ahead": sideBefore, "earlier": sideBefore, "preceding": sideBefore, "prior": sideBefore, "until": sideBefore, "' notice": sideBefore, "notice": sideBefore, "later": sideAfter, "of receipt": sideAfter, "ago": sideBefore,
}

// readDeadline tells whether a time is a deadline and what it runs from.
func (r *reading) readDeadline(q *quantity) {
	t := r.tokens
	if q.Dimension != dimensionTime || len(q.Per) > 0 {
		return
	}
	if w := r.word(q.to - 1); q.Role == roleDeadline && q.to > q.from+1 && (w == "of" || w == "after" || w == "before") {
		r.readAnchor(q, q.to-1, q.to)
		return
	}
	opener := ""
	if q.from > 0 {
		opener = t[q.from-1].word
	}
	first := t[q.from].word
	latest := q.Comparator == atMost && (first == "within" || first == "no" || first == "not" || t[q.to-1].word == "latest" || t[q.to-1].word == "sooner" || t[q.to-1].word == "earlier")
	if first == "within" || first == "no" && q.from+1 < len(t) && t[q.from+1].word == "later" || first == "not" && q.from+1 < len(t) && t[q.from+1].word == "later" || latest {
		q.Role = roleDeadline
	}
	if deadlineOpeners[opener] && (q.Comparator == equal || q.Comparator == aroundOrSame || opener == "after" || q.Comparator == between) {
		q.Role = roleDeadline
		if opener == "after" && (q.from < 2 || r.tokens[q.from-2].kind == kindMark) && r.word(q.to) == "of" {
			q.Role = roleLimit // "after one year of service employees get"
			q.from--
			return
		}
		switch opener {
		case "after":
			q.Side = sideAfter
		case "by", "within", "inside", "in":
			q.Comparator = atMost
		}
		q.from--
	}
	if (opener == "have" || opener == "has" || opener == "given" || opener == "allowed") && (r.word(q.to) == "to" || r.word(q.to) == "from" || r.word(q.to) == "for") {
		q.Role, q.Comparator = roleDeadline, atMost
	}
	i := q.to
	if i < len(t) && t[i].word == "'" {
		i++
	}
	s, to, ok := anchorOpeners.at(t, i)
	if !ok {
		return
	}
	if t[i].word == "of" && q.Role != roleDeadline {
		return // "three years of service" is a length
	}
	if (t[i].word == "from" || t[i].word == "until" || t[i].word == "once") && q.Role != roleDeadline && q.Comparator != atLeast {
		return
	}
	if opener != "after" || s == sideBefore {
		q.Side = s
	}
	q.Role = roleDeadline
	r.readAnchor(q, i, to)
	q.to = to
}

// readAnchor reads what a deadline runs from: the words from token to on, behind the
// opener at token i.
func (r *reading) readAnchor(q *quantity, i, to int) {
	t := r.tokens
	end := to
	for n := 0; end < len(t) && n < 6; end++ {
		w := &t[end]
		if w.kind == kindMark || w.kind == kindNumber {
			break
		}
		if n > 0 && (w.word == "and" || w.word == "or" || w.word == "must" || w.word == "is" || w.word == "are" || w.word == "shall" || w.word == "may" || w.word == "unless" || w.word == "if" || prepositions[w.word] && w.word != "of") {
			break
		}
		if c := w.means; c != 0 {
			q.Anchor = append(q.Anchor, c)
			n++
		}
	}
	r.mark(i, end, tokenAnchor)
	if len(q.Anchor) > 0 {
		q.anchorTo = end
	}
}
