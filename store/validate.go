package store

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Limits on what can be stored. Lengths count characters unless they say bytes.
const (
	// MaxTextLength is the longest text of a rule and the longest description.
	// The longest passage of a published rulebook (ObliQA) has 152,049.
	MaxTextLength = 200_000

	// MaxNameLength is the longest name, title, domain, cluster, tag or the
	// like: what still fits a line or two.
	MaxNameLength = 200

	// MaxIDBytes is the longest id. An id made from a path can be long.
	MaxIDBytes = 1024

	// MaxPathBytes is the longest path of a document, as on Linux.
	MaxPathBytes = 4096

	// MaxListLength is how many entries a list such as tags may have.
	MaxListLength = 1000

	// MaxDocumentBytes is the largest original file of a document.
	MaxDocumentBytes = 64 << 20
)

// dayLayout is how calendar days are written.
const dayLayout = "2006-01-02"

// problems gathers what is wrong with a record.
type problems struct {
	kind   string
	fields []FieldProblem
}

// add notes that a field is wrong.
func (p *problems) add(field, reason string, arguments ...any) {
	p.fields = append(p.fields, FieldProblem{field, fmt.Sprintf(reason, arguments...)})
}

// err returns what was gathered as an *InvalidError, or nil.
func (p *problems) err() error {
	if len(p.fields) == 0 {
		return nil
	}
	return &InvalidError{Kind: p.kind, Fields: p.fields}
}

// text checks a field that may have lines.
func (p *problems) text(field, value string, limit int) {
	if !utf8.ValidString(value) {
		p.add(field, "is not valid UTF-8")
	} else if n := utf8.RuneCountInString(value); n > limit {
		p.add(field, "has %d characters, at most %d are allowed", n, limit)
	}
}

// line checks a field that is one line.
func (p *problems) line(field, value string, limit int) {
	p.text(field, value, limit)
	if strings.ContainsFunc(value, unicode.IsControl) {
		p.add(field, "contains a control character")
	}
}

// name checks a name that must be there.
func (p *problems) name(field, value string) {
	if value == "" {
		p.add(field, "is missing")
	}
	p.line(field, value, MaxNameLength)
}

// id checks an id that must be there.
func (p *problems) id(field, value string) {
	switch {
	case value == "":
		p.add(field, "is missing")
	case len(value) > MaxIDBytes:
		p.add(field, "has %d bytes, at most %d are allowed", len(value), MaxIDBytes)
	case !utf8.ValidString(value):
		p.add(field, "is not valid UTF-8")
	case strings.TrimSpace(value) != value:
		p.add(field, "begins or ends with a space")
	case strings.ContainsFunc(value, unicode.IsControl):
		p.add(field, "contains a control character")
	}
}

// list checks a list of names or ids.
func (p *problems) list(field string, values []string, check func(field, value string)) {
	if len(values) > MaxListLength {
		p.add(field, "has %d entries, at most %d are allowed", len(values), MaxListLength)
		return
	}
	for i, value := range values {
		check(fmt.Sprintf("%s[%d]", field, i), value)
	}
}

// day checks a calendar day, which may be empty.
func (p *problems) day(field, value string) {
	if value == "" {
		return
	}
	if _, err := time.Parse(dayLayout, value); err != nil {
		p.add(field, "is %q, want a calendar day such as 2026-12-31", value)
	}
}

// trimmedSet returns the values trimmed, each once, in their order; nil when
// there are none.
func trimmedSet(values []string) []string {
	var set []string
	for _, value := range values {
		value = strings.TrimSpace(value)
		if !slices.Contains(set, value) {
			set = append(set, value)
		}
	}
	return set
}
