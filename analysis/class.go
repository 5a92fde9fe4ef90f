package analysis

import (
	"unicode"
	"unicode/utf8"
)

// class is what a character is to the scanner.
type class uint8

const (
	other    class = iota // punctuation, symbols, white space
	letter                // letters of scripts that put spaces between words, and marks
	digit                 // decimal digits of any script
	ideogram              // letters of scripts without spaces
	ignored               // soft hyphen and zero-width characters: removed
	currency              // currency signs
)

// asciiClass holds the class of every single-byte character.
var asciiClass = func() (table [utf8.RuneSelf]class) {
	for c := range table {
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z':
			table[c] = letter
		case '0' <= c && c <= '9':
			table[c] = digit
		case c == '$':
			table[c] = currency
		}
	}
	return table
}()

// spaceless lists the scripts whose words stand without spaces between them,
// and Hangul, whose words carry their particles.
var spaceless = []*unicode.RangeTable{
	unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Bopomofo, unicode.Hangul,
	unicode.Thai, unicode.Lao, unicode.Myanmar, unicode.Khmer, unicode.Tibetan,
	unicode.Javanese, unicode.Yi,
}

// classOf returns the class of r.
func classOf(r rune) class {
	if r < utf8.RuneSelf {
		return asciiClass[r]
	}
	switch r {
	case '\u00AD', '\u200B', '\u200C', '\u200D', '\u2060', '\uFEFF', '\u180E', '\u0640':
		return ignored
	case '\u30FC', '\uFF70', '\u3005', '\u3006', '\u3007':
		return ideogram // marks that lengthen or repeat, shared by Kana and Han
	case '\u00AA', '\u00BA':
		return other // ordinal signs: "nº 5" is "n 5"
	}
	switch {
	case r >= 0x0E00 && unicode.IsOneOf(spaceless, r):
		if unicode.IsLetter(r) || unicode.IsMark(r) {
			return ideogram
		}
		if unicode.IsDigit(r) {
			return digit
		}
		return other
	case unicode.IsLetter(r):
		return letter
	case unicode.IsMark(r):
		if '\uFE00' <= r && r <= '\uFE0F' || r >= 0xE0100 {
			return ignored // variation selectors
		}
		return letter
	case unicode.IsDigit(r):
		return digit
	case unicode.Is(unicode.Sc, r):
		return currency
	}
	return other
}

// isDash reports whether r joins words as a hyphen does. The em dash does not:
// it stands between clauses.
func isDash(r rune) bool {
	switch r {
	case '-', '\u2010', '\u2011', '\u2012', '\u2013', '\u2212', '\uFE63', '\uFF0D':
		return true
	}
	return false
}

// isApostrophe reports whether r is an apostrophe between letters.
func isApostrophe(r rune) bool {
	switch r {
	case '\'', '\u2018', '\u2019', '\u02BC', '\uFF07', '\u201B':
		return true
	}
	return false
}

// isGroupSpace reports whether r is a space that stands inside numbers: no-break,
// thin or narrow no-break.
func isGroupSpace(r rune) bool {
	return r == '\u00A0' || r == '\u2009' || r == '\u202F'
}

// isPercent reports whether r is a percent sign.
func isPercent(r rune) bool { return r == '%' || r == '٪' || r == '％' || r == '﹪' }
