package search

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"waymark/analysis"
	"waymark/index"
)

// getPageBytes is how much of a document's text one answer of kb_get holds, so
// that the answer stays under 8,000 characters.
const getPageBytes = 6000

// GetDocument answers kb_get: any document, whatever its state.
func (s *Service) GetDocument(_ context.Context, workspace string, q GetQuery) (*GetAnswer, error) {
	snap, err := s.snapshot(workspace)
	if err != nil {
		return nil, err
	}
	defer snap.Release()
	day, err := s.day(q.AsOf)
	if err != nil {
		return nil, err
	}
	seal, err := cursorScope(workspace, "kb_get", GetQuery{ID: q.ID, AsOf: q.AsOf})
	if err != nil {
		return nil, err
	}
	start, err := pageStart(q.Cursor, seal, snap.StoreVersion, day)
	if err != nil {
		return nil, err
	}
	c := snap.Documents
	item, err := findDocument(c, q.ID)
	if err != nil {
		return nil, err
	}
	g := s.govern(workspace, c, start.day)
	d, standing := c.Document(item), g.standing[item]
	a := &GetAnswer{ID: d.ID, Title: d.Title, Path: d.Path, Tier: d.Tier, Category: d.Category, Type: d.Type, Status: d.Status,
		InForce: standing.InForce, WhyNot: standing.Why, Freshness: standing.Freshness,
		SupersededBy: union(d.SupersededBy, standing.ReplacedBy), Supersedes: union(d.Supersedes, nil),
		Contradicts: union(d.Contradicts, nil), ContradictedBy: contradictedBy(c, g, item),
		ContentHash: d.Hash, StoreVersion: snap.StoreVersion, Problems: d.Problems}
	text := documentText(c, item)
	if start.offset > len(text) {
		start.offset = len(text)
	}
	end := start.offset + getPageBytes
	if end >= len(text) {
		end = len(text)
	} else {
		for end > start.offset && !utf8.RuneStart(text[end]) {
			end--
		}
		a.NextCursor = cursor{start.version, start.day, end}.seal(seal)
	}
	a.Text = text[start.offset:end]
	optional := func(text string) *string {
		if text == "" && !q.Verbose {
			return nil
		}
		return &text
	}
	list := func(values []string) *[]string {
		if len(values) == 0 && !q.Verbose {
			return nil
		}
		values = append([]string{}, values...)
		return &values
	}
	a.Description, a.Owner, a.Timestamp = optional(d.Description), optional(d.Owner), optional(d.Timestamp)
	a.Tags, a.AppliesWhen = list(d.Tags), list(d.AppliesWhen)
	a.ValidFrom, a.ValidUntil, a.LastVerified = optional(d.ValidFrom), optional(d.ValidUntil), optional(d.LastVerified)
	a.RecheckBy, a.VerificationSource = optional(d.RecheckBy), optional(d.VerificationSource)
	return a, nil
}

// findDocument finds a document by its exact id, or by a form of it that differs
// only in case and fits exactly one.
func findDocument(c *index.Collection, id string) (int, error) {
	if strings.TrimSpace(id) == "" {
		return 0, Errorf(CodeInvalidArgument, "Send id as a hit of kb_search gives it.", "The argument \"id\" is missing.")
	}
	var ids []string
	var alike []int
	for item := range c.Items() {
		if !c.Live(item) {
			continue
		}
		has := c.ID(item)
		if has == id {
			return item, nil
		}
		if analysis.Fold(has) == analysis.Fold(id) {
			alike = append(alike, item)
		}
		ids = append(ids, has)
	}
	switch len(alike) {
	case 1:
		return alike[0], nil
	case 0:
		const shown = 5
		slices.Sort(ids)
		near := analysis.Nearest(id, ids)
		return 0, &Error{Code: CodeUnknownDocument, Message: fmt.Sprintf("There is no document %q.", id),
			Hint: "Use the id of a hit of kb_search; \"valid\" lists the nearest ids.", Valid: near[:min(shown, len(near))]}
	}
	var fits []string
	for _, item := range alike {
		fits = append(fits, c.ID(item))
	}
	slices.Sort(fits)
	return 0, &Error{Code: CodeNameAmbiguous, Message: fmt.Sprintf("The id %q fits %d documents.", id, len(fits)), Hint: "Use the exact id of the one you mean.", Valid: fits}
}

// documentText puts the passages of a document together again, each below its
// headings.
func documentText(c *index.Collection, item int) string {
	var b strings.Builder
	var open []string
	first, end := c.RowsOf(item)
	for row := first; row < end; row++ {
		p := c.Passage(row)
		for i, heading := range p.Headings {
			if i < len(open) && open[i] == heading {
				continue
			}
			if b.Len() > 0 {
				b.WriteString("\n\n")
			}
			b.WriteString(strings.Repeat("#", i+1) + " " + heading)
			open = append(open[:min(i, len(open))], heading)
		}
		open = open[:min(len(open), len(p.Headings))]
		if p.Text != "" {
			if b.Len() > 0 {
				b.WriteString("\n\n")
			}
			b.WriteString(p.Text)
		}
	}
	return b.String()
}

// union is the names of both lists, sorted, each once; never nil.
func union(a, b []string) []string {
	all := append(append([]string{}, a...), b...)
	slices.Sort(all)
	return slices.Compact(all)
}

// contradictedBy lists the documents that say that they contradict one.
func contradictedBy(c *index.Collection, g *governance, item int) []string {
	by := []string{}
	for _, other := range g.alive {
		if other != item && slices.ContainsFunc(c.Document(other).Contradicts, func(name string) bool {
			named, ok := g.find(name)
			return ok && named == item
		}) {
			by = append(by, c.ID(other))
		}
	}
	slices.Sort(by)
	return slices.Compact(by)
}
