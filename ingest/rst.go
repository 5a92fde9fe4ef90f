package ingest

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

var (
	rstRole      = regexp.MustCompile(":(pep|rfc):`([^`<]*?)(?: <[^`>]*>)?`")
	rstOtherRole = regexp.MustCompile(":[a-z:]+:`([^`<]*?)(?: <[^`>]*>)?`")
	rstReference = regexp.MustCompile("`([^`<]*?)(?: <[^`>]*>)?`__?")
	rstMarkup    = regexp.MustCompile("``([^`]*)``|\\*\\*([^*]+)\\*\\*|\\*([^*\\s][^*]*)\\*")
	rstDirective = regexp.MustCompile(`^\.\. (?:[\w-]+::|\[[^\]]*\])\s*(.*)$`)
	rstOption    = regexp.MustCompile(`^\s+:[\w -]+:(\s|$)`)
)

// readRST turns reStructuredText into plain text: titles with a line of signs
// below them are headings, whose level is the order in which their sign first
// came; comments, targets and the options of directives are dropped.
func readRST(source string, firstLine int) []block {
	lines := strings.Split(source, "\n")
	r := rstReader{}
	for i := 0; i < len(lines); i++ {
		line, number := lines[i], firstLine+i
		trimmed := strings.TrimSpace(line)
		switch {
		case r.comment && trimmed != "" && line[0] != ' ' && line[0] != '\t':
			r.comment = false
		case r.comment:
			continue
		}
		switch {
		case trimmed == "":
			r.end(0)
		case i+1 < len(lines) && rstUnderlines(lines[i+1], line):
			r.end(0)
			r.write(line, number)
			r.end(r.level(lines[i+1][0]))
			i++
		case rstRule(trimmed):
			r.end(0)
		case strings.HasPrefix(line, ".. ") || line == "..":
			r.end(0)
			m := rstDirective.FindStringSubmatch(line)
			if r.comment = m == nil; m != nil {
				r.write(m[1], number)
			}
		case rstOption.MatchString(line):
		case line[0] == ' ' || line[0] == '\t':
			r.end(0)
			r.write(line, number)
			r.end(0)
		default:
			r.write(line, number)
			r.w.pause(' ')
		}
	}
	r.end(0)
	return r.blocks
}

type rstReader struct {
	w       blockWriter
	blocks  []block
	signs   []byte // of headings, in the order in which they came
	comment bool   // inside a comment
}

func (r *rstReader) end(level int) {
	if b, ok := r.w.block(level); ok {
		r.blocks = append(r.blocks, b)
	}
	r.w = blockWriter{}
}

func (r *rstReader) write(line string, number int) {
	if strings.ContainsRune(line, '`') {
		line = rstRole.ReplaceAllStringFunc(line, func(s string) string {
			m := rstRole.FindStringSubmatch(s)
			return strings.ToUpper(m[1]) + " " + m[2]
		})
		line = rstOtherRole.ReplaceAllString(line, "$1")
		line = rstReference.ReplaceAllString(line, "$1")
	}
	line = rstMarkup.ReplaceAllString(line, "$1$2$3")
	r.w.write(strings.TrimSuffix(line, "::"), number)
}

// level is the depth of a heading with a sign, at most 6.
func (r *rstReader) level(sign byte) int {
	for i, s := range r.signs {
		if s == sign {
			return min(i+1, 6)
		}
	}
	r.signs = append(r.signs, sign)
	return min(len(r.signs), 6)
}

// rstUnderlines tells whether a line makes the one above it a heading.
func rstUnderlines(line, above string) bool {
	line = strings.TrimRight(line, " \t")
	return len(line) >= 3 && rstRule(line) && above[0] != ' ' && above[0] != '\t' && !rstRule(strings.TrimSpace(above)) &&
		strings.Count(line, line[:1]) == len(line) && len(line) >= utf8.RuneCountInString(strings.TrimRight(above, " \t"))
}

// rstRule tells whether a line has only signs: an overline, a transition or the
// border of a table.
func rstRule(line string) bool {
	return len(line) >= 3 && strings.Trim(line, "=-~^\"'`#*+.:|_ ") == ""
}
