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
	made, err := w.embed(ctx, workspace, w.ruleTexts(trail.Name, rule))
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
// in that are set, by their names in a file of rules; nil sets all of them.
// Trail, id and status cannot be changed here: they must be empty or what they
// are. It fails as AddRule does, and with store.ErrNotFound.
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
	r := rowReader{}
	if in.ID != "" && in.ID != id {
		r.bad("id", "the id of a rule cannot be changed")
	}
	if name := store.FoldName(in.Trail); name != "" && in.Trail != trail.ID && name != store.FoldName(trail.Name) {
		r.bad("trail", "a rule cannot move to another Trail")
	}
	if in.Status != "" && in.Status != c.old.Status {
		r.bad("status", "the status is changed by approving and retiring")
	}
	in = keepOthers(in, input(c.old, trail.Name), fields)
	in.ID, in.Trail, in.Status = id, trail.Name, ""
	r.row = row{fields: in.fields()}
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
	made, err := w.embed(ctx, ch.Workspace, w.ruleTexts(trail.Name, rule))
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
