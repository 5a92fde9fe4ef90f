package main

import (
	"fmt"
	"strings"

	"waymark/search"
)

// renderDocuments writes an answer of kb_search.
func renderDocuments(t *terminal, a *search.DocumentAnswer) {
	switch {
	case a.Abstained != nil && *a.Abstained:
		t.printf("  %s %s\n", t.yellow("Abstained ("+string(a.AbstainReason)+")."), printable(a.Reason))
		return
	case len(a.Hits) == 0:
		t.printf("  %s %s\n", t.yellow("Nothing found."), printable(a.Reason))
		return
	}
	for i, hit := range a.Hits {
		t.printf("%4s %s  %s\n", fmt.Sprintf("%d.", i+1), t.bold(printable(hit.Title)), t.dim(printable(hit.ID)))
		if hit.Snippet != "" {
			t.paragraph("     ", hit.Snippet)
		}
		if marks := documentMarks(hit); marks != "" {
			t.printf("     %s\n", t.yellow(printable(marks)))
		}
		if hit.Matched != nil {
			t.aside("     ", "matched "+describeMatch(*hit.Matched))
		}
		if hit.Explain != nil {
			t.printf("     %s\n", t.dim(describeScore(hit.Explain)))
		}
	}
	for _, c := range a.Conflicts {
		t.printf("  %s %s and %s\n", t.yellow("! Declared to contradict each other:"), printable(c.Documents[0]), printable(c.Documents[1]))
	}
	if a.Reason != "" {
		t.printf("  %s\n", t.dim(printable(a.Reason)))
	}
	if a.NextCursor != "" {
		t.printf("  %s\n", t.dim("more with --cursor "+a.NextCursor))
	}
}

func documentMarks(hit search.DocumentHit) string {
	var marks []string
	if hit.InForce != nil && !*hit.InForce {
		marks = append(marks, "not in force")
	}
	if hit.Status != nil && hit.InForce != nil && !*hit.InForce {
		marks = append(marks, *hit.Status)
	}
	if hit.Freshness != nil && *hit.Freshness != search.Fresh {
		marks = append(marks, string(*hit.Freshness))
	}
	if len(hit.SupersededBy) > 0 {
		marks = append(marks, "superseded by "+strings.Join(hit.SupersededBy, ", "))
	}
	return strings.Join(marks, " · ")
}
