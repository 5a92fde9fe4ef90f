package store

import (
	"errors"
	"slices"
)

// rules checks the head of every rule against its versions, its Trail, its marks
// and its history.
func (c *check) rules() error {
	return c.each(bucketRules, []byte{kindRuleHead}, func(key, value []byte) error {
		head, err := decodeRecord[RuleHead](key, value)
		if err != nil {
			return err
		}
		if string(key[1:]) != head.ID {
			c.report("rule %q is stored as %q", head.ID, key[1:])
		}
		if head.Latest < 1 || head.InForce > head.Latest || head.Draft > head.Latest || head.InForce == head.Draft && head.Draft != 0 {
			c.report("rule %q has an impossible head %+v", head.ID, head)
			return nil
		}
		if _, err := c.tx.Trail(head.TrailID); errors.Is(err, ErrNotFound) {
			c.report("rule %q is in trail %q, which does not exist", head.ID, head.TrailID)
		} else if err != nil {
			return err
		}
		if err := c.mark(bucketRules, pairKey(kindTrailRule, head.TrailID, head.ID)); err != nil {
			return err
		}
		approved, err := c.versionsOf(head)
		if err != nil {
			return err
		}
		for _, id := range approved.Supersedes {
			if err := c.mark(bucketRules, pairKey(kindSupersedes, id, head.ID)); err != nil {
				return err
			}
		}
		if events, err := c.tx.RuleHistory(head.ID); err != nil {
			c.report("rule %q has no history: %v", head.ID, err)
		} else if events[len(events)-1].Action == ActionDeleted {
			c.report("rule %q was deleted and is still there", head.ID)
		}
		return nil
	})
}

// versionsOf checks every version of a rule. It returns the last one that was
// approved.
func (c *check) versionsOf(head RuleHead) (approved Rule, err error) {
	for version := 1; version <= head.Latest; version++ {
		rule, err := c.tx.RuleVersion(head.ID, version)
		if errors.Is(err, ErrNotFound) {
			c.report("version %d of rule %q is missing", version, head.ID)
			continue
		}
		if err != nil {
			return Rule{}, err
		}
		want := StatusRetired
		switch version {
		case head.InForce:
			want = StatusApproved
		case head.Draft:
			want = StatusDraft
		}
		if rule.Status != want {
			c.report("version %d of rule %q is %s, its head says %s", version, head.ID, rule.Status, want)
		}
		if rule.ID != head.ID || rule.TrailID != head.TrailID || rule.Version != version {
			c.report("version %d of rule %q says it is version %d of %q in trail %q", version, head.ID, rule.Version, rule.ID, rule.TrailID)
		}
		if rule.Status == StatusApproved && rule.Approved.IsZero() {
			c.report("version %d of rule %q is in force and was not approved", version, head.ID)
		}
		if err := checkRule(rule, ""); err != nil {
			c.report("version %d of rule %q: %v", version, head.ID, err)
		}
		if !rule.Approved.IsZero() {
			approved = rule
		}
	}
	return approved, nil
}

// ruleMarks checks that every mark among the rules has its reason.
func (c *check) ruleMarks() error {
	return c.each(bucketRules, nil, func(key, _ []byte) error {
		if key[0] == kindRuleHead {
			return nil
		}
		first, id, ok := splitPair(key)
		if !ok || key[0] != kindTrailRule && key[0] != kindSupersedes {
			c.report("rules: unknown key %q", key)
			return nil
		}
		head, err := c.tx.RuleHead(id)
		if errors.Is(err, ErrNotFound) {
			c.report("rules: key %q is about a rule that does not exist", key)
			return nil
		}
		if err != nil {
			return err
		}
		if key[0] == kindTrailRule {
			if head.TrailID != first {
				c.report("rule %q of trail %q is marked to be in %q", id, head.TrailID, first)
			}
			return nil
		}
		for version := head.Latest; version > 0; version-- {
			rule, err := c.tx.RuleVersion(id, version)
			if err != nil {
				return err
			}
			if !rule.Approved.IsZero() {
				if !slices.Contains(rule.Supersedes, first) {
					c.report("rule %q is marked to supersede %q, and does not", id, first)
				}
				return nil
			}
		}
		c.report("rule %q is marked to supersede %q, and was never approved", id, first)
		return nil
	})
}

// versions checks that every version belongs to a rule.
func (c *check) versions() error {
	return c.each(bucketVersions, nil, func(key, _ []byte) error {
		id, version, ok := splitNumbered(key)
		if !ok {
			c.report("versions: unknown key %q", key)
			return nil
		}
		head, err := c.tx.RuleHead(id)
		if errors.Is(err, ErrNotFound) || err == nil && version > head.Latest {
			c.report("version %d of rule %q belongs to no rule", version, id)
			return nil
		}
		return err
	})
}

// history checks that events are numbered and that a rule without a head was
// deleted.
func (c *check) history() error {
	var last RuleEvent
	number := 0
	ended := func() error {
		if number == 0 || last.Action == ActionDeleted {
			return nil
		}
		_, err := c.tx.RuleHead(last.RuleID)
		if errors.Is(err, ErrNotFound) {
			c.report("rule %q is gone without having been deleted", last.RuleID)
			return nil
		}
		return err
	}
	err := c.each(bucketHistory, nil, func(key, value []byte) error {
		event, err := decodeRecord[RuleEvent](key, value)
		if err != nil {
			return err
		}
		id, n, ok := splitNumbered(key)
		if !ok || id != event.RuleID {
			c.report("history: key %q holds an event of rule %q", key, event.RuleID)
			return nil
		}
		if id != last.RuleID {
			if err := ended(); err != nil {
				return err
			}
			number = 0
			if event.Action != ActionCreated {
				c.report("history of rule %q begins with %s", id, event.Action)
			}
		}
		if number++; n != number {
			c.report("history of rule %q has event %d, want %d", id, n, number)
		}
		last = event
		return nil
	})
	if err != nil {
		return err
	}
	return ended()
}
