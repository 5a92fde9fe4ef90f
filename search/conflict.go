package search

import (
	"waymark/index"
	"waymark/store"
)

// ComparedRule is a rule as the comparer of conflicts reads it.
type ComparedRule struct {
	Rule      *store.Rule
	TrailName string
	Vector    []float32 // nil: none
}

// ComparedPair is two of the compared rules, by position, that cannot both be
// obeyed.
type ComparedPair struct {
	A, B  int
	Kind  string
	Point string
}

// Comparer finds the pairs among the rules of a page that cannot both be obeyed;
// the order of the pairs depends on the rules alone.
type Comparer interface {
	ComparePage(rules []ComparedRule) []ComparedPair
}

// ruleConflicts names the conflicts among the rules of a page. It looks at the
// page when order and scores stand, so a conflict can move neither.
func (s *Service) ruleConflicts(view *index.View, catalog *rulesCatalog, page []scored) []Conflict {
	named := []Conflict{}
	if s.options.Comparer == nil || len(page) < 2 {
		return named
	}
	rules := make([]ComparedRule, len(page))
	for i, hit := range page {
		rules[i] = ComparedRule{Rule: view.Rule(hit.item), TrailName: catalog.trails[catalog.rules[hit.item].trail].Name, Vector: view.Vector(hit.row)}
	}
	for _, p := range s.options.Comparer.ComparePage(rules) {
		a, b := page[p.A].item, page[p.B].item
		named = append(named, Conflict{Rules: [2]string{view.ID(a), view.ID(b)},
			Trails: [2]TrailName{catalog.trails[catalog.rules[a].trail], catalog.trails[catalog.rules[b].trail]}, Kind: p.Kind, Point: p.Point})
	}
	return named
}
