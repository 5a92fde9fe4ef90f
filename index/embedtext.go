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
	head := joinPresent(" > ", trailName, r.Domain, r.Cluster)
	if len(r.Tags) > 0 {
		head = joinPresent(" ", head, "("+strings.Join(r.Tags, ", ")+")")
	}
	return joinPresent(": ", head, r.Text)
}

// RuleEmbeddingTexts are the texts to embed for a rule, one for each of its
// rows: that of the rule when it is short, else that of each of its pieces. The
// split is that of Options.
func RuleEmbeddingTexts(trailName string, r store.Rule, split func(text string) []string) []string {
	var texts []string
	for _, p := range cutRule(r.Text, split) {
		texts = append(texts, p.embeddingText(trailName, r))
	}
	return texts
}

// embeddingText is the text whose vector stands for a piece of a rule.
func (p piece) embeddingText(trailName string, r store.Rule) string {
	r.Text = p.of(r.Text)
	return RuleEmbeddingText(trailName, r)
}

// PassageEmbeddingText is the text whose vector stands for a passage:
// "title > heading path", a new line, and the body, with empty parts left out.
func PassageEmbeddingText(d store.Document, p store.Passage) string {
	return joinPresent("\n", joinPresent(" > ", append([]string{d.Title}, p.Headings...)...), p.Text)
}

// joinPresent joins the parts that are not empty.
func joinPresent(separator string, parts ...string) string {
	var present []string
	for _, p := range parts {
		if p != "" {
			present = append(present, p)
		}
	}
	return strings.Join(present, separator)
}
