package main

import (
	"fmt"
	"strings"

	"waymark/search"
)

// renderRules writes an answer of search_trail_rules as a person wants to read
// it: each rule, where it stands, why it matched, and what conflicts.
func renderRules(t *terminal, a *search.RuleAnswer) {
	if a.State == search.StateNoMatch {
		t.printf("  %s %s\n", t.yellow("No rule matches."), printable(a.Reason))
		return
	}
	if a.State == search.StateDegraded {
		t.printf("  %s %s\n", t.yellow("Degraded:"), printable(a.Reason))
	}
	for _, hit := range a.Results {
		renderRule(t, hit)
	}
	for _, c := range a.Conflicts {
		t.printf("  %s\n", t.yellow("! These two rules conflict ("+printable(c.Kind)+"):"))
		t.paragraph("    ", c.Point)
		for i := range c.Rules {
			t.printf("    %s %s\n", printable(c.Rules[i]), t.dim("in "+printable(c.Trails[i].Name)))
		}
	}
	if shown := len(a.Results); a.NextCursor != "" && shown > 0 {
		t.printf("  %s\n", t.dim(fmt.Sprintf("%d to %d of %d; go on with --cursor %s", a.Results[0].Rank, a.Results[shown-1].Rank, a.Total, a.NextCursor)))
	}
}

func renderRule(t *terminal, hit search.RuleHit) {
	lines := wrap(printable(hit.Text), textWidth-5)
	for i, line := range lines {
		number := ""
		if i == 0 {
			number = fmt.Sprintf("%d.", hit.Rank)
		}
		t.printf("%4s %s\n", number, t.bold(line))
	}
	place := []string{hit.Trail.Name}
	for _, part := range []string{hit.Domain, hit.Cluster} {
		if part != "" {
			place = append(place, part)
		}
	}
	t.printf("     %s  %s\n", t.cyan(printable(strings.Join(place, " › "))),
		t.dim(fmt.Sprintf("%s · %s · %s", hit.Class, hit.Strength, printable(hit.ID))))
	t.aside("     ", "matched "+describeMatch(hit.Matched))
	if e := hit.Explain; e != nil {
		t.printf("     %s\n", t.dim(describeScore(e)))
	}
}

func describeMatch(m search.Matched) string {
	var parts []string
	for _, c := range m.Codes {
		parts = append(parts, c+" exactly")
	}
	for _, term := range m.Terms {
		if strings.EqualFold(term.Query, term.Text) {
			parts = append(parts, fmt.Sprintf("“%s” (%s)", term.Text, term.Field))
		} else {
			parts = append(parts, fmt.Sprintf("“%s” ~ “%s” (%s)", term.Query, term.Text, term.Field))
		}
	}
	return strings.Join(append(parts, fmt.Sprintf("meaning %.2f", m.Meaning)), ", ")
}

func describeScore(e *search.HitExplain) string {
	return fmt.Sprintf("score %.4f = meaning %.4f, words %.4f (bm25 %.3f, coverage %.4f), standing %.2f",
		e.Score, e.Sem, e.Lex, e.BM25, e.Coverage, e.Standing)
}
