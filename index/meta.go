package index

import (
	"waymark/analysis"
	"waymark/store"
)

// RuleMeta is what filters read of a rule. It must not be changed.
type RuleMeta struct {
	ID    string
	Place *Place
	Class store.Class
	Tags  []string
	// EffectiveFrom and EffectiveUntil are days since 1970-01-01, or NoDay;
	// both are in force.
	EffectiveFrom, EffectiveUntil int32
}

// Place says where rules stand. Rules that stand in the same place share one
// Place, as far as they lie in the same segment. The keys are the names folded
// by analysis.Fold: the form in which names compare.
type Place struct {
	TrailID, TrailName, Domain, Cluster string
	TrailKey, DomainKey, ClusterKey     string
}

// newPlace folds the names of a place.
func newPlace(trailID, trailName, domain, cluster string) *Place {
	return &Place{
		TrailID: trailID, TrailName: trailName, Domain: domain, Cluster: cluster,
		TrailKey: analysis.Fold(trailName), DomainKey: analysis.Fold(domain), ClusterKey: analysis.Fold(cluster),
	}
}

// DocumentMeta is what filters and the in-force test read of a document. It
// must not be changed. The four days count from 1970-01-01, or are NoDay.
type DocumentMeta struct {
	ID, Path, Title, Type, Status, Tier, Category string
	Tags                                          []string
	ValidFrom, ValidUntil                         int32
	LastVerified, RecheckBy                       int32
	Supersedes, SupersededBy, Contradicts         []string
	// Template is set for templates and README files.
	Template bool
	// Unreadable is set when something in the front matter could not be read
	// that decides whether the document governs.
	Unreadable bool
}

// newDocumentMeta takes out of a document what filters read.
func newDocumentMeta(d *store.Document) *DocumentMeta {
	m := &DocumentMeta{
		ID: d.ID, Path: d.Path, Title: d.Title, Type: d.Type, Status: d.Status, Tier: d.Tier, Category: d.Category,
		Tags:      d.Tags,
		ValidFrom: parseDay(d.ValidFrom), ValidUntil: parseDay(d.ValidUntil),
		LastVerified: parseDay(d.LastVerified), RecheckBy: parseDay(d.RecheckBy),
		Supersedes: d.Supersedes, SupersededBy: d.SupersededBy, Contradicts: d.Contradicts,
		Template: d.Template,
	}
	for _, p := range d.Problems {
		m.Unreadable = m.Unreadable || p.Fatal
	}
	return m
}

// window returns the days on which the rule counts.
func (m *RuleMeta) window() (from, until int32) { return m.EffectiveFrom, m.EffectiveUntil }

// window returns the days on which the document counts: an upcoming one does
// already, an expired one no longer.
func (m *DocumentMeta) window() (from, until int32) { return NoDay, m.ValidUntil }
