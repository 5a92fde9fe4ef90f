package analysis

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// Fold returns the form under which two names are the same: Unicode NFC,
// trimmed of white space at both ends, case folded. Inner white space, accents
// and widths stay as they are.
func Fold(name string) string {
	name = strings.TrimSpace(name)
	if isLowerASCII(name) {
		return name
	}
	return norm.NFC.String(cases.Fold().String(norm.NFC.String(name)))
}

// isLowerASCII reports whether s is free of capitals and of bytes beyond ASCII.
func isLowerASCII(s string) bool {
	for i := range len(s) {
		if c := s[i]; c >= utf8.RuneSelf || 'A' <= c && c <= 'Z' {
			return false
		}
	}
	return true
}

// foldWord returns the form that words are compared by exactly: compatibility
// composed (so ligatures and full-width letters are taken apart), case folded,
// without soft hyphens, zero-width characters and apostrophes; accents stay.
func foldWord(s string) string {
	if isASCII(s) {
		return strings.ReplaceAll(strings.ToLower(s), "'", "")
	}
	var b strings.Builder
	for _, r := range norm.NFKC.String(s) {
		switch {
		case isApostrophe(r) || classOf(r) == ignored:
		case r == 'ß' || r == 'ẞ':
			b.WriteString("ss")
		case r == 'ς':
			b.WriteRune('σ')
		case unicode.IsDigit(r):
			b.WriteByte(digitOf(r))
		default:
			b.WriteRune(unicode.ToLower(r))
		}
	}
	return norm.NFC.String(b.String())
}

// isASCII reports whether s has only single-byte characters.
func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// plainLetters are letters whose stroke or shape Unicode does not take apart.
var plainLetters = map[rune]string{
	'ø': "o", 'ł': "l", 'đ': "d", 'ð': "d", 'þ': "th", 'æ': "ae", 'œ': "oe", 'ı': "i", 'ħ': "h", 'ŧ': "t", 'ŋ': "n",
}

// stripAccents returns a folded word without the accents of Latin, Greek,
// Cyrillic, Arabic and Hebrew. The marks of other scripts are vowels and stay,
// and so does the Cyrillic short i, a letter of its own.
func stripAccents(word string) string {
	if isASCII(word) {
		return word
	}
	var b strings.Builder
	base := rune(0)
	for _, r := range norm.NFD.String(word) {
		if !unicode.Is(unicode.Mn, r) {
			base = r
		} else if base == 'и' && r == '\u0306' {
			// keep: й
		} else if unicode.In(base, unicode.Latin, unicode.Greek, unicode.Cyrillic, unicode.Arabic, unicode.Hebrew) {
			continue
		}
		if plain, ok := plainLetters[r]; ok {
			b.WriteString(plain)
		} else {
			b.WriteRune(r)
		}
	}
	return norm.NFC.String(b.String())
}

// digitOf returns the ASCII digit of the same value as r, a decimal digit of
// any script. Unicode keeps them in runs of ten from zero to nine, and its
// table only joins neighbouring runs.
func digitOf(r rune) byte {
	for _, run := range unicode.Nd.R16 {
		if rune(run.Lo) <= r && r <= rune(run.Hi) {
			return '0' + byte((r-rune(run.Lo))%10)
		}
	}
	for _, run := range unicode.Nd.R32 {
		if rune(run.Lo) <= r && r <= rune(run.Hi) {
			return '0' + byte((r-rune(run.Lo))%10)
		}
	}
	return '0'
}
