package search

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"waymark/index"
)

// sortedItems lists the live documents in order of id.
func sortedItems(c *index.Collection, g *governance) []int {
	var items []int
	for item, live := range g.live {
		if live {
			items = append(items, item)
		}
	}
	slices.SortFunc(items, func(a, b int) int { return strings.Compare(c.ID(a), c.ID(b)) })
	return items
}

// ListDocuments answers kb_list: every document of a tier and category in order
// of id, whatever its state.
func (s *Service) ListDocuments(_ context.Context, workspace string, q ListQuery) (*ListAnswer, error) {
	snap, err := s.snapshot(workspace)
	if err != nil {
		return nil, err
	}
	defer snap.Release()
	day, err := s.day(q.AsOf)
	if err != nil {
		return nil, err
	}
	seal, err := cursorScope(workspace, "kb_list", ListQuery{Tier: q.Tier, Category: q.Category, AsOf: q.AsOf})
	if err != nil {
		return nil, err
	}
	start, err := pageStart(q.Cursor, seal, snap.StoreVersion, day)
	if err != nil {
		return nil, err
	}
	g := s.govern(workspace, snap.Documents, start.day)
	filters := documentFilters{DocumentQuery: DocumentQuery{Tier: q.Tier, Category: q.Category}}
	a := &ListAnswer{Documents: []ListedDocument{}, StoreVersion: snap.StoreVersion}
	limit := clampLimit(q.Limit, DefaultListLimit)
	for _, item := range sortedItems(snap.Documents, g) {
		d := snap.Documents.Document(item)
		if !filters.inScope(d) {
			continue
		}
		a.Total++
		if a.Total <= start.offset || len(a.Documents) == limit {
			continue
		}
		a.Documents = append(a.Documents, ListedDocument{ID: d.ID, Title: d.Title, Tier: d.Tier, Category: d.Category, Type: d.Type,
			Status: d.Status, InForce: g.standing[item].InForce, Freshness: g.standing[item].Freshness})
	}
	if end := start.offset + len(a.Documents); end < a.Total {
		a.NextCursor = cursor{start.version, start.day, end}.seal(seal)
	}
	return a, nil
}

// Outline answers kb_outline: tiers and categories in order of name, with the
// documents in each.
func (s *Service) Outline(_ context.Context, workspace string, q OutlineQuery) (*OutlineAnswer, error) {
	snap, err := s.snapshot(workspace)
	if err != nil {
		return nil, err
	}
	defer snap.Release()
	day, err := s.day(q.AsOf)
	if err != nil {
		return nil, err
	}
	g := s.govern(workspace, snap.Documents, day)
	a := &OutlineAnswer{StoreVersion: snap.StoreVersion, Tiers: []OutlineCount{}}
	for _, item := range sortedItems(snap.Documents, g) {
		d := snap.Documents.Document(item)
		inForce := int(boolRank(g.standing[item].InForce))
		a.Documents++
		a.InForce += inForce
		t := slices.IndexFunc(a.Tiers, func(t OutlineCount) bool { return t.Name == d.Tier })
		if t < 0 {
			t = len(a.Tiers)
			a.Tiers = append(a.Tiers, OutlineCount{Name: d.Tier, Categories: []CategoryCount{}})
		}
		tier := &a.Tiers[t]
		tier.Documents++
		tier.InForce += inForce
		k := slices.IndexFunc(tier.Categories, func(c CategoryCount) bool { return c.Name == d.Category })
		if k < 0 {
			k = len(tier.Categories)
			tier.Categories = append(tier.Categories, CategoryCount{Name: d.Category})
		}
		tier.Categories[k].Documents++
		tier.Categories[k].InForce += inForce
	}
	slices.SortFunc(a.Tiers, func(x, y OutlineCount) int { return cmp.Compare(x.Name, y.Name) })
	for i := range a.Tiers {
		slices.SortFunc(a.Tiers[i].Categories, func(x, y CategoryCount) int { return cmp.Compare(x.Name, y.Name) })
	}
	return a, nil
}

// Curate answers kb_curate: the documents that someone should look at again,
// most overdue first, those never verified ahead of all, ties by id. Both reasons
// for being stale are listed, and so is what has expired.
func (s *Service) Curate(_ context.Context, workspace string, q CurateQuery) (*CurateAnswer, error) {
	snap, err := s.snapshot(workspace)
	if err != nil {
		return nil, err
	}
	defer snap.Release()
	day, err := s.day(q.AsOf)
	if err != nil {
		return nil, err
	}
	g := s.govern(workspace, snap.Documents, day)
	a := &CurateAnswer{Documents: []CurateEntry{}, StoreVersion: snap.StoreVersion}
	never := map[string]bool{}
	for _, item := range sortedItems(snap.Documents, g) {
		reason, overdue, neverVerified := s.due(g.facts[item], g.standing[item], day)
		if reason == "" {
			continue
		}
		d := snap.Documents.Document(item)
		never[d.ID] = neverVerified
		a.Documents = append(a.Documents, CurateEntry{ID: d.ID, Title: d.Title, Reason: reason, DaysOverdue: overdue, Freshness: g.standing[item].Freshness, Owner: d.Owner})
	}
	slices.SortStableFunc(a.Documents, func(x, y CurateEntry) int {
		if c := cmp.Compare(boolRank(never[y.ID]), boolRank(never[x.ID])); c != 0 {
			return c
		}
		return cmp.Compare(y.DaysOverdue, x.DaysOverdue)
	})
	a.Total = len(a.Documents)
	a.Documents = a.Documents[:min(a.Total, clampLimit(q.Limit, DefaultCurateLimit))]
	return a, nil
}

// due says why a document should be looked at again, and since how many days;
// an empty reason means that it need not be.
func (s *Service) due(f DocumentFacts, standing Standing, day Day) (reason string, overdue int, never bool) {
	if standing.Replaced {
		return "", 0, false
	}
	switch {
	case standing.Freshness == Expired:
		return "valid_until " + f.ValidUntil.String() + " has passed", int(day) - int(f.ValidUntil), false
	case f.recheckPassed(day):
		return "recheck_by " + f.RecheckBy.String() + " has passed", int(day) - int(f.RecheckBy), false
	case standing.Freshness == Stale && f.LastVerified == NoDay:
		return "it was never verified", 0, true
	case standing.Freshness == Stale:
		age := int(day) - int(f.LastVerified)
		return fmt.Sprintf("it was last verified on %s, %d days ago", f.LastVerified, age), age - s.options.ReviewDueAfterDays, false
	}
	return "", 0, false
}
