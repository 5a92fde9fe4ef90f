package analysis

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// SnippetLength is the greatest length of a snippet in characters.
const SnippetLength = 160

const ellipsis = "…"

// Snippet returns the part of text that shows most of the ranges found, in at
// most limit characters, "…" included where something was left out, and its
// byte range in text. White space is shown as single spaces. It begins with the
// sentence of the first range shown where that fits, cuts between words (only a
// word longer than the limit is cut itself, between characters), and without
// ranges shows the beginning. Ranges have to be in order.
func Snippet(text string, found []Span, limit int) (string, Span) {
	s := snippet{text: text, limit: limit}
	s.measure()
	if s.length(0, len(text)) <= limit {
		return s.show(0, len(text))
	}
	start, end := s.densest(found)
	start, end = s.grow(start, end)
	return s.show(start, end)
}

// snippet is a text with the lengths of its beginnings as shown.
type snippet struct {
	text  string
	limit int
	shown []int32 // shown[i] is the length in characters of text[:i] as shown
}

// measure counts characters as they are shown: a run of white space is one.
func (s *snippet) measure() {
	s.shown = make([]int32, len(s.text)+1)
	n, space := int32(0), false
	for i, r := range s.text {
		_, size := utf8.DecodeRuneInString(s.text[i:])
		now := unicode.IsSpace(r)
		if !now || !space {
			n++
		}
		space = now
		for k := 1; k <= size; k++ {
			s.shown[i+k] = n
		}
	}
}

// length returns the characters that a range shows.
func (s *snippet) length(start, end int) int { return int(s.shown[end] - s.shown[start]) }

// room is the length for text when both ends are cut.
func (s *snippet) room() int { return max(1, s.limit-2) }

// densest returns the range that holds most of the ranges found and fits, the
// first of several.
func (s *snippet) densest(found []Span) (start, end int) {
	best := 0
	for i := range found {
		k := i
		for k < len(found) && s.length(found[i].Start, max(found[k].End, found[i].End)) <= s.room() {
			k++
		}
		if k-i > best {
			best, start, end = k-i, found[i].Start, found[i].End
			for _, f := range found[i:k] {
				end = max(end, f.End)
			}
		}
	}
	if best == 0 && len(found) > 0 {
		start = found[0].Start // longer than a snippet
		end = s.characters(start, s.room())
	}
	return start, end
}

// characters returns the place n characters behind i.
func (s *snippet) characters(i, n int) int {
	end := i
	for end < len(s.text) {
		_, size := utf8.DecodeRuneInString(s.text[end:])
		if s.length(i, end+size) > n {
			break
		}
		end += size
	}
	return end
}

// grow widens a range to fill the room: back to the head of its sentence if
// that leaves half the room for what follows, else by half of what is left;
// then forward, and back again with what the end of the text left over.
func (s *snippet) grow(start, end int) (int, int) {
	free := s.room() - s.length(start, end)
	head := s.sentence(start)
	if s.length(head, start) <= free/2 {
		start = head
	} else {
		start = s.back(start, free/2)
	}
	end = s.forward(end, s.room()-s.length(start, end))
	start = s.back(start, s.room()-s.length(start, end))
	if start == end {
		end = s.characters(start, s.room()) // one word is longer than a snippet
	}
	return start, end
}

// sentence returns the head of the sentence in which i stands.
func (s *snippet) sentence(i int) int {
	from := max(0, i-4*s.limit)
	for from > 0 && !utf8.RuneStart(s.text[from]) {
		from--
	}
	head := from
	for _, sentence := range Sentences(s.text[from:min(len(s.text), i+utf8.UTFMax)]) {
		if from+sentence.Start <= i {
			head = from + sentence.Start
		}
	}
	return head
}

// back returns the first place at or before i, at most n characters away,
// between two words.
func (s *snippet) back(i, n int) int {
	best := i
	for k := i; s.length(k, i) <= n; k = prevRune(s.text, k) {
		if s.breaks(k) {
			best = k
		}
		if k == 0 {
			break
		}
	}
	return best
}

// forward returns the last place at or behind i, at most n characters away,
// between two words.
func (s *snippet) forward(i, n int) int {
	best := i
	for k := i; k <= len(s.text) && s.length(i, k) <= n; {
		if s.breaks(k) {
			best = k
		}
		_, size := utf8.DecodeRuneInString(s.text[min(k, len(s.text)):])
		k += max(size, 1)
	}
	return best
}

// breaks reports whether words end or begin at i, so that the text may be cut.
func (s *snippet) breaks(i int) bool {
	if i == 0 || i == len(s.text) {
		return true
	}
	r, _ := utf8.DecodeRuneInString(s.text[i:])
	before, _ := utf8.DecodeLastRuneInString(s.text[:i])
	if unicode.IsMark(r) || classOf(r) == ignored || classOf(before) == ignored {
		return false
	}
	if unicode.IsSpace(r) || unicode.IsSpace(before) {
		return true
	}
	// Scripts without spaces break between letters, but not before punctuation.
	return classOf(before) == ideogram && (classOf(r) == ideogram || wordAt(s.text, i)) || classOf(r) == ideogram
}

// show returns a range as it is shown.
func (s *snippet) show(start, end int) (string, Span) {
	for start < end && spaceAt(s.text, start) {
		_, size := utf8.DecodeRuneInString(s.text[start:])
		start += size
	}
	end = start + len(strings.TrimRightFunc(s.text[start:end], unicode.IsSpace))
	var b strings.Builder
	if strings.TrimSpace(s.text[:start]) != "" {
		b.WriteString(ellipsis)
	}
	for i, word := range strings.Fields(s.text[start:end]) {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(word)
	}
	if strings.TrimSpace(s.text[end:]) != "" {
		b.WriteString(ellipsis)
	}
	return b.String(), Span{start, end}
}
