package ingest

import (
	"slices"

	"waymark/store"
)

// conflicts compares a rule with its neighbourhood. Rules that it supersedes, and
// its own other versions, do not count.
func (w *Writer) conflicts(n *neighbourhood, r store.Rule, vector []float32) []Conflict {
	if w.options.Conflicts == nil || n == nil || r.Status == store.StatusRetired || vector == nil {
		return nil
	}
	var out []Conflict
	var own any
	named := map[string]bool{}
	for _, near := range n.near(vector, func(other store.Rule) bool {
		return other.ID == r.ID || slices.Contains(r.Supersedes, other.ID) || slices.Contains(other.Supersedes, r.ID)
	}) {
		if named[near.rule.ID] {
			continue
		}
		if own == nil {
			own = w.options.Conflicts.Analyze(n.trail, r)
		}
		if near.frame == nil {
			near.frame = w.options.Conflicts.Analyze(n.trail, near.rule)
		}
		c, found := w.options.Conflicts.Compare(own, near.frame, near.cosine)
		if !found {
			continue
		}
		named[near.rule.ID] = true
		c.Rules = [2]string{r.ID, near.rule.ID}
		c.Texts = [2]string{r.Text, near.rule.Text}
		c.Trail = r.TrailID
		out = append(out, c)
	}
	return out
}

// findConflicts compares a rule with its Trail as it is stored now. made may
// hold its vector; else the store does.
func (w *Writer) findConflicts(workspace string, trail store.Trail, rule store.Rule, made embedded) (conflicts []Conflict, err error) {
	if w.options.Conflicts == nil {
		return nil, nil
	}
	err = w.options.Store.View(workspace, func(tx *store.ReadTx) error {
		n, err := w.neighbourhood(tx, trail)
		if err != nil {
			return err
		}
		hash := store.HashText(w.ruleText(trail.Name, rule))
		vectors, err := tx.GetVectors(w.options.Embedder.ModelID(), []store.Hash{hash})
		if err != nil {
			return err
		}
		if at := slices.Index(made.hashes, hash); at >= 0 {
			vectors[0] = made.vectors[at]
		}
		conflicts = w.conflicts(n, rule, vectors[0])
		return nil
	})
	return conflicts, err
}

// CompareRules compares two rules of a workspace, of one Trail or of two, as
// they are in force or else as drafts. found is false when they do not conflict.
func (w *Writer) CompareRules(workspace, a, b string) (c Conflict, found bool, err error) {
	if w.options.Conflicts == nil {
		return Conflict{}, false, nil
	}
	err = w.options.Store.View(workspace, func(tx *store.ReadTx) error {
		var rules [2]store.Rule
		var vectors [2][]float32
		var frames [2]any
		for i, id := range []string{a, b} {
			var trail store.Trail
			if rules[i], err = tx.Rule(id); err != nil {
				return err
			}
			if trail, err = tx.Trail(rules[i].TrailID); err != nil {
				return err
			}
			v, err := tx.GetVectors(w.options.Embedder.ModelID(), []store.Hash{store.HashText(w.ruleText(trail.Name, rules[i]))})
			if err != nil {
				return err
			}
			vectors[i] = v[0]
			frames[i] = w.options.Conflicts.Analyze(trail.Name, rules[i])
		}
		c, found = w.options.Conflicts.Compare(frames[0], frames[1], dot(vectors[0], vectors[1]))
		c.Rules = [2]string{a, b}
		c.Texts = [2]string{rules[0].Text, rules[1].Text}
		if rules[0].TrailID == rules[1].TrailID {
			c.Trail = rules[0].TrailID
		}
		return nil
	})
	return c, found, err
}
