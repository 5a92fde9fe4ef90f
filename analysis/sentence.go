package analysis

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Span is a byte range of a text.
type Span struct{ Start, End int }

// abbreviations are words whose stop does not end a sentence.
var abbreviations = set(`mr mrs ms dr prof sr jr st vs approx appx dept est inc ltd co corp plc gmbh bros
	eg ie cf al viz resp incl excl max min avg ca jan feb mar apr jun jul aug sep sept oct nov dec`)

// numberAbbreviations are words whose stop does not end a sentence before a
// number.
var numberAbbreviations = set("no nos nr art arts sec secs fig figs para paras pp pg vol ch cl app ann ref tel ext eq ver rev p s v")

// Sentences returns the sentences of text in order, without the white space
// around them. A sentence ends behind . ! ? or their likes in other scripts, at
// an empty line, and where a heading, a list entry or a table row begins or
// ends; it does not end inside abbreviations ("e.g.", "No. 5", "U.S. law"),
// numbers and the marks of lists ("1."). List marks and heading marks belong to
// their sentences.
func Sentences(text string) []Span {
	var found []Span
	start := 0
	add := func(end int) {
		head := text[start:end]
		s := start + len(head) - len(strings.TrimLeftFunc(head, unicode.IsSpace))
		e := start + len(strings.TrimRightFunc(head, unicode.IsSpace))
		if e > s {
			found = append(found, Span{s, e})
		}
		start = end
	}
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		i += size
		switch r {
		case '\n':
			if blockEnds(text, i) || ownLine(text[start:i]) {
				add(i)
			}
		case '。', '！', '？', '｡', '।', '؟', '۔':
			i = skipClosers(text, i)
			add(i)
		case '!', '?', '…', '.':
			end := skipClosers(text, i)
			if end < len(text) && !spaceAt(text, end) {
				continue
			}
			if r != '.' || stopEnds(text, start, i-size, end) {
				add(end)
				i = end
			}
		}
	}
	add(len(text))
	return found
}

// spaceAt reports whether white space stands at i.
func spaceAt(text string, i int) bool {
	r, _ := utf8.DecodeRuneInString(text[i:])
	return unicode.IsSpace(r)
}

// skipClosers returns the end of the stops, quotes and brackets at i that
// belong to the sentence before them.
func skipClosers(text string, i int) int {
	for i < len(text) {
		r, size := utf8.DecodeRuneInString(text[i:])
		if !strings.ContainsRune(`.!?"')]}*_»”’」』）。！？`, r) {
			break
		}
		i += size
	}
	return i
}

// stopEnds reports whether the stop at i ends the sentence that began at start,
// what is behind it going on at end.
func stopEnds(text string, start, i, end int) bool {
	head := strings.TrimLeft(text[start:i], " \t\n\r#>*-+•(")
	if len(head) <= 4 && listMark(head) {
		return false // "1." at the head of an entry
	}
	next := strings.TrimLeft(text[end:min(len(text), end+64)], " \t\r\n\u00A0\"'“‘([*_")
	r, _ := utf8.DecodeRuneInString(next)
	if next == "" {
		return true
	}
	from := i
	for from > start && (wordAt(text, prevRune(text, from)) || text[from-1] == '.') {
		from = prevRune(text, from)
		if i-from > 16 {
			break
		}
	}
	word := strings.ToLower(text[from:i])
	switch {
	case unicode.IsLower(r):
		return false
	case numberAbbreviations[word] && unicode.IsDigit(r):
		return false
	case strings.Contains(word, "."), utf8.RuneCountInString(word) == 1 && unicode.IsUpper(firstRune(text[from:])):
		// "U.S. law" goes on, "in the U.S. The law" does not.
		initials := strings.ReplaceAll(word, ".", "")
		if len(initials) > 3 || strings.ContainsFunc(initials, unicode.IsDigit) {
			return true
		}
		return initials != "eg" && initials != "ie" && stopWords[strings.ToLower(firstWord(next))]
	}
	return !abbreviations[word]
}

// firstRune returns the first character of text.
func firstRune(text string) rune {
	r, _ := utf8.DecodeRuneInString(text)
	return r
}

// firstWord returns the letters that text begins with.
func firstWord(text string) string {
	return text[:len(text)-len(strings.TrimLeftFunc(text, unicode.IsLetter))]
}

// listMark reports whether head is what numbers a list's entry: "1", "12", "a",
// "iv".
func listMark(head string) bool {
	if head == "" {
		return false
	}
	digits := strings.Trim(head, "0123456789.") == ""
	roman := strings.Trim(strings.ToLower(head), "ivx") == ""
	return digits || roman || len(head) == 1 && wordAt(head, 0)
}

// blockEnds reports whether a new block begins at i, the head of a line: behind
// an empty line, or with the mark of a heading, list entry, quote or table row.
func blockEnds(text string, i int) bool {
	line := text[i:]
	if end := strings.IndexByte(line, '\n'); end >= 0 {
		line = line[:end]
	}
	return marked(strings.TrimSpace(line))
}

// ownLine reports whether the line that ends a text is a heading or table row,
// which no following line continues.
func ownLine(text string) bool {
	line := strings.TrimSpace(text[strings.LastIndexByte(strings.TrimRight(text, "\r\n"), '\n')+1:])
	return line == "" || line[0] == '#' || line[0] == '|' || strings.HasPrefix(line, "---")
}

// marked reports whether a line is empty or begins a block.
func marked(line string) bool {
	if line == "" {
		return true
	}
	switch line[0] {
	case '#', '|', '>':
		return true
	case '-', '*', '+':
		return len(line) > 1 && (line[1] == ' ' || line[1] == line[0])
	case '(':
		end := strings.IndexByte(line, ')')
		return end > 1 && end <= 5 && listMark(line[1:end])
	}
	if strings.HasPrefix(line, "•") || strings.HasPrefix(line, "–") {
		return true
	}
	end := strings.IndexAny(line, " \t")
	if end < 2 || end > 8 {
		return false
	}
	mark := line[:end]
	return (strings.HasSuffix(mark, ".") || strings.HasSuffix(mark, ")")) && listMark(mark[:len(mark)-1])
}
