package analysis

import (
	"strings"

	"github.com/kljensen/snowball/english"
)

// maxStemmed is the longest word in bytes that is stemmed; what is longer is
// no English word.
const maxStemmed = 40

// stem returns the stem of a folded word without accents: Porter's second
// English stemmer, with British spellings read as American ones, and with a
// table of words that it would join wrongly or keep apart wrongly (see
// conflation.go). Words of other scripts, and words of two letters or fewer,
// are their own stems.
//
// Besides, -ify and -ification meet ("notify", "notification"), which the
// stemmer ends in -ifi and -if.
func stem(word string) string {
	if len(word) <= 2 || len(word) > maxStemmed || !isLowerLetters(word) {
		return word
	}
	word = american(word)
	if s, ok := stems[word]; ok {
		return s
	}
	return porter(word)
}

func porter(word string) string {
	s := english.Stem(word, true)
	if len(s) > 4 && strings.HasSuffix(s, "ifi") {
		return s[:len(s)-1]
	}
	return s
}

// isLowerLetters reports whether word is a-z only.
func isLowerLetters(word string) bool {
	for i := range len(word) {
		if word[i] < 'a' || word[i] > 'z' {
			return false
		}
	}
	return true
}
