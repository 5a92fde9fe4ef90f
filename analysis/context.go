package analysis

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Some chunks mean something else beside certain neighbours: a number before a
// unit, a word before the number of its code, an acronym that looks like a
// pronoun. Which chunks have to look around is known from the chunk (asks), so
// all others pay nothing.

// asks is a set of things to look for around a chunk.
type asks uint8

const (
	asksUnit    asks = 1 << iota // it is a unit or a scale: is there a number before it?
	asksNumber                   // it begins with a number: does a currency or a code's word stand before it?
	asksAcronym                  // it is IT, US or WHO: acronym or shouting?
	asksInitial                  // it is one capital: the D of "R & D"?
	asksSign                     // it is "no": of "No. 5"?
)

// acronyms are stop words that are names when written in capitals.
var acronyms = set("it us who")

// numberSigns are words that announce a number.
var numberSigns = set("no nos nr num number")

func asksOf(surface string, tokens []Token) asks {
	if len(tokens) == 0 {
		return 0
	}
	head := tokens[0]
	var a asks
	switch head.Kind {
	case Number, Code:
		if !wordAt(surface, head.End) {
			a |= asksNumber
		}
	case Word:
		word := wordOf(&head)
		if len(tokens) == 1 && (units[word].unit != "" || scales[word] > 0 || word == "cent") {
			a |= asksUnit
		}
		if acronyms[word] && surface == strings.ToUpper(word) {
			a |= asksAcronym
		}
		if len(surface) == 1 && surface[0] < 'a' {
			a |= asksInitial
		}
		if numberSigns[word] && head.Negation {
			a |= asksSign
		}
	}
	return a
}

// digitsOnly reports whether s is digits and stops.
func digitsOnly(s string) bool {
	for i := range len(s) {
		if !isDigitAt(s, i) && s[i] != '.' {
			return false
		}
	}
	return true
}

// wordOf returns the folded word of a Word token.
func wordOf(t *Token) string { return t.Exact[len(wordSpace):] }

// look adjusts the tokens from dst[n] on, and their neighbours, which begin at
// dst[first], and adds codes that they complete.
func look(dst []Token, first, n int, text string, a asks) []Token {
	before := atomBefore(dst, first, n)
	switch {
	case a&asksUnit != 0 && before >= 0:
		measureBefore(dst, first, n, before, text)
	case a&asksNumber != 0 && before >= 0:
		return joinNumber(dst, first, n, before, text)
	case a&asksInitial != 0 && before >= 0:
		return joinInitials(dst, n, before, text)
	case a&asksAcronym != 0 && !shouted(text, dst[n].Start, dst[n].End):
		t := &dst[n]
		t.Stop, t.Term = false, term(stemSpace, wordOf(t))
	case a&asksSign != 0 && numbered(text, dst[n].End):
		dst[n].Negation = false
	}
	return dst
}

// atomBefore returns the index of the last atom before dst[n], or -1.
func atomBefore(dst []Token, first, n int) int {
	for n--; n >= first; n-- {
		if dst[n].Atom() {
			return n
		}
	}
	return -1
}

// shouted reports whether the words around a range are in capitals too, so that
// capitals there mean nothing.
func shouted(text string, start, end int) bool {
	const around = 24 // bytes: two or three words
	for i := max(0, start-around); i < min(len(text), end+around); i++ {
		if c := text[i]; 'a' <= c && c <= 'z' {
			return false
		}
	}
	// A word alone is a name: the query "IT".
	return strings.TrimFunc(text[max(0, start-around):start]+text[end:min(len(text), end+around)], notLetter) != ""
}

func notLetter(r rune) bool { return !unicode.IsLetter(r) }

// numbered reports whether a stop and a number follow at i: "No. 5".
func numbered(text string, i int) bool {
	if i >= len(text) || text[i] != '.' {
		return false
	}
	for i++; i < len(text) && text[i] == ' '; i++ {
	}
	r, _ := utf8.DecodeRuneInString(text[i:])
	return unicode.IsDigit(r)
}
