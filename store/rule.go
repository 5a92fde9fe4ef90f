package store

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// AddRule stores the first version of a new rule and returns it as stored. By
// is who does it; it is also the author when the rule names none.
//
// Status empty or draft makes a draft. Approved makes a rule that is in force at
// once, approved by the same person, with the consequences of ApproveRule; when
// a rule was approved before that supersedes it, it is stored as retired, so
// that the order in which such rules are added does not matter. Retired makes a
// rule that is not in force, as found in an export.
//
// An empty ID is filled in, one that is taken is an *ExistsError. The Trail must
// exist. Version, Created, Approved and Approver are set by the store. Space
// around texts and repeated list entries are dropped.
func (s *Store) AddRule(workspace string, rule Rule, by string) (Rule, error) {
	return update(s, workspace, func(tx *Tx) (Rule, error) { return tx.AddRule(rule, by) })
}

// AddRule is [Store.AddRule] within the transaction. Rules that it supersedes
// must exist when the transaction ends.
func (tx *Tx) AddRule(rule Rule, by string) (Rule, error) {
	rule = trimRule(rule)
	err := tx.atomically(func() (err error) {
		if rule.ID == "" {
			if rule.ID, err = tx.newID(); err != nil {
				return err
			}
		}
		if rule.Status == "" {
			rule.Status = StatusDraft
		}
		rule.Version, rule.Created = 1, tx.now
		rule.Author = orElse(rule.Author, strings.TrimSpace(by))
		rule.Approved, rule.Approver = noTime, ""
		if err := checkRule(rule, by); err != nil {
			return err
		}
		if _, err := tx.Trail(rule.TrailID); err != nil {
			return err
		}
		if had, err := tx.get(bucketRules, kindKey(kindRuleHead, rule.ID)); err != nil {
			return err
		} else if had != nil {
			return &ExistsError{Kind: "rule", Field: "id", Value: rule.ID}
		}
		rule, err = tx.addRule(rule, by)
		return err
	})
	if err != nil {
		return Rule{}, fmt.Errorf("add rule: %w", err)
	}
	return rule, nil
}

// addRule writes a checked rule that is not there.
func (tx *Tx) addRule(rule Rule, by string) (Rule, error) {
	head := RuleHead{ID: rule.ID, TrailID: rule.TrailID, Latest: 1}
	approve := rule.Status == StatusApproved
	if approve {
		rule.Status = StatusDraft
	}
	if rule.Status == StatusDraft {
		head.Draft = 1
	}
	if err := tx.putMark(bucketRules, pairKey(kindTrailRule, rule.TrailID, rule.ID)); err != nil {
		return rule, err
	}
	if err := tx.putVersion(head, rule); err != nil {
		return rule, err
	}
	if err := tx.record(rule, ActionCreated, by, ""); err != nil {
		return rule, err
	}
	tx.claim(rule)
	if approve {
		return tx.approve(head, rule, by, true)
	}
	return rule, nil
}

// EditRule sets the content of the rule with that ID and returns the version
// that holds it. A draft is changed in place. A rule in force gets a new draft
// version and stays in force as it is until the draft is approved; so does a
// retired rule, which stays retired. An edit that changes nothing stores
// nothing and returns what is there.
//
// The content is everything but ID, TrailID, Version, Status, Author, Created,
// Approved and Approver. TrailID must be empty or the rule's own.
func (s *Store) EditRule(workspace string, rule Rule, by string) (Rule, error) {
	return update(s, workspace, func(tx *Tx) (Rule, error) { return tx.EditRule(rule, by) })
}

// EditRule is [Store.EditRule] within the transaction. Rules that it supersedes
// must exist when the transaction ends.
func (tx *Tx) EditRule(rule Rule, by string) (Rule, error) {
	rule = trimRule(rule)
	err := tx.atomically(func() error {
		head, err := tx.RuleHead(rule.ID)
		if err != nil {
			return err
		}
		base := head.Draft
		if base == 0 {
			base = head.Current()
		}
		had, err := tx.RuleVersion(rule.ID, base)
		if err != nil {
			return err
		}
		moved := rule.TrailID != "" && rule.TrailID != had.TrailID
		rule.TrailID, rule.Version, rule.Status = had.TrailID, had.Version, had.Status
		rule.Author, rule.Created = had.Author, had.Created
		rule.Approved, rule.Approver = had.Approved, had.Approver
		if err := checkRule(rule, by); err != nil {
			return err
		}
		if moved {
			return &InvalidError{Kind: "rule", Fields: []FieldProblem{{"trail_id", "cannot be changed"}}}
		}
		if reflect.DeepEqual(rule, had) {
			return nil
		}
		if head.Draft == 0 {
			head.Latest++
			head.Draft = head.Latest
			rule.Version, rule.Status = head.Draft, StatusDraft
			rule.Author, rule.Created = strings.TrimSpace(by), tx.now
			rule.Approved, rule.Approver = noTime, ""
		}
		tx.claim(rule, had.Supersedes...)
		if err := tx.putVersion(head, rule); err != nil {
			return err
		}
		return tx.record(rule, ActionEdited, by, "")
	})
	if err != nil {
		return Rule{}, fmt.Errorf("edit rule: %w", err)
	}
	return rule, nil
}

