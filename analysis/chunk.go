package analysis

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// chunk is a chunk while it is taken apart. A chunk is short (see maxChunk) or
// one long word, and its tokens are cached, so this code is plain, not fast.
type chunk struct {
	surface string
	chars   []char
	parts   []part
	tokens  []Token
}

// char is one character of a chunk, digits of every script read as ASCII,
// dashes, apostrophes and the spaces inside numbers brought to one form each.
type char struct {
	r          rune
	class      class
	start, end int // byte range in the chunk
}

// part is one atom of a chunk.
type part struct {
	start, end int    // byte range in the chunk
	kind       Kind   // Word, Number or Code
	text       string // folded word, value of a number, digits of a code
	joint      rune   // what joins it to the part before it, see below; 0 for nothing
}

// caseJoint is the joint of two parts that only their capitals tell apart.
const caseJoint = 'A'

// analyseChunk returns the tokens of a chunk, offsets and positions relative to
// it.
func analyseChunk(surface string) []Token {
	c := &chunk{surface: surface}
	c.read()
	if len(c.chars) > 0 && !c.initials() && !c.symbolic() {
		c.split()
		c.emit()
	}
	return c.tokens
}

// read fills chars, leaving out what is ignored.
func (c *chunk) read() {
	for i := 0; i < len(c.surface); {
		r, size := utf8.DecodeRuneInString(c.surface[i:])
		k := classOf(r)
		switch {
		case k == digit:
			r = rune(digitOf(r))
		case isDash(r):
			r = '-'
		case isPercent(r):
			r = '%'
		case isApostrophe(r):
			r = '\''
		case isGroupSpace(r):
			r = ' '
		}
		if k != ignored {
			c.chars = append(c.chars, char{r, k, i, i + size})
		}
		i += size
	}
}

// initials takes single letters with stops, "U.S." or "e.g.", as one word.
func (c *chunk) initials() bool {
	if !dottedInitials(strings.TrimSuffix(c.surface, ".")) {
		return false
	}
	word := strings.ToLower(strings.ReplaceAll(c.surface, ".", ""))
	token := wordToken(word)
	if word != "eg" && word != "ie" {
		token.Stop, token.Negation, token.Term = false, false, term(stemSpace, stem(word))
	}
	token.End = len(c.surface)
	c.tokens = append(c.tokens, token)
	return true
}

// symbolic takes a name that ends in a sign, "C++" or "C#", as one code.
func (c *chunk) symbolic() bool {
	if last := c.chars[len(c.chars)-1].r; last != '+' && last != '#' {
		return false
	}
	c.tokens = append(c.tokens, codeToken(stripAccents(foldWord(c.surface)), 0, len(c.surface)))
	return true
}

// split cuts the chunk into parts.
func (c *chunk) split() {
	joint := rune(0)
	for k := 0; k < len(c.chars); {
		from := k
		switch ch := c.chars[k]; {
		case ch.class == letter:
			k = c.wordEnd(k)
			c.splitWord(from, k, joint)
			joint = 0
		case ch.class == digit, ch.r == '.' && k == 0 && c.classAt(1) == digit:
			k = c.splitNumber(k, joint)
			joint = 0
		default:
			if ch.r != ')' {
				joint = ch.r
			}
			k++
		}
	}
}

// classAt returns the class of character k, other beyond the end.
func (c *chunk) classAt(k int) class {
	if k < 0 || k >= len(c.chars) {
		return other
	}
	return c.chars[k].class
}

// wordEnd returns the end of the letters at k, over apostrophes inside a word.
func (c *chunk) wordEnd(k int) int {
	for c.classAt(k) == letter || k < len(c.chars) && c.chars[k].r == '\'' && c.classAt(k+1) == letter {
		k++
	}
	return k
}

// add appends the characters from one index to another as a part.
func (c *chunk) add(kind Kind, text string, joint rune, from, to int) {
	if text != "" {
		c.parts = append(c.parts, part{c.chars[from].start, c.chars[to-1].end, kind, text, joint})
	}
}

// folded returns the folded form of the characters from one index to another.
func (c *chunk) folded(from, to int) string {
	return foldWord(c.surface[c.chars[from].start:c.chars[to-1].end])
}

// elided are the words that French and Italian shorten before a vowel.
var elided = map[string]bool{"l": true, "d": true, "j": true, "m": true, "t": true, "s": true, "c": true, "n": true, "qu": true, "dell": true}

// clipped are the endings behind an apostrophe that are cut off: the possessive,
// and the shortened verbs of "we'll", "they've", "I'd". The n't of "don't" stays.
var clipped = map[string]bool{"s": true, "ll": true, "re": true, "ve": true, "d": true, "m": true}

// splitWord adds the letters from k to end as one part, or as several where an
// identifier changes from small letters to capitals. Apostrophes inside a word
// leave no trace: "O'Brien" is "obrien".
func (c *chunk) splitWord(k, end int, joint rune) {
	for i := k + 1; i < end; i++ {
		if c.chars[i].r != '\'' {
			continue
		}
		if clipped[c.folded(i+1, end)] {
			end = i
		} else if head := c.folded(k, i); elided[head] && end-i > 3 {
			c.add(Word, head, joint, k, i)
			k, joint = i+1, '\''
		}
	}
	for _, cut := range caseCuts(c.chars[k:end]) {
		c.add(Word, c.folded(k, k+cut), joint, k, k+cut)
		k, joint = k+cut, caseJoint
	}
	c.add(Word, c.folded(k, end), joint, k, end)
}

// caseCuts returns the lengths of the segments before the last into which
// capitals cut an identifier: maxDailyAmount, MaxDailyAmount, isActive. Names in
// which a capital only decorates stay whole: a segment of one letter (iPhone,
// mRNA), two segments with a capital first (GitHub, PowerPoint), or a short head
// before an acronym (siRNA).
func caseCuts(chars []char) []int {
	var cuts []int
	begin := 0
	lowerTail := false
	for i := 1; i < len(chars); i++ {
		if unicode.IsLower(chars[i].r) {
			lowerTail = true
		}
		up := unicode.IsUpper(chars[i].r)
		if up && unicode.IsLower(chars[i-1].r) || up && unicode.IsUpper(chars[i-1].r) && i+1 < len(chars) && unicode.IsLower(chars[i+1].r) {
			if i-begin < 2 {
				return nil
			}
			cuts = append(cuts, i-begin)
			begin, lowerTail = i, false
		}
	}
	switch {
	case len(cuts) == 0 || len(chars)-begin < 2:
		return nil
	case len(cuts) == 1 && (unicode.IsUpper(chars[0].r) || cuts[0] < 3 && !lowerTail):
		return nil
	}
	return cuts
}
