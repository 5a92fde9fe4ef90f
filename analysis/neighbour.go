package analysis

import (
	"strings"
	"unicode"
)

// joinNumber looks at the word before the number at dst[n]. A currency gives it
// its unit. A code's word ("ISO 27001", "PO #1234", "form 1040", "PO No. 5")
// gives the joined code.
func joinNumber(dst []Token, first, n, before int, text string) []Token {
	gap := text[dst[before].End:dst[n].Start]
	if dst[before].Kind == Word && numberSigns[wordOf(&dst[before])] && (gap == ". " || gap == "." || gap == " ") {
		sign := before // the "No." of "PO No. 5"
		if before = atomBefore(dst, first, sign); before < 0 || !closeBy(text, dst[before].End, dst[sign].Start) {
			return dst
		}
		gap = " "
	}
	if dst[before].Kind != Word {
		return dst
	}
	if u := units[wordOf(&dst[before])].unit; u != "" {
		currencyBefore(dst, first, n, before, u, gap, text)
		return dst
	}
	if gap != " " && gap != " #" && gap != "\u00A0" || dst[n].Unit != "" || !digitsOnly(text[dst[n].Start:dst[n].End]) {
		return dst
	}
	kind := codeKind(&dst[before], text, &dst[n])
	if kind == 0 {
		return dst
	}
	head, whole := dst[n], dst[n] // the number, and the chunk that it begins
	for _, t := range dst[n+1:] {
		if t.Position == head.Position && t.Width > 1 && !t.TextOnly && text[head.End] != ':' {
			whole = t // but the year in "ISO 27001:2022" is an edition of the same
		}
	}
	for k := before; ; {
		dst = append(dst, joinedCode(&dst[k], &whole, kind, text))
		if whole.Width > 1 { // the "SP 800" of "SP 800-53"
			part := joinedCode(&dst[k], &head, kind, text)
			part.TextOnly = true
			dst = append(dst, part)
		}
		// In "ISO/IEC 27001" the number belongs to each.
		prior := atomBefore(dst, first, k)
		if prior < 0 || text[dst[prior].End:dst[k].Start] != "/" || dst[prior].Kind != Word || before-prior > 4 {
			return dst
		}
		k = prior
	}
}

// joinedCode returns the token over a word and the number behind it. The digits
// are those written, so that "JIB 04" is not "JIB 4".
func joinedCode(word, number *Token, kind Kind, text string) Token {
	digits := text[number.Start:number.End]
	if digitsAt(digits, 0) != len(digits) {
		digits = number.Exact[strings.IndexByte(number.Exact, ':')+1:]
	}
	t := codeToken(stripAccents(wordOf(word))+digits, word.Start, number.End)
	t.Kind, t.Position, t.Width = kind, word.Position, number.Position+number.Width-word.Position
	t.Extra, t.Optional = true, true
	return t
}

// codeKind says what a word and the number behind it make: a Code with up to six
// capitals ("ISO 27001", "W 2"); with two to four small letters and a longer
// number ("po 1234", but also "pay 5000") a Word that a text is found by when the
// query writes the code in one; otherwise nothing, 0. The word has to stand on
// its own, or behind a slash.
func codeKind(word *Token, text string, number *Token) Kind {
	letters, capitals := 0, true
	for _, r := range text[word.Start:word.End] {
		if !unicode.IsLetter(r) {
			return 0
		}
		letters++
		capitals = capitals && unicode.IsUpper(r)
	}
	if joint := jointBefore(text, word.Start); joint != 0 && joint != '/' || word.Stop || letters > 6 {
		return 0
	}
	digits := 0
	for _, c := range text[number.Start:number.End] {
		if classOf(c) == digit {
			digits++
		}
	}
	switch {
	case letters == 1 && (!capitals || text[word.Start] == 'A' || text[word.Start] == 'I'):
		return 0 // "a 5", "I 5"
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
