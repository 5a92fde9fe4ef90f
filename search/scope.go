package search

import (
	"waymark/analysis"
	"waymark/index"
)

// keptCatalogs is how many workspaces' derived lists are kept.
const keptCatalogs = 64

// catalogOf is the catalogue of one collection of rules on one day.
type catalogOf struct {
	day     Day
	version uint64
	catalog *rulesCatalog
}

// catalog lists what names can mean; it is made once a snapshot and day.
func (s *Service) catalog(snap *index.Snapshot, view *index.View, day Day) *rulesCatalog {
	s.mu.Lock()
	defer s.mu.Unlock()
	if held, ok := s.catalogs[snap.Rules]; ok && held.day == day && held.version == snap.StoreVersion {
		return held.catalog
	}
	if len(s.catalogs) >= keptCatalogs {
		clear(s.catalogs)
	}
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
	s.catalogs[snap.Rules] = &catalogOf{day: day, version: snap.StoreVersion, catalog: c}
	return c
}

// governance is the standing of each document of one collection on one day.
type governance struct {
	day      Day
	facts    []DocumentFacts // by item
	standing []Standing      // by item
	live     []bool
}

// govern computes the standings; once a snapshot and day.
func (s *Service) govern(c *index.Collection, day Day) *governance {
	s.mu.Lock()
	defer s.mu.Unlock()
	if held, ok := s.standings[c]; ok && held.day == day {
		return held
	}
	if len(s.standings) >= keptCatalogs {
		clear(s.standings)
	}
	g := &governance{day: day, facts: make([]DocumentFacts, c.Items()), standing: make([]Standing, c.Items()), live: make([]bool, c.Items())}
	var alive []DocumentFacts
	var items []int
	for item := range g.facts {
		if !c.Live(item) {
			continue
		}
		g.live[item] = true
		g.facts[item] = factsOf(c.Document(item))
		alive, items = append(alive, g.facts[item]), append(items, item)
	}
	for i, standing := range Govern(alive, day, s.options.ReviewDueAfterDays) {
		g.standing[items[i]] = standing
	}
	s.standings[c] = g
	return g
}
