package ingest

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"waymark/store"
)

// Change says where and by whom something is changed.
type Change struct {
	// Workspace is the id of the workspace. Required.
	Workspace string

	// By is who does it, for the history.
	By string

	// ConfirmConflicts goes on although the change conflicts with other rules of
	// the Trail. Default: it is refused with a *ConflictError.
	ConfirmConflicts bool
}

// ConflictError lists the conflicts that were not confirmed.
type ConflictError struct{ Conflicts []Conflict }

// Error names the rules and the points.
func (e *ConflictError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%v:", ErrConflictUnconfirmed)
	for i, c := range e.Conflicts {
		if i > 0 {
			b.WriteByte(';')
		}
		fmt.Fprintf(&b, " with rule %q (%s: %s)", c.Rules[1], c.Kind, c.Point)
	}
	return b.String()
}

// Unwrap returns ErrConflictUnconfirmed.
func (e *ConflictError) Unwrap() error { return ErrConflictUnconfirmed }

// AddRule adds one rule and returns it as stored, with the conflicts that were
// found and confirmed. Without an id it gets the one that an import would give
// it. Status approved puts it in force at once.
//
// Errors: *InputError for every field that is wrong (several are joined), with
// ErrUnknown for a Trail that does not exist and ErrAmbiguous for a name of two;
// *ConflictError; store.ErrExists when the rule is there already.
func (w *Writer) AddRule(ctx context.Context, ch Change, in RuleInput) (store.Rule, []Conflict, error) {
	trail, rule, err := w.checkInput(ch.Workspace, in)
	if err != nil {
		return store.Rule{}, nil, err
	}
	return w.writeRule(ctx, ch, trail, rule, func(tx *store.Tx) (store.Rule, error) { return tx.AddRule(rule, ch.By) })
}

// CheckRule returns the conflicts that AddRule would find, and stores nothing.
func (w *Writer) CheckRule(ctx context.Context, workspace string, in RuleInput) ([]Conflict, error) {
	trail, rule, err := w.checkInput(workspace, in)
	if err != nil {
		return nil, err
	}
	made, err := w.embed(ctx, workspace, []string{ruleText(trail.Name, rule)})
	if err != nil {
		return nil, err
	}
	return w.findConflicts(workspace, trail, rule, made)
}

// checkInput reads an input by the rules of a file of rules and finds its Trail.
func (w *Writer) checkInput(workspace string, in RuleInput) (store.Trail, store.Rule, error) {
	r := rowReader{row: row{fields: in.fields()}}
	in = r.readRule()
	r.checkRule(in)
	trail, err := w.findTrail(workspace, in.Trail)
	if err != nil {
		var bad *InputError
		if !errors.As(err, &bad) {
			return store.Trail{}, store.Rule{}, err
		}
		r.problems = append(r.problems, bad)
	}
	if err := joined(r.problems); err != nil {
		return store.Trail{}, store.Rule{}, err
	}
	if in.ID == "" {
		in.ID = derivedID(trail.ID, in.Text)
		// The rule that had this text may say something else by now; then this
		// one is new, and the store gives it an id.
		old, err := w.options.Store.Rule(workspace, in.ID)
		if err == nil && derivedID(trail.ID, old.Text) != in.ID {
			in.ID = ""
		} else if err != nil && !errors.Is(err, store.ErrNotFound) {
			return store.Trail{}, store.Rule{}, err
		}
	}
	return trail, in.rule(trail.ID, store.Rule{}), nil
}

func joined(problems []*InputError) error {
	all := make([]error, len(problems))
	for i, p := range problems {
		all[i] = p
	}
	return errors.Join(all...)
}

