package search

import (
	"waymark/analysis"
	"waymark/store"
)

// FindTrail finds a Trail by id, or by a name that fits exactly one; with the
// errors of the contract.
func FindTrail(trails []store.Trail, name string) (store.Trail, error) {
	c := &rulesCatalog{}
	for _, t := range trails {
		c.trails = append(c.trails, TrailName{t.ID, t.Name})
		c.keys = append(c.keys, analysis.Fold(t.Name))
	}
	found, wrong := c.resolveTrails([]string{name})
	if wrong != nil {
		return store.Trail{}, wrong
	}
	return trails[found[0]], nil
}
