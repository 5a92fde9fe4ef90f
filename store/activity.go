package store

import (
	"encoding/hex"
	"fmt"
	"strings"
	"time"
)

// AppendActivity stores records of searches. Those of a Trail that does not
// exist are left out: it was deleted after the search. Text that is not UTF-8 is
// repaired, since a record must not be lost for what somebody asked, and a
// missing Time is that of the transaction. Activity is not content: it changes
// no version.
//
// It syncs once per call; use [ActivityWriter] for one search at a time.
func (s *Store) AppendActivity(workspace string, activities []Activity) error {
	return s.Update(workspace, func(tx *Tx) error { return tx.AppendActivity(activities) })
}

// AppendActivity is [Store.AppendActivity] within the transaction.
func (tx *Tx) AppendActivity(activities []Activity) error {
	return tx.atomically(func() error {
		records, err := tx.bucket(bucketActivity)
		if err != nil {
			return err
		}
		for _, activity := range activities {
			trail, err := tx.get(bucketTrails, []byte(activity.TrailID))
			if err != nil {
				return err
			}
			if trail == nil {
				continue
			}
			number, err := records.NextSequence()
			if err != nil {
				return fmt.Errorf("number an activity: %w", err)
			}
			if activity.Time.IsZero() {
				activity.Time = tx.now
			}
			key := activityKey(activity.TrailID, activity.Time, number)
			if err := tx.putRecord(bucketActivity, key, repaired(activity)); err != nil {
				return err
			}
		}
		return nil
	})
}

// repaired returns an activity whose text is UTF-8.
func repaired(activity Activity) Activity {
	repair := func(text string) string { return strings.ToValidUTF8(text, "\uFFFD") }
	activity.Agent, activity.Tool, activity.Query = repair(activity.Agent), repair(activity.Tool), repair(activity.Query)
	filters := activity.Filters
	if len(filters) > 0 {
		activity.Filters = make(map[string][]string, len(filters))
	}
	for name, values := range filters {
		var valid []string
		for _, value := range values {
			valid = append(valid, repair(value))
		}
		activity.Filters[repair(name)] = valid
	}
	return activity
}

// Activities returns the records of a Trail, newest first, at most limit of
// them; limit 0 or less means all. Cursor is empty for the first page, then what
// the page before returned as next; next is empty on the last page. A cursor
// that did not come from here is an *InvalidError.
func (s *Store) Activities(workspace, trail, cursor string, limit int) (page []Activity, next string, err error) {
	err = s.View(workspace, func(tx *ReadTx) error {
		page, next, err = tx.Activities(trail, cursor, limit)
		return err
	})
	return page, next, err
}

// Activities is [Store.Activities] within the transaction.
func (tx *ReadTx) Activities(trail, cursor string, limit int) (page []Activity, next string, err error) {
	if _, err := tx.Trail(trail); err != nil {
		return nil, "", err
	}
	prefix := prefixKey(trail)
	last := activityKey(trail, latest, 1<<64-1)
	if cursor != "" {
		position, err := hex.DecodeString(cursor)
		if err != nil || len(position) != len(last)-len(prefix) {
			return nil, "", &InvalidError{Kind: "activity", Fields: []FieldProblem{{"cursor", "is not one that was given out"}}}
		}
		last = append(prefix[:len(prefix):len(prefix)], position...)
	}
	for p, err := range tx.scanBack(bucketActivity, prefix, last) {
		if err != nil {
			return nil, "", err
		}
		activity, err := decodeRecord[Activity](p.key, p.value)
		if err != nil {
			return nil, "", fmt.Errorf("activity of trail %q: %w", trail, err)
		}
		if limit > 0 && len(page) == limit {
			return page, next, nil
		}
		page = append(page, activity)
		next = hex.EncodeToString(p.key[len(prefix):])
	}
	return page, "", nil
}

// latest is later than every time that an activity has.
var latest = time.UnixMilli(1<<63 - 1)

// Retain deletes the activity of a workspace that is older than maxAge or, in
// one Trail, beyond the newest maxRecords. Zero or less means without that
// bound. It returns how many records were deleted.
func (s *Store) Retain(workspace string, maxAge time.Duration, maxRecords int) (int, error) {
	return update(s, workspace, func(tx *Tx) (int, error) { return tx.Retain(maxAge, maxRecords) })
}

// Retain is [Store.Retain] within the transaction.
func (tx *Tx) Retain(maxAge time.Duration, maxRecords int) (deleted int, err error) {
	err = tx.atomically(func() error {
		trails, err := tx.Trails()
		if err != nil {
			return err
		}
		oldest := sortableTime(tx.now.Add(-maxAge))
		for _, trail := range trails {
			keys, err := tx.keys(bucketActivity, prefixKey(trail.ID))
			if err != nil {
				return err
			}
			for i, key := range keys {
				aged := maxAge > 0 && timeOfActivity(key) < oldest
				beyond := maxRecords > 0 && len(keys)-i > maxRecords
				if !aged && !beyond {
					break
				}
				if err := tx.delete(bucketActivity, key); err != nil {
					return err
				}
				deleted++
			}
		}
		return nil
	})
	return deleted, err
}
