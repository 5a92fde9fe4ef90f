package ingest

import (
	"context"
	"errors"
	"fmt"

	"waymark/store"
)

// Import brings files into a workspace: documents, Trails and rules. Equal
// content is left alone, so importing the same files again changes nothing. The
// report has a line for every file and row.
//
// Nothing of a file of rows that has a wrong row is stored, unless SkipBadRows
// is set. Rules that conflict with others of their Trail are held, and named in
// the report, unless ConfirmConflicts is set; the rest of their file is stored.
// The work is done in batches: each is stored with its vectors in one
// transaction, and stays if the next one fails. When Import returns an error,
// the report says what was stored up to then.
//
// With Plan it works out the same report and stores nothing.
func (w *Writer) Import(ctx context.Context, request Request) (Report, error) {
	p, err := w.makePlan(ctx, request)
	if err != nil {
		return Report{Plan: request.Plan}, fmt.Errorf("import: %w", err)
	}
	if !request.Plan {
		err = p.writeTrails(ctx)
	}
	if err == nil {
		err = p.run(ctx)
	}
	p.report.finish()
	if err != nil {
		return *p.report, fmt.Errorf("import: %w", err)
	}
	return *p.report, nil
}

// writeTrails stores the Trails, whose rules are embedded with their new names
// before.
func (p *plan) writeTrails(ctx context.Context) error {
	var texts []string
	changed := false
	err := p.w.options.Store.View(p.request.Workspace, func(tx *store.ReadTx) error {
		for _, e := range p.trails.order {
			changed = changed || e.action != Unchanged
			if e.action == Changed && e.before != e.trail.Name {
				renamed, err := p.w.renamedTexts(tx, e.trail)
				if err != nil {
					return err
				}
				texts = append(texts, renamed...)
			}
		}
		return nil
	})
	if err != nil || !changed {
		return err
	}
	n, err := p.w.store(ctx, p.request.Workspace, texts, p.request.Progress)
	p.report.Embedded += n
	if err != nil {
		return err
	}
	defer p.w.turn(p.request.Workspace)()
	err = p.w.options.Store.Update(p.request.Workspace, func(tx *store.Tx) error {
		for _, e := range p.trails.order {
			var err error
			switch e.action {
			case Added:
				_, err = tx.CreateTrail(e.trail)
			case Changed:
				_, err = tx.UpdateTrail(e.trail)
			}
			if err != nil && !errors.Is(err, store.ErrExists) { // somebody else may have made it meanwhile
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return p.w.committed(ctx, p.request.Workspace)
}

// batch is what is stored in one transaction.
type batch struct {
	rules     []*ruleChange
	documents []*documentChange
	removals  []documentRemoval
	texts     []string
	made      embedded
	err       error
}

func (b *batch) size() int { return len(b.rules) + len(b.documents) + len(b.removals) }

// run embeds and stores the batches. While one is stored the next is embedded,
// so that the encoder does not wait for the disk.
func (p *plan) run(ctx context.Context) error {
	batches := p.batches()
	total := 0
	for _, b := range batches {
		total += b.size()
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	ready := make(chan *batch)
	go func() {
		defer close(ready)
		for _, b := range batches {
			b.made, b.err = p.w.embed(ctx, p.request.Workspace, b.texts)
			select {
			case ready <- b:
			case <-ctx.Done():
				return
			}
			if b.err != nil {
				return
			}
		}
	}()
	check := newConflictCheck(p)
	done := 0
	for b := range ready {
		if b.err != nil {
			return b.err
		}
		p.report.Embedded += len(b.made.hashes)
		if err := p.write(ctx, check, b); err != nil {
			return err
		}
		done += b.size()
		if p.request.Progress != nil {
			p.request.Progress(Progress{Phase: PhaseWrite, Done: done, Total: total})
		}
	}
	return ctx.Err()
}

// batches cuts the changes into batches of about as many texts as are embedded
// at once. A rule comes after those that it supersedes, and two rules that
// supersede each other come in one batch, since the store wants to see them.
func (p *plan) batches() []*batch {
	var all []*batch
	b := &batch{}
	full := func() {
		if len(b.texts) >= p.w.options.BatchSize || b.size() >= p.w.options.BatchSize {
			all = append(all, b)
			b = &batch{}
		}
	}
	for _, c := range p.rules {
		p.queue(b, c)
		full()
	}
	for _, c := range p.documents {
		b.documents = append(b.documents, c)
		b.texts = append(b.texts, documentTexts(c.document)...)
		full()
	}
	for _, r := range p.removals {
		b.removals = append(b.removals, r)
		full()
	}
	if b.size() > 0 {
		all = append(all, b)
	}
	return all
}

// queue appends a rule to a batch, after those that it supersedes.
func (p *plan) queue(b *batch, c *ruleChange) {
	if c.queued || c.dropped {
		return
	}
	c.queued = true
	for _, id := range c.rule.Supersedes {
		if target := p.ruleByID[id]; target != nil {
			p.queue(b, target)
		}
	}
	b.rules = append(b.rules, c)
	b.texts = append(b.texts, p.w.ruleTexts(c.trail.trail.Name, c.rule)...)
}

// write stores a batch. A change that the store refuses, because something else
// changed since the plan was made, is reported and left out.
func (p *plan) write(ctx context.Context, check *conflictCheck, b *batch) error {
	defer p.w.turn(p.request.Workspace)()
	if err := check.hold(b); err != nil {
		return err
	}
	if p.request.Plan {
		return nil
	}
	err := p.w.options.Store.Update(p.request.Workspace, func(tx *store.Tx) error {
		for _, c := range b.rules {
			if err := p.refused(c.item, p.storeRule(tx, c)); err != nil {
				return err
			}
		}
		for _, c := range b.documents {
			_, err := tx.PutDocument(c.document)
			if err := p.refused(c.item, err); err != nil {
				return err
			}
		}
		for _, r := range b.removals {
			if err := tx.DeleteDocument(r.id); err != nil && !errors.Is(err, store.ErrNotFound) {
				return err
			}
		}
		return b.made.put(tx, p.w.options.Embedder.ModelID())
	})
	if err != nil {
		return err
	}
	if err := check.stored(); err != nil {
		return err
	}
	return p.w.committed(ctx, p.request.Workspace)
}

// refused reports what the store refused about one item, and returns every
// other error.
func (p *plan) refused(item int, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, store.ErrInvalid), errors.Is(err, store.ErrExists), errors.Is(err, store.ErrSuperseded), errors.Is(err, store.ErrNotFound):
		p.report.Items[item].Action, p.report.Items[item].Reason = Refused, err.Error()
		return nil
	}
	return err
}

// storeRule stores one rule with the status that was asked for.
func (p *plan) storeRule(tx *store.Tx, c *ruleChange) error {
	if c.old.ID == "" {
		_, err := tx.AddRule(c.rule, p.request.By)
		return err
	}
	edited, err := tx.EditRule(c.rule, p.request.By)
	if err != nil {
		return err
	}
	switch wanted := c.rule.Status; {
	case wanted == "" || wanted == store.StatusDraft || wanted == edited.Status:
		return nil
	case wanted == store.StatusRetired && c.head.InForce == 0:
		return fmt.Errorf("%w: a rule that never was in force cannot be retired; delete it", store.ErrInvalid)
	case wanted == store.StatusRetired:
		return tx.RetireRule(c.rule.ID, p.request.By, "by import")
	case edited.Status == store.StatusRetired:
		return fmt.Errorf("%w: a retired rule is not put in force again as it was; give it a new id", store.ErrInvalid)
	}
	_, err = tx.ApproveRule(c.rule.ID, p.request.By)
	return err
}
