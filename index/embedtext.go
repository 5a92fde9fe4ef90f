package index

import (
	"strings"

	"waymark/store"
)

// RuleEmbeddingText is the text whose vector stands for a rule:
// "Trail > domain > cluster (tag, tag): text", with empty parts left out. The
// context matters more than the choice of model: it tells "approval" in payroll
// from "approval" in procurement.
func RuleEmbeddingText(trailName string, r store.Rule) string {
	var place []string
	for _, part := range []string{trailName, r.Domain, r.Cluster} {
		if part != "" {
			place = append(place, part)
		}
	}
	head := strings.Join(place, " > ")
	if len(r.Tags) > 0 {
		head = strings.TrimSpace(head + " (" + strings.Join(r.Tags, ", ") + ")")
	}
	if head == "" {
		return r.Text
	}
	return head + ": " + r.Text
}

// PassageEmbeddingText is the text whose vector stands for a passage:
// "title > heading path", a new line, and the body.
func PassageEmbeddingText(d store.Document, p store.Passage) string {
	place := append([]string{d.Title}, p.Headings...)
	if len(p.Headings) > 0 && p.Headings[0] == d.Title {
		place = place[1:]
	}
	return strings.Join(place, " > ") + "\n" + p.Text
}
