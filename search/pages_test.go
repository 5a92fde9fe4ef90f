package search_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"waymark/ingest"
	"waymark/search"
	"waymark/search/searchtest"
)

// TestPagesNeitherOverlapNorSkip cuts random answers into random pages and puts
// them together again.
func TestPagesNeitherOverlapNorSkip(t *testing.T) {
	for seed := range uint64(rounds(4)) {
		s := searchtest.Open(t, searchtest.Options{}).Space("w")
		r := searchtest.NewRandom(s, seed)
		r.Fill(60, 40)
		for range rounds(40) {
			q := search.RuleQuery{Query: r.Words(3), Explain: true}
			if r.IntN(2) == 0 {
				q.Trails = []string{"Payroll"}
			}
			whole := s.Rules(search.RuleQuery{Query: q.Query, Trails: q.Trails, Limit: search.MaxLimit, Explain: true})
			var pages []search.RuleHit
			for {
				q.Limit = 1 + r.IntN(9)
				a := s.Rules(q)
				if a.Total != whole.Total || a.NextCursor != "" && len(a.Results) != q.Limit {
					t.Fatalf("%+v: total %d and %d results, want total %d", q, a.Total, len(a.Results), whole.Total)
				}
				pages = append(pages, a.Results...)
				if q.Cursor = a.NextCursor; q.Cursor == "" {
					break
				}
			}
			if d := cmp.Diff(whole.Results, pages); d != "" {
				t.Fatalf("%q by pages (-whole +pages):\n%s", q.Query, d)
			}

			docs := search.DocumentQuery{Query: q.Query, IncludeExpired: r.IntN(2) == 0, Verbose: true, Explain: true}
			all, _ := allDocuments(s, docs)
			var hits []search.DocumentHit
			for {
				docs.Limit = 1 + r.IntN(9)
				a := s.Documents(docs)
				hits = append(hits, a.Hits...)
				if docs.Cursor = a.NextCursor; docs.Cursor == "" {
					break
				}
			}
			if d := cmp.Diff(all, hits); d != "" {
				t.Fatalf("%+v by pages (-whole +pages):\n%s", docs, d)
			}
		}
	}
}

// TestLimitDoesNotMoveTheOrder: the first five of limit 5 are those of limit 20,
// and every run gives the same bytes.
func TestLimitDoesNotMoveTheOrder(t *testing.T) {
	s := searchtest.Open(t, searchtest.Options{}).Space("w")
	r := searchtest.NewRandom(s, 3)
	r.Fill(60, 60)
	for range rounds(40) {
		query := r.Words(2)
		for _, name := range []string{"search_trail_rules", "kb_search"} {
			call := func(limit int) string {
				return s.Call(name, map[string]any{"query": query, "limit": limit, "explain": true})
			}
			if first, again := call(20), call(20); first != again {
				t.Fatalf("%s(%q) twice:\n%s%s", name, query, first, again)
			}
		}
		five, twenty := s.Rules(search.RuleQuery{Query: query, Limit: 5, Explain: true}), s.Rules(search.RuleQuery{Query: query, Limit: 20, Explain: true})
		if d := cmp.Diff(twenty.Results[:len(five.Results)], five.Results); d != "" {
			t.Fatalf("%q: limit 20 and 5:\n%s", query, d)
		}
		fewDocs, manyDocs := s.Documents(search.DocumentQuery{Query: query, Limit: 5, Explain: true}), s.Documents(search.DocumentQuery{Query: query, Limit: 20, Explain: true})
		if d := cmp.Diff(manyDocs.Hits[:len(fewDocs.Hits)], fewDocs.Hits); d != "" {
			t.Fatalf("%q: limit 20 and 5:\n%s", query, d)
		}
	}
}

