package search_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"waymark/ingest"
	"waymark/search"
	"waymark/search/searchtest"
)

// TestWalls: of two workspaces with equal names and ids, whatever is done in one
// changes no byte of what the other answers: hits, counts, scores, explanations,
// errors and cursors. Every tool is asked.
func TestWalls(t *testing.T) {
	for seed := range uint64(rounds(3)) {
		w := searchtest.Open(t, searchtest.Options{})
		ours, theirs := searchtest.NewRandom(w.Space("ours"), seed+80), searchtest.NewRandom(w.Space("theirs"), seed+80)
		ours.Fill(30, 25)
		theirs.Fill(30, 25)
		calls := ours.Calls(rounds(60))
		before := ours.Space.Transcript(calls)
		// The same store content answers alike in both: there is nothing else.
		if d := cmp.Diff(withoutCursors(before), withoutCursors(theirs.Space.Transcript(calls))); d != "" {
			t.Fatalf("seed %d: equal workspaces (-ours +theirs):\n%s", seed, d)
		}
		for range rounds(12) {
			theirs.Step()
			theirs.Space.Transcript(theirs.Calls(3))
			if d := cmp.Diff(before, ours.Space.Transcript(calls)); d != "" {
				t.Fatalf("seed %d: after a change of the other workspace (-before +after):\n%s", seed, d)
			}
		}
		ours.Step()
		if d := cmp.Diff(before, ours.Space.Transcript(calls)); d == "" {
			t.Errorf("seed %d: a change of our own changed nothing: the transcript shows too little", seed)
		}
		if err := w.Store.DeleteWorkspace(theirs.Space.ID); err != nil {
			t.Fatal(err)
		}
		if err := w.Index.Drop(theirs.Space.ID); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Service.SearchRules(t.Context(), search.Asker{Workspace: theirs.Space.ID}, search.RuleQuery{Query: "hotel"}); err == nil {
			t.Error("a deleted workspace answers")
		}
	}
}

// withoutCursors cuts the cursors out of a transcript: they are bound to their
// workspace.
func withoutCursors(lines []string) []string {
	var out []string
	for _, line := range lines {
		for {
			from := strings.Index(line, `"next_cursor":"`)
			if from < 0 {
				break
			}
			end := from + len(`"next_cursor":"`)
			end += strings.Index(line[end:], `"`) + 1
			line = line[:from] + line[end:]
		}
		out = append(out, line)
	}
	return out
}

// TestForeignIDsAreUnknown: what does not exist answers to the byte as before when
// the other workspace has it.
func TestForeignIDsAreUnknown(t *testing.T) {
	w := searchtest.Open(t, searchtest.Options{})
	ours, theirs := w.Space("ours"), w.Space("theirs")
	searchtest.NewRandom(ours, 1).Fill(5, 5)
	calls := []searchtest.Call{
		{Tool: "kb_get", Arguments: map[string]any{"id": "hers-1"}},
		{Tool: "kb_search", Arguments: map[string]any{"query": "hers-1", "abstain": true, "explain": true}},
		{Tool: "kb_search", Arguments: map[string]any{"query": "hers-1", "verbose": true}},
		{Tool: "kb_search", Arguments: map[string]any{"query": "a lighthouse", "category": "hers-1", "explain": true}},
		{Tool: "search_trail_rules", Arguments: map[string]any{"query": "a lighthouse", "trails": "hers-1"}},
		{Tool: "search_trail_rules", Arguments: map[string]any{"query": "a lighthouse", "domains": "hers-1"}},
		{Tool: "search_trail_rules", Arguments: map[string]any{"query": "a lighthouse", "clusters": "hers-1"}},
		{Tool: "search_trail_rules", Arguments: map[string]any{"query": "hers-1", "explain": true}},
		{Tool: "search_trail_rules", Arguments: map[string]any{"query": "a lighthouse", "explain": true}},
		{Tool: "get_brain_context", Arguments: map[string]any{"query": "hotel", "trail": "hers-1"}},
		{Tool: "list_trail_domains_and_tags", Arguments: map[string]any{"trails": "hers-1"}},
	}
	before := ours.Transcript(calls)
	theirs.AddTrail("hers-1", "Hers-1")
	theirs.AddRules(ingest.RuleInput{ID: "hers-1", Trail: "hers-1", Text: "A lighthouse is lit at night.", Domain: "hers-1", Cluster: "hers-1"})
	theirs.AddDocuments(map[string]string{"universal/x.md": "---\nid: hers-1\nstatus: active\ntitle: A lighthouse\ncategory: hers-1\n---\nA lighthouse.\n"})
	for _, c := range calls {
		if !strings.Contains(theirs.Call(c.Tool, c.Arguments), "hers-1") {
			t.Errorf("%s %v shows nothing of hers to its own workspace", c.Tool, c.Arguments)
		}
	}
	if d := cmp.Diff(before, ours.Transcript(calls)); d != "" {
		t.Errorf("before and after the other workspace has it:\n%s", d)
	}
}
