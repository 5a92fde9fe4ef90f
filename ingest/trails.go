package ingest

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"waymark/store"
)

// trailBook finds Trails by name or id, those that an import will make included.
type trailBook struct {
	byID   map[string]*trailEntry
	byName map[string][]*trailEntry // folded name
	order  []*trailEntry
}

// trailEntry is a Trail with what happens to it.
type trailEntry struct {
	trail  store.Trail
	before string // name in the store; empty for a new one
	action Action // Unchanged, Added or Changed
	item   int    // its line in the report, -1 when it has none
	named  bool   // a file of Trails has it, so it need not have rules
}

func newTrailBook(stored []store.Trail) *trailBook {
	b := &trailBook{byID: map[string]*trailEntry{}, byName: map[string][]*trailEntry{}}
	for _, t := range stored {
		b.add(&trailEntry{trail: t, before: t.Name, action: Unchanged, item: -1})
	}
	return b
}

func (b *trailBook) add(e *trailEntry) {
	b.byID[e.trail.ID] = e
	name := store.FoldName(e.trail.Name)
	b.byName[name] = append(b.byName[name], e)
	b.order = append(b.order, e)
}

// find returns the Trail with an id or else with a name, nil when there is none.
// A name that fits several is an error that lists their ids.
func (b *trailBook) find(nameOrID string) (*trailEntry, error) {
	if e, ok := b.byID[nameOrID]; ok {
		return e, nil
	}
	switch named := b.byName[store.FoldName(nameOrID)]; len(named) {
	case 0:
		return nil, nil
	case 1:
		return named[0], nil
	default:
		ids := make([]string, len(named))
		for i, e := range named {
			ids[i] = e.trail.ID
		}
		slices.Sort(ids)
		return nil, fmt.Errorf("%q is the name of the Trails %s; give the id", nameOrID, quoteList(ids))
	}
}

// create makes an entry for a new Trail. Without an id its id is made from the
// name, so that it is the same each time the same file is read into the same
// Trails.
func (b *trailBook) create(t store.Trail) *trailEntry {
	if t.ID == "" {
		base := slug(t.Name)
		t.ID = base
		for n := 2; b.byID[t.ID] != nil; n++ {
			t.ID = fmt.Sprintf("%s-%d", base, n)
		}
	}
	e := &trailEntry{trail: t, action: Added, item: -1}
	b.add(e)
	return e
}

// rename moves an entry to another name.
func (b *trailBook) rename(e *trailEntry, name string) {
	old := store.FoldName(e.trail.Name)
	b.byName[old] = slices.DeleteFunc(b.byName[old], func(x *trailEntry) bool { return x == e })
	e.trail.Name = name
	folded := store.FoldName(name)
	b.byName[folded] = append(b.byName[folded], e)
}

// slug writes a name with letters, digits and hyphens only.
func slug(name string) string {
	var out strings.Builder
	gap := false
	for _, r := range fold(name) {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) {
			if gap && out.Len() > 0 {
				out.WriteByte('-')
			}
			gap = false
			out.WriteRune(r)
		} else {
			gap = true
		}
	}
	if out.Len() == 0 {
		return "trail"
	}
	return out.String()
}

// readTrail reads one row of Trails.
func (r *rowReader) readTrail() store.Trail {
	t := store.Trail{
		ID:          r.id("id"),
		Name:        r.text("name", store.MaxNameLength, false),
		Description: r.text("description", store.MaxTextLength, true),
		Owner:       r.text("owner", store.MaxNameLength, false),
	}
	if t.Name == "" && len(r.problems) == 0 {
		r.bad("name", "the name of the Trail is missing")
	}
	return t
}
