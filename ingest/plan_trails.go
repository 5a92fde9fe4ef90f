package ingest

import (
	"slices"

	"waymark/store"
)

// planTrails takes the rows of a file of Trails, and tells whether any was wrong.
func (p *plan) planTrails(t table) (bad bool) {
	type change struct {
		line    int
		row     store.Trail
		columns []string
	}
	var good []change
	for _, row := range t.rows {
		r := rowReader{file: t.file, days: t.days, row: row}
		if row.err != nil {
			r.problems = append(r.problems, row.err)
		}
		var trail store.Trail
		if row.err == nil {
			r.known(trailColumns)
			trail = r.readTrail()
		}
		if _, err := p.trails.find(orElse(trail.ID, trail.Name)); err != nil {
			r.bad("name", "%v", err)
		}
		if len(r.problems) > 0 {
			p.refuseRow(KindTrails, trail.ID, r.problems)
			bad = true
			continue
		}
		good = append(good, change{row.line, trail, r.columns(t)})
	}
	held := bad && !p.request.SkipBadRows
	for _, c := range good {
		item := Item{File: t.file, Line: c.line, Kind: KindTrails, ID: c.row.ID}
		if held {
			item.Action, item.Reason = Held, otherRowsWrong
			p.report.add(item)
			continue
		}
		entry, _ := p.trails.find(orElse(c.row.ID, c.row.Name))
		if entry == nil {
			entry = p.trails.create(c.row)
		} else {
			before := entry.trail
			if entry.trail.Name != c.row.Name {
				p.trails.rename(entry, c.row.Name)
			}
			if slices.Contains(c.columns, "description") {
				entry.trail.Description = c.row.Description
			}
			if slices.Contains(c.columns, "owner") {
				entry.trail.Owner = c.row.Owner
			}
			if entry.trail != before && entry.action == Unchanged {
				entry.action = Changed
			}
		}
		entry.named = true
		item.ID, item.Action = entry.trail.ID, entry.action
		entry.item = p.report.add(item)
	}
	return bad
}

// otherRowsWrong is why a right row is held.
const otherRowsWrong = "another row of the file is wrong, so nothing of it was stored"
