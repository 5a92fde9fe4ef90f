package analysis

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Any text is a query. There is no syntax but this:
//
//   - "…" asks for its words in that order, also in typographic quotes. The
//     opening quote stands at the beginning, or behind white space, a bracket or
//     a leading -; the closing one is not followed by a letter or digit. So
//     19" and 21" ask for nothing, and a quote without its partner is text.
//   - A - at the beginning or behind white space excludes the word or phrase
//     that follows it at once. Before a number or date it is a sign ("-18 °C",
//     "5 -3"); before a line of a query of several lines it is a list's mark; with
//     a second one beside it ("--force") it is text.

// Query is a query as it was read.
type Query struct {
	// Text is the query as it was given.
	Text string
	// Tokens are all tokens of the text, those of excluded words too.
	Tokens []Token
	// Terms are what is scored, each once, in the order of first occurrence.
	Terms []QueryTerm
	// Phrases are the quoted phrases asked for.
	Phrases []Phrase
	// Excluded is what no hit may contain.
	Excluded []Exclusion
	// Codes are the codes asked for, each once.
	Codes []QueryTerm
	// Numbers are the numbers asked for, with their units.
	Numbers []Token
	// Negations are the words of the query that turn a rule around.
	Negations []Token
	// OnlyCodes says that the query asks for codes and nothing else but stop
	// words: where none of them is stored, nothing answers it.
	OnlyCodes bool

	analyzer *Analyzer
	left     []bool // by token: excluded; nil if nothing is
}

// QueryTerm is a term that a query asks for.
type QueryTerm struct {
	// Term is the term to look up.
	Term string
	// Text is the word as written, at its first occurrence.
	Text string
	// Kind is the kind of its token.
	Kind Kind
	// Count is how often the query has it.
	Count int
	// Optional says that the term counts for nothing when no item holds it
	// (see Token.Optional).
	Optional bool
}

// Exclusion is a word or phrase that no hit may contain.
type Exclusion struct {
	// Text is the word or phrase as written.
	Text string
	// Term is the term that excludes an item holding it; empty for a quoted
	// phrase and for a stop word, which Phrase finds.
	Term string
	// Phrase is the words in order.
	Phrase Phrase
}

// ParseQuery reads text as a query. It never fails; a text without words gives
// a query without terms.
func (a *Analyzer) ParseQuery(text string) *Query {
	q := &Query{Text: text, Tokens: a.Analyze(text), analyzer: a}
	lines := strings.Contains(strings.TrimSpace(text), "\n")
	next := 0
	for _, quote := range quotes(text) {
		for next < len(q.Tokens) && q.Tokens[next].Start < quote.Start {
			next++
		}
		end := next
		for end < len(q.Tokens) && q.Tokens[end].Start < quote.End {
			end++
		}
		phrase := newPhrase(text[quote.Start:quote.End], q.Tokens[next:end])
		_, size := utf8.DecodeLastRuneInString(text[:quote.Start])
		switch {
		case len(phrase.words) == 0:
		case excludes(text, quote.Start-size-1, lines):
			q.Excluded = append(q.Excluded, Exclusion{Text: phrase.Text, Phrase: phrase})
			q.leave(next, quote.End)
		default:
			q.Phrases = append(q.Phrases, phrase)
		}
		next = end
	}
	for i := range q.Tokens {
		if t := &q.Tokens[i]; t.Width == 1 && !unlettered(text, t.Start) && q.asks(i) && excludes(text, t.Start-1, lines) {
			q.exclude(i)
		}
	}
	q.OnlyCodes = q.onlyCodes()
	q.collect()
	return q
}

// excludes reports whether a - that excludes what follows stands at i, in a
// query of one line or of several.
func excludes(text string, i int, lines bool) bool {
	if i < 0 || text[i] != '-' {
		return false
	}
	for k := i; k > 0; {
		before, size := utf8.DecodeLastRuneInString(text[:k])
		if !unicode.IsSpace(before) {
			return k < i
		}
		if before == '\n' && lines {
			return false // the mark of a list
		}
		k -= size
	}
	return !lines
}

// exclude adds the word that begins with token i to what is excluded. A number
// is not: its - is a sign.
func (q *Query) exclude(i int) {
	t := q.Tokens[i]
	for k := i + 1; k < len(q.Tokens) && q.Tokens[k].Position <= t.Position+maxParts; k++ {
		switch over := &q.Tokens[k]; {
		case t.Kind == Gram && over.Kind == Gram && over.Start < t.End && over.End > t.End:
			t.End, t.Term = over.End, "" // the whole run of letters
		case over.Start == t.Start && over.Width > t.Width && !over.TextOnly && !strings.ContainsRune(q.Text[over.Start:over.End], ' '):
			t = *over
		}
	}
	if t.Kind == Number || t.Kind == Code && t.Width > 1 && !isNamedCode(&t) {
		return
	}
	end := i
	for end < len(q.Tokens) && q.Tokens[end].Start < t.End {
		end++
	}
	text := q.Text[t.Start:t.End]
	q.Excluded = append(q.Excluded, Exclusion{Text: text, Term: t.Term, Phrase: newPhrase(text, q.Tokens[i:end])})
	q.leave(i, t.End)
}

