package analysis

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// appendGrams appends the pairs of neighbouring letters of the run of letters
// without spaces that begins at i, and returns where it ends and the next
// position. A run of one letter is a token itself; in longer runs the single
// letters are there for the text to be found by.
func (a *Analyzer) appendGrams(dst []Token, text string, i, position int) ([]Token, int, int) {
	before, first := i, true
	for i < len(text) {
		end := unitEnd(text, i)
		if end == i {
			break
		}
		if !first {
			pair := a.gram(text[before:end])
			pair.Start, pair.End, pair.Position = before, end, position
			dst = append(dst, pair)
			position++
		}
		single := a.gram(text[i:end])
		single.Start, single.End, single.Position = i, end, position
		next := classAt(text, end)
		if first && next != ideogram {
			return append(dst, single), end, position + 1
		}
		single.Extra, single.TextOnly = true, true
		if next != ideogram {
			single.Position--
		}
		dst = append(dst, single)
		before, i, first = i, end, false
	}
	return dst, i, position
}

// gram returns the token of one or two letters.
func (a *Analyzer) gram(surface string) Token {
	e := a.cache.find(surface)
	if e == nil {
		name := term(gramSpace, norm.NFKC.String(surface))
		e = a.cache.store(surface, newEntry(surface, []Token{{Width: 1, Kind: Gram, Term: name, Exact: name}}))
	}
	return e.tokens[0]
}

// unitEnd returns the end of the letter at i with its marks: vowel signs, tone
// marks, half-width voicing, and the jamo that make one Hangul syllable.
func unitEnd(text string, i int) int {
	start := i
	for i < len(text) {
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case i == start && classOf(r) == ideogram:
		case i > start && (unicode.IsMark(r) || r == '\uFF9E' || r == '\uFF9F' || '\u1160' <= r && r <= '\u11FF' || classOf(r) == ignored):
		default:
			return i
		}
		i += size
	}
	return i
}
