package search

import "waymark/store"

// factsOf reads from a document what decides whether it governs.
func factsOf(d *store.Document) DocumentFacts {
	f := DocumentFacts{ID: d.ID, Path: d.Path, Status: d.Status, Template: d.Template, Supersedes: d.Supersedes}
	for _, p := range d.Problems {
		f.Unreadable = f.Unreadable || p.Fatal
	}
	for _, day := range []struct {
		text string
		to   *Day
	}{{d.ValidFrom, &f.ValidFrom}, {d.ValidUntil, &f.ValidUntil}, {d.LastVerified, &f.LastVerified}, {d.RecheckBy, &f.RecheckBy}} {
		parsed, ok := ParseDay(day.text)
		f.Unreadable = f.Unreadable || !ok
		*day.to = parsed
	}
	return f
}
