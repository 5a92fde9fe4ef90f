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
	asksCode                     // it begins with a number: does a code's word stand before it?
	asksAcronym                  // it is IT, US or WHO: acronym or shouting?
	asksInitial                  // it is one capital: the D of "R & D"?
	asksNumber                   // it is "no": of "No. 5"?
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
		if digitsOnly(surface[:head.End]) && !wordAt(surface, head.End) {
			a |= asksCode
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
			a |= asksNumber
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
	case a&asksCode != 0 && before >= 0:
		return joinNumber(dst, first, n, before, text)
	case a&asksInitial != 0 && before >= 0:
		return joinInitials(dst, n, before, text)
	case a&asksAcronym != 0 && !shouted(text, dst[n].Start, dst[n].End):
		t := &dst[n]
		t.Stop, t.Term = false, term(stemSpace, wordOf(t))
	case a&asksNumber != 0 && numbered(text, dst[n].End):
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

// measureBefore gives the number before a unit or scale word its unit or value.
func measureBefore(dst []Token, first, n, before int, text string) {
	word, number := wordOf(&dst[n]), before
	if dst[before].Kind == Word && text[dst[before].End:dst[n].Start] == " " {
		between := wordOf(&dst[before])
		if word == "cent" && between != "per" || word != "cent" && !dayWords[between] && scales[between] == 0 {
			return
		}
		number = atomBefore(dst, first, before)
	} else if word == "cent" {
		return
	}
	if number < 0 || dst[number].Kind != Number || !closeBy(text, dst[number].End, dst[number+1].Start) {
		return
	}
	t := &dst[number]
	if zeros := scales[word]; zeros > 0 {
		t.Term = term(numberSpace, scaled(t.Exact[len(numberSpace):], zeros))
		t.Exact = t.Term
		return
	}
	switch {
	case t.Unit != "":
	case word == "cent":
		t.Unit = percent
	default:
		t.Unit = units[word].unit
	}
}

// closeBy reports whether two atoms are parted by one space, no-break space or
// hyphen, or by nothing.
func closeBy(text string, end, start int) bool {
	if end >= start {
		return true
	}
	switch text[end:start] {
	case " ", "-", "\u00A0", "\u202F", "\u2009":
		return true
	}
	return false
}

// joinNumber looks at the word before the number at dst[n]. A currency gives it
// its unit. A code's word ("ISO 27001", "PO #1234", "form 1040", "Form No. 5")
// gives the joined code.
func joinNumber(dst []Token, first, n, before int, text string) []Token {
	gap := text[dst[before].End:dst[n].Start]
	if dst[before].Kind != Word {
		return dst
	}
	word := wordOf(&dst[before])
	if gap == ". " || gap == "." || gap == " " {
		if numberSigns[word] && before > first {
			before, gap = atomBefore(dst, first, before), " "
			if before < 0 || dst[before].Kind != Word || !closeBy(text, dst[before].End, dst[before+1].Start) {
				return dst
			}
			word = wordOf(&dst[before])
		}
	}
	if gap != " " && gap != " #" && gap != "\u00A0" {
		return dst
	}
	if u := units[word].unit; u != "" {
		if isCurrency(u) && dst[n].Kind == Number && dst[n].Unit == "" {
			dst[n].Unit = u
		}
		return dst
	}
	kind := codeKind(&dst[before], text[dst[before].Start:dst[before].End], dst[n].Exact, jointBefore(text, dst[before].Start))
	if dst[n].Unit != "" || kind == 0 {
		return dst
	}
	head, whole := dst[n], dst[n] // the number, and the chunk that it begins
	for _, t := range dst[n+1:] {
		if t.Position == head.Position && t.Width > 1 && !t.TextOnly {
			whole = t
		}
	}
	if text[head.End:whole.End] != "" && text[head.End] == ':' {
		whole = head // the year in "ISO 27001:2022" is an edition of the same
	}
	// In "ISO/IEC 27001" the number belongs to each.
	for k := before; ; {
		dst = append(dst, joinedCode(dst[k], whole, kind, text))
		if whole.Width > 1 { // the "SP 800" of "SP 800-53"
			part := joinedCode(dst[k], head, kind, text)
			part.TextOnly = true
			dst = append(dst, part)
		}
		prior := atomBefore(dst, first, k)
		if prior < 0 || text[dst[prior].End:dst[k].Start] != "/" || dst[prior].Kind != Word || before-prior > 4 {
			return dst
		}
		k = prior
	}
}

// joinedCode returns the token over a word and the number behind it. The digits
// are those written, so that "JIB 04" is not "JIB 4".
func joinedCode(word, number Token, kind Kind, text string) Token {
	digits := text[number.Start:number.End]
	if digitsAt(digits, 0) != len(digits) {
		digits = number.Exact[strings.IndexByte(number.Exact, ':')+1:]
	}
	t := codeToken(stripAccents(wordOf(&word))+digits, word.Start, number.End)
	t.Kind, t.Position, t.Width = kind, word.Position, number.Position+number.Width-word.Position
	t.Extra, t.Optional = true, true
	return t
}

// codeKind says what a word and the number behind it make: a Code with up to six
// capitals ("ISO 27001", "W 2"); with two to four small letters and a longer
// number ("po 1234", but also "pay 5000") a Word that a text is found by when the
// query writes the code in one; otherwise nothing, 0. The word has to stand on its
// own: joint is what stands before it, if that is part of it.
func codeKind(t *Token, surface, number string, joint byte) Kind {
	letters, capitals := 0, true
	for _, r := range surface {
		if !unicode.IsLetter(r) {
			return 0
		}
		letters++
		capitals = capitals && unicode.IsUpper(r)
	}
	if joint != 0 && joint != '/' || t.Stop || letters > 6 || letters == 1 && (!capitals || surface == "A" || surface == "I") {
		return 0
	}
	digits := 0
	for i := strings.IndexByte(number, ':') + 1; i < len(number); i++ {
		if '0' <= number[i] && number[i] <= '9' {
			digits++
		}
	}
	switch {
	case capitals:
		return Code
	case letters <= 4 && digits >= 3:
		return Word
	}
	return 0
}

// jointBefore returns the character before i if that is a letter or digit, or
// joins what begins there to what stands before, else 0.
func jointBefore(text string, i int) byte {
	if i > 0 && (wordAt(text, prevRune(text, i)) || strings.IndexByte("-_.'/&@", text[i-1]) >= 0) {
		return text[i-1]
	}
	return 0
}

// joinInitials adds the code of two capitals with an ampersand and spaces,
// "R & D", as it stands in "R&D".
func joinInitials(dst []Token, n, before int, text string) []Token {
	head, tail := &dst[before], &dst[n]
	if head.End-head.Start != 1 || text[head.End:tail.Start] != " & " || !unicode.IsUpper(rune(text[head.Start])) {
		return dst
	}
	t := codeToken(strings.ToLower(text[head.Start:head.End]+"&"+text[tail.Start:tail.End]), head.Start, tail.End)
	t.Position, t.Width, t.Extra, t.Optional = head.Position, 2, true, true
	return append(dst, t)
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
