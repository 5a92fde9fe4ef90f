package analysis

import (
	"slices"
	"strings"
	"sync"
)

// MatchKind says how a word of a query met a word of a text.
type MatchKind uint8

const (
	// MatchExact: the same word, but for its case.
	MatchExact MatchKind = iota + 1
	// MatchFolded: the same word with other accents.
	MatchFolded
	// MatchStem: another form of the word.
	MatchStem
	// MatchNumber: the same number, whatever its notation.
	MatchNumber
	// MatchCode: the same code, whole, whatever joins its parts.
	MatchCode
	// MatchPart: a part of the code asked for, which is not there as a whole,
	// or a number that is only a part of a code. PO-1243 meets the query
	// PO-1234 in its "PO", and the query 1243 in its number.
	MatchPart
)

// String returns the kind's name in lower case.
func (k MatchKind) String() string {
	return [...]string{"none", "exact", "folded", "stem", "number", "code", "part"}[min(k, MatchPart)]
}

// Match is a word of a text that met a word of a query.
type Match struct {
	// Query and Text are the words as written.
	Query, Text string
	// Kind says how they met.
	Kind MatchKind
	// Exact says that the word of the text is the one asked for: the same
	// word, code, or number, and then with no other unit.
	Exact bool
	// QueryStart and QueryEnd are the byte range in the query, Start and End
	// that in the text.
	QueryStart, QueryEnd, Start, End int
}

// Matcher finds the words of one query in texts. It is safe for concurrent use.
type Matcher struct {
	query   *Query
	tokens  []Token        // the tokens asked for
	coded   []bool         // which of them lie under a code
	codes   []int          // which of them are codes over several atoms
	byTerm  map[string]int // the first token of each term
	byExact map[string]int // the first token of each exact form
}

// Matcher returns what finds the words of q in texts.
func (q *Query) Matcher() *Matcher {
	m := &Matcher{query: q, byTerm: map[string]int{}, byExact: map[string]int{}}
	for i := range q.Tokens {
		if q.asks(i) {
			m.tokens = append(m.tokens, q.Tokens[i])
		}
	}
	m.coded = underCodes(m.tokens)
	for i := range m.tokens {
		t := &m.tokens[i]
		if isNamedCode(t) {
			m.codes = append(m.codes, i)
		}
		if t.Term == "" {
			continue
		}
		if _, ok := m.byTerm[t.Term]; !ok {
			m.byTerm[t.Term] = i
		}
		if _, ok := m.byExact[t.Exact]; !ok {
			m.byExact[t.Exact] = i
		}
	}
	return m
}

// underCodes tells for each token whether it is an atom under a code that is
// more than numbers in a row.
func underCodes(tokens []Token) []bool {
	under := make([]bool, len(tokens))
	for i := range tokens {
		if !isNamedCode(&tokens[i]) {
			continue
		}
		for k := i - 1; k >= 0 && tokens[k].Position >= tokens[i].Position; k-- {
			under[k] = under[k] || tokens[k].Width < tokens[i].Width
		}
	}
	return under
}

// isNamedCode reports whether a token is a code over several atoms that has
// letters: not a range, date or time.
func isNamedCode(t *Token) bool {
	if t.Kind != Code || t.Width < 2 {
		return false
	}
	name := t.Exact[strings.IndexByte(t.Exact, ':')+1:]
	return strings.ContainsFunc(name, func(r rune) bool { return classOf(r) == letter })
}

// Match returns the words of text that met words of the query, in the order of
// the text. Where a code is met, its parts are not listed too.
func (m *Matcher) Match(text string) []Match {
	buffer, _ := tokenBuffers.Get().(*[]Token)
	if buffer == nil {
		buffer = new([]Token)
	}
	*buffer = m.query.analyzer.Append((*buffer)[:0], text)
	found := m.MatchTokens(text, *buffer)
	tokenBuffers.Put(buffer)
	return found
}

var tokenBuffers sync.Pool

