package store

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// The actions in the history of a rule.
const (
	ActionCreated    = "created"
	ActionEdited     = "edited"
	ActionApproved   = "approved"
	ActionSuperseded = "superseded" // by a newer version or another rule
	ActionRetired    = "retired"
	ActionDiscarded  = "discarded" // a draft that was not approved
	ActionDeleted    = "deleted"
)

// noTime is the time of what has not happened.
var noTime time.Time

// ApproveRule puts the draft of a rule in force and returns it. In the same
// transaction the version that was in force is retired, and so are the rules
// that the new version supersedes, with their drafts.
//
// It returns ErrNoDraft when there is nothing to approve, and ErrSuperseded
// when a rule in force supersedes this one: retire or edit that one first.
func (s *Store) ApproveRule(workspace, id, by string) (Rule, error) {
	return update(s, workspace, func(tx *Tx) (Rule, error) { return tx.ApproveRule(id, by) })
}

// ApproveRule is [Store.ApproveRule] within the transaction.
func (tx *Tx) ApproveRule(id, by string) (rule Rule, err error) {
	err = tx.atomically(func() error {
		head, err := tx.RuleHead(id)
		if err != nil {
			return err
		}
		if head.Draft == 0 {
			return ErrNoDraft
		}
		if err := checkActor(by, ""); err != nil {
			return err
		}
		if rule, err = tx.RuleVersion(id, head.Draft); err != nil {
			return err
		}
		rule, err = tx.approve(head, rule, by, false)
		return err
	})
	if err != nil {
		return Rule{}, fmt.Errorf("approve rule %q: %w", id, err)
	}
	return rule, nil
}

// approve puts the draft of a rule in force. When a rule in force supersedes
// it, the result is ErrSuperseded. When adding, any rule that was approved to
// supersede it makes it a retired one instead: of three rules that supersede
// each other in a row, only the last stays in force, whichever came first.
func (tx *Tx) approve(head RuleHead, rule Rule, by string, adding bool) (Rule, error) {
	superseders, err := tx.superseders(rule, adding)
	if err != nil {
		return rule, err
	}
	if len(superseders) > 0 && !adding {
		return rule, fmt.Errorf("%w by rule %q", ErrSuperseded, superseders[0])
	}
	if head.InForce != 0 {
		old, err := tx.RuleVersion(rule.ID, head.InForce)
		if err != nil {
			return rule, err
		}
		old.Status = StatusRetired
		if err := tx.putRecord(bucketVersions, numberedKey(old.ID, old.Version), old); err != nil {
			return rule, err
		}
		if err := tx.record(old, ActionSuperseded, by, fmt.Sprintf("by version %d", rule.Version)); err != nil {
			return rule, err
		}
		if err := tx.unmarkSuperseded(old); err != nil {
			return rule, err
		}
	} else if err := tx.unmarkLastApproved(rule.ID, rule.Version); err != nil {
		return rule, err
	}
	head.InForce, head.Draft = rule.Version, 0
	rule.Status, rule.Approved, rule.Approver = StatusApproved, tx.now, strings.TrimSpace(by)
	if err := tx.putVersion(head, rule); err != nil {
		return rule, err
	}
	if err := tx.record(rule, ActionApproved, by, ""); err != nil {
		return rule, err
	}
	for _, id := range rule.Supersedes {
		if err := tx.putMark(bucketRules, pairKey(kindSupersedes, id, rule.ID)); err != nil {
			return rule, err
		}
		if err := tx.supersede(id, rule.ID, by); err != nil {
			return rule, err
		}
	}
	if len(superseders) > 0 {
		if err := tx.supersede(rule.ID, superseders[0], by); err != nil {
			return rule, err
		}
		return tx.RuleVersion(rule.ID, rule.Version)
	}
	return rule, nil
}

// superseders returns the rules that stand against approving a rule: those that
// supersede it, are in force or to be counted retired as well, and are not in
// turn superseded by it.
func (tx *Tx) superseders(rule Rule, retired bool) ([]string, error) {
	all, err := tx.SupersededBy(rule.ID)
	if err != nil {
		return nil, err
	}
	var against []string
	for _, id := range all {
		head, err := tx.RuleHead(id)
		if err != nil {
			return nil, err
		}
		if (head.InForce != 0 || retired) && !slices.Contains(rule.Supersedes, id) {
			against = append(against, id)
		}
	}
	return against, nil
}

// supersede retires a rule that another one replaces. It may be absent.
func (tx *Tx) supersede(id, superseder, by string) error {
	head, ok, err := find[RuleHead](&tx.ReadTx, bucketRules, kindKey(kindRuleHead, id))
	if err != nil || !ok {
		return err
	}
	return tx.retire(head, ActionSuperseded, by, fmt.Sprintf("by rule %q", superseder))
}

// unmarkSuperseded removes the marks of the rules that a version superseded.
func (tx *Tx) unmarkSuperseded(rule Rule) error {
	for _, id := range rule.Supersedes {
		if err := tx.delete(bucketRules, pairKey(kindSupersedes, id, rule.ID)); err != nil {
			return err
		}
	}
	return nil
}

// unmarkLastApproved does so for the last version before one that was approved.
func (tx *Tx) unmarkLastApproved(id string, before int) error {
	for version := before - 1; version > 0; version-- {
		rule, err := tx.RuleVersion(id, version)
		if err != nil {
			return err
		}
		if !rule.Approved.IsZero() {
			return tx.unmarkSuperseded(rule)
		}
	}
	return nil
}

