package ingest

import (
	"sort"
	"strings"
)

// page is the body of a document as plain text: its blocks from top to bottom.
// Readers of markdown and of reStructuredText make pages; the cutter makes
// passages of them.
type page struct {
	blocks   []block
	bodyLine int // line of the file on which the body begins
}

// block is a heading, a paragraph, a list item, a table row or a line of code.
type block struct {
	level int // 1 to 6 of a heading, 0 of everything else
	text  string
	marks []mark // in order of at; the first is at 0
	links []link // of markdown, in order of at
}

// link says that the text at a byte begins the words of a link.
type link struct {
	at     int
	target string
}

// mark says that text from a byte on comes from a line of the file.
type mark struct{ at, line int }

// lineAt returns the line of the file that the byte at an offset comes from.
func (b block) lineAt(offset int) int {
	i := sort.Search(len(b.marks), func(i int) bool { return b.marks[i].at > offset })
	return b.marks[max(0, i-1)].line
}

// firstHeading returns the text of the first heading, or nothing.
func (p page) firstHeading() string {
	for _, b := range p.blocks {
		if b.level > 0 && b.text != "" {
			return b.text
		}
	}
	return ""
}

// blockWriter collects the text of one block. Space is collapsed: runs of it
// become one space or, where a line of the file must stay a line, one line feed.
type blockWriter struct {
	text  strings.Builder
	marks []mark
	links []link
	space byte // space that the next text is set off by; 0 for none
}

// write appends text that stands on one line of the file.
func (w *blockWriter) write(text string, line int) {
	for len(text) > 0 {
		rest := strings.TrimLeft(text, " \t\n")
		if len(rest) < len(text) {
			w.pause(' ')
		}
		end := strings.IndexAny(rest, " \t\n")
		if end < 0 {
			end = len(rest)
		}
		if end > 0 {
			if w.space != 0 && w.text.Len() > 0 {
				w.text.WriteByte(w.space)
			}
			w.space = 0
			if n := len(w.marks); n == 0 || w.marks[n-1].line != line {
				w.marks = append(w.marks, mark{w.text.Len(), line})
			}
			w.text.WriteString(rest[:end])
		}
		text = rest[end:]
	}
}

// pause sets the next text off by a space or a line feed, which wins.
func (w *blockWriter) pause(space byte) {
	if w.space != '\n' {
		w.space = space
	}
}

// block returns what was written; ok is false when that is nothing.
func (w *blockWriter) block(level int) (block, bool) {
	b := block{level: level, text: w.text.String(), marks: w.marks, links: w.links}
	if len(b.marks) > 0 {
		b.marks[0].at = 0
	}
	return b, b.text != ""
}
