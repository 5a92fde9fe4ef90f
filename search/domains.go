package search

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"waymark/analysis"
)

// tally counts names as they compare, and shows each as it is written first in
// the order of the rules' ids.
type tally struct {
	counts map[string]*Count
	first  map[string]string // folded name → id of the rule whose spelling is shown
}

func newTally() *tally { return &tally{map[string]*Count{}, map[string]string{}} }

func (t *tally) add(name, ruleID string) {
	key := analysis.Fold(name)
	if key == "" {
		return
	}
	c := t.counts[key]
	if c == nil {
		c = &Count{}
		t.counts[key] = c
	}
	c.Rules++
	if id, seen := t.first[key]; !seen || ruleID < id {
		t.first[key], c.Name = ruleID, strings.TrimSpace(name)
	}
}

// sorted lists the names in order of their folded forms.
func (t *tally) sorted() []Count {
	keys := t.keys()
	list := make([]Count, len(keys))
	for i, key := range keys {
		list[i] = *t.counts[key]
	}
	return list
}

func (t *tally) keys() []string {
	var keys []string
	for key := range t.counts {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

// TrailDomains answers list_trail_domains_and_tags: counts of the rules in force
// today.
func (s *Service) TrailDomains(_ context.Context, workspace string, q DomainQuery) (*DomainAnswer, error) {
	snap, err := s.snapshot(workspace)
	if err != nil {
		return nil, err
	}
	defer snap.Release()
	view := snap.Rules.View(int32(s.today()))
	catalog := s.catalog(workspace, snap, view, s.today())
	wanted := make([]int, len(catalog.trails))
	for i := range wanted {
		wanted[i] = i
	}
	if len(q.Trails) > 0 {
		found, wrong := catalog.resolveTrails(q.Trails)
		if wrong != nil {
			return nil, wrong
		}
		wanted = found
	}
	answer := &DomainAnswer{StoreVersion: snap.StoreVersion, Trails: []TrailDomains{}}
	for _, position := range wanted {
		t := TrailDomains{Trail: catalog.trails[position], Domains: []DomainCount{}}
		domains, tags, clusters := newTally(), newTally(), map[string]*tally{}
		for item, r := range catalog.rules {
			if !catalog.counts[item] || r.trail != position {
				continue
			}
			id := view.ID(item)
			t.Rules++
			domains.add(r.domain, id)
			for _, tag := range uniqueNames(view.Rule(item).Tags) {
				tags.add(tag, id)
			}
			if r.domainKey != "" {
				if clusters[r.domainKey] == nil {
					clusters[r.domainKey] = newTally()
				}
				clusters[r.domainKey].add(r.cluster, id)
			}
		}
		for _, key := range domains.keys() {
			d := domains.counts[key]
			t.Domains = append(t.Domains, DomainCount{Name: d.Name, Rules: d.Rules, Clusters: clusters[key].sorted()})
		}
		t.Tags = tags.sorted()
		answer.Trails = append(answer.Trails, t)
	}
	return answer, nil
}

// uniqueNames drops names that compare equal to an earlier one.
func uniqueNames(names []string) []string {
	unique := slices.Clone(names)
	slices.SortStableFunc(unique, func(a, b string) int { return cmp.Compare(analysis.Fold(a), analysis.Fold(b)) })
	return slices.CompactFunc(unique, func(a, b string) bool { return analysis.Fold(a) == analysis.Fold(b) })
}
