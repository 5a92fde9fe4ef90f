package ingest

import (
	"context"

	"waymark/store"
)

// CreateTrail makes a Trail and returns it as stored. Without an id it gets one
// made from its name. It fails with an *InputError for every field that is
// wrong, or store.ErrExists when the id is taken.
func (w *Writer) CreateTrail(ctx context.Context, ch Change, t store.Trail) (stored store.Trail, err error) {
	if t, err = checkTrail(t); err != nil {
		return store.Trail{}, err
	}
	err = w.update(ctx, ch, func(tx *store.Tx) error {
		if t.ID == "" {
			all, err := tx.Trails()
			if err != nil {
				return err
			}
			t = newTrailBook(all).create(t).trail
		}
		stored, err = tx.CreateTrail(t)
		return err
	})
	return stored, err
}

// EditTrail sets name, description and owner of the Trail with that id and
// returns it as stored. A new name is part of what its rules are found by, so
// they are embedded anew first. It fails with an *InputError for every field
// that is wrong, or store.ErrNotFound.
func (w *Writer) EditTrail(ctx context.Context, ch Change, t store.Trail) (stored store.Trail, err error) {
	if t, err = checkTrail(t); err != nil {
		return store.Trail{}, err
	}
	old, err := w.options.Store.Trail(ch.Workspace, t.ID)
	if err != nil {
		return store.Trail{}, err
	}
	if old.Name != t.Name {
		var texts []string
		err := w.options.Store.View(ch.Workspace, func(tx *store.ReadTx) error {
			texts, err = w.renamedTexts(tx, t)
			return err
		})
		if err == nil {
			_, err = w.store(ctx, ch.Workspace, texts, nil)
		}
		if err != nil {
			return store.Trail{}, err
		}
	}
	err = w.update(ctx, ch, func(tx *store.Tx) error {
		stored, err = tx.UpdateTrail(t)
		return err
	})
	return stored, err
}

// DeleteTrail deletes a Trail with its rules and its activity. It fails with
// store.ErrNotFound.
func (w *Writer) DeleteTrail(ctx context.Context, ch Change, id string) error {
	return w.update(ctx, ch, func(tx *store.Tx) error { return tx.DeleteTrail(id, ch.By) })
}

// renamedTexts are the texts under which the rules of a Trail are found once it
// has its new name.
func (w *Writer) renamedTexts(tx *store.ReadTx, t store.Trail) ([]string, error) {
	var texts []string
	for r, err := range liveVersions(tx, t.ID) {
		if err != nil {
			return nil, err
		}
		texts = append(texts, w.ruleTexts(t.Name, r)...)
	}
	return texts, nil
}

// checkTrail reads a Trail by the rules of a file of Trails.
func checkTrail(t store.Trail) (store.Trail, error) {
	fields := map[string]field{}
	for name, text := range map[string]string{"id": t.ID, "name": t.Name, "description": t.Description, "owner": t.Owner} {
		if text != "" {
			fields[name] = field{text: text}
		}
	}
	r := rowReader{row: row{fields: fields}}
	return r.readTrail(), joined(r.problems)
}
