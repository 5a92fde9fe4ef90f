package ingest

import (
	"waymark/conflict"
	"waymark/store"
)

// RuleChecker is the Checker of package conflict.
type RuleChecker struct{}

// Analyze implements Checker.
func (RuleChecker) Analyze(trail string, r store.Rule) any {
	return conflict.Analyze(conflict.Input{Text: r.Text, Title: r.Title, Trail: trail, Domain: r.Domain, Cluster: r.Cluster,
		Tags: r.Tags, AppliesWhen: r.AppliesWhen})
}

// Compare implements Checker. A pair that a person should look at is found too,
// and not certain.
func (RuleChecker) Compare(a, b any, cosine float64) (Conflict, bool) {
	v := conflict.CompareCosine(a.(*conflict.Analysis), b.(*conflict.Analysis), cosine)
	return Conflict{Kind: string(v.Kind), Point: v.Point, Certain: v.Tier == conflict.TierConflict}, v.Tier != conflict.TierNone
}
