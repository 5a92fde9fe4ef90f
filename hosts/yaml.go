package hosts

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// yamlFile is a YAML file whose mapping section holds the entries by name, as
// Goose writes them.
type yamlFile struct{ section string }

// yamlPair is one key of an entry with its value as YAML.
type yamlPair struct {
	key   string
	value any // a text, a list of texts, a number, yes/no, or an empty mapping
}

func gooseEntry(e Entry) []yamlPair {
	return []yamlPair{{"enabled", true}, {"type", "stdio"}, {"name", e.Name}, {"description", "What our rules and documents say"},
		{"cmd", e.Command}, {"args", e.Args}, {"envs", map[string]string{}}, {"timeout", 300}}
}

// ours are the keys that an entry which is there already must agree in; the
// others are the user's to change.
var ours = []string{"type", "cmd", "args"}

func (f yamlFile) add(file []byte, e Entry) ([]byte, error) {
	d, err := parseYAML(file)
	if err != nil {
		return nil, err
	}
	sectionKey, section := lookupYAML(d.root, f.section)
	if section == nil || section.Tag == "!!null" || section.Kind == yaml.MappingNode && len(section.Content) == 0 {
		block := f.section + ":" + d.lineEnd + d.block("  ", e.Name, gooseEntry(e))
		if section == nil {
			return d.appended(block), nil
		}
		if section.Kind == yaml.MappingNode && section.Line != sectionKey.Line {
			return nil, fmt.Errorf("%w: %q is an empty mapping over several lines", ErrLayout, f.section)
		}
		from := d.lineStart(sectionKey.Line)
		return splice(file, from, endOfLine(file, from), block), nil
	}
	if section.Kind != yaml.MappingNode || section.Style&yaml.FlowStyle != 0 {
		return nil, fmt.Errorf("%w: %q is not a mapping in block style", ErrLayout, f.section)
	}
	entryKey, entry := lookupYAML(section, e.Name)
	indent := strings.Repeat(" ", section.Content[0].Column-1)
	if entry == nil {
		at := endOfLine(file, d.lineStart(sectionKey.Line))
		return splice(file, at, at, d.block(indent, e.Name, gooseEntry(e))), nil
	}
	if entry.Kind != yaml.MappingNode || entry.Style&yaml.FlowStyle != 0 || len(entry.Content) == 0 {
		return nil, fmt.Errorf("%w: %q is not a mapping in block style", ErrLayout, e.Name)
	}
	inner := strings.Repeat(" ", entry.Content[0].Column-1)
	for _, want := range gooseEntry(e) {
		if !slices.Contains(ours, want.key) {
			continue
		}
		key, has := lookupYAML(entry, want.key)
		if has == nil {
			at := endOfLine(file, d.lineStart(entryKey.Line))
			return f.add(splice(file, at, at, d.pair(inner, want)), e)
		}
		if !sameYAML(has, want.value) {
			return f.add(splice(file, d.lineStart(key.Line), d.blockEnd(key), d.pair(inner, want)), e)
		}
	}
	return file, nil
}

func (f yamlFile) remove(file []byte, name string) ([]byte, error) {
	d, err := parseYAML(file)
	if err != nil {
		return nil, err
	}
	sectionKey, section := lookupYAML(d.root, f.section)
	if section == nil || section.Kind != yaml.MappingNode {
		return file, nil
	}
	key, entry := lookupYAML(section, name)
	if entry == nil {
		return file, nil
	}
	if section.Style&yaml.FlowStyle != 0 {
		return nil, fmt.Errorf("%w: %q is not a mapping in block style", ErrLayout, f.section)
	}
	without := splice(file, d.lineStart(key.Line), d.blockEnd(key), "")
	if len(section.Content) == 2 {
		// A key without a value would be null, which the host may not take.
		from := d.lineStart(sectionKey.Line)
		without = splice(without, from, endOfLine(without, from), f.section+": {}"+d.lineEnd)
	}
	return without, nil
}

func (f yamlFile) has(file []byte, name string) (bool, error) {
	d, err := parseYAML(file)
	if err != nil {
		return false, err
	}
	_, section := lookupYAML(d.root, f.section)
	if section == nil {
		return false, nil
	}
	_, entry := lookupYAML(section, name)
	return entry != nil, nil
}

