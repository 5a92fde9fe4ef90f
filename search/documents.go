package search

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"waymark/analysis"
	"waymark/index"
	"waymark/store"
)

// How a document's standing weighs on its score. Documents that govern come
// before those that do not, at equal relevance; what was replaced or has run out
// needs to be twice as relevant to come first. The factors depend on the
// document and the day alone, so no filter moves a score.
const (
	standingGoverns  = 1
	standingOpen     = .9 // a draft, a proposal, upcoming, or unknown
	standingReplaced = .5 // superseded, deprecated or expired
)

func (s Standing) factor() float64 {
	switch {
	case s.InForce:
		return standingGoverns
	case s.Replaced || s.Freshness == Expired:
		return standingReplaced
	}
	return standingOpen
}

// documentFilters are the filters of a search, read.
type documentFilters struct {
	DocumentQuery
	facet *facet
	day   Day
}

// inScope applies the filters that do not depend on validity: tier, category,
// status and type, compared as names are.
func (f *documentFilters) inScope(d *store.Document) bool {
	return sameName(f.Tier, d.Tier) && sameName(f.Category, d.Category) && sameName(f.Status, d.Status) && sameName(f.DocType, d.Type)
}

// valid applies the filters that do.
func (f *documentFilters) valid(facts DocumentFacts, standing Standing) bool {
	if f.InForce && !standing.InForce || !f.facet.holds(facts, f.day) {
		return false
	}
	return facts.Unexpired(f.day) || f.IncludeExpired || f.facet != nil && f.facet.state == Expired
}

func sameName(wanted, has string) bool {
	return strings.TrimSpace(wanted) == "" || analysis.Fold(wanted) == analysis.Fold(has)
}

// SearchDocuments answers kb_search.
func (s *Service) SearchDocuments(ctx context.Context, workspace string, q DocumentQuery) (*DocumentAnswer, error) {
	snap, err := s.snapshot(workspace)
	if err != nil {
		return nil, err
	}
	defer snap.Release()
	question, err := readQuestion(s.options.Analyzer, q.Query)
	if err != nil {
		return nil, err
	}
	filters := documentFilters{DocumentQuery: q}
	if filters.facet, err = readFacet(q.ValidityState); err != nil {
		return nil, err
	}
	day, err := s.day(q.AsOf)
	if err != nil {
		return nil, err
	}
	bound := q
	bound.Limit, bound.Cursor, bound.Explain, bound.Verbose = 0, "", false, false
	seal, err := cursorScope(workspace, "kb_search", bound)
	if err != nil {
		return nil, err
	}
	start, err := pageStart(q.Cursor, seal, snap.StoreVersion, day)
	if err != nil {
		return nil, err
	}
	filters.day = start.day
	view := snap.Documents.View(int32(start.day))
	governance := s.govern(workspace, snap.Documents, start.day)

	answer := &DocumentAnswer{Hits: []DocumentHit{}, StoreVersion: snap.StoreVersion}
	if q.Verbose {
		answer.Query = &q.Query
	}
	raw, prepared, err := s.embedQuestion(ctx, workspace, q.Query)
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		answer.Reason = "The meaning of the query could not be read, so only its words were searched: " + err.Error() + "."
	}
	found, err := lookUp(view, question, prepared, raw, s.options.Fusion)
	if err != nil {
		return nil, err
	}
	if raw != nil && found.approx == nil && view.N() > 0 {
		answer.Reason = noVectors
	}
	codeRows := rowsWith(view, question.codes)
	named := itemNamed(view.Collection, question)
	gate := s.openGate(found, question, codeRows, named >= 0)
	literal := s.literalFilter(view, question)
	inScope := func(item int) bool {
		return governance.live[item] && literal(item) && filters.inScope(view.Document(item))
	}
	allowed := func(item int) bool {
		return inScope(item) && filters.valid(governance.facts[item], governance.standing[item])
	}
	if q.Explain {
		answer.Explain = s.explainQuery(found, question, gate)
		share, _ := s.shares(found, question)
		for _, m := range share {
			answer.Explain.Gate.SignalShare = max(answer.Explain.Gate.SignalShare, m)
		}
		for item := range governance.live {
			if allowed(item) {
				answer.Explain.InScope++
			}
		}
	}
	if q.Abstain {
		abstained, reason := s.abstain(found, question, gate, named, literal, inScope, allowed)
		answer.Abstained, answer.AbstainReason = &abstained, reason
		if abstained {
			answer.Reason = joinSentences(answer.Reason, filteredOut(view, governance, &filters, named, allowed), abstainSentence[reason])
			return answer, nil
		}
	}
	if question.onlyCodes && !gate.Open {
		answer.Reason = joinSentences(answer.Reason, "No document holds the code that was asked for.")
		return answer, nil
	}
	limit := clampLimit(q.Limit, DefaultDocumentLimit)
	best, total := found.rank(ranking{
		fusion: s.options.Fusion, gate: s.options.Gate, null: gate.Null,
		allowed:  allowed,
		surely:   func(row int) bool { return found.bm25[row] > 0 || named >= 0 && view.ItemOf(row) == named },
		standing: func(item int) float64 { return governance.standing[item].factor() },
		bonus:    namedBonus(named),
		before: func(a, b int) int {
			return int(boolRank(governance.standing[b].InForce)) - int(boolRank(governance.standing[a].InForce))
		},
		top: start.offset + limit,
	})
	page := best[min(start.offset, len(best)):]
	if end := start.offset + len(page); end < total {
		answer.NextCursor = cursor{start.version, start.day, end}.seal(seal)
	}
	matcher := newMatcher(s.options.Analyzer, question)
	for _, hit := range page {
		answer.Hits = append(answer.Hits, s.shapeDocument(view, governance, matcher, hit, s.options.Gate.strength(hit, question, codeRows), q))
	}
	answer.TotalReturned = len(answer.Hits)
	answer.Conflicts = declaredConflicts(view, governance, page)
	answer.Reason = joinSentences(answer.Reason, filteredOut(view, governance, &filters, named, allowed), emptyReason(found, answer, inScope, allowed))
	return answer, nil
}