// MatchTokens is Match for a text whose tokens are at hand.
func (m *Matcher) MatchTokens(text string, tokens []Token) []Match {
	found := m.matchCodes(text, tokens)
	codes := len(found)
	var under []bool // which tokens lie under a code; none if there is none
	if slices.ContainsFunc(tokens, func(t Token) bool { return isNamedCode(&t) }) {
		under = underCodes(tokens)
	}
	for i := range tokens {
		t := &tokens[i]
		if t.Term == "" || isNamedCode(t) || t.Kind == Word && strings.HasPrefix(t.Term, codeSpace) {
			continue
		}
		k, ok := m.byTerm[t.Term]
		if !ok || within(found[:codes], t) {
			continue
		}
		if same, ok := m.byExact[t.Exact]; ok {
			k = same
		}
		asked := &m.tokens[k]
		if last := len(found) - 1; last >= codes {
			if t.Kind == Gram && found[last].grows(asked, t) {
				found[last] = m.pair(text, found[last].Kind, found[last].Exact, Span{found[last].QueryStart, max(found[last].QueryEnd, asked.End)}, Span{found[last].Start, max(found[last].End, t.End)})
				continue
			}
			if t.Kind != Gram && t.Extra && found[last].Start >= t.Start && found[last].Kind != MatchPart {
				continue // what it lies over is listed
			}
		}
		kind, exact := meet(asked, t)
		if m.coded[k] || t.Kind != Word && (t.TextOnly && t.Kind != Gram || under != nil && under[i]) {
			kind, exact = MatchPart, false
		}
		found = append(found, m.pair(text, kind, exact, Span{asked.Start, asked.End}, Span{t.Start, t.End}))
	}
	slices.SortStableFunc(found, func(a, b Match) int {
		if a.Start != b.Start {
			return a.Start - b.Start
		}
		return b.End - a.End
	})
	end := 0 // what lies inside another match, as the sign in "$1,000", is no word of its own
	return slices.DeleteFunc(found, func(m Match) bool {
		inside := m.End <= end
		end = max(end, m.End)
		return inside
	})
}

// pair returns the match of two ranges.
func (m *Matcher) pair(text string, kind MatchKind, exact bool, asked, met Span) Match {
	return Match{Query: m.query.Text[asked.Start:asked.End], Text: text[met.Start:met.End], Kind: kind, Exact: exact,
		QueryStart: asked.Start, QueryEnd: asked.End, Start: met.Start, End: met.End}
}

// within reports whether a token begins inside one of the matches.
func within(matches []Match, t *Token) bool {
	for i := range matches {
		if t.Start >= matches[i].Start && t.Start < matches[i].End {
			return true
		}
	}
	return false
}

// matchCodes returns the codes of the text that are codes of the query, and
// those that are codes in one of them and stand as atoms in a row in the other.
func (m *Matcher) matchCodes(text string, tokens []Token) []Match {
	var found []Match
	for i := range tokens {
		t := &tokens[i]
		if t.Kind != Code || t.Width < 2 && !t.Extra || t.TextOnly {
			continue
		}
		if k, ok := m.byExact[t.Exact]; ok {
			found = append(found, m.pair(text, MatchCode, true, Span{m.tokens[k].Start, m.tokens[k].End}, Span{t.Start, t.End}))
		} else if isNamedCode(t) {
			if asked, ok := m.asked(text, tokens, i); ok {
				found = append(found, m.pair(text, MatchCode, true, asked, Span{t.Start, t.End}))
			}
		}
	}
	for _, c := range m.codes {
		code, head := &m.tokens[c], firstAtom(m.tokens, c)
		for i := range tokens {
			if !tokens[i].Atom() || tokens[i].Exact != m.tokens[head].Exact || within(found, &tokens[i]) {
				continue
			}
			if last := inRow(text, tokens, i, m.query.Text, m.tokens, head, code.Width); last >= 0 && !longer(tokens, i, last) {
				found = append(found, m.pair(text, MatchCode, true, Span{code.Start, code.End}, Span{tokens[i].Start, tokens[last].End}))
			}
		}
	}
	return found
}

