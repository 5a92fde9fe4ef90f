package ingest

import "strings"

// The markdown parser takes time that grows with the square of a few things:
// emphasis and bracket characters in one paragraph, link definitions in one
// file, quote marks at the start of one line. Below these limits an 8 MiB file
// is read in seconds on one core; a page beyond them is read as plain lines.
const (
	maxDelimiterWork = 200_000_000 // sum over paragraphs of the square of their delimiters; measured about 0.5 s
	maxDefinitions   = 10_000      // lines that begin with a bracket; measured 0.1 s
	maxQuoteDepth    = 100         // measured 0.01 ms a line
)

// hostile tells whether markdown is so unusual that parsing it could take long.
func hostile(source string) bool {
	work, delimiters, definitions := 0, 0, 0
	for line := range strings.Lines(source) {
		body := strings.TrimLeft(line, " \t")
		if body == "\n" || body == "" {
			work += delimiters * delimiters
			delimiters = 0
			continue
		}
		for i := range len(body) {
			switch body[i] {
			case '*', '_', '[', ']', '~':
				delimiters++
			}
		}
		if body[0] == '[' {
			definitions++
		}
		if body[0] == '>' && quoteDepth(body) > maxQuoteDepth {
			return true
		}
		if work+delimiters*delimiters > maxDelimiterWork || definitions > maxDefinitions {
			return true
		}
	}
	return false
}

// quoteDepth counts the quote marks at the start of a line.
func quoteDepth(line string) int {
	depth := 0
	for _, c := range []byte(line) {
		switch c {
		case '>':
			depth++
		case ' ', '\t', '-', '+', '*':
		default:
			return depth
		}
	}
	return depth
}

// readPlain reads lines as they are: runs of them between blank lines are
// paragraphs, and lines that begin with number signs are headings.
func readPlain(source string, firstLine int) []block {
	var blocks []block
	var w blockWriter
	end := func(level int) {
		if b, ok := w.block(level); ok {
			blocks = append(blocks, b)
		}
		w = blockWriter{}
	}
	number := firstLine
	for line := range strings.Lines(source) {
		body := strings.Trim(line, " \t\n>")
		level := len(body) - len(strings.TrimLeft(body, "#"))
		switch {
		case body == "":
			end(0)
		case level >= 1 && level <= 6 && len(body) > level && body[level] == ' ':
			end(0)
			w.write(body[level:], number)
			end(level)
		default:
			w.write(body, number)
			w.pause(' ')
		}
		number++
	}
	end(0)
	return blocks
}
