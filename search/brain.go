package search

import (
	"context"
	"strings"

	"waymark/index"
)

// BrainContext answers get_brain_context: one Trail, and exactly what
// search_trail_rules answers on it.
func (s *Service) BrainContext(ctx context.Context, asker Asker, q BrainQuery) (*BrainAnswer, error) {
	if strings.TrimSpace(q.Trail) == "" {
		return nil, Errorf(CodeInvalidArgument, "Send trail as the name or id of one Trail.", "The argument \"trail\" is missing.")
	}
	began := s.options.Now()
	snap, err := s.snapshot(asker.Workspace)
	if err != nil {
		return nil, err
	}
	defer snap.Release()
	query := RuleQuery{Query: q.Query, Trails: []string{q.Trail}, Limit: q.Limit}
	rules, page, err := s.searchRules(ctx, snap, asker, query)
	if err != nil {
		return nil, err
	}
	s.record(asker, query, rules, page, s.options.Now().Sub(began))
	day := s.today()
	catalog := s.catalog(asker.Workspace, snap, snap.Rules.View(int32(day)), day)
	positions, wrong := catalog.resolveTrails(query.Trails)
	if wrong != nil {
		return nil, wrong
	}
	return &BrainAnswer{Trail: describeTrail(snap, catalog, positions[0]), RuleAnswer: *rules}, nil
}

func describeTrail(snap *index.Snapshot, catalog *rulesCatalog, position int) BrainTrail {
	t := snap.Trails[position]
	b := BrainTrail{ID: t.ID, Name: t.Name, Description: t.Description, Owner: t.Owner}
	domains := map[string]bool{}
	for item, r := range catalog.rules {
		if catalog.counts[item] && r.trail == position {
			b.Rules++
			if r.domainKey != "" {
				domains[r.domainKey] = true
			}
		}
	}
	b.Domains = len(domains)
	return b
}
