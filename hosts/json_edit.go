package hosts

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/tailscale/hujson"
)

var byteOrderMark = []byte("\xef\xbb\xbf")

// jsonDocument is a parsed file with the text that it was parsed from. Edits are
// made in the text, at the offsets that the parser found.
type jsonDocument struct {
	mark    []byte // a byte-order mark, or nothing
	text    []byte
	root    hujson.Value // an object
	lineEnd string
	unit    string // one step of indentation
}

func parseJSON(file []byte) (*jsonDocument, error) {
	d := &jsonDocument{text: file, lineEnd: "\n", unit: "  "}
	if rest, marked := bytes.CutPrefix(file, byteOrderMark); marked {
		d.mark, d.text = byteOrderMark, rest
	}
	if bytes.Contains(d.text, []byte("\r\n")) {
		d.lineEnd = "\r\n"
	}
	if len(bytes.TrimSpace(d.text)) == 0 {
		d.text = []byte("{}" + d.lineEnd)
	}
	var err error
	if d.root, err = hujson.Parse(d.text); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnreadable, err)
	}
	root, isObject := d.root.Value.(*hujson.Object)
	if !isObject {
		return nil, fmt.Errorf("%w: it is not a JSON object", ErrUnreadable)
	}
	if len(root.Members) > 0 && d.startsLine(root.Members[0].Name.StartOffset) {
		if indent := d.lineIndent(root.Members[0].Name.StartOffset); indent != "" {
			d.unit = indent
		}
	}
	return d, nil
}

// child is the object of a name in an object; nil when there is none.
func (d *jsonDocument) child(object hujson.Value, name string) (*hujson.Value, error) {
	m := lookup(object, name)
	if m == nil {
		return nil, nil
	}
	if _, isObject := m.Value.Value.(*hujson.Object); !isObject {
		return nil, fmt.Errorf("%w: %q is not an object", ErrLayout, name)
	}
	return &m.Value, nil
}

// splice is the file with a part of the text replaced.
func (d *jsonDocument) splice(from, to int, with string) []byte {
	out := append([]byte{}, d.mark...)
	out = append(out, d.text[:from]...)
	out = append(out, with...)
	return append(out, d.text[to:]...)
}

// lineIndent is the white space at the start of the line of an offset.
func (d *jsonDocument) lineIndent(offset int) string {
	line := d.text[bytes.LastIndexByte(d.text[:offset], '\n')+1:]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

// startsLine tells whether only white space stands before an offset on its line.
func (d *jsonDocument) startsLine(offset int) bool {
	start := bytes.LastIndexByte(d.text[:offset], '\n') + 1
	return start > 0 && len(bytes.TrimLeft(d.text[start:offset], " \t")) == 0
}

// insert is the file with a member added at the end of an object, in the manner
// of the members before it.
func (d *jsonDocument) insert(object hujson.Value, m member) []byte {
	o := object.Value.(*hujson.Object)
	if len(o.Members) == 0 {
		// Comments in an empty object stay, before the new member.
		brace := object.EndOffset - 1
		indent := d.lineIndent(brace)
		comments := strings.TrimRight(string(o.AfterExtra), " \t\r\n")
		return d.splice(brace-len(o.AfterExtra), brace, comments+d.lineEnd+indent+d.unit+d.pair(m, indent+d.unit, true)+d.lineEnd+indent)
	}
	last := o.Members[len(o.Members)-1]
	at, before, after := last.Value.EndOffset, ",", ""
	if last.Value.AfterExtra != nil { // there is a trailing comma
		at, before, after = at+len(last.Value.AfterExtra)+1, "", ","
	}
	if !d.startsLine(last.Name.StartOffset) {
		return d.splice(at, at, before+" "+d.pair(m, "", false)+after)
	}
	indent := d.lineIndent(last.Name.StartOffset)
	return d.splice(at, at, before+d.lineEnd+indent+d.pair(m, indent, true)+after)
}

// cut is the file without the last member of that name in an object. Comments
// before it stay.
func (d *jsonDocument) cut(object hujson.Value, name string) []byte {
	o := object.Value.(*hujson.Object)
	i := len(o.Members) - 1
	for !is(o.Members[i], name) {
		i--
	}
	m := o.Members[i]
	extra := m.Name.BeforeExtra
	from := m.Name.StartOffset - (len(extra) - len(bytes.TrimRight(extra, " \t\r\n")))
	to := m.Value.EndOffset
	if m.Value.AfterExtra != nil || i < len(o.Members)-1 {
		to += len(m.Value.AfterExtra) + 1 // its comma
	} else if i > 0 {
		// The comma before it would be left over.
		before := o.Members[i-1].Value
		comma := before.EndOffset + len(before.AfterExtra)
		if len(bytes.TrimSpace(extra)) == 0 {
			return d.splice(comma, to, "")
		}
		kept := string(d.text[comma+1 : from])
		return d.splice(comma, to, kept)
	}
	if len(o.Members) == 1 && len(bytes.TrimSpace(extra)) == 0 && len(bytes.TrimSpace(o.AfterExtra)) == 0 {
		return d.splice(object.StartOffset+1, object.EndOffset-1, "")
	}
	return d.splice(from, to, "")
}

// pair writes a member: over several lines, or on one.
func (d *jsonDocument) pair(m member, indent string, lines bool) string {
	return string(hujson.String(m.name)) + ": " + d.write(m.value, indent, lines)
}

func (d *jsonDocument) write(value any, indent string, lines bool) string {
	switch v := value.(type) {
	case string:
		return string(hujson.String(v))
	case []string:
		quoted := make([]string, len(v))
		for i, text := range v {
			quoted[i] = string(hujson.String(text))
		}
		return "[" + strings.Join(quoted, ", ") + "]"
	case bool:
		return string(hujson.Bool(v))
	}
	var b strings.Builder
	b.WriteString("{")
	for i, m := range value.([]member) {
		if i > 0 {
			b.WriteString(",")
		}
		if lines {
			b.WriteString(d.lineEnd + indent + d.unit)
		} else if i > 0 {
			b.WriteString(" ")
		}
		b.WriteString(d.pair(m, indent+d.unit, lines))
	}
	if lines {
		b.WriteString(d.lineEnd + indent)
	}
	b.WriteString("}")
	return b.String()
}
