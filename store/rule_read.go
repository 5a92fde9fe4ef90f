package store

import (
	"bytes"
	"fmt"
	"iter"
	"math"
	"slices"
)

// Statuses lists the statuses of a rule in the order of its life.
var Statuses = []Status{StatusDraft, StatusApproved, StatusRetired}

// Classes lists the classes of a rule.
var Classes = []Class{
	ClassObligation, ClassProhibition, ClassPermission, ClassRecommendation,
	ClassDefinition, ClassProcedure, ClassException,
}

// Current returns the version that stands for the rule: the one in force, else
// the draft, else the latest.
func (h RuleHead) Current() int {
	switch {
	case h.InForce != 0:
		return h.InForce
	case h.Draft != 0:
		return h.Draft
	}
	return h.Latest
}

// RuleFilter says which versions Rules returns. The zero value asks for the
// current version of every rule.
type RuleFilter struct {
	// TrailID keeps to one Trail, unless it is empty. A Trail that does not
	// exist has no rules.
	TrailID string

	// Status asks for another version than the current one: approved for the
	// one in force, draft for the draft, retired for the latest version of
	// rules that have neither. Rules without such a version are left out.
	Status Status
}

// version returns the version of a rule that the filter asks for, or 0.
func (f RuleFilter) version(head RuleHead) int {
	switch f.Status {
	case StatusApproved:
		return head.InForce
	case StatusDraft:
		return head.Draft
	case StatusRetired:
		if head.InForce == 0 && head.Draft == 0 {
			return head.Latest
		}
		return 0
	}
	return head.Current()
}

// Rules returns one version of each rule that the filter keeps, in order of id.
// [ReadTx.Rules] does the same without holding all of them in memory.
func (s *Store) Rules(workspace string, filter RuleFilter) ([]Rule, error) {
	return view(s, workspace, func(tx *ReadTx) ([]Rule, error) { return collect(tx.Rules(filter)) })
}

// Rules yields one version of each rule that the filter keeps, in order of id.
// It ends after the first error.
func (tx *ReadTx) Rules(filter RuleFilter) iter.Seq2[Rule, error] {
	return func(yield func(Rule, error) bool) {
		if filter.Status != "" && !slices.Contains(Statuses, filter.Status) {
			check := &problems{kind: "rule filter"}
			check.add("status", "is %q, want one of %v", filter.Status, Statuses)
			yield(Rule{}, check.err())
			return
		}
		for head, err := range tx.RuleHeads(filter.TrailID) {
			if err != nil {
				yield(Rule{}, err)
				return
			}
			version := filter.version(head)
			if version == 0 {
				continue
			}
			rule, err := tx.RuleVersion(head.ID, version)
			if !yield(rule, err) || err != nil {
				return
			}
		}
	}
}

// RuleHeads yields the heads of all rules of a Trail, or of the workspace when
// trail is empty, in order of rule id. It ends after the first error.
func (tx *ReadTx) RuleHeads(trail string) iter.Seq2[RuleHead, error] {
	if trail == "" {
		return records[RuleHead](tx, bucketRules, []byte{kindRuleHead})
	}
	return func(yield func(RuleHead, error) bool) {
		prefix := pairKey(kindTrailRule, trail, "")
		for p, err := range tx.scan(bucketRules, prefix) {
			var head RuleHead
			if err == nil {
				head, err = tx.RuleHead(string(p.key[len(prefix):]))
			}
			if !yield(head, err) || err != nil {
				return
			}
		}
	}
}

// trailRules returns the ids of the rules of a Trail.
func (tx *ReadTx) trailRules(trail string) ([]string, error) {
	return tx.suffixes(bucketRules, pairKey(kindTrailRule, trail, ""))
}

// suffixes returns what follows prefix in all keys that begin with it.
func (tx *ReadTx) suffixes(b bucket, prefix []byte) ([]string, error) {
	var all []string
	for p, err := range tx.scan(b, prefix) {
		if err != nil {
			return nil, err
		}
		all = append(all, string(bytes.TrimPrefix(p.key, prefix)))
	}
	return all, nil
}

// Rule returns the current version of a rule, or a *NotFoundError.
func (s *Store) Rule(workspace, id string) (Rule, error) {
	return view(s, workspace, func(tx *ReadTx) (Rule, error) { return tx.Rule(id) })
}

// Rule is [Store.Rule] within the transaction.
func (tx *ReadTx) Rule(id string) (Rule, error) {
	head, err := tx.RuleHead(id)
	if err != nil {
		return Rule{}, err
	}
	return tx.RuleVersion(id, head.Current())
}

// RuleHead returns which versions of a rule matter, or a *NotFoundError.
func (s *Store) RuleHead(workspace, id string) (RuleHead, error) {
	return view(s, workspace, func(tx *ReadTx) (RuleHead, error) { return tx.RuleHead(id) })
}

// RuleHead is [Store.RuleHead] within the transaction.
func (tx *ReadTx) RuleHead(id string) (RuleHead, error) {
	head, ok, err := find[RuleHead](tx, bucketRules, kindKey(kindRuleHead, id))
	if err == nil && !ok {
		err = &NotFoundError{Kind: "rule", ID: id}
	}
	return head, err
}

// RuleVersion returns one version of a rule, or a *NotFoundError.
func (s *Store) RuleVersion(workspace, id string, version int) (Rule, error) {
	return view(s, workspace, func(tx *ReadTx) (Rule, error) { return tx.RuleVersion(id, version) })
}

// RuleVersion is [Store.RuleVersion] within the transaction.
func (tx *ReadTx) RuleVersion(id string, version int) (Rule, error) {
	if version > 0 && version <= math.MaxInt32 {
		rule, ok, err := find[Rule](tx, bucketVersions, numberedKey(id, version))
		if err != nil || ok {
			return rule, err
		}
	}
	if _, err := tx.RuleHead(id); err != nil {
		return Rule{}, err
	}
	return Rule{}, &NotFoundError{Kind: "version", ID: fmt.Sprintf("%s@%d", id, version)}
}

// RuleHistory returns what happened to a rule, oldest first. A deleted rule
// still has its history; the error is a *NotFoundError when there never was
// such a rule.
func (s *Store) RuleHistory(workspace, id string) ([]RuleEvent, error) {
	return view(s, workspace, func(tx *ReadTx) ([]RuleEvent, error) { return tx.RuleHistory(id) })
}

// RuleHistory is [Store.RuleHistory] within the transaction.
func (tx *ReadTx) RuleHistory(id string) ([]RuleEvent, error) {
	events, err := collect(records[RuleEvent](tx, bucketHistory, prefixKey(id)))
	if err == nil && len(events) == 0 {
		err = &NotFoundError{Kind: "rule", ID: id}
	}
	return events, err
}

// SupersededBy returns the ids of the rules whose last approved version
// supersedes a rule, in order, whether or not they are still in force. The rule
// itself need not exist.
func (s *Store) SupersededBy(workspace, id string) ([]string, error) {
	return view(s, workspace, func(tx *ReadTx) ([]string, error) { return tx.SupersededBy(id) })
}

// SupersededBy is [Store.SupersededBy] within the transaction.
func (tx *ReadTx) SupersededBy(id string) ([]string, error) {
	return tx.suffixes(bucketRules, pairKey(kindSupersedes, id, ""))
}