func boolRank(b bool) int8 {
	if b {
		return 1
	}
	return 0
}

func joinSentences(sentences ...string) string {
	return strings.Join(slices.DeleteFunc(sentences, func(s string) bool { return s == "" }), " ")
}

// filteredOut says why the document that the query names by its id is not among
// the hits.
func filteredOut(view *index.View, g *governance, f *documentFilters, named int, allowed func(int) bool) string {
	if named < 0 || allowed(named) {
		return ""
	}
	d := view.Document(named)
	switch standing := g.standing[named]; {
	case !f.inScope(d):
		return fmt.Sprintf("The document %q exists, but it is not of the tier, category, status or type that was asked for.", d.ID)
	case f.InForce && !standing.InForce:
		return fmt.Sprintf("The document %q exists, but it is not in force: %s.", d.ID, standing.Why)
	case !g.facts[named].Unexpired(f.day):
		return fmt.Sprintf("The document %q exists, but it was valid until %s; set include_expired to see it.", d.ID, g.facts[named].ValidUntil)
	}
	return fmt.Sprintf("The document %q exists, but it is not in the validity state that was asked for, or the query's own phrases and exclusions leave it out.", d.ID)
}

// emptyReason says why there are no hits at all.
func emptyReason(e *evidence, a *DocumentAnswer, inScope, allowed func(int) bool) string {
	if len(a.Hits) > 0 {
		return ""
	}
	inTier, invalid := 0, 0
	for item := range e.view.Items() {
		if inScope(item) {
			inTier++
			if !allowed(item) {
				invalid++
			}
		}
	}
	switch {
	case inTier == 0:
		return "No document is in the scope that was asked for."
	case inTier == invalid:
		return "Every document in the scope is left out by in_force, validity_state or its validity."
	}
	return "No document in the scope matches a word of the query or comes near its meaning."
}

func (s *Service) shapeDocument(view *index.View, g *governance, m *matcher, hit scored, strength Strength, q DocumentQuery) DocumentHit {
	d, p := view.Document(hit.item), view.Passage(hit.row)
	standing := g.standing[hit.item]
	matched := m.match(hit, []fieldText{
		{index.Body, p.Text}, {index.Title, d.Title}, {index.Tags, strings.Join(d.Tags, "\n")},
		{index.AppliesWhen, strings.Join(d.AppliesWhen, "\n")}, {index.Context, strings.Join(p.Headings, "\n")},
	}).withID(hit, d.ID)
	out := DocumentHit{ID: d.ID, Title: d.Title, Snippet: m.snippet(d, p), SupersededBy: standing.ReplacedBy}
	if len(out.SupersededBy) == 0 && !standing.InForce {
		out.SupersededBy = d.SupersededBy
	}
	if d.Type != "" || q.Verbose {
		out.Type = &d.Type
	}
	if !standing.InForce || q.Verbose {
		out.InForce = &standing.InForce
	}
	if standing.Freshness != Fresh || q.Verbose {
		out.Freshness = &standing.Freshness
	}
	if q.Verbose || !standing.InForce && d.Status != "" && !inForceStatuses[NormalStatus(d.Status)] {
		out.Status = &d.Status
	}
	if q.Verbose {
		score, section := hit.score, strings.Join(p.Headings, " > ")
		out.Path, out.Score, out.Strength, out.Section, out.Matched = &d.Path, &score, &strength, &section, &matched
		out.Lines = &[2]int{p.StartLine, p.EndLine}
	}
	if q.Explain {
		out.Explain = explainHit(s.options.Fusion, hit)
	}
	return out
}

// declaredConflicts names the pairs on the page of which one says that it
// contradicts the other, whichever side says it, in rank order.
func declaredConflicts(view *index.View, g *governance, page []scored) []DocumentConflict {
	rank := map[int]int{} // by item
	for i, hit := range page {
		rank[hit.item] = i
	}
	var pairs []DocumentConflict
	seen := map[[2]int]bool{} // by ranks
	for i, hit := range page {
		for _, name := range view.Document(hit.item).Contradicts {
			item, ok := g.find(name)
			k, onPage := rank[item]
			if !ok || !onPage || k == i {
				continue
			}
			pair := [2]int{min(i, k), max(i, k)}
			if !seen[pair] {
				seen[pair] = true
				pairs = append(pairs, DocumentConflict{[2]string{view.ID(page[pair[0]].item), view.ID(page[pair[1]].item)}, view.ID(hit.item)})
			}
		}
	}
	return pairs
}
