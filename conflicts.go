package main

import (
	"container/list"
	"fmt"
	"math"
	"sync"

	"waymark/conflict"
	"waymark/search"
	"waymark/store"
	"waymark/vector"
)

// conflicts hands the rules of a page to the conflict package. What a rule was taken apart into is kept, so that a page of rules that
// were seen before costs only its comparisons.
type conflicts struct {
	mu     sync.Mutex
	recent *list.List // of analysed, most recent first
	byRule map[ruleKey]*list.Element
}

// ruleKey is all that an analysis is a function of, so that a rule of another
// workspace with the same id never stands in for this one.
type ruleKey struct{ place, content string }

type analysed struct {
	key      ruleKey
	analysis *conflict.Analysis
}

// keptAnalyses is how many rules stay taken apart, some kilobytes each.
const keptAnalyses = 4096

// sameMatter is the cosine below which two rules are not about one matter, so
// that they are not taken apart further: a page of 100 rules has 4,950 pairs. The
// least cosine of the 26 labelled conflicts of the sample company is .46.
const sameMatter = .35

func newConflicts() *conflicts {
	return &conflicts{recent: list.New(), byRule: map[ruleKey]*list.Element{}}
}

func (c *conflicts) analyse(r *store.Rule, trailName string) *conflict.Analysis {
	key := ruleKey{fmt.Sprintf("%q %q %q", trailName, r.Domain, r.Cluster), fmt.Sprintf("%q %q %q %q", r.Text, r.Title, r.Tags, r.AppliesWhen)}
	c.mu.Lock()
	if e, ok := c.byRule[key]; ok {
		c.recent.MoveToFront(e)
		c.mu.Unlock()
		return e.Value.(analysed).analysis
	}
	c.mu.Unlock()
	a := conflict.Analyze(conflict.Input{Text: r.Text, Title: r.Title, Trail: trailName, Domain: r.Domain, Cluster: r.Cluster, Tags: r.Tags, AppliesWhen: r.AppliesWhen})
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.byRule[key]; !ok {
		c.byRule[key] = c.recent.PushFront(analysed{key, a})
		if c.recent.Len() > keptAnalyses {
			last := c.recent.Back()
			c.recent.Remove(last)
			delete(c.byRule, last.Value.(analysed).key)
		}
	}
	return a
}

// ComparePage names the pairs of a page that surely conflict, for search.Comparer.
func (c *conflicts) ComparePage(rules []search.ComparedRule) []search.ComparedPair {
	all := make([]*conflict.Analysis, len(rules))
	for i, r := range rules {
		all[i] = c.analyse(r.Rule, r.TrailName)
	}
	var named []search.ComparedPair
	for a := range rules {
		for b := a + 1; b < len(rules); b++ {
			cosine := math.NaN() // unknown, as conflict.CompareCosine takes it
			if rules[a].Vector != nil && rules[b].Vector != nil {
				cosine = float64(vector.Dot(rules[a].Vector, rules[b].Vector))
				if cosine < sameMatter {
					continue
				}
			}
			if v := conflict.CompareCosine(all[a], all[b], cosine); v.Tier == conflict.TierConflict {
				named = append(named, search.ComparedPair{A: a, B: b, Kind: string(v.Kind), Point: v.Point})
			}
		}
	}
	return named
}
