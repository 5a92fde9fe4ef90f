package ingest

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"waymark/store"
)

// maxFrontMatter is the most that is read as front matter, in bytes. The longest
// of the 300 files with front matter in the public corpora has 2 KiB, and the
// parser's time grows with the square of the number of fields: 0.4 s for this.
const maxFrontMatter = 16 << 10

// frontMatter is the head of a markdown file and where its body begins.
type frontMatter struct {
	fields    map[string]yamlField
	problems  []store.Problem
	body      string
	bodyLine  int // line of the file on which body begins
	firstLine int // line of the file on which the fields begin
}

// governing are the fields that decide whether a document is in force: an
// unclear value in one of them is fatal.
var governing = []string{"status", "valid_from", "valid_until", "last_verified", "recheck_by", "supersedes", "id"}

// readFrontMatter splits a file into its front matter and its body. The front
// matter begins on line 1 with "---" and ends with "---" or "...". A file that
// begins with fields and lacks only the first of the two lines is read too.
func readFrontMatter(text string) frontMatter {
	f := frontMatter{body: text, bodyLine: 1, firstLine: 1}
	first, rest, more := strings.Cut(text, "\n")
	if !isFence(first, "---") {
		f.readUnopened(text)
		return f
	}
	head, body, lines, closed := cutFence(rest)
	switch {
	case !more || !closed:
		f.fatal(1, "", "the front matter that begins here has no closing ---")
		if more {
			f.body, f.bodyLine = rest, 2
		}
		return f
	case len(head) > maxFrontMatter:
		f.fatal(1, "", fmt.Sprintf("the front matter is longer than %d KiB", maxFrontMatter>>10))
		f.body, f.bodyLine = body, lines+3
		return f
	}
	f.firstLine = 2
	f.body, f.bodyLine = body, lines+3
	f.parse(head)
	return f
}

// readUnopened looks for front matter whose first line is missing: two fields or
// more from line 1 on, without a blank line, up to a line "---". (One line with
// a colon above such a line is a heading.)
func (f *frontMatter) readUnopened(text string) {
	head, body, lines, closed := cutFence(text)
	if closed && lines > 0 && len(head) <= maxFrontMatter && simpleField.MatchString(head) && !strings.Contains(head, "\n\n") {
		if v, err := parseYAML(head); err == nil && v.kind == yamlMap && len(v.fields) > 1 {
			f.problem(1, "", "the front matter has no opening ---; it was read all the same")
			f.body, f.bodyLine = body, lines+2
			f.take(v)
			return
		}
	}
	if trimmed := strings.TrimLeft(text, " \t\n"); len(trimmed) < len(text) {
		line, _, _ := strings.Cut(trimmed, "\n")
		if isFence(line, "---") {
			f.problem(1, "", "front matter must begin on line 1, so none was read")
		}
	}
}

// cutFence splits a text at the first line that closes front matter, and tells
// how many lines stand before it and whether there is one.
func cutFence(text string) (head, body string, lines int, found bool) {
	for at := 0; at < len(text); lines++ {
		end := strings.IndexByte(text[at:], '\n')
		line, next := text[at:], len(text)
		if end >= 0 {
			line, next = text[at:at+end], at+end+1
		}
		if isFence(line, "---") || isFence(line, "...") {
			return text[:at], text[next:], lines, true
		}
		at = next
	}
	return text, "", lines, false
}

func isFence(line, fence string) bool { return strings.TrimRight(line, " \t") == fence }

// parse reads the fields. Tabs that indent are read as two spaces, which YAML
// forbids and people type.
func (f *frontMatter) parse(head string) {
	v, err := parseYAML(head)
	if err != nil {
		if spaced, line := expandTabs(head); line > 0 {
			if again, errAgain := parseYAML(spaced); errAgain == nil {
				f.problem(f.firstLine+line-1, "", "a tab indents this line; it was read as two spaces")
				v, err = again, nil
			}
		}
	}
	switch {
	case err != nil:
		located := &yamlError{line: 1, reason: err.Error()}
		errors.As(err, &located)
		f.fatal(f.firstLine+located.line-1, "", "the front matter cannot be read: "+located.reason)
		f.salvage(head)
	case v.kind == yamlMap:
		f.take(v)
	case v.kind != yamlNull:
		f.fatal(f.firstLine+v.line-1, "", "the front matter is "+v.kind.name()+", not fields with values")
		f.body, f.bodyLine = head+"\n"+f.body, f.firstLine
	}
}

// take keeps the fields of a map. Of a field that is given twice the last value
// counts, and where the two differ in a field that decides what governs, none.
func (f *frontMatter) take(v yamlValue) {
	f.fields = map[string]yamlField{}
	f.add(v.fields)
	switch validity := f.fields["validity"]; validity.value.kind {
	case yamlText, yamlList:
		f.fatal(f.firstLine+validity.line-1, "validity", "a block of fields is wanted here, not "+validity.value.kind.name())
	case yamlMap:
		var inside []yamlField
		for _, e := range validity.value.fields {
			if slices.Contains(validityFields, e.name) {
				inside = append(inside, e)
			}
		}
		f.add(inside)
	}
}

