package index

import (
	"errors"
	"fmt"

	"waymark/store"
)

// content is what one read of the store found: the items to put into the
// collections, and the ids that they, or nothing, take the place of.
type content struct {
	version              uint64
	trails               []store.Trail
	rules, documents     []entry
	ruleIDs, documentIDs map[string]bool
	everything           bool // the collections are to be made anew
}

// read takes from the store, in one consistent view, what changed after a
// version; everything when from is nil.
func (m *Manager) read(workspace string, from *Snapshot) (*content, error) {
	c := &content{ruleIDs: map[string]bool{}, documentIDs: map[string]bool{}, everything: from == nil}
	err := m.source.View(workspace, func(tx *store.ReadTx) error {
		var err error
		if c.version, err = tx.Version(); err != nil {
			return err
		}
		if from != nil && from.StoreVersion == c.version && from.Trails != nil {
			c.trails = from.Trails
			return nil
		}
		if c.trails, err = tx.Trails(); err != nil {
			return err
		}
		names := map[string]string{}
		for _, t := range c.trails {
			names[t.ID] = t.Name
		}
		if from == nil {
			return m.readAll(tx, c, names)
		}
		return m.readChanges(tx, c, names, from)
	})
	if err != nil {
		return nil, fmt.Errorf("read workspace %q for the index: %w", workspace, err)
	}
	sortEntries(c.rules)
	sortEntries(c.documents)
	return c, nil
}

func (m *Manager) readAll(tx *store.ReadTx, c *content, names map[string]string) error {
	for r, err := range tx.Rules(store.RuleFilter{Status: store.StatusApproved}) {
		if err != nil {
			return err
		}
		if err := m.takeRule(tx, c, names, r); err != nil {
			return err
		}
	}
	for d, err := range tx.Documents(store.WithPassages) {
		if err != nil {
			return err
		}
		if err := m.takeDocument(tx, c, d); err != nil {
			return err
		}
	}
	return nil
}

func (m *Manager) readChanges(tx *store.ReadTx, c *content, names map[string]string, from *Snapshot) error {
	changes, err := tx.Changes(from.StoreVersion, 0)
	if err != nil {
		return err
	}
	renamed := map[string]bool{}
	for _, change := range changes {
		for _, id := range change.Rules {
			c.ruleIDs[id] = true
		}
		for _, id := range change.Documents {
			c.documentIDs[id] = true
		}
		for _, id := range change.Trails {
			renamed[id] = true
		}
	}
	for _, t := range from.Trails {
		if renamed[t.ID] && names[t.ID] == t.Name {
			delete(renamed, t.ID)
		}
	}
	if len(renamed) > 0 {
		for r, err := range tx.Rules(store.RuleFilter{Status: store.StatusApproved}) {
			if err != nil {
				return err
			}
			if renamed[r.TrailID] {
				c.ruleIDs[r.ID] = true
			}
		}
	}
	for id := range c.ruleIDs {
		if err := m.takeRuleByID(tx, c, names, id); err != nil {
			return err
		}
	}
	for id := range c.documentIDs {
		d, err := tx.Document(id, store.WithPassages)
		if errors.Is(err, store.ErrNotFound) {
			continue
		}
		if err != nil {
			return err
		}
		if err := m.takeDocument(tx, c, d); err != nil {
			return err
		}
	}
	return nil
}

func (m *Manager) takeRuleByID(tx *store.ReadTx, c *content, names map[string]string, id string) error {
	head, err := tx.RuleHead(id)
	if errors.Is(err, store.ErrNotFound) || err == nil && head.InForce == 0 {
		return nil
	}
	if err != nil {
		return err
	}
	r, err := tx.RuleVersion(id, head.InForce)
	if err != nil {
		return err
	}
	return m.takeRule(tx, c, names, r)
}

func (m *Manager) takeRule(tx *store.ReadTx, c *content, names map[string]string, r store.Rule) error {
	name := names[r.TrailID]
	vectors, err := tx.GetVectors(m.options.Model, []store.Hash{store.HashText(RuleEmbeddingText(name, r))})
	if err != nil {
		return err
	}
	c.rules = append(c.rules, ruleEntry(name, r, vectors[0]))
	return nil
}

func (m *Manager) takeDocument(tx *store.ReadTx, c *content, d store.Document) error {
	hashes := make([]store.Hash, len(d.Passages))
	for i, p := range d.Passages {
		hashes[i] = store.HashText(PassageEmbeddingText(d, p))
	}
	vectors, err := tx.GetVectors(m.options.Model, hashes)
	if err != nil {
		return err
	}
	c.documents = append(c.documents, documentEntry(d, vectors))
	return nil
}
