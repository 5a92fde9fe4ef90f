package search

import (
	"context"
	"fmt"
	"strings"
	"time"

	"waymark/index"
	"waymark/store"
	"waymark/vector"
)

// SearchRules answers search_trail_rules: whatever the scope, the query is read
// once, embedded once and looked up once.
func (s *Service) SearchRules(ctx context.Context, asker Asker, q RuleQuery) (*RuleAnswer, error) {
	began := s.options.Now()
	snap, err := s.snapshot(asker.Workspace)
	if err != nil {
		return nil, err
	}
	defer snap.Release()
	answer, page, err := s.searchRules(ctx, snap, asker, q)
	if err != nil {
		return nil, err
	}
	s.record(asker, q, answer, page, s.options.Now().Sub(began))
	return answer, nil
}

// searchRules runs the nine stages over one snapshot.
func (s *Service) searchRules(ctx context.Context, snap *index.Snapshot, asker Asker, q RuleQuery) (*RuleAnswer, []scored, error) {
	question, err := readQuestion(s.options.Analyzer, q.Query)
	if err != nil {
		return nil, nil, err
	}
	bound := q
	bound.Limit, bound.Cursor, bound.Explain = 0, "", false
	// Every tool that searches rules shares the cursors of search_trail_rules.
	seal, err := cursorScope(asker.Workspace, "search_trail_rules", bound)
	if err != nil {
		return nil, nil, err
	}
	start, err := pageStart(q.Cursor, seal, snap.StoreVersion, s.today())
	if err != nil {
		return nil, nil, err
	}
	view := snap.Rules.View(int32(start.day))
	catalog := s.catalog(asker.Workspace, snap, view, start.day)
	scope, err := catalog.resolve(q.Trails, q.Domains, q.Clusters)
	if err != nil {
		return nil, nil, err
	}

	answer := &RuleAnswer{State: StateOK, Query: q.Query, StoreVersion: snap.StoreVersion, Results: []RuleHit{}, Conflicts: []Conflict{}}
	raw, prepared, err := s.embedQuestion(ctx, asker.Workspace, q.Query)
	if err != nil {
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		answer.State, answer.Reason = StateDegraded, "The meaning of the query could not be read, so only its words were searched: "+err.Error()+"."
	}
	found, err := lookUp(view, question, prepared, raw, s.options.Fusion)
	if err != nil {
		return nil, nil, err
	}
	if raw != nil && found.approx == nil && view.N() > 0 {
		answer.State, answer.Reason = StateDegraded, noVectors
	}
	codeRows := rowsWith(view, question.codes)
	named := itemNamed(view.Collection, question)
	if named >= 0 && !view.ItemCounts(named) {
		named = -1 // a rule outside its days is not there
	}
	gate := s.openGate(found, question, codeRows, named >= 0)
	allowed := s.ruleFilter(view, catalog, scope, question)
	if q.Explain {
		answer.Explain = s.explainQuery(found, question, gate)
		for item := range catalog.rules {
			if allowed(item) {
				answer.Explain.InScope++
			}
		}
	}
	if !gate.Open {
		answer.State, answer.Reason = StateNoMatch, noMatchReason(found, question, view)
		return answer, nil, nil
	}
	limit := clampLimit(q.Limit, DefaultRuleLimit)
	best, total := found.rank(ranking{
		fusion: s.options.Fusion, gate: s.options.Gate, null: gate.Null,
		allowed: allowed,
		surely: func(row int) bool {
			return codeRows(row) || found.wordsOnly(row) || found.share(row) >= s.options.Gate.WholeShare || named >= 0 && view.ItemOf(row) == named
		},
		standing: func(int) float64 { return 1 },
		bonus:    namedBonus(named),
		top:      start.offset + limit,
	})
	answer.Total = total
	page := best[min(start.offset, len(best)):]
	if total == 0 && answer.State == StateOK {
		answer.State, answer.Reason = StateNoMatch, "Rules elsewhere in the workspace speak to this, but none in the scope that was asked for."
		if len(q.Trails)+len(q.Domains)+len(q.Clusters) == 0 {
			answer.Reason = "No approved rule stands out from what any question would match."
		}
	}
	if end := start.offset + len(page); end < total {
		answer.NextCursor = cursor{start.version, start.day, end}.seal(seal)
	}
	matcher := newMatcher(s.options.Analyzer, question)
	for i, hit := range page {
		answer.Results = append(answer.Results, s.shapeRule(view, catalog, matcher, hit, start.offset+i+1, s.options.Gate.strength(hit, question, codeRows), q.Explain))
	}
	answer.Conflicts = s.ruleConflicts(view, catalog, page)
	return answer, page, nil
}

