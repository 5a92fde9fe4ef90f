package ingest

import (
	"errors"
	"fmt"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

// yamlKind is what a YAML value is, as far as front matter cares.
type yamlKind int

const (
	yamlNull yamlKind = iota
	yamlText          // a scalar of any kind, as it was written
	yamlList
	yamlMap
)

// name is the kind as a report calls it.
func (k yamlKind) name() string {
	return [...]string{"nothing", "a text", "a list", "a block of fields"}[k]
}

// yamlValue is a YAML value with the line it stands on. Numbers, booleans and
// days stay the text they were written as: an id 007 is not 7.
type yamlValue struct {
	kind   yamlKind
	line   int
	text   string
	items  []yamlValue
	fields []yamlField
}

// yamlField is one field of a map, in the order of the file. Its name is folded:
// lower case, with underscores for hyphens and spaces.
type yamlField struct {
	name  string
	line  int
	value yamlValue
}

// yamlError is a YAML text that cannot be read, with the line counted from 1
// inside that text.
type yamlError struct {
	line   int
	reason string
}

func (e *yamlError) Error() string { return fmt.Sprintf("line %d: %s", e.line, e.reason) }

// maxYAMLDepth bounds how deep values are read into; front matter has two
// levels.
const maxYAMLDepth = 8

// parseYAML reads a text that should be one YAML document. An empty one is
// yamlNull. Fields given twice are both returned.
func parseYAML(text string) (value yamlValue, err error) {
	defer func() {
		// The parser walks tokens that other code made; a panic in it is a file
		// that cannot be read, not the end of the daemon.
		if r := recover(); r != nil {
			value, err = yamlValue{}, &yamlError{line: 1, reason: "the YAML cannot be read"}
		}
	}()
	if line := deepLine(text); line > 0 {
		return yamlValue{}, &yamlError{line, "the fields are nested too deep"}
	}
	file, err := parser.ParseBytes([]byte(text), 0, parser.AllowDuplicateMapKey())
	if err != nil {
		line, reason := 1, err.Error()
		var located yaml.Error
		if errors.As(err, &located) {
			reason = located.GetMessage()
			if t := located.GetToken(); t != nil && t.Position != nil {
				line = max(1, t.Position.Line)
			}
		}
		return yamlValue{}, &yamlError{line, reason}
	}
	r := yamlReader{anchors: map[string]yamlValue{}}
	for _, document := range file.Docs {
		if document.Body != nil {
			return r.read(document.Body, 0)
		}
	}
	return yamlValue{}, nil
}

// maxOpen is how many brackets may be open, and how many list or key marks may
// begin one line. The parser takes seconds for thousands of them, and its stack
// grows with them.
const maxOpen = 64

// deepLine returns the first line whose nesting is beyond maxOpen, 0 when there
// is none. Brackets inside texts count too: nobody has that many.
func deepLine(text string) int {
	open, number := 0, 0
	for line := range strings.Lines(text) {
		number++
		for _, c := range []byte(line) {
			switch c {
			case '[', '{':
				open++
			case ']', '}':
				open = max(0, open-1)
			}
			if open > maxOpen {
				return number
			}
		}
		marks := line[:len(line)-len(strings.TrimLeft(line, " \t-?"))]
		if strings.Count(marks, "-")+strings.Count(marks, "?") > maxOpen {
			return number
		}
	}
	return 0
}

// yamlReader turns the parser's nodes into values.
type yamlReader struct{ anchors map[string]yamlValue }

func (r yamlReader) read(n ast.Node, depth int) (yamlValue, error) {
	v := yamlValue{line: 1}
	if n == nil {
		return v, nil
	}
	if t := n.GetToken(); t != nil && t.Position != nil {
		v.line = max(1, t.Position.Line)
	}
	if depth > maxYAMLDepth {
		return v, &yamlError{v.line, "the fields are nested too deep"}
	}
	switch n := n.(type) {
	case *ast.NullNode:
	case *ast.MappingNode:
		v.kind = yamlMap
		for _, pair := range n.Values {
			value, err := r.read(pair.Value, depth+1)
			if err != nil {
				return v, err
			}
			key := pair.Key.GetToken()
			v.fields = append(v.fields, yamlField{fieldName(key.Value), max(1, key.Position.Line), value})
		}
		if len(v.fields) > 0 {
			v.line = v.fields[0].line
		}
	case *ast.SequenceNode:
		v.kind = yamlList
		for _, item := range n.Values {
			value, err := r.read(item, depth+1)
			if err != nil {
				return v, err
			}
			v.items = append(v.items, value)
		}
	case *ast.LiteralNode:
		v.kind, v.text = yamlText, strings.TrimRight(n.Value.Value, "\n")
	case *ast.StringNode:
		v.kind, v.text = yamlText, n.Value
	case *ast.TagNode:
		return r.read(n.Value, depth)
	case *ast.AnchorNode:
		value, err := r.read(n.Value, depth)
		if err == nil && n.Name != nil {
			r.anchors[n.Name.GetToken().Value] = value
		}
		return value, err
	case *ast.AliasNode:
		name := ""
		if n.Value != nil {
			name = n.Value.GetToken().Value
		}
		value, known := r.anchors[name]
		if !known {
			return v, &yamlError{v.line, fmt.Sprintf("the anchor %q is not defined", name)}
		}
		return value, nil
	default:
		if _, scalar := n.(ast.ScalarNode); !scalar {
			return v, &yamlError{v.line, "this kind of YAML is not read in front matter"}
		}
		v.kind, v.text = yamlText, n.GetToken().Value
	}
	return v, nil
}

// fieldName folds the name of a field to the form that is compared.
func fieldName(name string) string {
	return strings.Map(func(r rune) rune {
		if r == '-' || r == ' ' {
			return '_'
		}
		return r
	}, fold(name))
}