// findTrail returns the Trail with an id or else a name.
func (w *Writer) findTrail(workspace, nameOrID string) (store.Trail, error) {
	nameOrID = clean(nameOrID)
	bad := func(sentinel error, reason string) (store.Trail, error) {
		return store.Trail{}, &InputError{Field: "trail", Err: sentinel, Reason: reason}
	}
	if nameOrID == "" {
		return bad(ErrBadRow, "no Trail is named")
	}
	stored, err := w.options.Store.Trails(workspace)
	if err != nil {
		return store.Trail{}, err
	}
	entry, err := newTrailBook(stored).find(nameOrID)
	switch {
	case err != nil:
		return bad(ErrAmbiguous, err.Error())
	case entry == nil:
		return bad(ErrUnknown, fmt.Sprintf("there is no Trail %q", nameOrID))
	}
	return entry.trail, nil
}

// EditRule changes a rule and returns the version that holds the change: its
// draft, or a new draft of a rule that is in force. fields names the fields of
// in that are set, as ruleColumns does; nil sets all of them. Trail, id and
// status cannot be changed here. It fails as AddRule does, and with
// store.ErrNotFound.
func (w *Writer) EditRule(ctx context.Context, ch Change, id string, in RuleInput, fields []string) (store.Rule, []Conflict, error) {
	var c ruleChange
	var trail store.Trail
	err := w.options.Store.View(ch.Workspace, func(tx *store.ReadTx) error {
		found, err := c.load(tx, id, store.StatusDraft)
		if err == nil && !found {
			err = &store.NotFoundError{Kind: "rule", ID: id}
		}
		if err == nil {
			trail, err = tx.Trail(c.head.TrailID)
		}
		return err
	})
	if err != nil {
		return store.Rule{}, nil, err
	}
	if fields == nil {
		fields = ruleColumns
	}
	old := input(c.old, trail.Name)
	in = keepOthers(in, old, fields)
	in.ID, in.Trail, in.Status = id, trail.Name, ""
	r := rowReader{row: row{fields: in.fields()}}
	in = r.readRule()
	r.checkRule(in)
	if err := joined(r.problems); err != nil {
		return store.Rule{}, nil, err
	}
	rule := in.rule(trail.ID, c.old)
	return w.writeRule(ctx, ch, trail, rule, func(tx *store.Tx) (store.Rule, error) { return tx.EditRule(rule, ch.By) })
}

// writeRule embeds a rule, compares it with its Trail, and stores it.
func (w *Writer) writeRule(ctx context.Context, ch Change, trail store.Trail, rule store.Rule,
	write func(*store.Tx) (store.Rule, error)) (stored store.Rule, conflicts []Conflict, err error) {
	made, err := w.embed(ctx, ch.Workspace, []string{ruleText(trail.Name, rule)})
	if err != nil {
		return store.Rule{}, nil, err
	}
	defer w.turn(ch.Workspace)()
	if conflicts, err = w.findConflicts(ch.Workspace, trail, rule, made); err != nil {
		return store.Rule{}, nil, err
	}
	if len(conflicts) > 0 && !ch.ConfirmConflicts {
		return store.Rule{}, nil, &ConflictError{conflicts}
	}
	err = w.options.Store.Update(ch.Workspace, func(tx *store.Tx) error {
		if stored, err = write(tx); err != nil {
			return err
		}
		return made.put(tx, w.options.Embedder.ModelID())
	})
	if err != nil {
		return store.Rule{}, nil, err
	}
	return stored, conflicts, w.committed(ctx, ch.Workspace)
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
		if len(made.vectors) == 0 {
			made.vectors, err = tx.GetVectors(w.options.Embedder.ModelID(), []store.Hash{store.HashText(ruleText(trail.Name, rule))})
			if err != nil {
				return err
			}
		}
		conflicts = w.conflicts(n, rule, made.vectors[0])
		return nil
	})
	return conflicts, err
}

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
		vectors, err := tx.GetVectors(w.options.Embedder.ModelID(), []store.Hash{store.HashText(ruleText(trail.Name, draft))})
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
			v, err := tx.GetVectors(w.options.Embedder.ModelID(), []store.Hash{store.HashText(ruleText(trail.Name, rules[i]))})
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
