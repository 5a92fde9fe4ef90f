package index

import (
	"errors"
	"fmt"
	"slices"

	"waymark/store"
)

// changes is what one read of the store found: the ids that were touched, and
// what stands under them now. A touched id without an entry is gone.
type changes struct {
	version   uint64
	trails    []store.Trail
	rules     touched
	documents touched
}

// touched are the items of one kind.
type touched struct {
	ids     []string
	entries []*entry
}

// reading is one read of the store.
type reading struct {
	*changes
	reader    Reader
	model     string
	dimension int
	split     func(text string) []string
	names     map[string]string // of Trails, by id
}

// readChanges reads what changed after a snapshot. It returns nil when nothing
// did.
func (m *Manager) readChanges(workspace string, from *state) (*changes, error) {
	var found *changes
	err := m.view(workspace, func(tx Reader) error {
		version, err := tx.Version()
		if err != nil || version == from.version {
			return err
		}
		log, err := tx.Changes(from.version, 0)
		if err != nil {
			return err
		}
		r, err := m.newReading(tx, version)
		if err != nil {
			return err
		}
		found = r.changes
		return r.follow(log, from)
	})
	if err != nil {
		return nil, fmt.Errorf("read changes of workspace %q: %w", workspace, err)
	}
	return found, nil
}

// newReading begins to read a version, with its Trails.
func (m *Manager) newReading(tx Reader, version uint64) (*reading, error) {
	trails, err := tx.Trails()
	if err != nil {
		return nil, err
	}
	r := &reading{
		changes: &changes{version: version, trails: trails}, reader: tx,
		model: m.options.Model, dimension: m.options.Dimension, split: m.options.Split, names: map[string]string{},
	}
	for _, t := range trails {
		r.names[t.ID] = t.Name
	}
	return r, nil
}

// follow reads what the changes touched.
func (r *reading) follow(log []store.Change, from *state) error {
	var trails []string
	for _, change := range log {
		r.rules.ids = append(r.rules.ids, change.Rules...)
		r.documents.ids = append(r.documents.ids, change.Documents...)
		trails = append(trails, change.Trails...)
	}
	for _, id := range distinct(trails) {
		if err := r.touchTrail(id, from); err != nil {
			return err
		}
	}
	r.rules.ids, r.documents.ids = distinct(r.rules.ids), distinct(r.documents.ids)
	for _, id := range r.rules.ids {
		if err := r.ruleByID(id); err != nil {
			return err
		}
	}
	for _, id := range r.documents.ids {
		d, err := r.reader.Document(id, store.WithPassages)
		if errors.Is(err, store.ErrNotFound) {
			continue
		}
		if err == nil {
			err = r.document(d)
		}
		if err != nil {
			return fmt.Errorf("document %q: %w", id, err)
		}
	}
	return nil
}

// distinct sorts a list and leaves each text in it once.
func distinct(texts []string) []string {
	slices.Sort(texts)
	return slices.Compact(texts)
}

// touchTrail adds the rules of a Trail that has another name now: the name is
// part of what is searched.
func (r *reading) touchTrail(id string, from *state) error {
	for _, t := range from.trails {
		if t.ID == id && t.Name == r.names[id] {
			return nil
		}
	}
	for rule, err := range r.reader.Rules(store.RuleFilter{TrailID: id, Status: store.StatusApproved}) {
		if err != nil {
			return fmt.Errorf("rules of Trail %q: %w", id, err)
		}
		r.rules.ids = append(r.rules.ids, rule.ID)
	}
	return nil
}

// ruleByID reads the version of a rule that is in force, if there is one.
func (r *reading) ruleByID(id string) error {
	head, err := r.reader.RuleHead(id)
	if errors.Is(err, store.ErrNotFound) || err == nil && head.InForce == 0 {
		return nil
	}
	if err != nil {
		return fmt.Errorf("rule %q: %w", id, err)
	}
	rule, err := r.reader.RuleVersion(id, head.InForce)
	if err == nil {
		err = r.rule(rule)
	}
	if err != nil {
		return fmt.Errorf("rule %q: %w", id, err)
	}
	return nil
}

// rule adds the entry of a rule.
func (r *reading) rule(rule store.Rule) error {
	e, err := newRuleEntry(r.names[rule.TrailID], rule, r.split)
	if err != nil {
		return err
	}
	r.rules.entries = append(r.rules.entries, e)
	return r.fetchVectors(e)
}

// document adds the entry of a document.
func (r *reading) document(d store.Document) error {
	e, err := newDocumentEntry(d)
	if err != nil {
		return err
	}
	r.documents.entries = append(r.documents.entries, e)
	return r.fetchVectors(e)
}

// fetchVectors finds the vectors of an entry's rows. One of another length is
// as good as none.
func (r *reading) fetchVectors(e *entry) error {
	if r.dimension == 0 {
		return nil
	}
	hashes := make([]store.Hash, len(e.rows))
	for i := range e.rows {
		hashes[i] = store.HashText(e.rows[i].text)
	}
	vectors, err := r.reader.GetVectors(r.model, hashes)
	if err != nil {
		return err
	}
	for i, v := range vectors {
		if len(v) == r.dimension {
			e.rows[i].vector = v
		}
	}
	return nil
}

// everything calls add with the entry of every item, each kind in the order of
// ids.
func (r *reading) everything(add func(kind Kind, e *entry) error) error {
	for rule, err := range r.reader.Rules(store.RuleFilter{Status: store.StatusApproved}) {
		if err == nil {
			err = r.rule(rule)
		}
		if err == nil {
			err = add(Rules, r.rules.take())
		}
		if err != nil {
			return fmt.Errorf("rule %q: %w", rule.ID, err)
		}
	}
	for d, err := range r.reader.Documents(store.WithPassages) {
		if err == nil {
			err = r.document(d)
		}
		if err == nil {
			err = add(Documents, r.documents.take())
		}
		if err != nil {
			return fmt.Errorf("document %q: %w", d.ID, err)
		}
	}
	return nil
}

// take returns the one entry that was read, and forgets it.
func (t *touched) take() *entry {
	e := t.entries[0]
	t.entries = t.entries[:0]
	return e
}
