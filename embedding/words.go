package embedding

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// word is one word of a text as the vocabulary spells it: cleaned, without
// accents, in lower case.
type word struct {
	text    []byte // valid until the next word
	tooLong bool   // more characters than a word may have; text is cut short
	end     int    // offset in the text of the first byte behind the word
}

// splitWords calls f with each word of text from left to right, until f returns
// false, and reports whether it came to the end of text. Like the reference it
// drops control characters and what is not valid UTF-8, splits at white space,
// makes every punctuation mark and every ideograph a word of its own,
// decomposes the rest canonically, drops the accents (Mn) and lowers the case.
func splitWords(text string, maxCharacters int, f func(word) bool) bool {
	s := splitter{limit: maxCharacters, f: f}
	for i := 0; i < len(text) && !s.stopped; {
		if c := text[i]; c < utf8.RuneSelf {
			i++
			s.flushMarks()
			s.ascii(c, i)
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case isDropped(r):
		case isIdeograph(r):
			s.flushMarks()
			s.flushWord()
			s.marks, s.marksEnd = append(s.marks, text[i:i+size]...), i+size
			s.flushMarks()
			s.flushWord()
		default:
			// Marks are put in canonical order before they are dropped, so a
			// character and its marks are decomposed together.
			if len(s.marks) >= maxSegment || norm.NFD.PropertiesString(text[i:]).BoundaryBefore() {
				s.flushMarks()
			}
			s.marks, s.marksEnd = append(s.marks, text[i:i+size]...), i+size
		}
		i += size
	}
	if !s.stopped {
		s.flushMarks()
		s.flushWord()
	}
	return !s.stopped
}

// maxSegment is how many bytes of marks on one character are put in order; text
// that means something has a handful.
const maxSegment = 256

// splitter holds the word that is being read.
type splitter struct {
	limit   int // characters that a word may have
	f       func(word) bool
	stopped bool // f returned false

	buffer     []byte // the word so far, at most limit characters of it
	characters int    // of the word so far, all counted
	end        int    // offset behind its last character

	marks      []byte // a character and its marks, not decomposed yet
	marksEnd   int    // offset behind them
	decomposed []byte
}

// ascii takes the character c, which ends at offset end.
func (s *splitter) ascii(c byte, end int) {
	switch {
	case c >= 'a' && c <= 'z' || c >= '0' && c <= '9':
		s.push(rune(c), end)
	case c >= 'A' && c <= 'Z':
		s.push(rune(c+'a'-'A'), end)
	case c == ' ' || c == '\t' || c == '\n' || c == '\r':
		s.flushWord()
	case c > ' ' && c < 0x7f:
		s.flushWord()
		s.push(rune(c), end)
		s.flushWord()
	}
}

// push adds a character to the word.
func (s *splitter) push(r rune, end int) {
	s.end = end
	if s.characters++; s.characters <= s.limit {
		s.buffer = utf8.AppendRune(s.buffer, r)
	}
}

// flushMarks decomposes the waiting characters into the word.
func (s *splitter) flushMarks() {
	if len(s.marks) == 0 {
		return
	}
	s.decomposed = norm.NFD.Append(s.decomposed[:0], s.marks...)
	s.marks = s.marks[:0]
	for rest := s.decomposed; len(rest) > 0; {
		r, size := utf8.DecodeRune(rest)
		rest = rest[size:]
		switch {
		case unicode.Is(unicode.Mn, r):
			s.end = s.marksEnd
		case unicode.IsSpace(r):
			s.flushWord()
		case isPunctuation(r):
			s.flushWord()
			s.push(r, s.marksEnd)
			s.flushWord()
		default:
			s.push(unicode.ToLower(r), s.marksEnd)
		}
	}
}

// flushWord hands over the word, if there is one.
func (s *splitter) flushWord() {
	if s.characters == 0 || s.stopped {
		return
	}
	s.stopped = !s.f(word{text: s.buffer, tooLong: s.characters > s.limit, end: s.end})
	s.buffer, s.characters = s.buffer[:0], 0
}

// isDropped reports characters that the reference removes: control, format,
// private use and the replacement character that stands for invalid UTF-8.
func isDropped(r rune) bool {
	return r == utf8.RuneError || unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co)
}

// isPunctuation reports what splits a word: all ASCII symbols, and the
// punctuation of other scripts (not their symbols).
func isPunctuation(r rune) bool {
	if r < utf8.RuneSelf {
		return r > ' ' && r < 0x7f && !(r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z')
	}
	return unicode.Is(unicode.P, r)
}

// isIdeograph reports the blocks that the reference calls Chinese characters.
// Kana and Hangul are not among them.
func isIdeograph(r rune) bool {
	switch {
	case r < 0x3400:
		return false
	case r <= 0x4dbf,
		r >= 0x4e00 && r <= 0x9fff,
		r >= 0xf900 && r <= 0xfaff,
		r >= 0x20000 && r <= 0x2a6df,
		r >= 0x2a700 && r <= 0x2b73f,
		r >= 0x2b740 && r <= 0x2b81f,
		r >= 0x2b920 && r <= 0x2ceaf, // the reference starts this block 0x100 late
		r >= 0x2f800 && r <= 0x2fa1f:
		return true
	}
	return false
}