// TestLimitsAreClamped: below 1 is 1, above 100 is 100, on every tool with a
// limit.
func TestLimitsAreClamped(t *testing.T) {
	s := searchtest.Open(t, searchtest.Options{}).Space("w")
	var rules []ingest.RuleInput
	docs := map[string]string{}
	for i := range 130 {
		id := string(rune('a'+i/26)) + string(rune('a'+i%26))
		rules = append(rules, ingest.RuleInput{ID: id, Trail: "Travel", Text: "Hotel approval " + id + "."})
		docs["universal/"+id+".md"] = "---\nstatus: active\ntitle: Hotel approval " + id + "\nrecheck_by: 2026-01-01\n---\nHotel approval.\n"
	}
	s.AddRules(rules...)
	s.AddDocuments(docs)
	for _, c := range []struct{ limit, rules, docs, brain int }{{0, 10, 20, 10}, {-5, 1, 1, 1}, {1, 1, 1, 1}, {100, 100, 100, 100}, {101, 100, 100, 100}, {1 << 30, 100, 100, 100}} {
		if got := len(s.Rules(search.RuleQuery{Query: "hotel approval", Limit: c.limit}).Results); got != c.rules {
			t.Errorf("SearchRules, limit %d: %d rules, want %d", c.limit, got, c.rules)
		}
		if got := s.Documents(search.DocumentQuery{Query: "hotel approval", Limit: c.limit}); len(got.Hits) != c.docs || got.TotalReturned != c.docs {
			t.Errorf("SearchDocuments, limit %d: %d hits and total_returned %d, want %d", c.limit, len(got.Hits), got.TotalReturned, c.docs)
		}
		brain, err := s.Service.BrainContext(t.Context(), search.Asker{Workspace: s.ID}, search.BrainQuery{Trail: "Travel", Query: "hotel approval", Limit: c.limit})
		if err != nil || len(brain.Results) != c.brain {
			t.Errorf("BrainContext, limit %d: %d rules (%v), want %d", c.limit, len(brain.Results), err, c.brain)
		}
		if c.limit == 0 {
			continue // the lists have their own defaults
		}
		list, err := s.Service.ListDocuments(t.Context(), s.ID, search.ListQuery{Limit: c.limit})
		if err != nil || len(list.Documents) != c.docs || list.Total != 130 {
			t.Errorf("ListDocuments, limit %d: %d of %d (%v), want %d of 130", c.limit, len(list.Documents), list.Total, err, c.docs)
		}
		curate, err := s.Service.Curate(t.Context(), s.ID, search.CurateQuery{Limit: c.limit})
		if err != nil || len(curate.Documents) != c.docs || curate.Total != 130 {
			t.Errorf("Curate, limit %d: %d of %d (%v), want %d of 130", c.limit, len(curate.Documents), curate.Total, err, c.docs)
		}
	}
}

