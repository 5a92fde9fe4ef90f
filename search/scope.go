package search

import (
	"waymark/analysis"
	"waymark/index"
)

// catalog lists what names can mean; it is made once a snapshot and day.
func (s *Service) catalog(workspace string, snap *index.Snapshot, view *index.View, day Day) *rulesCatalog {
	return s.catalogs.get(workspace, derivedState{snap.Rules, snap.StoreVersion}, day, func() *rulesCatalog { return newCatalog(snap, view) })
}

func newCatalog(snap *index.Snapshot, view *index.View) *rulesCatalog {
	c := &rulesCatalog{rules: make([]namedRule, view.Items()), counts: make([]bool, view.Items())}
	position := map[string]int{}
	for i, t := range snap.Trails {
		position[t.ID] = i
		c.trails = append(c.trails, TrailName{t.ID, t.Name})
		c.keys = append(c.keys, analysis.Fold(t.Name))
	}
	for item := range c.rules {
		c.rules[item].trail = -1
		if !view.Live(item) || !view.ItemCounts(item) {
			continue
		}
		r := view.Rule(item)
		at, known := position[r.TrailID]
		if !known {
			continue
		}
		c.counts[item] = true
		c.rules[item] = namedRule{r.ID, at, r.Domain, r.Cluster, analysis.Fold(r.Domain), analysis.Fold(r.Cluster)}
	}
	return c
}

// governance is the standing of each document of one collection on one day.
type governance struct {
	facts    []DocumentFacts // by item
	standing []Standing      // by item
	live     []bool
	names    references // of alive
	alive    []int      // items
}

// find gives the item that another document names by id, by path, or by an id
// that differs in case only.
func (g *governance) find(name string) (item int, ok bool) {
	at, ok := g.names.find(name)
	if !ok {
		return -1, false
	}
	return g.alive[at], true
}

// govern computes the standings; once a snapshot and day.
func (s *Service) govern(workspace string, c *index.Collection, day Day) *governance {
	return s.standings.get(workspace, derivedState{collection: c}, day, func() *governance { return newGovernance(c, day, s.options.ReviewDueAfterDays) })
}

func newGovernance(c *index.Collection, day Day, dueAfter int) *governance {
	g := &governance{facts: make([]DocumentFacts, c.Items()), standing: make([]Standing, c.Items()), live: make([]bool, c.Items())}
	var alive []DocumentFacts
	for item := range g.facts {
		if !c.Live(item) {
			continue
		}
		g.live[item] = true
		g.facts[item] = factsOf(c.Document(item))
		alive, g.alive = append(alive, g.facts[item]), append(g.alive, item)
	}
	for i, standing := range Govern(alive, day, dueAfter) {
		g.standing[g.alive[i]] = standing
	}
	g.names = newReferences(alive)
	return g
}
