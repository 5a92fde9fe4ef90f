package ingest

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"waymark/store"
)

// PassagePieces is the length at which the body of a document is cut, in word
// pieces. The default model reads 254; the rest is for title and heading path.
const PassagePieces = 200

// maxHeading is how much of a heading is carried in a heading path, in
// characters.
const maxHeading = 160

// Tokenizer counts and cuts text in the word pieces of the encoder.
type Tokenizer interface {
	CountTokens(text string) int
	Cut(text string, pieces int) int
}

// Cutter cuts a body into passages: at headings, and a section that is longer
// than Pieces into parts of nearly equal length, between paragraphs or else at
// the ends of sentences or else between words.
type Cutter struct {
	// Tokenizer is that of the encoder. Required.
	Tokenizer Tokenizer

	// Sentences returns the end of every sentence of a text as a byte offset, in
	// order. Required.
	Sentences func(text string) []int

	// Pieces is the longest passage in word pieces. Default (zero): PassagePieces.
	Pieces int
}

// cut makes the passages of a page. A page without any text is one empty
// passage, so that its title, tags and description can be found.
func (c Cutter) cut(p page, title string) []store.Passage {
	if c.Pieces <= 0 {
		c.Pieces = PassagePieces
	}
	var out []store.Passage
	var path headingPath
	for at := 0; at < len(p.blocks); {
		end := at + 1
		for end < len(p.blocks) && p.blocks[end].level == 0 {
			end++
		}
		section, above := p.blocks[at:end], path
		if head := section[0]; head.level > 0 {
			path = path.enter(head)
			above = path
			deeper := end < len(p.blocks) && p.blocks[end].level > head.level
			switch long := utf8.RuneCountInString(head.text) > maxHeading; {
			case long:
				// Its path has only its beginning, so the section has all of it.
			case len(section) == 1 && !deeper:
				above = path[:len(path)-1]
			default:
				section = section[1:]
			}
		}
		out = c.appendSection(out, section, above.texts(title))
		at = end
	}
	if len(out) == 0 {
		return []store.Passage{{StartLine: p.bodyLine, EndLine: p.bodyLine}}
	}
	return out
}

// appendSection appends the passages of the blocks below one heading.
func (c Cutter) appendSection(out []store.Passage, blocks []block, headings []string) []store.Passage {
	if len(blocks) == 0 {
		return out
	}
	counts, total := make([]int, len(blocks)), 0
	for i, b := range blocks {
		counts[i] = c.Tokenizer.CountTokens(b.text)
		total += counts[i]
	}
	parts := max(1, (total+c.Pieces-1)/c.Pieces)
	f := filler{limit: c.Pieces, target: (total + parts - 1) / parts, headings: headings, out: out}
	for i, b := range blocks {
		switch {
		case f.pieces+counts[i] <= f.limit:
			f.add(b, 0, len(b.text), counts[i], '\n')
		case counts[i] <= f.limit && 2*f.pieces >= f.limit:
			f.close()
			f.add(b, 0, len(b.text), counts[i], '\n')
		default:
			c.addSentences(&f, b)
		}
	}
	f.close()
	return f.out
}

// addSentences adds a block that does not fit as a whole.
func (c Cutter) addSentences(f *filler, b block) {
	separator := byte('\n')
	start := 0
	for _, end := range append(c.Sentences(b.text), len(b.text)) {
		for start < end {
			// A sentence that is too long for a passage of its own is cut between
			// words, one passage at a time.
			sentence := b.text[start:end]
			n := start + c.Tokenizer.Cut(sentence, f.limit)
			if n <= start {
				n = end
			}
			n = min(end, n+closing(b.text[n:]))
			pieces := c.Tokenizer.CountTokens(b.text[start:n])
			if f.pieces > 0 && f.pieces+pieces > f.limit {
				f.close()
			}
			f.add(b, start, n, pieces, separator)
			separator = ' '
			start = n
		}
	}
}

// closing is how many bytes of punctuation at the start of a text belong to the
// word before it. A long run of signs is no punctuation.
func closing(text string) int {
	const most = 4
	n := 0
	for n < len(text) && n < most {
		r, size := utf8.DecodeRuneInString(text[n:])
		if !unicode.IsPunct(r) {
			break
		}
		n += size
	}
	return n
}

// filler collects pieces of text into passages of at most limit word pieces,
// and ends one as soon as it has reached target.
type filler struct {
	limit, target int
	headings      []string
	out           []store.Passage
	text          strings.Builder
	pieces        int
	start, end    int // lines
}

// add appends the part of a block between two offsets.
func (f *filler) add(b block, from, to, pieces int, separator byte) {
	part := b.text[from:to]
	text := strings.TrimSpace(part)
	if text == "" {
		return
	}
	lead := strings.Index(part, text)
	if f.text.Len() == 0 {
		f.start = b.lineAt(from + lead)
	} else {
		f.text.WriteByte(separator)
	}
	f.text.WriteString(text)
	f.end = b.lineAt(from + lead + len(text) - 1)
	if f.pieces += pieces; f.pieces >= f.target {
		f.close()
	}
}

// close ends the passage, if there is one.
func (f *filler) close() {
	if f.text.Len() > 0 {
		f.out = append(f.out, store.Passage{Headings: f.headings, StartLine: f.start, EndLine: f.end, Text: f.text.String()})
	}
	f.text.Reset()
	f.pieces = 0
}

// headingPath is the chain of headings above a place in the page.
type headingPath []block

// enter returns the path of the section below a heading.
func (h headingPath) enter(head block) headingPath {
	for len(h) > 0 && h[len(h)-1].level >= head.level {
		h = h[:len(h)-1]
	}
	head.text = shorten(head.text, maxHeading)
	return append(slices.Clip(h), head)
}

// texts returns the headings, outermost first, without a first one that only
// repeats the title.
func (h headingPath) texts(title string) []string {
	var out []string
	for i, head := range h {
		if i == 0 && fold(head.text) == fold(title) {
			continue
		}
		out = append(out, head.text)
	}
	return out
}

// shorten cuts a text to at most n characters, at a word where there is one.
func shorten(text string, n int) string {
	if utf8.RuneCountInString(text) <= n {
		return text
	}
	cut := string([]rune(text)[:n-1])
	if space := strings.LastIndexByte(cut, ' '); space > 0 {
		cut = cut[:space]
	}
	return cut + "…"
}
