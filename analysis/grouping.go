package analysis

import (
	"strings"
	"unicode/utf8"
)

// digitsAt returns how many ASCII digits stand at i.
func digitsAt(text string, i int) int {
	n := 0
	for asciiAt(text, i+n) == digit {
		n++
	}
	return n
}

// isDigitAt reports whether an ASCII digit stands at i.
func isDigitAt(text string, i int) bool { return '0' <= text[i] && text[i] <= '9' }

// groupAhead reports whether exactly three digits stand at i: a group of
// thousands.
func groupAhead(text string, i int) bool {
	return digitsAt(text, i) == 3 && asciiAt(text, i+3) != letter
}

// groupBehind reports whether what stands between start and i can be the head
// of a number in groups: one to three digits, or such a head and groups of
// three.
func groupBehind(text string, start, i int) bool {
	n := 0
	for i > start && n < 4 && '0' <= text[i-1] && text[i-1] <= '9' {
		i--
		n++
	}
	if n == 0 || n > 3 {
		return false
	}
	if i == start || n < 3 {
		return i == start || !wordAt(text, i-1) && text[i-1] != '.'
	}
	return true
}

// spacedGroups reports whether the digits behind a plain space at i continue
// the number before it. Three digits alone would make one number of "in room 12
// 300 people", so the group must be 000, or another group follow, or a currency
// sign stand before.
func spacedGroups(text string, start, i int) bool {
	if !groupAhead(text, i) || !groupBehind(text, start, i-1) {
		return false
	}
	if text[i:i+3] == "000" || classAt(text, start) == currency {
		return true
	}
	return i+3 < len(text) && text[i+3] == ' ' && groupAhead(text, i+4) || strings.Contains(text[start:i-1], " ")
}

// commaJoins reports whether the comma at i stands inside a number: before a
// group of three, inside Indian grouping (1,00,000), or as a decimal comma
// where the number shows that it is one: 1.000,00, €1,50, 1,5 %.
func commaJoins(text string, start, i int) bool {
	n := digitsAt(text, i+1)
	end := i + 1 + n
	switch {
	case n == 3:
		return groupBehind(text, start, i)
	case n == 2 && end < len(text) && text[end] == ',' && (groupAhead(text, end+1) || digitsAt(text, end+1) == 2):
		return text[i-1] != ',' && (i-start < 3 || !isDigitAt(text, i-3))
	case n == 1 || n == 2:
		if strings.Contains(text[start:i], ".") || classAt(text, start) == currency {
			return true
		}
		return moneyAround(text, start, end)
	}
	return false
}

// moneyAround reports whether a number from start to end has a percent sign or a
// currency behind it, or a currency before it.
func moneyAround(text string, start, end int) bool {
	if end < len(text) && text[end] == ' ' {
		end++
	}
	if end < len(text) {
		if r, _ := utf8.DecodeRuneInString(text[end:]); isPercent(r) || classOf(r) == currency {
			return true
		}
	}
	if start > 0 && text[start-1] == ' ' {
		start--
	}
	from, to := start, end
	for start-from < 4 && asciiAt(text, from-1) == letter {
		from--
	}
	for to-end < 4 && asciiAt(text, to) == letter {
		to++
	}
	return isCurrency(units[strings.ToLower(text[from:start])].unit) || isCurrency(units[strings.ToLower(text[end:to])].unit)
}
