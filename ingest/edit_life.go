package ingest

import (
	"context"

	"waymark/store"
)

// ApproveRules puts the drafts of rules in force, all of them or none, and
// returns them with the conflicts that they have inside their Trails: those were
// confirmed when the rules were added, and are shown again. It fails with
// store.ErrNotFound, store.ErrNoDraft or store.ErrSuperseded.
func (w *Writer) ApproveRules(ctx context.Context, ch Change, ids ...string) (approved []store.Rule, conflicts []Conflict, err error) {
	defer w.turn(ch.Workspace)()
	err = w.options.Store.View(ch.Workspace, func(tx *store.ReadTx) (err error) {
		conflicts, err = w.draftConflicts(tx, ids)
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	err = w.options.Store.Update(ch.Workspace, func(tx *store.Tx) error {
		approved = nil
		for _, id := range ids {
			rule, err := tx.ApproveRule(id, ch.By)
			if err != nil {
				return err
			}
			approved = append(approved, rule)
		}
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	return approved, conflicts, w.committed(ctx, ch.Workspace)
}

// draftConflicts compares the drafts of rules with their Trails, each pair once.
func (w *Writer) draftConflicts(tx *store.ReadTx, ids []string) ([]Conflict, error) {
	if w.options.Conflicts == nil {
		return nil, nil
	}
	trails := map[string]store.Trail{}
	near := map[string]*neighbourhood{}
	seen := map[[2]string]bool{}
	var all []Conflict
	for _, id := range ids {
		head, err := tx.RuleHead(id)
		if err != nil {
			return nil, err
		}
		if head.Draft == 0 {
			continue // the store says so in its own words
		}
		draft, err := tx.RuleVersion(id, head.Draft)
		if err != nil {
			return nil, err
		}
		trail, known := trails[head.TrailID]
		if !known {
			if trail, err = tx.Trail(head.TrailID); err != nil {
				return nil, err
			}
			trails[head.TrailID] = trail
			if near[head.TrailID], err = w.neighbourhood(tx, trail); err != nil {
				return nil, err
			}
		}
		vectors, err := tx.GetVectors(w.options.Embedder.ModelID(), []store.Hash{store.HashText(w.ruleText(trail.Name, draft))})
		if err != nil {
			return nil, err
		}
		for _, c := range w.conflicts(near[head.TrailID], draft, vectors[0]) {
			if !seen[[2]string{c.Rules[1], c.Rules[0]}] {
				seen[c.Rules] = true
				all = append(all, c)
			}
		}
	}
	return all, nil
}

// RetireRule takes a rule out of force. It fails with store.ErrNotFound or
// store.ErrNotInForce.
func (w *Writer) RetireRule(ctx context.Context, ch Change, id, note string) error {
	return w.update(ctx, ch, func(tx *store.Tx) error { return tx.RetireRule(id, ch.By, note) })
}

// DiscardDraft gives up the draft of a rule. It fails with store.ErrNotFound or
// store.ErrNoDraft.
func (w *Writer) DiscardDraft(ctx context.Context, ch Change, id string) error {
	return w.update(ctx, ch, func(tx *store.Tx) error { return tx.DiscardDraft(id, ch.By) })
}

// DeleteRule deletes a rule that never was in force. It fails with
// store.ErrNotFound or store.ErrWasApproved.
func (w *Writer) DeleteRule(ctx context.Context, ch Change, id string) error {
	return w.update(ctx, ch, func(tx *store.Tx) error { return tx.DeleteRule(id, ch.By) })
}

// DeleteDocument deletes a document. It fails with store.ErrNotFound.
func (w *Writer) DeleteDocument(ctx context.Context, ch Change, id string) error {
	return w.update(ctx, ch, func(tx *store.Tx) error { return tx.DeleteDocument(id) })
}

// update runs a change that needs no vectors.
func (w *Writer) update(ctx context.Context, ch Change, fn func(*store.Tx) error) error {
	defer w.turn(ch.Workspace)()
	if err := w.options.Store.Update(ch.Workspace, fn); err != nil {
		return err
	}
	return w.committed(ctx, ch.Workspace)
}