// longer reports whether a code lies over more than the atoms from i to last:
// PO-12 is not the code PO-12-34.
func longer(tokens []Token, i, last int) bool {
	from, to := tokens[i].Position, tokens[last].Position+1
	for k := i + 1; k < len(tokens) && tokens[k].Position <= to+maxParts; k++ {
		if t := &tokens[k]; isNamedCode(t) && t.Position <= from && t.Position+t.Width >= to && t.Width > to-from {
			return true
		}
	}
	return false
}

// asked returns where the atoms of the code at tokens[i] stand in a row in the
// query.
func (m *Matcher) asked(text string, tokens []Token, i int) (Span, bool) {
	head := firstAtom(tokens, i)
	for k := range m.tokens {
		if !m.tokens[k].Atom() {
			continue
		}
		if last := inRow(m.query.Text, m.tokens, k, text, tokens, head, tokens[i].Width); last >= 0 && !longer(m.tokens, k, last) {
			return Span{m.tokens[k].Start, m.tokens[last].End}, true
		}
	}
	return Span{}, false
}

// firstAtom returns the index of the first atom under the code at tokens[i].
func firstAtom(tokens []Token, i int) int {
	head := i
	for k := i - 1; k >= 0 && tokens[k].Position >= tokens[i].Position; k-- {
		if tokens[k].Atom() {
			head = k
		}
	}
	return head
}

// grows reports whether a pair of letters goes on where the match ends, in the
// query as in the text: pairs that overlap in both are one word.
func (m *Match) grows(asked, t *Token) bool {
	return t.Start >= m.Start && t.Start < m.End && asked.Start >= m.QueryStart && asked.Start < m.QueryEnd
}

// meet says how two tokens of one term met.
func meet(asked, t *Token) (MatchKind, bool) {
	switch {
	case t.Kind == Number && asked.Kind == Number:
		return MatchNumber, asked.Unit == "" || t.Unit == "" || asked.Unit == t.Unit
	case asked.Exact == t.Exact && t.Kind == Code:
		return MatchCode, true
	case asked.Exact == t.Exact:
		return MatchExact, true
	case (!isASCII(asked.Exact) || !isASCII(t.Exact)) && stripAccents(asked.Exact) == stripAccents(t.Exact):
		return MatchFolded, false
	}
	return MatchStem, false
}

// inRow reports whether the n atoms of another text from its token k on also
// stand in a row in text, from token i on, with no more than a joint between
// them. It returns the index of the last, or -1.
func inRow(text string, tokens []Token, i int, other string, others []Token, k, n int) int {
	for step := 1; ; step++ {
		a, b := &tokens[i], &others[k]
		if a.Exact != b.Exact || a.Kind == Number && (text[a.Start] == '0') != (other[b.Start] == '0') {
			return -1 // W-02 is not W-2
		}
		if step == n {
			return i
		}
		next := nextAtom(tokens, i)
		k = nextAtom(others, k)
		if next < 0 || k < 0 || !joined(text, a.End, tokens[next].Start) {
			return -1
		}
		i = next
	}
}

// joined reports whether nothing but a joint stands between two atoms.
func joined(text string, end, start int) bool {
	if end >= start {
		return true
	}
	switch text[end:start] {
	case " ", "-", "_", ".", "/", "#", " #", "&", "(", ":", "\u00A0", "\u2010", "\u2011", "\u2013", "@":
		return true
	}
	return false
}

// Distinct returns the first of the matches of each pair of words, in order.
func Distinct(matches []Match) []Match {
	type pair struct{ query, text string }
	seen := map[pair]bool{}
	var first []Match
	for _, m := range matches {
		p := pair{foldWord(m.Query), foldWord(m.Text)}
		if !seen[p] {
			seen[p] = true
			first = append(first, m)
		}
	}
	return first
}
