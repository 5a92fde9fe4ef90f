package mcp

import (
	"fmt"
	"strings"

	"waymark/search"
)

func rulesText(a *search.RuleAnswer, most int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Query %s: state %s, total %d rules, shown %d, store version %d. %s\n", quote(a.Query), a.State, a.Total, len(a.Results), a.StoreVersion, nextPage(a.NextCursor))
	if a.Reason != "" {
		fmt.Fprintf(&b, "Reason: %s\n", a.Reason)
	}
	if len(a.Results) > 0 {
		b.WriteString(dataNotice)
		if most < cuts[0] {
			b.WriteString(" Long ones are cut: read one in full at " + ruleScheme + "ID.")
		}
		b.WriteString("\n")
	}
	for _, r := range a.Results {
		fmt.Fprintf(&b, "\n%d. rule %s [%s, %s]: %s\n", r.Rank, quote(r.ID), class(r), r.Strength, quoteCut(r.Text, most))
		fmt.Fprintf(&b, "   %s\n", facts(fact("title", r.Title), trailText(r.Trail), fact("domain", r.Domain), fact("cluster", r.Cluster),
			factList("tags", r.Tags), factList("applies when", r.AppliesWhen), fact("source", r.Source)))
		fmt.Fprintf(&b, "   matched %s\n", matchedText(r.Matched, r.Text, most))
		if r.Explain != nil {
			fmt.Fprintf(&b, "   %s\n", factsOf("score", r.Explain))
		}
	}
	for _, c := range a.Conflicts {
		fmt.Fprintf(&b, "\nConflict (%s) between rule %s of %s and rule %s of %s: %s. Neither is chosen for you.\n",
			c.Kind, quote(c.Rules[0]), trailText(c.Trails[0]), quote(c.Rules[1]), trailText(c.Trails[1]), quote(c.Point))
	}
	if len(a.Results) > 0 && len(a.Conflicts) == 0 {
		b.WriteString("\nNo conflict was found between the rules shown.\n")
	}
	if a.Explain != nil {
		fmt.Fprintf(&b, "\n%s\n", factsOf("explain", a.Explain))
	}
	return strings.TrimRight(b.String(), "\n")
}

func class(r search.RuleHit) string {
	if r.ClassDerived {
		return string(r.Class) + " (derived from the text)"
	}
	return string(r.Class)
}

func trailText(t search.TrailName) string {
	return fmt.Sprintf("Trail %s (%s)", quote(t.Name), t.ID)
}

// matchedText says what in the query an item met. The passage is left out where
// it is the item's text, which stands above.
func matchedText(m search.Matched, text string, most int) string {
	var terms []string
	for _, t := range m.Terms {
		terms = append(terms, fmt.Sprintf("%s as %s in %s", quote(t.Query), quote(t.Text), t.Field))
	}
	passage := m.Passage
	if strings.TrimSpace(passage) == strings.TrimSpace(text) {
		passage = ""
	}
	words := ""
	if len(terms) > 0 {
		words = "words " + strings.Join(terms, ", ")
	}
	if passage != "" {
		passage = "passage " + quoteCut(passage, most)
	}
	return facts(words, factList("codes", m.Codes), fmt.Sprintf("meaning %.4g", m.Meaning), passage)
}

func brainText(a *search.BrainAnswer, most int) string {
	t := a.Trail
	head := fmt.Sprintf("Trail %s (%s): %s", quote(t.Name), t.ID,
		facts(fact("description", t.Description), fact("owner", t.Owner), fmt.Sprintf("%d rules in %d domains", t.Rules, t.Domains)))
	return head + "\n" + rulesText(&a.RuleAnswer, most)
}

// domainsText names the domains of each Trail, and as far as there is room their
// clusters and the tags; what is left out is counted, and can be asked for.
func domainsText(a *search.DomainAnswer, clusters, tags bool) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d Trails, store version %d. The number after a name counts its approved rules. %s\n", len(a.Trails), a.StoreVersion, dataNotice)
	if !tags {
		b.WriteString("To see what is only counted here, name one Trail in trails.\n")
	}
	for _, t := range a.Trails {
		fmt.Fprintf(&b, "\n%s: %d rules\n", trailText(t.Trail), t.Rules)
		for _, d := range t.Domains {
			fmt.Fprintf(&b, "   domain %s %d%s\n", quote(d.Name), d.Rules, countsText(": clusters", d.Clusters, clusters))
		}
		if text := countsText("   tags", t.Tags, tags); text != "" {
			b.WriteString(text + "\n")
		}
	}
	return strings.TrimRight(b.String(), "\n")
}

// countsText names counted names, or says how many there are.
func countsText(what string, counts []search.Count, names bool) string {
	if len(counts) == 0 {
		return ""
	}
	if !names {
		return fmt.Sprintf("%s: %d", what, len(counts))
	}
	parts := make([]string, len(counts))
	for i, c := range counts {
		parts[i] = fmt.Sprintf("%s %d", quote(c.Name), c.Rules)
	}
	return what + " " + strings.Join(parts, ", ")
}

// ruleResource is a rule as a resource: its facts, and its text between marks.
func ruleResource(r *ruleText) string {
	class := string(r.Class)
	if r.ClassDerived {
		class += " (derived from the text)"
	}
	head := facts("rule "+quote(r.ID), "class "+class, trailText(r.Trail), fact("title", r.Title), fact("domain", r.Domain), fact("cluster", r.Cluster),
		factList("tags", r.Tags), factList("applies when", r.AppliesWhen), fact("effective from", r.EffectiveFrom), fact("effective until", r.EffectiveUntil),
		fact("source", r.Source), factList("supersedes", r.Supersedes), fmt.Sprintf("version %d", r.Version))
	return head + ".\n" + dataNotice + "\n\n" + quote(r.Text)
}
