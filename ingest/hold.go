package ingest

import (
	"slices"

	"waymark/store"
)

// conflictCheck compares the rules of an import with those of their Trails, those
// of earlier rows included.
type conflictCheck struct {
	p       *plan
	trails  map[string]*neighbourhood // by Trail id
	version uint64                    // of the store that they reflect
}

func newConflictCheck(p *plan) *conflictCheck {
	return &conflictCheck{p: p, trails: map[string]*neighbourhood{}}
}

// hold compares the rules of a batch, and takes out of it those that conflict
// and were not confirmed, with those that supersede one that was taken out. The
// caller has the turn of the workspace.
func (k *conflictCheck) hold(b *batch) error {
	if k.p.w.options.Conflicts == nil || len(b.rules) == 0 {
		return nil
	}
	vectors, err := k.prepare(b)
	if err != nil {
		return err
	}
	report := k.p.report
	for i, c := range b.rules {
		n := k.trails[c.trail.trail.ID]
		certain := false
		for _, conflict := range k.p.w.conflicts(n, c.rule, vectors[i]) {
			report.name(conflict)
			certain = certain || conflict.Certain
		}
		if certain && !k.p.request.ConfirmConflicts {
			item := &report.Items[c.item]
			item.Action, item.Reason = Held, "it conflicts with another rule of its Trail, and that was not confirmed"
			report.Unconfirmed++
			c.dropped = true
			continue
		}
		if c.old.ID != "" {
			n.removeDraft(c.rule.ID)
		}
		if c.rule.Status != store.StatusRetired {
			n.add(c.rule, vectors[i])
		}
	}
	for dropped := true; dropped; {
		dropped = false
		for _, c := range b.rules {
			if id := k.heldTarget(c); !c.dropped && id != "" {
				item := &report.Items[c.item]
				item.Action, item.Field, item.Reason = Held, "supersedes", "the rule "+id+" was held"
				c.dropped, dropped = true, true
			}
		}
	}
	b.rules = slices.DeleteFunc(b.rules, func(c *ruleChange) bool { return c.dropped })
	return nil
}

// heldTarget returns the id of a new rule that a rule supersedes and that was
// held.
func (k *conflictCheck) heldTarget(c *ruleChange) string {
	for _, id := range c.rule.Supersedes {
		if target := k.p.ruleByID[id]; target != nil && target.dropped && target.old.ID == "" {
			return id
		}
	}
	return ""
}

// prepare reads the neighbourhoods that the batch needs, all of them again when
// somebody else changed the store, and returns the vectors of its rules.
func (k *conflictCheck) prepare(b *batch) ([][]float32, error) {
	made := make(map[store.Hash][]float32, len(b.made.hashes))
	for i, h := range b.made.hashes {
		made[h] = b.made.vectors[i]
	}
	hashes := make([]store.Hash, len(b.rules))
	for i, c := range b.rules {
		hashes[i] = store.HashText(k.p.w.ruleText(c.trail.trail.Name, c.rule))
	}
	var vectors [][]float32
	err := k.p.w.options.Store.View(k.p.request.Workspace, func(tx *store.ReadTx) error {
		version, err := tx.Version()
		if err != nil {
			return err
		}
		if version != k.version && !k.p.request.Plan {
			clear(k.trails)
			k.version = version
		}
		for _, c := range b.rules {
			trail := c.trail.trail
			if k.trails[trail.ID] == nil {
				if k.trails[trail.ID], err = k.p.w.neighbourhood(tx, trail); err != nil {
					return err
				}
			}
		}
		vectors, err = tx.GetVectors(k.p.w.options.Embedder.ModelID(), hashes)
		return err
	})
	for i := range vectors {
		if vectors[i] == nil {
			vectors[i] = made[hashes[i]]
		}
	}
	return vectors, err
}

// stored notes that the batch is in the store, so that its own change is not
// taken for somebody else's.
func (k *conflictCheck) stored() (err error) {
	k.version, err = k.p.w.options.Store.Version(k.p.request.Workspace)
	return err
}
