package hosts

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
)

// tomlFile is a TOML file whose table section holds the entries, each as a table
// of its own.
type tomlFile struct{ section string }

func (f tomlFile) add(file []byte, e Entry) ([]byte, error) {
	d, err := parseTOML(file)
	if err != nil {
		return nil, err
	}
	wanted := []tomlPair{{"command", tomlString(e.Command)}, {"args", tomlList(e.Args)}}
	table, err := d.table(f.section, e.Name)
	if err != nil {
		return nil, err
	}
	if table == nil {
		var b strings.Builder
		b.Write(file)
		if len(file) > 0 && !bytes.HasSuffix(file, []byte("\n")) {
			b.WriteString(d.lineEnd)
		}
		if len(bytes.TrimSpace(file)) > 0 {
			b.WriteString(d.lineEnd)
		}
		fmt.Fprintf(&b, "[%s.%s]%s", f.section, tomlKey(e.Name), d.lineEnd)
		for _, w := range wanted {
			b.WriteString(w.name + " = " + w.value + d.lineEnd)
		}
		return []byte(b.String()), nil
	}
	values, isTable := d.value(f.section, e.Name).(map[string]any)
	if !isTable {
		return nil, fmt.Errorf("%w: %s.%s is not a table", ErrLayout, f.section, e.Name)
	}
	for _, w := range slices.Backward(wanted) {
		same := values["command"] == e.Command
		if w.name == "args" {
			same = sameList(values["args"], e.Args)
		}
		if same {
			continue
		}
		at := slices.IndexFunc(table.pairs, func(s tomlStatement) bool { return slices.Equal(s.key, []string{w.name}) })
		if at < 0 {
			end := endOfLine(file, table.header.end)
			line := w.name + " = " + w.value + d.lineEnd
			if !bytes.HasSuffix(file[:end], []byte("\n")) {
				line = d.lineEnd + line
			}
			return f.add(splice(file, end, end, line), e)
		}
		s := table.pairs[at]
		return f.add(splice(file, s.start, s.end, w.name+" = "+w.value), e)
	}
	return file, nil
}

func (f tomlFile) remove(file []byte, name string) ([]byte, error) {
	d, err := parseTOML(file)
	if err != nil {
		return nil, err
	}
	table, err := d.table(f.section, name)
	if err != nil || table == nil {
		return file, err
	}
	// With the table go its own tables below it, and the empty line before it.
	from, to := table.header.start, table.end
	if to < len(file) {
		to = endOfLine(file, to)
	}
	if before := bytes.TrimRight(file[:from], "\r\n"); len(before) > 0 {
		lineEnd := len(d.lineEnd)
		if from-len(before) >= 2*lineEnd {
			from -= lineEnd
		}
	}
	return f.remove(splice(file, from, to, ""), name)
}

func (f tomlFile) has(file []byte, name string) (bool, error) {
	d, err := parseTOML(file)
	if err != nil {
		return false, err
	}
	return d.value(f.section, name) != nil, nil
}

type tomlPair struct{ name, value string }

func sameList(has any, want []string) bool {
	list, isList := has.([]any)
	if !isList || len(list) != len(want) {
		return false
	}
	for i := range list {
		if list[i] != want[i] {
			return false
		}
	}
	return true
}

func splice(text []byte, from, to int, with string) []byte {
	return slices.Concat(text[:from], []byte(with), text[to:])
}

func endOfLine(text []byte, at int) int {
	if n := bytes.IndexByte(text[at:], '\n'); n >= 0 {
		return at + n + 1
	}
	return len(text)
}

// tomlString writes a basic string.
func tomlString(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < ' ' || r == 0x7f:
			fmt.Fprintf(&b, "\\u%04X", r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

func tomlList(list []string) string {
	quoted := make([]string, len(list))
	for i, s := range list {
		quoted[i] = tomlString(s)
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}

// tomlKey writes a key: bare where that is allowed.
func tomlKey(s string) string {
	bare := s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_')
	})
	if bare {
		return s
	}
	return tomlString(s)
}

// tomlDocument is a parsed file and where its statements stand.
type tomlDocument struct {
	text       []byte
	values     map[string]any
	statements []tomlStatement
	lineEnd    string
}

func parseTOML(file []byte) (*tomlDocument, error) {
	d := &tomlDocument{text: file, lineEnd: "\n"}
	if _, err := toml.Decode(string(file), &d.values); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnreadable, err)
	}
	if bytes.Contains(file, []byte("\r\n")) {
		d.lineEnd = "\r\n"
	}
	d.statements = tomlStatements(file)
	return d, nil
}

func (d *tomlDocument) value(section, name string) any {
	entries, isTable := d.values[section].(map[string]any)
	if !isTable {
		return nil
	}
	return entries[name]
}

// tomlTable is a table with its pairs. It ends where its last statement does,
// or that of the tables below it that follow at once.
type tomlTable struct {
	header tomlStatement
	pairs  []tomlStatement
	end    int
}

// table finds the table of an entry; nil when there is no such entry. One that
// is written in another way is ErrLayout.
func (d *tomlDocument) table(section, name string) (*tomlTable, error) {
	if d.value(section, name) == nil {
		return nil, nil
	}
	path := []string{section, name}
	for i, s := range d.statements {
		if !s.header || !slices.Equal(s.key, path) {
			continue
		}
		t := &tomlTable{header: s, end: s.end}
		below := false
		for _, next := range d.statements[i+1:] {
			if next.header {
				if below = len(next.key) > 2 && slices.Equal(next.key[:2], path); !below {
					break
				}
			} else if !below {
				t.pairs = append(t.pairs, next)
			}
			t.end = next.end
		}
		return t, nil
	}
	return nil, fmt.Errorf("%w: %s.%s is not written as a table of its own, [%s.%s]", ErrLayout, section, name, section, tomlKey(name))
}