// embedQuestion makes the vector of a query once; nil when it is only white
// space to the model.
func (s *Service) embedQuestion(ctx context.Context, workspace, text string) ([]float32, *vector.Query, error) {
	raw, err := s.embed(ctx, workspace, text)
	if err != nil {
		return nil, nil, err
	}
	prepared, err := vector.NewQuery(raw)
	if err != nil {
		return nil, nil, fmt.Errorf("prepare the query's vector: %w", err)
	}
	return raw, prepared, nil
}

// ruleFilter tells which items may be returned: in force on the day, in the
// scope, and not left out by the query's own phrases and exclusions.
func (s *Service) ruleFilter(view *index.View, catalog *rulesCatalog, scope ruleScope, q *question) func(item int) bool {
	literal := s.literalFilter(view, q)
	return func(item int) bool {
		return catalog.counts[item] && scope.holds(catalog.rules[item]) && literal(item)
	}
}

func (s *Service) shapeRule(view *index.View, catalog *rulesCatalog, m *matcher, hit scored, rank int, strength Strength, explain bool) RuleHit {
	r := view.Rule(hit.item)
	out := RuleHit{Rank: rank, ID: r.ID, Text: r.Text, Title: r.Title, Class: r.Class, ClassDerived: r.ClassDerived,
		Trail: catalog.trails[catalog.rules[hit.item].trail], Domain: r.Domain, Cluster: r.Cluster,
		Tags: append([]string{}, r.Tags...), AppliesWhen: r.AppliesWhen, Source: r.Source,
		Strength: strength}
	out.Matched = m.match(hit, []fieldText{
		{index.Body, r.Text}, {index.Title, r.Title}, {index.Tags, strings.Join(r.Tags, "\n")},
		{index.AppliesWhen, strings.Join(r.AppliesWhen, "\n")}, {index.Context, out.Trail.Name + "\n" + r.Domain + "\n" + r.Cluster},
	}).withID(hit, r.ID)
	if explain {
		out.Explain = explainHit(s.options.Fusion, hit)
	}
	return out
}

// record notes the search in the activity of each Trail that it returned rules
// from; a Trail that returned nothing gets no record.
func (s *Service) record(asker Asker, q RuleQuery, a *RuleAnswer, page []scored, took time.Duration) {
	if s.options.Recorder == nil || len(page) == 0 {
		return
	}
	filters := map[string][]string{}
	for name, values := range map[string][]string{"trails": q.Trails, "domains": q.Domains, "clusters": q.Clusters} {
		if len(values) > 0 {
			filters[name] = values
		}
	}
	byTrail := map[string]*store.Activity{}
	var order []string
	for _, hit := range a.Results {
		r := byTrail[hit.Trail.ID]
		if r == nil {
			r = &store.Activity{Time: s.options.Now(), TrailID: hit.Trail.ID, Agent: asker.Agent, Tool: asker.Tool, Query: q.Query, Filters: filters,
				Milliseconds: float64(took.Microseconds()) / 1000}
			byTrail[hit.Trail.ID] = r
			order = append(order, hit.Trail.ID)
		}
		r.Rules = append(r.Rules, store.RankedRule{ID: hit.ID, Rank: hit.Rank})
	}
	for _, c := range a.Conflicts {
		for i, trail := range c.Trails {
			if i == 0 || trail.ID != c.Trails[0].ID {
				byTrail[trail.ID].Conflicts = append(byTrail[trail.ID].Conflicts, c.Rules)
			}
		}
	}
	records := make([]store.Activity, len(order))
	for i, id := range order {
		records[i] = *byTrail[id]
	}
	// A record that cannot be taken is counted by the recorder; the answer stands.
	_ = s.options.Recorder.Add(asker.Workspace, records...)
}
