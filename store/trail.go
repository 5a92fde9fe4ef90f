package store

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// CreateTrail stores a new Trail and returns it as stored. An empty ID is
// filled in, one that is taken is an *ExistsError. Created and Updated are set.
// Two Trails may have the same name.
func (s *Store) CreateTrail(workspace string, trail Trail) (Trail, error) {
	return update(s, workspace, func(tx *Tx) (Trail, error) { return tx.CreateTrail(trail) })
}

// CreateTrail is [Store.CreateTrail] within the transaction.
func (tx *Tx) CreateTrail(trail Trail) (Trail, error) {
	trail = trimTrail(trail)
	err := tx.atomically(func() (err error) {
		if trail.ID == "" {
			if trail.ID, err = tx.newID(); err != nil {
				return err
			}
		}
		if err := checkTrail(trail); err != nil {
			return err
		}
		if had, err := tx.get(bucketTrails, []byte(trail.ID)); err != nil {
			return err
		} else if had != nil {
			return &ExistsError{Kind: "trail", Field: "id", Value: trail.ID}
		}
		trail.Created, trail.Updated = tx.now, tx.now
		return tx.putRecord(bucketTrails, []byte(trail.ID), trail)
	})
	if err != nil {
		return Trail{}, fmt.Errorf("create trail: %w", err)
	}
	return trail, nil
}

// UpdateTrail sets name, description and owner of the Trail with that ID and
// returns it as stored. Updated moves only when something changes.
func (s *Store) UpdateTrail(workspace string, trail Trail) (Trail, error) {
	return update(s, workspace, func(tx *Tx) (Trail, error) { return tx.UpdateTrail(trail) })
}

// UpdateTrail is [Store.UpdateTrail] within the transaction.
func (tx *Tx) UpdateTrail(trail Trail) (Trail, error) {
	trail = trimTrail(trail)
	err := tx.atomically(func() error {
		had, err := tx.Trail(trail.ID)
		if err != nil {
			return err
		}
		if err := checkTrail(trail); err != nil {
			return err
		}
		trail.Created, trail.Updated = had.Created, had.Updated
		if trail == had {
			return nil
		}
		trail.Updated = tx.now
		return tx.putRecord(bucketTrails, []byte(trail.ID), trail)
	})
	if err != nil {
		return Trail{}, fmt.Errorf("update trail: %w", err)
	}
	return trail, nil
}

// DeleteTrail deletes a Trail with its rules, whatever their status, and its
// activity. What happened to the rules stays in their history.
func (s *Store) DeleteTrail(workspace, id, by string) error {
	return s.Update(workspace, func(tx *Tx) error { return tx.DeleteTrail(id, by) })
}

// DeleteTrail is [Store.DeleteTrail] within the transaction.
func (tx *Tx) DeleteTrail(id, by string) error {
	err := tx.atomically(func() error {
		if _, err := tx.Trail(id); err != nil {
			return err
		}
		if err := checkActor(by, ""); err != nil {
			return err
		}
		rules, err := tx.trailRules(id)
		if err != nil {
			return err
		}
		for _, rule := range rules {
			if err := tx.removeRule(rule, by, "with its trail"); err != nil {
				return err
			}
		}
		records, err := tx.keys(bucketActivity, prefixKey(id))
		if err != nil {
			return err
		}
		for _, key := range records {
			if err := tx.delete(bucketActivity, key); err != nil {
				return err
			}
		}
		return tx.delete(bucketTrails, []byte(id))
	})
	if err != nil {
		return fmt.Errorf("delete trail: %w", err)
	}
	return nil
}

// Trails returns all Trails of a workspace in order of folded name, then id.
func (s *Store) Trails(workspace string) ([]Trail, error) {
	return view(s, workspace, (*ReadTx).Trails)
}

// Trails is [Store.Trails] within the transaction.
func (tx *ReadTx) Trails() ([]Trail, error) {
	all, err := collect(records[Trail](tx, bucketTrails, nil))
	slices.SortFunc(all, func(a, b Trail) int {
		return cmp.Or(cmp.Compare(FoldName(a.Name), FoldName(b.Name)), cmp.Compare(a.ID, b.ID))
	})
	return all, err
}

// Trail returns the Trail with that id, or a *NotFoundError.
func (s *Store) Trail(workspace, id string) (Trail, error) {
	return view(s, workspace, func(tx *ReadTx) (Trail, error) { return tx.Trail(id) })
}

// Trail is [Store.Trail] within the transaction.
func (tx *ReadTx) Trail(id string) (Trail, error) {
	trail, ok, err := find[Trail](tx, bucketTrails, []byte(id))
	if err == nil && !ok {
		err = &NotFoundError{Kind: "trail", ID: id}
	}
	return trail, err
}

// trimTrail removes space around the fields.
func trimTrail(trail Trail) Trail {
	trail.Name = strings.TrimSpace(trail.Name)
	trail.Description = strings.TrimSpace(trail.Description)
	trail.Owner = strings.TrimSpace(trail.Owner)
	return trail
}

// checkTrail returns what is wrong with a Trail.
func checkTrail(trail Trail) error {
	check := &problems{kind: "trail"}
	check.id("id", trail.ID)
	check.name("name", trail.Name)
	check.text("description", trail.Description, MaxTextLength)
	check.line("owner", trail.Owner, MaxNameLength)
	return check.err()
}
