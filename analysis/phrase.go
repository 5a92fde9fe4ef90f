package analysis

import (
	"slices"
	"strings"
)

// Phrase is words that have to stand in a row.
type Phrase struct {
	// Text is the phrase as written, without its quotes.
	Text string
	// Terms are the scoring terms of its words, stop words left out: an item
	// that lacks one of them does not hold the phrase.
	Terms []string

	words []string // the exact terms of its atoms
}

// newPhrase returns the phrase of those tokens.
func newPhrase(text string, tokens []Token) Phrase {
	p := Phrase{Text: text}
	for i := range tokens {
		t := &tokens[i]
		if !t.Atom() {
			continue
		}
		p.words = append(p.words, t.Exact)
		if t.Term != "" {
			p.Terms = append(p.Terms, t.Term)
		}
	}
	return p
}

// Find returns the byte range of the first place in a text, given as tokens,
// where the words of the phrase stand in order with nothing between them but
// punctuation. Case makes no difference, and neither do accents that the phrase
// leaves out. Compounds count as their parts: "po 1234" stands in "PO-1234".
func (p *Phrase) Find(tokens []Token) (start, end int, ok bool) {
	if len(p.words) == 0 {
		return 0, 0, false
	}
	for i := range tokens {
		if !tokens[i].Atom() || !sameWord(p.words[0], tokens[i].Exact) {
			continue
		}
		if last, ok := p.follows(tokens, i); ok {
			return tokens[i].Start, tokens[last].End, true
		}
	}
	return 0, 0, false
}

// follows reports whether the phrase begins at token i, and its last token.
func (p *Phrase) follows(tokens []Token, i int) (int, bool) {
	last := i
	for _, word := range p.words[1:] {
		i = nextAtom(tokens, i)
		if i < 0 || !sameWord(word, tokens[i].Exact) {
			return 0, false
		}
		last = i
	}
	return last, true
}

// nextAtom returns the index of the atom after token i, or -1.
func nextAtom(tokens []Token, i int) int {
	for i++; i < len(tokens); i++ {
		if tokens[i].Atom() {
			return i
		}
	}
	return -1
}

// sameWord reports whether a word of a text is the word asked for, where one
// without accents asks for any.
func sameWord(asked, exact string) bool {
	return asked == exact || !isASCII(exact) && strings.HasPrefix(exact, wordSpace) && asked == stripAccents(exact)
}

// In reports whether a text, given as its tokens, holds what is excluded.
func (e *Exclusion) In(tokens []Token) bool {
	if e.Term == "" {
		_, _, ok := e.Phrase.Find(tokens)
		return ok
	}
	return slices.ContainsFunc(tokens, func(t Token) bool { return t.Term == e.Term })
}
