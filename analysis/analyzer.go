package analysis

import (
	"strings"
	"unicode/utf8"
)

// Analyzer turns texts into tokens. It is safe for concurrent use. Make one
// with New and share it: what it has seen before costs a look-up.
type Analyzer struct {
	cache cache
}

// New returns an Analyzer.
func New() *Analyzer { return &Analyzer{cache: newCache()} }

// Analyze returns the tokens of text in the order of their positions; what lies
// over several atoms follows the last of them. Any text is fine, also one that
// is not UTF-8: bytes that are no characters separate words.
func (a *Analyzer) Analyze(text string) []Token {
	return a.Append(make([]Token, 0, len(text)/5+4), text)
}

// Append appends the tokens of text to dst and returns it, so that a caller can
// use one slice for many texts. Positions count from 0 in every text.
func (a *Analyzer) Append(dst []Token, text string) []Token {
	first, position := len(dst), 0
	for i := 0; i < len(text); {
		begins, size := startsAt(text, i)
		switch {
		case begins == other:
			i += size
			continue
		case begins == ideogram:
			dst, i, position = a.appendGrams(dst, text, i, position)
			continue
		}
		end := scanChunk(text, i)
		e := a.find(text[i:end])
		dst, position = e.append(dst, first, text, i, position)
		i = end
		if i < len(text) && text[i] == '(' {
			i += len(optionalPlural(text[i:]))
		}
	}
	return dst
}

// startsAt says what begins at i: a chunk (letter or digit), a run of letters
// without spaces (ideogram), or nothing (other), and then how long that is.
func startsAt(text string, i int) (class, int) {
	if c := text[i]; c < utf8.RuneSelf {
		k := asciiClass[c]
		if k == currency && numberAt(text, i+1) || c == '.' && dotHead(text, i) {
			return letter, 1
		}
		if k == letter || k == digit {
			return k, 1
		}
		return other, 1
	}
	r, size := utf8.DecodeRuneInString(text[i:])
	switch k := classOf(r); {
	case k == letter || k == digit || k == ideogram:
		return k, size
	case k == currency && numberAt(text, i+size):
		return letter, size
	}
	return other, size
}

// numberAt reports whether a number stands at i, or behind one space.
func numberAt(text string, i int) bool {
	if i < len(text) && text[i] == ' ' {
		i++
	}
	return classAt(text, i) == digit
}

// dotHead reports whether the stop at i begins a name or number, ".NET" or
// ".5", rather than ending something.
func dotHead(text string, i int) bool {
	return wordAt(text, i+1) && (i == 0 || strings.IndexByte(" \n\t\r([{\"'`/*<>=", text[i-1]) >= 0)
}

// optionalPlural returns the "(s)" that text begins with, or "".
func optionalPlural(text string) string {
	for _, s := range []string{"(s)", "(es)"} {
		if strings.HasPrefix(text, s) {
			return s
		}
	}
	return ""
}

// find returns the tokens of a chunk.
func (a *Analyzer) find(surface string) *entry {
	if e := a.cache.find(surface); e != nil {
		return e
	}
	return a.cache.store(surface, newEntry(surface, analyseChunk(surface)))
}
