package analysis

import (
	"hash/fnv"
	"strconv"
	"unicode/utf8"
)

// The name spaces of terms.
const (
	wordSpace   = "word:"
	stemSpace   = "stem:"
	numberSpace = "num:"
	codeSpace   = "code:"
	gramSpace   = "gram:"
)

// maxTerm bounds a term's text in bytes. What is longer keeps its beginning and
// a hash of the whole, so it is still compared exactly.
const maxTerm = 96

// term returns the term of that name space and text.
func term(space, text string) string {
	if len(text) <= maxTerm {
		return space + text
	}
	h := fnv.New64a()
	h.Write([]byte(text))
	sum := strconv.FormatUint(h.Sum64(), 16)
	cut := maxTerm - 1 - len(sum)
	for !utf8.RuneStart(text[cut]) {
		cut--
	}
	return space + text[:cut] + "~" + sum
}

// wordToken returns the token of a folded word, at offset 0.
func wordToken(word string) Token {
	plain := stripAccents(word)
	t := Token{Width: 1, Kind: Word, Exact: term(wordSpace, word), Stop: stopWords[plain], Negation: negations[plain]}
	if !t.Stop {
		t.Term = term(stemSpace, stem(plain))
	}
	return t
}

// numberToken returns the token of a number with that canonical value.
func numberToken(value string, start, end int) Token {
	name := term(numberSpace, value)
	return Token{Start: start, End: end, Width: 1, Kind: Number, Term: name, Exact: name}
}

// codeToken returns the token of a code with that joined form.
func codeToken(joined string, start, end int) Token {
	name := term(codeSpace, joined)
	return Token{Start: start, End: end, Width: 1, Kind: Code, Term: name, Exact: name}
}