// unlettered reports whether a sign stands at i, not a letter or digit.
func unlettered(text string, i int) bool { return !wordAt(text, i) && classAt(text, i) != ideogram }

// leave marks the tokens from i to the end of a range as not asked for.
func (q *Query) leave(i, end int) {
	if q.left == nil {
		q.left = make([]bool, len(q.Tokens))
	}
	for ; i < len(q.Tokens) && q.Tokens[i].Start < end; i++ {
		q.left[i] = true
	}
}

// asks reports whether token i is asked for.
func (q *Query) asks(i int) bool { return !q.Tokens[i].TextOnly && (q.left == nil || !q.left[i]) }

// onlyCodes reports whether all words asked for but stop words belong to codes.
func (q *Query) onlyCodes() bool {
	found := false
	var code Token // the first code at or before a position, seen from the end
	for i := len(q.Tokens) - 1; i >= 0; i-- {
		t := &q.Tokens[i]
		if !q.asks(i) {
			continue
		}
		inside := t.Position >= code.Position && t.Position+t.Width <= code.Position+code.Width
		if isCode(t) && !inside {
			code, inside = *t, true
		}
		if t.Atom() && !t.Stop {
			if !inside {
				return false
			}
			found = true
		}
	}
	return found
}

// manyTerms is the number of terms from which a map finds one faster than a
// look along the list.
const manyTerms = 32

// collect fills what the query asks for.
func (q *Query) collect() {
	var places map[string]int
	if len(q.Tokens) > manyTerms {
		places = make(map[string]int, len(q.Tokens))
	}
	place := func(term string) int {
		if places != nil {
			if i, ok := places[term]; ok {
				return i
			}
			return -1
		}
		return slices.IndexFunc(q.Terms, func(t QueryTerm) bool { return t.Term == term })
	}
	q.Terms = make([]QueryTerm, 0, len(q.Tokens))
	coded := underCodes(q.Tokens)
	for i := range q.Tokens {
		t := &q.Tokens[i]
		if !q.asks(i) {
			continue
		}
		if t.Negation {
			q.Negations = append(q.Negations, *t)
		}
		if t.Kind == Number && !t.Extra && !coded[i] {
			q.Numbers = append(q.Numbers, *t)
		}
		if t.Term == "" {
			continue
		}
		if n := place(t.Term); n >= 0 {
			q.Terms[n].Count++
			q.Terms[n].Optional = q.Terms[n].Optional && t.Optional
			continue
		}
		term := QueryTerm{Term: t.Term, Text: q.Text[t.Start:t.End], Kind: t.Kind, Count: 1, Optional: t.Optional}
		if places != nil {
			places[t.Term] = len(q.Terms)
		}
		q.Terms = append(q.Terms, term)
		if t.Kind == Code {
			q.Codes = append(q.Codes, term)
		}
	}
}

// isCode reports whether a token is a code that stands or falls as a whole, and
// not an identifier of words, which may also stand alone.
func isCode(t *Token) bool { return t.Kind == Code && strings.HasPrefix(t.Term, codeSpace) }

// closing gives the closing quotes of each opening one.
var closing = map[rune]string{'"': `"`, '＂': `＂`, '“': `”“"`, '„': `“”"`, '«': `»`, '「': `」`, '『': `』`}

// quotes returns the insides of the quoted phrases of text.
func quotes(text string) []Span {
	var found []Span
	lonely := "" // quotes that nothing closes any more
	for i := 0; i < len(text); {
		if c := text[i]; c < utf8.RuneSelf && c != '"' {
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		i += size
		closers, opens := closing[r]
		if !opens || !opensAt(text, i-size) || strings.ContainsRune(lonely, r) {
			continue
		}
		if end, size := closesAt(text, i, closers); end >= 0 {
			found = append(found, Span{i, end})
			i = end + size
		} else {
			lonely += string(r)
		}
	}
	return found
}

// closesAt returns the first of the closing quotes at or behind i, with no
// letter or digit behind it, and its length; -1 if there is none.
func closesAt(text string, i int, closers string) (int, int) {
	for i < len(text) {
		r, size := utf8.DecodeRuneInString(text[i:])
		if strings.ContainsRune(closers, r) && (!wordAt(text, i+size) || r == '」' || r == '』') {
			return i, size
		}
		i += size
	}
	return -1, 0
}

// opensAt reports whether a quote at i can open a phrase.
func opensAt(text string, i int) bool {
	if i == 0 {
		return true
	}
	r, _ := utf8.DecodeLastRuneInString(text[:i])
	return unicode.IsSpace(r) || strings.ContainsRune("([{-,;:/", r) || classOf(r) == ideogram
}