// RetireRule takes a rule out of force, with its draft if it has one. It
// returns ErrNotInForce when the rule is not in force: a rule that never was
// can be deleted.
func (s *Store) RetireRule(workspace, id, by, note string) error {
	return s.Update(workspace, func(tx *Tx) error { return tx.RetireRule(id, by, note) })
}

// RetireRule is [Store.RetireRule] within the transaction.
func (tx *Tx) RetireRule(id, by, note string) error {
	err := tx.atomically(func() error {
		head, err := tx.RuleHead(id)
		if err != nil {
			return err
		}
		if head.InForce == 0 {
			return ErrNotInForce
		}
		if err := checkActor(by, note); err != nil {
			return err
		}
		return tx.retire(head, ActionRetired, by, strings.TrimSpace(note))
	})
	if err != nil {
		return fmt.Errorf("retire rule %q: %w", id, err)
	}
	return nil
}

// retire retires the versions of a rule that are in force or a draft.
func (tx *Tx) retire(head RuleHead, action, by, note string) error {
	for _, version := range []int{head.InForce, head.Draft} {
		if version == 0 {
			continue
		}
		rule, err := tx.RuleVersion(head.ID, version)
		if err != nil {
			return err
		}
		rule.Status = StatusRetired
		if err := tx.putRecord(bucketVersions, numberedKey(rule.ID, rule.Version), rule); err != nil {
			return err
		}
		if err := tx.record(rule, action, by, note); err != nil {
			return err
		}
	}
	head.InForce, head.Draft = 0, 0
	return tx.putRecord(bucketRules, kindKey(kindRuleHead, head.ID), head)
}

// DiscardDraft gives up the draft of a rule that has been approved before; the
// version in force stays. It returns ErrNoDraft when there is no draft. A rule
// that is nothing but a draft is deleted instead.
func (s *Store) DiscardDraft(workspace, id, by string) error {
	return s.Update(workspace, func(tx *Tx) error { return tx.DiscardDraft(id, by) })
}

// DiscardDraft is [Store.DiscardDraft] within the transaction.
func (tx *Tx) DiscardDraft(id, by string) error {
	err := tx.atomically(func() error {
		head, err := tx.RuleHead(id)
		if err != nil {
			return err
		}
		if head.Draft == 0 {
			return ErrNoDraft
		}
		if err := checkActor(by, ""); err != nil {
			return err
		}
		if head.Latest == 1 {
			return tx.removeRule(id, by, "")
		}
		inForce := head.InForce
		head.InForce = 0
		if err := tx.retire(head, ActionDiscarded, by, ""); err != nil {
			return err
		}
		head.InForce, head.Draft = inForce, 0
		return tx.putRecord(bucketRules, kindKey(kindRuleHead, id), head)
	})
	if err != nil {
		return fmt.Errorf("discard draft of rule %q: %w", id, err)
	}
	return nil
}

// DeleteRule deletes a rule that was never in force. It returns ErrWasApproved
// when it was: agents may have acted on it, so it can only be retired. The
// history of a deleted rule stays.
func (s *Store) DeleteRule(workspace, id, by string) error {
	return s.Update(workspace, func(tx *Tx) error { return tx.DeleteRule(id, by) })
}

// DeleteRule is [Store.DeleteRule] within the transaction.
func (tx *Tx) DeleteRule(id, by string) error {
	err := tx.atomically(func() error {
		head, err := tx.RuleHead(id)
		if err != nil {
			return err
		}
		if err := checkActor(by, ""); err != nil {
			return err
		}
		for version := 1; version <= head.Latest; version++ {
			rule, err := tx.RuleVersion(id, version)
			if err != nil {
				return err
			}
			if !rule.Approved.IsZero() {
				return ErrWasApproved
			}
		}
		return tx.removeRule(id, by, "")
	})
	if err != nil {
		return fmt.Errorf("delete rule %q: %w", id, err)
	}
	return nil
}

// removeRule deletes a rule with its versions.
func (tx *Tx) removeRule(id, by, note string) error {
	head, err := tx.RuleHead(id)
	if err != nil {
		return err
	}
	for version := head.Latest; version > 0; version-- {
		rule, err := tx.RuleVersion(id, version)
		if err != nil {
			return err
		}
		if err := tx.unmarkSuperseded(rule); err != nil {
			return err
		}
		if err := tx.delete(bucketVersions, numberedKey(id, version)); err != nil {
			return err
		}
		if version == head.Latest {
			if err := tx.record(rule, ActionDeleted, by, note); err != nil {
				return err
			}
		}
	}
	if err := tx.delete(bucketRules, pairKey(kindTrailRule, head.TrailID, id)); err != nil {
		return err
	}
	return tx.delete(bucketRules, kindKey(kindRuleHead, id))
}

// record appends to the history of a rule.
func (tx *Tx) record(rule Rule, action, by, note string) error {
	earlier, err := tx.keys(bucketHistory, prefixKey(rule.ID))
	if err != nil {
		return err
	}
	event := RuleEvent{RuleID: rule.ID, Version: rule.Version, Action: action, By: strings.TrimSpace(by), At: tx.now, Note: note}
	return tx.putRecord(bucketHistory, numberedKey(rule.ID, len(earlier)+1), event)
}

// checkActor returns what is wrong with the name of who does something and with
// the note about it.
func checkActor(by, note string) error {
	check := &problems{kind: "rule"}
	check.line("by", by, MaxNameLength)
	check.text("note", note, MaxTextLength)
	return check.err()
}
