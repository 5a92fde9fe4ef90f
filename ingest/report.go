package ingest

import (
	"cmp"
	"slices"
)

// Action is what happens, or in a plan would happen, to one thing.
type Action string

// The actions. Held is something right that is not stored, because another row
// of its file is wrong or because a conflict was not confirmed.
const (
	Added     Action = "added"
	Changed   Action = "changed"
	Unchanged Action = "unchanged"
	Removed   Action = "removed"
	Held      Action = "held"
	Refused   Action = "refused"
)

// Item is the line of a report about one file, row, Trail or document.
type Item struct {
	File   string `json:"file,omitempty"`
	Line   int    `json:"line,omitempty"` // counts from 1
	Kind   Kind   `json:"kind"`
	ID     string `json:"id,omitempty"`
	Action Action `json:"action"`
	Field  string `json:"field,omitempty"`
	Reason string `json:"reason,omitempty"`
}

// Note is something that a person should look at although the file was taken:
// above all a problem in the front matter of a document.
type Note struct {
	File   string `json:"file"`
	Line   int    `json:"line,omitempty"`
	Field  string `json:"field,omitempty"`
	Reason string `json:"reason"`
	// Fatal says that the document is not in force because of this.
	Fatal bool `json:"fatal,omitempty"`
}

// Conflict is a pair of rules of one Trail that cannot both be obeyed, or that a
// person should compare. Rules are ids, the new or edited rule first.
type Conflict struct {
	Rules [2]string `json:"rules"`
	Texts [2]string `json:"texts"`
	Trail string    `json:"trail"` // id
	Kind  string    `json:"kind"`
	Point string    `json:"point"`
	// Certain tells a conflict from a pair that only should be compared.
	Certain bool `json:"certain"`
}

// Report says what an import did, or in a plan would do: one item for every
// file, row and Trail, in the order of the input.
type Report struct {
	Plan      bool           `json:"plan,omitempty"`
	Items     []Item         `json:"items"`
	Notes     []Note         `json:"notes,omitempty"`
	Conflicts []Conflict     `json:"conflicts,omitempty"` // the first maxNamed of each tier
	Counts    map[Action]int `json:"counts"`

	// CertainConflicts and PairsToCompare are how many pairs of the two tiers
	// were found.
	CertainConflicts int `json:"certain_conflicts,omitempty"`
	PairsToCompare   int `json:"pairs_to_compare,omitempty"`

	// Unconfirmed is how many rows were held because of a conflict.
	Unconfirmed int `json:"unconfirmed,omitempty"`

	// Missing are the ids of stored documents that the import does not have,
	// and that stay because no pruning was asked for.
	Missing []string `json:"missing,omitempty"`

	// Embedded is how many texts were embedded.
	Embedded int `json:"embedded"`
}

// maxNamed is how many pairs of each tier a report names: ten thousand rules have
// as many pairs that somebody could compare, and nobody reads them.
const maxNamed = 200

// maxConflictText is how much of the texts of a pair a report shows, in
// characters.
const maxConflictText = 300

// name adds a pair of rules to the report.
func (r *Report) name(c Conflict) {
	count := &r.PairsToCompare
	if c.Certain {
		count = &r.CertainConflicts
	}
	if *count++; *count <= maxNamed {
		c.Texts = [2]string{shorten(c.Texts[0], maxConflictText), shorten(c.Texts[1], maxConflictText)}
		r.Conflicts = append(r.Conflicts, c)
	}
}

// OK tells whether nothing was refused or held.
func (r Report) OK() bool { return r.Counts[Refused] == 0 && r.Counts[Held] == 0 }

// add appends an item and returns its number.
func (r *Report) add(item Item) int {
	r.Items = append(r.Items, item)
	return len(r.Items) - 1
}

// refuse appends an item for what is wrong with an input.
func (r *Report) refuse(kind Kind, id string, e *InputError) int {
	return r.add(Item{File: e.File, Line: e.Line, Kind: kind, ID: id, Action: Refused, Field: e.Field, Reason: e.Reason})
}

// finish counts the items.
func (r *Report) finish() {
	r.Counts = map[Action]int{}
	for _, item := range r.Items {
		r.Counts[item.Action]++
	}
	slices.SortStableFunc(r.Notes, func(a, b Note) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
	})
}
