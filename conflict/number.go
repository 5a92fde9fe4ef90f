package conflict

import (
	"strconv"
	"strings"
)

var numberWords = map[string]float64{
	"zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12,
	"thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19, "twenty": 20, "thirty": 30, "forty": 40,
	"fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90, "single": 1, "dozen": 12, "half": 0.5,
}

var magnitudes = map[string]float64{"hundred": 100, "thousand": 1e3, "k": 1e3, "million": 1e6, "m": 1e6, "mn": 1e6, "mio": 1e6, "billion": 1e9, "bn": 1e9}

var ordinalWords = map[string]float64{
	"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9, "tenth": 10, "eleventh": 11, "twelfth": 12,
	"fifteenth": 15, "twentieth": 20, "thirtieth": 30,
}

// number is a numeral in a text.
type number struct {
	value   float64
	from    int // first token
	to      int // one past the last
	ordinal bool
	words   bool // not written in digits
}

// numberAt reads the numeral that starts at token i.
func (r *reading) numberAt(i int) (number, bool) {
	t := r.tokens
	n := number{from: i}
	switch {
	case t[i].kind == kindNumber:
		v, ok := parseDigits(t[i].word)
		if !ok {
			return n, false
		}
		n.value, n.to = v, i+1
		if n.to < len(t) && t[n.to].joined {
			switch w := t[n.to].word; {
			case w == "st" || w == "nd" || w == "rd" || w == "th":
				n.ordinal = true
				n.to++
				return n, true
			case magnitudes[w] > 0 && w != "m" || w == "m" && r.afterCurrency(i):
				n.value *= magnitudes[w]
				n.to++
			}
		}
		if n.to+1 < len(t) && t[n.to].word == "/" && t[n.to].joined && t[n.to+1].kind == kindNumber && t[n.to+1].joined && v > 0 && v < 4 {
			if d, ok := parseDigits(t[n.to+1].word); ok && d > v {
				n.value, n.to = v/d, n.to+2
			}
		}
	case t[i].kind == kindWord:
		v, to, ok := r.wordsAt(i)
		if !ok {
			if o, isOrdinal := ordinalWords[t[i].word]; isOrdinal {
				n.value, n.to, n.ordinal, n.words = o, i+1, true, true
				return n, true
			}
			return n, false
		}
		n.value, n.to, n.words = v, to, true
	default:
		return n, false
	}
	for n.to < len(t) {
		if m, ok := magnitudes[t[n.to].word]; ok && len(t[n.to].word) > 2 {
			n.value *= m
			n.to++
			continue
		}
		break
	}
	// "thirty (30) days": the digits in brackets are what counts.
	if n.to+2 < len(t) && t[n.to].word == "(" && t[n.to+1].kind == kindNumber && t[n.to+2].word == ")" {
		if v, ok := parseDigits(t[n.to+1].word); ok {
			n.value, n.to = v, n.to+3
		}
	}
	return n, true
}

// afterCurrency tells whether a currency stands before token i.
func (r *reading) afterCurrency(i int) bool {
	if i == 0 {
		return false
	}
	u, ok := r.lex.units[r.tokens[i-1].word]
	return ok && isCurrency(u.dimension)
}

// wordsAt reads a numeral in words: "twenty-five", "one hundred and fifty", "half a",
// "three quarters of an", "one and a half".
func (r *reading) wordsAt(i int) (float64, int, bool) {
	t := r.tokens
	word := func(j int) string {
		if j < len(t) {
			return t[j].word
		}
		return ""
	}
	if (word(i) == "a" || word(i) == "an") && (word(i+1) == "hundred" || word(i+1) == "thousand" || word(i+1) == "million" || word(i+1) == "dozen" || word(i+1) == "half" || word(i+1) == "single") {
		if v, ok := numberWords[word(i+1)]; ok {
			return v, i + 2, true
		}
		return 1, i + 1, true
	}
	if word(i) == "a" && word(i+1) == "quarter" && word(i+2) == "of" {
		return 0.25, skipOfA(t, i+2), true
	}
	if (word(i) == "a" || word(i) == "an") && r.oneUnit(i) {
		return 1, i + 1, true
	}
	v, ok := numberWords[word(i)]
	if !ok {
		return 0, 0, false
	}
	j := i + 1
	if word(i) == "half" {
		if w := word(j); w == "a" || w == "an" || w == "-" {
			j++
		}
		return v, j, true
	}
	if v >= 20 && v < 100 {
		k := j
		if word(k) == "-" {
			k++
		}
		if ones, ok := numberWords[word(k)]; ok && ones >= 1 && ones < 10 {
			v, j = v+ones, k+1
		}
	}
	if word(j) == "hundred" {
		v, j = v*100, j+1
		k := j
		if word(k) == "and" {
			k++
		}
		if tens, to, ok := r.wordsAt2(k); ok && tens < 100 {
			v, j = v+tens, to
		}
	}
	if word(j) == "quarters" || word(j) == "thirds" {
		d := 4.0
		if word(j) == "thirds" {
			d = 3
		}
		if word(j+1) == "of" || word(j) == "thirds" {
			return v / d, skipOfA(t, j+1), true
		}
	}
	if word(j) == "-" && (word(j+1) == "thirds" || word(j+1) == "quarters") {
		d := map[string]float64{"thirds": 3, "quarters": 4}[word(j+1)]
		return v / d, skipOfA(t, j+2), true
	}
	if word(j) == "and" && word(j+1) == "a" && word(j+2) == "half" {
		return v + 0.5, j + 3, true
	}
	return v, j, true
}

// oneUnit tells whether "a" at token i is the number one: "within an hour", "a week
// before".
func (r *reading) oneUnit(i int) bool {
	u, _, to, ok := r.unitAt(i + 1)
	if !ok || u.dimension != dimensionTime || r.word(to-1) == "second" {
		return false
	}
	switch r.word(i - 1) {
	case "within", "for", "than", "after", "least", "most", "exceed", "exceeding", "inside", "over", "under", "every", "lasts", "last", "takes", "take":
		return true
	}
	switch r.word(to) {
	case "before", "after", "in", "ahead", "prior", "later", "from":
		return r.word(to) != "in" || r.word(to+1) == "advance"
	}
	return false
}

// wordsAt2 reads a numeral below one hundred.
func (r *reading) wordsAt2(i int) (float64, int, bool) {
	t := r.tokens
	if i >= len(t) {
		return 0, 0, false
	}
	v, ok := numberWords[t[i].word]
	if !ok || v < 1 {
		return 0, 0, false
	}
	j := i + 1
	if v >= 20 {
		k := j
		if k < len(t) && t[k].word == "-" {
			k++
		}
		if k < len(t) {
			if ones, ok := numberWords[t[k].word]; ok && ones >= 1 && ones < 10 {
				return v + ones, k + 1, true
			}
		}
	}
	return v, j, true
}

// skipOfA returns the token after "of", "of an".
func skipOfA(t []token, i int) int {
	if i < len(t) && t[i].word == "of" {
		i++
	}
	if i < len(t) && (t[i].word == "a" || t[i].word == "an") {
		i++
	}
	return i
}

// parseDigits reads digits with separators: a comma separates thousands, a point
// is decimal unless several stand in one number.
func parseDigits(s string) (float64, bool) {
	if strings.Contains(s, ":") {
		return 0, false
	}
	s = strings.ReplaceAll(s, ",", "")
	if strings.Count(s, ".") > 1 {
		s = strings.ReplaceAll(s, ".", "")
	}
	v, err := strconv.ParseFloat(s, 64)
	return v, err == nil && v < 1e15
}
