package hosts

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/tailscale/hujson"
)

// member is one member of an entry's object: a name with a text, a list of texts,
// yes/no, or members of its own.
type member struct {
	name  string
	value any
}

// jsonFile is a JSON file, with comments and trailing commas or without, whose
// member section holds the entries by name.
type jsonFile struct {
	section string
	entry   func(Entry) []member
}

func (f jsonFile) add(file []byte, e Entry) ([]byte, error) {
	d, err := parseJSON(file)
	if err != nil {
		return nil, err
	}
	entries, err := d.child(d.root, f.section)
	if err != nil {
		return nil, err
	}
	if entries == nil {
		return d.insert(d.root, member{f.section, []member{{e.Name, f.entry(e)}}}), nil
	}
	entry, err := d.child(*entries, e.Name)
	if err != nil {
		return nil, err
	}
	if entry == nil {
		return d.insert(*entries, member{e.Name, f.entry(e)}), nil
	}
	// What the user wrote beside our members stays. Each edit moves what follows
	// it, so the file is read again after each.
	for _, want := range f.entry(e) {
		has := lookup(*entry, want.name)
		switch {
		case has == nil:
			return f.add(d.insert(*entry, want), e)
		case !sameJSON(has.Value, want.value):
			return f.add(d.splice(has.Value.StartOffset, has.Value.EndOffset, d.write(want.value, d.lineIndent(has.Name.StartOffset), true)), e)
		}
	}
	return file, nil
}

func (f jsonFile) remove(file []byte, name string) ([]byte, error) {
	d, err := parseJSON(file)
	if err != nil {
		return nil, err
	}
	entries, err := d.child(d.root, f.section)
	if err != nil || entries == nil || lookup(*entries, name) == nil {
		return file, err
	}
	without := d.cut(*entries, name)
	// A comment that shares its line with a neighbour could have swallowed it.
	if after, err := parseJSON(without); err != nil || !reflect.DeepEqual(after.plain(f.section, name), d.plain(f.section, name)) {
		return nil, fmt.Errorf("%w: comments stand too close to %q", ErrLayout, name)
	}
	return f.remove(without, name) // a name may stand there twice
}

func (f jsonFile) has(file []byte, name string) (bool, error) {
	d, err := parseJSON(file)
	if err != nil {
		return false, err
	}
	entries, err := d.child(d.root, f.section)
	return err == nil && entries != nil && lookup(*entries, name) != nil, err
}

// lookup finds the last member of a name: it is the one that counts.
func lookup(object hujson.Value, name string) *hujson.ObjectMember {
	o := object.Value.(*hujson.Object)
	for i := len(o.Members) - 1; i >= 0; i-- {
		if is(o.Members[i], name) {
			return &o.Members[i]
		}
	}
	return nil
}

func is(m hujson.ObjectMember, name string) bool {
	literal, isLiteral := m.Name.Value.(hujson.Literal)
	return isLiteral && literal.String() == name
}

// sameJSON tells whether a value of the file says what is wanted.
func sameJSON(v hujson.Value, wanted any) bool {
	v = v.Clone()
	v.Standardize()
	var has, want any
	text, err := json.Marshal(wanted)
	return err == nil && json.Unmarshal(v.Pack(), &has) == nil && json.Unmarshal(text, &want) == nil && reflect.DeepEqual(has, want)
}

// plain is what the file says, but for one entry of a section.
func (d *jsonDocument) plain(section, name string) any {
	v := d.root.Clone()
	v.Standardize()
	var all map[string]any
	if json.Unmarshal(bytes.TrimSpace(v.Pack()), &all) != nil {
		return nil
	}
	if entries, isObject := all[section].(map[string]any); isObject {
		delete(entries, name)
	}
	return all
}