func (f *frontMatter) add(fields []yamlField) {
	for _, e := range fields {
		if old, twice := f.fields[e.name]; twice {
			line := f.firstLine + e.line - 1
			switch {
			case sameValue(old.value, e.value):
				f.problem(line, e.name, "the field is given twice")
			case slices.Contains(governing, e.name):
				f.fatal(line, e.name, "the field is given twice with different values")
			default:
				f.problem(line, e.name, "the field is given twice with different values; the last one counts")
			}
		}
		f.fields[e.name] = e
	}
}

// sameValue compares two values without regard to their lines.
func sameValue(a, b yamlValue) bool {
	return a.kind == b.kind && a.text == b.text && slices.EqualFunc(a.items, b.items, sameValue) &&
		slices.EqualFunc(a.fields, b.fields, func(x, y yamlField) bool { return x.name == y.name && sameValue(x.value, y.value) })
}

// simpleField is a field of one line at the top level.
var simpleField = regexp.MustCompile(`^([A-Za-z][\w -]*):(?:[ \t]+(.*))?(?:\n|$)`)

// salvage takes the plain text fields out of front matter that is no YAML, so
// that a slip of the pen does not change the id and title of a document. What
// decides whether it governs is not among them: it does not.
func (f *frontMatter) salvage(head string) {
	f.fields = map[string]yamlField{}
	for i, line := range strings.Split(head, "\n") {
		m := simpleField.FindStringSubmatch(line)
		if m == nil || !slices.Contains(salvaged, fieldName(m[1])) {
			continue
		}
		text := strings.TrimSpace(m[2])
		if n := len(text); n >= 2 && (text[0] == '"' || text[0] == '\'') && text[n-1] == text[0] {
			text = text[1 : n-1]
		}
		if _, twice := f.fields[fieldName(m[1])]; text != "" && !twice {
			f.fields[fieldName(m[1])] = yamlField{fieldName(m[1]), i + 1, yamlValue{kind: yamlText, line: i + 1, text: text}}
		}
	}
}

var salvaged = []string{"id", "title", "description", "type", "status", "tier", "category", "owner"}

// expandTabs writes every tab in the indentation of a line as two spaces and
// returns the first line that had one, 0 when none had.
func expandTabs(text string) (string, int) {
	lines, first := strings.Split(text, "\n"), 0
	for i, line := range lines {
		body := strings.TrimLeft(line, " \t")
		indent := line[:len(line)-len(body)]
		if strings.Contains(indent, "\t") {
			lines[i] = strings.ReplaceAll(indent, "\t", "  ") + body
			if first == 0 {
				first = i + 1
			}
		}
	}
	return strings.Join(lines, "\n"), first
}

func (f *frontMatter) problem(line int, field, reason string) {
	f.problems = append(f.problems, store.Problem{Line: line, Field: field, Reason: reason})
}

func (f *frontMatter) fatal(line int, field, reason string) {
	f.problems = append(f.problems, store.Problem{Line: line, Field: field, Reason: reason, Fatal: true})
}

// text returns a field that holds one text, trimmed and in NFC. What is not a
// text is reported, and fatal in a field that decides what governs.
func (f *frontMatter) text(name string) string {
	e, ok := f.fields[name]
	if !ok || e.value.kind == yamlNull {
		return ""
	}
	if e.value.kind == yamlText {
		return clean(e.value.text)
	}
	f.problems = append(f.problems, store.Problem{Line: f.firstLine + e.line - 1, Field: name,
		Reason: "one text is wanted here, not " + e.value.kind.name(), Fatal: slices.Contains(governing, name)})
	return ""
}

// list returns a field that holds texts; one text is a list of one.
func (f *frontMatter) list(name string) []string {
	e, ok := f.fields[name]
	if !ok || e.value.kind == yamlNull {
		return nil
	}
	items := e.value.items
	switch e.value.kind {
	case yamlText:
		items = []yamlValue{e.value}
	case yamlMap:
		items = []yamlValue{{kind: yamlMap, line: e.line}}
	}
	var out []string
	for _, item := range items {
		switch {
		case item.kind == yamlText:
			if t := clean(item.text); t != "" && !slices.Contains(out, t) {
				out = append(out, t)
			}
		case item.kind != yamlNull:
			f.problems = append(f.problems, store.Problem{Line: f.firstLine + item.line - 1, Field: name,
				Reason: "texts are wanted here, not " + item.kind.name(), Fatal: slices.Contains(governing, name)})
		}
	}
	if e.value.kind == yamlText && slices.Contains(references, name) && strings.Contains(e.value.text, ",") {
		f.problem(f.firstLine+e.line-1, name, "a text with commas is one entry; write a list, as in [a, b]")
	}
	return out
}

// references are the fields that name other documents.
var references = []string{"supersedes", "superseded_by", "contradicts"}

// validityFields are the fields of the validity block, which may also stand at
// the top level.
var validityFields = []string{"valid_from", "valid_until", "last_verified", "recheck_by", "verification_source"}

// day returns a field that holds a calendar day. A day that cannot be read is
// fatal: nobody knows whether the document governs.
func (f *frontMatter) day(name string) string {
	text := f.text(name)
	if text == "" {
		return ""
	}
	day, err := parseDay(text)
	if err != nil {
		f.fatal(f.firstLine+f.fields[name].line-1, name, err.Error())
	}
	return day
}
