package analysis

import "unicode/utf8"

// maxChunk is the length in bytes after which a chunk takes no further parts.
// Codes and compounds are shorter; the cut keeps the work on a text linear.
const maxChunk = 128

// A chunk is a run of letters and digits and of the characters that join them
// without a space, such as "PO-1234", "$1,000.50", "10.3(a)" or "don't". What
// tokens a chunk becomes depends on its characters alone, so that is worked out
// once (see chunk.go) and cached; the scanner only finds where it ends.

// scanChunk returns the end of the chunk that begins at start.
func scanChunk(text string, start int) int {
	// The common case by one table look-up a byte: an ASCII word and a space.
	i := start
	for i < len(text) && text[i] < utf8.RuneSelf && asciiClass[text[i]] == letter {
		i++
	}
	if i > start && (i == len(text) || plainEnd(text, i)) {
		return i
	}
	return scanJoined(text, start)
}

// plainEnd reports whether the character at i certainly ends a word.
func plainEnd(text string, i int) bool {
	c := text[i]
	if c >= utf8.RuneSelf || asciiClass[c] != other {
		return false
	}
	if c == ' ' || !joins[c] {
		return true
	}
	return (c == ',' || c == '.') && (i+1 == len(text) || text[i+1] == ' ' || text[i+1] == '\n')
}

// joins marks the single-byte characters that can join two parts of a chunk.
var joins = func() (table [utf8.RuneSelf]bool) {
	for _, c := range "-_.,'/&:@(+#%$" {
		table[c] = true
	}
	return table
}()

// scanJoined returns the end of the chunk that begins at start, following
// joints of every kind.
func scanJoined(text string, start int) int {
	i := start
	if r, size := utf8.DecodeRuneInString(text[i:]); classOf(r) == currency {
		i += size // a sign belongs to the amount behind it: "$500"
		if i < len(text) && text[i] == ' ' {
			i++
		}
	} else if r == '.' {
		i++ // ".NET"
	}
	for {
		i = scanRun(text, i)
		if i-start > maxChunk {
			return i
		}
		next := scanJoint(text, start, i)
		if next == i {
			return i
		}
		i = next
		if !wordAt(text, i) && !(text[i-1] == ')' && i < len(text) && text[i] == '(') {
			return i
		}
	}
}

// scanRun returns the end of the letters, digits, marks and ignored characters
// that begin at i.
func scanRun(text string, i int) int {
	for i < len(text) {
		if c := text[i]; c < utf8.RuneSelf {
			if k := asciiClass[c]; k != letter && k != digit {
				return i
			}
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		if k := classOf(r); k != letter && k != digit && k != ignored {
			return i
		}
		i += size
	}
	return i
}

// scanJoint returns where the chunk goes on if the characters at i join what
// stands before them to what follows, and i if they do not. A joint that ends
// the chunk (a closing bracket, a sign behind a number) is taken whole.
func scanJoint(text string, start, i int) int {
	if i == len(text) || i == start {
		return i
	}
	r, size := utf8.DecodeRuneInString(text[i:])
	after := i + size
	before := lastClass(text, i)
	ahead := classAt(text, after)
	word := ahead == letter || ahead == digit
	switch {
	case isDash(r) || r == '@':
		if word {
			return after
		}
	case r == '_':
		for after < len(text) && text[after] == '_' {
			after++
		}
		if wordAt(text, after) {
			return after
		}
	case r == '.':
		if word {
			return after
		}
		if dottedInitials(text[start:i]) {
			return after // the last stop of "U.S."
		}
	case isApostrophe(r):
		if before == letter && ahead == letter {
			return after
		}
		if before == digit && groupAhead(text, after) {
			return after // 1'000
		}
	case r == ',':
		if before == digit && commaJoins(text, start, i) {
			return after
		}
	case r == ':':
		if before == digit && ahead == digit {
			return after // 10:30
		}
	case r == '/':
		if before == digit && ahead == digit || capitalOrDigit(text[i-1]) && after < len(text) && capitalOrDigit(text[after]) {
			return after // 24/7, HR/POL/001, TCP/IP
		}
	case r == '&':
		if before == letter && ahead == letter {
			return after // R&D
		}
	case r == '(':
		if before == digit || text[i-1] == ')' {
			return bracketed(text, i) // 10.3(a)
		}
	case r == '+':
		if before == letter && i-start <= 3 && after < len(text) && text[after] == '+' && !wordAt(text, after+1) {
			return after + 1 // C++
		}
	case r == '#':
		if before == letter && i-start <= 2 && !word {
			return after // C#
		}
	case isPercent(r):
		if before == digit && !word {
			return after
		}
	case isGroupSpace(r):
		if before == digit && groupAhead(text, after) && groupBehind(text, start, i) {
			return after
		}
		return signAhead(text, start, i, after)
	case r == ' ':
		if before == digit && groupBehind(text, start, i) && spacedGroups(text, start, after) {
			return after
		}
		return signAhead(text, start, i, after)
	case classOf(r) == currency:
		if before == digit && !word && classAt(text, start) != currency {
			return after // 500€
		}
	}
	return i
}

// signAhead returns the end of a percent or currency sign that follows a
// number across one space at i: "5 %", "500 €".
func signAhead(text string, start, i, after int) int {
	if lastClass(text, i) != digit || after >= len(text) || classAt(text, start) == currency {
		return i
	}
	r, size := utf8.DecodeRuneInString(text[after:])
	if (isPercent(r) || classOf(r) == currency) && !wordAt(text, after+size) {
		return after + size
	}
	return i
}

// asciiAt returns the class of the byte at i, other if it is no ASCII character
// or there is none.
func asciiAt(text string, i int) class {
	if i < 0 || i >= len(text) || text[i] >= utf8.RuneSelf {
		return other
	}
	return asciiClass[text[i]]
}

// classAt returns the class of the character at i, other at the end.
func classAt(text string, i int) class {
	if i >= len(text) {
		return other
	}
	r, _ := utf8.DecodeRuneInString(text[i:])
	return classOf(r)
}

// lastClass returns the class of the character before i, over ignored ones.
func lastClass(text string, i int) class {
	for i > 0 {
		r, size := utf8.DecodeLastRuneInString(text[:i])
		if k := classOf(r); k != ignored {
			return k
		}
		i -= size
	}
	return other
}

// prevRune returns the index of the character before i.
func prevRune(text string, i int) int {
	_, size := utf8.DecodeLastRuneInString(text[:i])
	return i - size
}

// wordAt reports whether a letter or digit stands at i.
func wordAt(text string, i int) bool {
	k := classAt(text, i)
	return k == letter || k == digit
}

// capitalOrDigit reports whether c is an ASCII capital or digit.
func capitalOrDigit(c byte) bool { return 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' }

// bracketed returns the end of a short bracketed part at i such as "(a)" or
// "(12)", and i if there is none.
func bracketed(text string, i int) int {
	k := scanRun(text, i+1)
	if k > i+1 && k <= i+5 && k < len(text) && text[k] == ')' {
		return k + 1
	}
	return i
}

// dottedInitials reports whether s is single letters with stops between them,
// such as "U.S" or "e.g".
func dottedInitials(s string) bool {
	if len(s) < 3 || len(s)%2 == 0 {
		return false
	}
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf || (i%2 == 0) != (asciiClass[s[i]] == letter) || i%2 == 1 && s[i] != '.' {
			return false
		}
	}
	return true
}