// putVersion writes a version of a rule with the head that goes with it.
func (tx *Tx) putVersion(head RuleHead, rule Rule) error {
	if err := tx.putRecord(bucketRules, kindKey(kindRuleHead, head.ID), head); err != nil {
		return err
	}
	return tx.putRecord(bucketVersions, numberedKey(rule.ID, rule.Version), rule)
}

// claim remembers to check, at the end of the transaction, that the rules exist
// that the rule supersedes. Those that were named before need not exist: they
// may have been deleted since.
func (tx *Tx) claim(rule Rule, before ...string) {
	for _, id := range rule.Supersedes {
		if !slices.Contains(before, id) {
			tx.claims = append(tx.claims, claim{rule.ID, id})
		}
	}
}

// claim is a rule that says it supersedes another.
type claim struct{ by, id string }

// checkClaims returns an error when a rule is said to be superseded that does
// not exist.
func (tx *Tx) checkClaims() error {
	for _, claim := range tx.claims {
		head, err := tx.get(bucketRules, kindKey(kindRuleHead, claim.id))
		if err != nil {
			return err
		}
		if head == nil {
			reason := fmt.Sprintf("of rule %q names %q, which does not exist", claim.by, claim.id)
			return &InvalidError{Kind: "rule", Fields: []FieldProblem{{"supersedes", reason}}}
		}
	}
	return nil
}

// trimRule removes space around the fields and repetitions from the lists.
func trimRule(rule Rule) Rule {
	for _, field := range []*string{&rule.Text, &rule.Title, &rule.Domain, &rule.Cluster, &rule.Source, &rule.Author} {
		*field = strings.TrimSpace(*field)
	}
	for _, list := range []*[]string{&rule.Tags, &rule.AppliesWhen, &rule.Supersedes} {
		*list = trimmedSet(*list)
	}
	return rule
}

// checkRule returns what is wrong with a version of a rule and who made it.
func checkRule(rule Rule, by string) error {
	check := &problems{kind: "rule"}
	check.id("id", rule.ID)
	check.id("trail_id", rule.TrailID)
	if !slices.Contains(Statuses, rule.Status) {
		check.add("status", "is %q, want one of %v", rule.Status, Statuses)
	}
	if rule.Text == "" {
		check.add("text", "is missing")
	}
	check.text("text", rule.Text, MaxTextLength)
	check.line("title", rule.Title, MaxNameLength)
	if !slices.Contains(Classes, rule.Class) {
		check.add("class", "is %q, want one of %v", rule.Class, Classes)
	}
	check.line("domain", rule.Domain, MaxNameLength)
	check.line("cluster", rule.Cluster, MaxNameLength)
	if rule.Cluster != "" && rule.Domain == "" {
		check.add("cluster", "is given without a domain")
	}
	check.list("tags", rule.Tags, check.name)
	check.list("applies_when", rule.AppliesWhen, check.name)
	check.day("effective_from", rule.EffectiveFrom)
	check.day("effective_until", rule.EffectiveUntil)
	if rule.EffectiveFrom != "" && rule.EffectiveUntil != "" && rule.EffectiveUntil < rule.EffectiveFrom {
		check.add("effective_until", "is before effective_from")
	}
	check.line("source", rule.Source, MaxPathBytes)
	check.list("supersedes", rule.Supersedes, check.id)
	if slices.Contains(rule.Supersedes, rule.ID) {
		check.add("supersedes", "names the rule itself")
	}
	check.line("author", rule.Author, MaxNameLength)
	check.line("by", by, MaxNameLength)
	return check.err()
}

// orElse returns value, or other when value is empty.
func orElse(value, other string) string {
	if value != "" {
		return value
	}
	return other
}