// yamlDocument is a parsed file with its text.
type yamlDocument struct {
	text    []byte
	root    *yaml.Node // a mapping; nil in an empty file
	lines   []int      // where each line starts
	lineEnd string
}

func parseYAML(file []byte) (*yamlDocument, error) {
	d := &yamlDocument{text: file, lines: []int{0}, lineEnd: "\n"}
	for at, c := range file {
		if c == '\n' {
			d.lines = append(d.lines, at+1)
		}
	}
	if bytes.Contains(file, []byte("\r\n")) {
		d.lineEnd = "\r\n"
	}
	var document yaml.Node
	if err := yaml.Unmarshal(file, &document); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnreadable, err)
	}
	if len(document.Content) == 0 || document.Content[0].Tag == "!!null" {
		return d, nil
	}
	if d.root = document.Content[0]; d.root.Kind != yaml.MappingNode {
		return nil, fmt.Errorf("%w: it is not a mapping", ErrUnreadable)
	}
	if d.root.Style&yaml.FlowStyle != 0 {
		return nil, fmt.Errorf("%w: it is not in block style", ErrLayout)
	}
	return d, nil
}

// lookupYAML finds a key of a mapping with its value; nil when it has none.
func lookupYAML(mapping *yaml.Node, name string) (key, value *yaml.Node) {
	if mapping == nil || mapping.Kind != yaml.MappingNode {
		return nil, nil
	}
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		if mapping.Content[i].Value == name {
			return mapping.Content[i], mapping.Content[i+1]
		}
	}
	return nil, nil
}

func (d *yamlDocument) lineStart(line int) int { return d.lines[line-1] }

// blockEnd is where what belongs to a key of a block mapping ends: before the
// next line that is not indented deeper. Empty lines and comments before that
// line belong to it.
func (d *yamlDocument) blockEnd(key *yaml.Node) int {
	end := endOfLine(d.text, d.lineStart(key.Line))
	for at := end; at < len(d.text); {
		next := endOfLine(d.text, at)
		line := bytes.TrimRight(d.text[at:next], " \t\r\n")
		content := bytes.TrimLeft(line, " ")
		indent := len(line) - len(content)
		// The members of a list may stand as deep as its key.
		inList := bytes.HasPrefix(content, []byte("- ")) || string(content) == "-"
		if len(content) > 0 {
			if indent < key.Column-1 || indent == key.Column-1 && !inList {
				return end
			}
			if indent >= key.Column || inList {
				end = next
			}
		}
		at = next
	}
	return end
}

// appended is the file with a block at its end.
func (d *yamlDocument) appended(block string) []byte {
	text := slices.Clone(d.text)
	if len(text) > 0 && !bytes.HasSuffix(text, []byte("\n")) {
		text = append(text, d.lineEnd...)
	}
	return append(text, block...)
}

func (d *yamlDocument) block(indent, name string, pairs []yamlPair) string {
	var b strings.Builder
	b.WriteString(indent + yamlText(name) + ":" + d.lineEnd)
	for _, p := range pairs {
		b.WriteString(d.pair(indent+"  ", p))
	}
	return b.String()
}

func (d *yamlDocument) pair(indent string, p yamlPair) string {
	list, isList := p.value.([]string)
	if !isList || len(list) == 0 {
		return indent + p.key + ": " + yamlText(p.value) + d.lineEnd
	}
	text := indent + p.key + ":" + d.lineEnd
	for _, member := range list {
		text += indent + "  - " + yamlText(member) + d.lineEnd
	}
	return text
}

// yamlText writes a value on one line.
func yamlText(value any) string {
	if list, isList := value.([]string); isList && len(list) == 0 {
		return "[]"
	}
	text, err := yaml.Marshal(value)
	if err != nil || bytes.Count(text, []byte("\n")) != 1 {
		return tomlString(fmt.Sprint(value)) // double quotes mean the same in both languages
	}
	return strings.TrimSuffix(string(text), "\n")
}

func sameYAML(node *yaml.Node, want any) bool {
	switch want := want.(type) {
	case string:
		var has string
		return node.Decode(&has) == nil && has == want
	case []string:
		var has []string
		return node.Decode(&has) == nil && slices.Equal(has, want)
	}
	return true
}
