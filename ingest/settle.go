package ingest

import (
	"fmt"
	"slices"

	"waymark/store"
)

// settle drops the rows of files that have wrong rows and the rows that
// supersede a rule that will not be there, until all that is left can stand.
func (p *plan) settle(tx *store.ReadTx, changes []*ruleChange, failed map[int]bool) []*ruleChange {
	for again := true; again; {
		again = false
		for _, c := range changes {
			if c.dropped {
				continue
			}
			item := &p.report.Items[c.item]
			if id := p.lostTarget(tx, c); id != "" {
				item.Action, item.Field, item.Reason = Refused, "supersedes", fmt.Sprintf("there is no rule %q", id)
				failed[c.table] = true
				c.dropped, again = true, true
			} else if failed[c.table] && !p.request.SkipBadRows {
				item.Action, item.Reason = Held, otherRowsWrong
				c.dropped, again = true, true
			}
		}
	}
	changes = slices.DeleteFunc(changes, func(c *ruleChange) bool { return c.dropped })
	used := map[*trailEntry]bool{}
	for _, c := range changes {
		used[c.trail] = true
	}
	for _, e := range p.trails.order {
		if e.action == Added && !e.named && !used[e] {
			e.action = Unchanged
			p.report.Items[e.item].Action = Held
			p.report.Items[e.item].Reason = "none of its rules was stored"
		}
	}
	return changes
}

// lostTarget returns the id of a rule that a row newly supersedes and that
// neither is stored nor will be.
func (p *plan) lostTarget(tx *store.ReadTx, c *ruleChange) string {
	for _, id := range c.rule.Supersedes {
		if slices.Contains(c.old.Supersedes, id) {
			continue
		}
		if target := p.ruleByID[id]; target != nil && !target.dropped {
			continue
		}
		if _, err := tx.RuleHead(id); err != nil {
			return id
		}
	}
	return ""
}
