package main

import (
	"testing"

	"waymark/store"
)

// TestAnalysesStayWithTheirContent: two workspaces may have rules of the same id,
// version and text that say something else in their other fields; what one was
// taken apart into is not used for the other.
func TestAnalysesStayWithTheirContent(t *testing.T) {
	c := newConflicts()
	rule := store.Rule{ID: "r", TrailID: "t", Version: 1, Text: "Visitors are met at the gate.", Title: "Visitors", Domain: "Gate", Tags: []string{"a"}, AppliesWhen: []string{"by day"}}
	first := c.analyse(&rule, "Trail")
	for name, change := range map[string]func(*store.Rule){
		"title":        func(r *store.Rule) { r.Title = "Guests" },
		"tags":         func(r *store.Rule) { r.Tags = []string{"a", "by day"} },
		"applies_when": func(r *store.Rule) { r.AppliesWhen = []string{"by night"} },
		"domain":       func(r *store.Rule) { r.Domain = "Door" },
	} {
		other := rule
		change(&other)
		if c.analyse(&other, "Trail") == first {
			t.Errorf("another %s is analysed as the first rule was", name)
		}
	}
	if again := rule; c.analyse(&again, "Trail") != first {
		t.Error("the same rule is taken apart again")
	}
}