// TestForeignCursors: a cursor is good for one workspace, tool, query and set of
// filters, and for one store version.
func TestForeignCursors(t *testing.T) {
	w := searchtest.Open(t, searchtest.Options{})
	spaces := []*searchtest.Space{w.Space("one"), w.Space("two")}
	for _, s := range spaces {
		searchtest.NewRandom(s, 5).Fill(40, 40)
	}
	s := spaces[0]
	rules := s.Rules(search.RuleQuery{Query: "hotel approval", Limit: 2}).NextCursor
	docs := s.Documents(search.DocumentQuery{Query: "hotel approval", Limit: 2}).NextCursor
	if rules == "" || docs == "" {
		t.Fatalf("cursors %q and %q, want both", rules, docs)
	}
	code := func(err error) search.Code {
		var e *search.Error
		if errors.As(err, &e) {
			if e.Hint == "" || e.Message == "" {
				t.Errorf("%+v has no message or hint", e)
			}
			return e.Code
		}
		return ""
	}
	ofRules := func(workspace string, q search.RuleQuery) search.Code {
		_, err := w.Service.SearchRules(t.Context(), search.Asker{Workspace: workspace}, q)
		return code(err)
	}
	ofDocuments := func(workspace string, q search.DocumentQuery) search.Code {
		_, err := w.Service.SearchDocuments(t.Context(), workspace, q)
		return code(err)
	}
	for _, c := range []struct {
		name      string
		got, want search.Code
	}{
		{"the same again", ofRules(s.ID, search.RuleQuery{Query: "hotel approval", Cursor: rules}), ""},
		{"limit and explain may change", ofRules(s.ID, search.RuleQuery{Query: "hotel approval", Cursor: rules, Limit: 7, Explain: true}), ""},
		{"no filter and an empty one are one", ofRules(s.ID, search.RuleQuery{Query: "hotel approval", Cursor: rules, Trails: []string{}}), ""},
		{"another query", ofRules(s.ID, search.RuleQuery{Query: "hotel approvals", Cursor: rules}), search.CodeInvalidArgument},
		{"another filter", ofRules(s.ID, search.RuleQuery{Query: "hotel approval", Cursor: rules, Trails: []string{"Payroll"}}), search.CodeInvalidArgument},
		{"another workspace", ofRules(spaces[1].ID, search.RuleQuery{Query: "hotel approval", Cursor: rules}), search.CodeInvalidArgument},
		{"another tool", ofRules(s.ID, search.RuleQuery{Query: "hotel approval", Cursor: docs}), search.CodeInvalidArgument},
		{"another tool, the other way", ofDocuments(s.ID, search.DocumentQuery{Query: "hotel approval", Cursor: rules}), search.CodeInvalidArgument},
		{"not a cursor", ofRules(s.ID, search.RuleQuery{Query: "hotel approval", Cursor: "next please"}), search.CodeInvalidArgument},
		{"cut short", ofRules(s.ID, search.RuleQuery{Query: "hotel approval", Cursor: rules[:len(rules)-1]}), search.CodeInvalidArgument},
		{"verbose may change", ofDocuments(s.ID, search.DocumentQuery{Query: "hotel approval", Cursor: docs, Verbose: true}), ""},
		{"another state", ofDocuments(s.ID, search.DocumentQuery{Query: "hotel approval", Cursor: docs, InForce: true}), search.CodeInvalidArgument},
		{"another day", ofDocuments(s.ID, search.DocumentQuery{Query: "hotel approval", Cursor: docs, AsOf: "2026-01-01"}), search.CodeInvalidArgument},
	} {
		if c.got != c.want {
			t.Errorf("%s: %q, want %q", c.name, c.got, c.want)
		}
	}
	for i := range rules {
		changed := []byte(rules)
		changed[i] = 'A' + (changed[i]-'A'+1)%26
		if string(changed) == rules {
			continue
		}
		if got := ofRules(s.ID, search.RuleQuery{Query: "hotel approval", Cursor: string(changed)}); got != search.CodeInvalidArgument {
			t.Errorf("cursor with byte %d changed: %q, want invalid_argument", i, got)
		}
	}

	list, err := w.Service.ListDocuments(t.Context(), s.ID, search.ListQuery{Limit: 2})
	if err != nil || list.NextCursor == "" {
		t.Fatalf("ListDocuments: %+v, %v", list, err)
	}
	spaces[1].AddRules(ingest.RuleInput{Trail: "Payroll", Text: "Overtime is approved."})
	if got := ofRules(s.ID, search.RuleQuery{Query: "hotel approval", Cursor: rules}); got != "" {
		t.Errorf("after a write to the other workspace: %q, want an answer", got)
	}
	s.AddRules(ingest.RuleInput{Trail: "Payroll", Text: "Overtime is approved."})
	if got := ofRules(s.ID, search.RuleQuery{Query: "hotel approval", Cursor: rules}); got != search.CodeStaleCursor {
		t.Errorf("after a write: %q, want stale_cursor", got)
	}
	if got := ofDocuments(s.ID, search.DocumentQuery{Query: "hotel approval", Cursor: docs}); got != search.CodeStaleCursor {
		t.Errorf("after a write: %q, want stale_cursor", got)
	}
	if _, err := w.Service.ListDocuments(t.Context(), s.ID, search.ListQuery{Limit: 2, Cursor: list.NextCursor}); code(err) != search.CodeStaleCursor {
		t.Errorf("ListDocuments after a write: %v, want stale_cursor", err)
	}
}

// TestPagesStayOnTheirDay: an answer that was begun before midnight goes on after
// it as it was begun.
func TestPagesStayOnTheirDay(t *testing.T) {
	s := searchtest.Open(t, searchtest.Options{}).Space("w")
	s.AddRules(
		ingest.RuleInput{ID: "a", Trail: "Travel", Text: "Hotel nights need approval."},
		ingest.RuleInput{ID: "b", Trail: "Travel", Text: "Hotel nights need approval.", EffectiveUntil: searchtest.Today},
		ingest.RuleInput{ID: "c", Trail: "Travel", Text: "Hotel nights need approval."})
	q := search.RuleQuery{Query: "hotel approval", Limit: 1}
	first := s.Rules(q)
	s.SetDay("2026-12-02")
	ids := searchtest.RuleIDs(first)
	q.Cursor = first.NextCursor
	for q.Cursor != "" {
		a := s.Rules(q)
		ids, q.Cursor = append(ids, searchtest.RuleIDs(a)...), a.NextCursor
	}
	if want := []string{"a", "b", "c"}; !slices.Equal(ids, want) {
		t.Errorf("pages over midnight: %v, want %v", ids, want)
	}
	if got, want := searchtest.RuleIDs(s.Rules(search.RuleQuery{Query: "hotel approval"})), []string{"a", "c"}; !slices.Equal(got, want) {
		t.Errorf("a new search after midnight: %v, want %v", got, want)
	}
}
