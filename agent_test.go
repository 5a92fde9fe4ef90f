package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"waymark/server"
	"waymark/store"
	"waymark/tool"
)

// TestAnAgentWhileServing creates, enables, disables, rotates and deletes an
// agent; each holds from its next call on.
func TestAnAgentWhileServing(t *testing.T) {
	p := newPlace(t)
	p.run(t, "trail", "create", "Office").want(t, 0)
	p.run(t, "rule", "add", "--approve", "--trail", "Office", "--id", "O-1", "Plants are watered each Friday.").want(t, 0)
	made := document[server.AgentToken](t, p.run(t, "agent", "create", "reviewer", "--json").want(t, 0))
	if made.Token == "" || slices.Contains(made.Agent.Tools, "search_trail_rules") || slices.Contains(made.Agent.Tools, "kb_curate") || len(made.Agent.Tools) != len(tool.Names())-2 {
		t.Errorf("a new agent is %+v, want every tool but the two that are off", made.Agent)
	}
	p.run(t, "agent", "create", "Reviewer").want(t, exitUsage, "already exists")

	with := func(token string, code int, says string, args ...string) {
		t.Helper()
		t.Setenv("WAYMARK_TOKEN", token)
		p.host.run(t, args...).want(t, code, says)
		t.Setenv("WAYMARK_TOKEN", "")
	}
	with(made.Token, exitNotAllowed, "tool_not_enabled", "ask", "plants")
	with(made.Token, 0, `"results":[{"rank":1,"id":"O-1"`, "call", "get_brain_context", `{"trail": "Office", "query": "plants"}`)
	p.run(t, "agent", "enable", "reviewer", "search_trail_rules", "kb_curate").want(t, 0, "search_trail_rules", "kb_curate")
	with(made.Token, 0, "O-1", "ask", "plants")
	p.run(t, "agent", "disable", "reviewer", "search_trail_rules").want(t, 0)
	with(made.Token, exitNotAllowed, "waymark agent enable reviewer search_trail_rules", "ask", "plants")
	p.run(t, "agent", "enable", "reviewer", "search_trail_rules").want(t, 0)
	for _, args := range [][]string{{"workspace", "list"}, {"rule", "add", "--trail", "Office", "Desks are moved."}, {"rule", "approve", "O-1"}, {"agent", "list"}, {"trail", "list"},
		{"export"}, {"activity", "Office"}, {"status"}, {"import", write(t, "r.jsonl", `{"trail": "Office", "text": "Desks are moved."}`)}} {
		with(made.Token, exitNotAllowed, "Agents only read.", args...)
	}
	rotated := document[server.AgentToken](t, p.run(t, "agent", "rotate", "reviewer", "--json").want(t, 0))
	if rotated.Token == made.Token {
		t.Error("rotating gave the same token")
	}
	with(made.Token, exitNotAllowed, "unauthorized", "ask", "plants")
	with(rotated.Token, 0, "O-1", "ask", "plants")

	// A token binds to its workspace, whatever the call names.
	with(rotated.Token, 0, "O-1", "ask", "plants", "-w", "nosuch")

	// An operator acts as the agent without its token.
	p.run(t, "call", "search_trail_rules", `{"query": "plants"}`, "--agent", "reviewer").want(t, 0, "O-1")
	p.run(t, "call", "search_trail_rules", `{"query": "plants"}`, "--agent", "nosuch").want(t, exitNotFound, "unknown_agent")

	if got := p.run(t, "agent", "list").want(t, 0, "reviewer"); strings.Contains(got.stdout, rotated.Token) {
		t.Error("a token is shown twice")
	}
	p.run(t, "agent", "delete", "reviewer").want(t, exitUsage, "--yes")
	p.run(t, "agent", "delete", "reviewer", "--yes").want(t, 0)
	with(rotated.Token, exitNotAllowed, "unauthorized", "ask", "plants")
}

func TestSeveralToolsAtCreation(t *testing.T) {
	p := newPlace(t)
	for name, args := range map[string][]string{"a": {"--enable", "search_trail_rules", "--enable", "kb_curate"}, "b": {"--enable", "search_trail_rules", "kb_curate"}} {
		made := document[server.AgentToken](t, p.run(t, append([]string{"agent", "create", name, "--json"}, args...)...).want(t, 0))
		if len(made.Agent.Tools) != len(tool.Names()) {
			t.Errorf("agent create %s %q may use %q, want all", name, args, made.Agent.Tools)
		}
	}
	p.run(t, "agent", "create", "c", "--enable", "nosuch").want(t, exitNotFound, "unknown_tool")
	p.run(t, "agent", "list", "--json").want(t, 0, `"name":"a"`, `"name":"b"`)
}

// TestActivityNamesWhoAskedWhat records one search for each Trail that returned
// rules, and nothing for the others.
func TestActivityNamesWhoAskedWhat(t *testing.T) {
	p := newPlace(t)
	for _, trail := range []string{"Office", "Kitchen", "Empty"} {
		p.run(t, "trail", "create", trail).want(t, 0)
	}
	p.run(t, "rule", "add", "--approve", "--trail", "Office", "--id", "O-1", "Plants in the office are watered each Friday.").want(t, 0)
	p.run(t, "rule", "add", "--approve", "--trail", "Kitchen", "--id", "K-1", "Plants in the kitchen are watered each Monday.").want(t, 0)
	p.run(t, "agent", "create", "reviewer", "--enable", "search_trail_rules").want(t, 0)
	p.run(t, "call", "search_trail_rules", `{"query": "when are plants watered"}`, "--agent", "reviewer").want(t, 0)
	p.run(t, "ask", "when are plants watered", "--trail", "Office").want(t, 0)
	p.run(t, "ask", "how long do I boil an egg at high altitude").want(t, 0, "No rule matches.")

	page := document[server.ActivityPage](t, p.run(t, "activity", "Office", "--json").want(t, 0))
	if len(page.Records) != 2 {
		t.Fatalf("activity of Office = %+v, want two records", page.Records)
	}
	newest, oldest := page.Records[0], page.Records[1]
	if newest.Agent != "" || newest.Filters["trails"] == nil || newest.Tool != "search_trail_rules" {
		t.Errorf("the newest record is %+v, want the operator's with its filter", newest)
	}
	if oldest.Agent != "reviewer" || oldest.Query != "when are plants watered" || len(oldest.Rules) != 1 || oldest.Rules[0].ID != "O-1" || oldest.Milliseconds <= 0 {
		t.Errorf("the oldest record is %+v, want the agent's with rule and rank", oldest)
	}
	if got := document[server.ActivityPage](t, p.run(t, "activity", "Kitchen", "--json")); len(got.Records) != 1 || got.Records[0].Rules[0].ID != "K-1" {
		t.Errorf("activity of Kitchen = %+v, want one record of K-1", got.Records)
	}
	if got := document[server.ActivityPage](t, p.run(t, "activity", "Empty", "--json")); len(got.Records) != 0 || got.NextCursor != "" {
		t.Errorf("activity of Empty = %+v, want none", got)
	}
	p.run(t, "activity", "Office").want(t, 0, "reviewer  when are plants watered", "operator  when are plants watered", "1. O-1")
	first := document[server.ActivityPage](t, p.run(t, "activity", "Office", "--json", "--limit", "1"))
	second := document[server.ActivityPage](t, p.run(t, "activity", "Office", "--json", "--limit", "1", "--cursor", first.NextCursor))
	if first.NextCursor == "" || len(second.Records) != 1 || second.Records[0].Agent != "reviewer" {
		t.Errorf("the second page is %+v, want the agent's record", second)
	}
	p.run(t, "activity", "Office", "--limit", "1").want(t, 0, "more with --cursor ")
}

// TestATrailGoneLeavesNoActivity: a new one of the same name starts empty.
func TestATrailGoneLeavesNoActivity(t *testing.T) {
	p := newPlace(t)
	fill := func() {
		p.run(t, "trail", "create", "Office").want(t, 0)
		p.run(t, "rule", "add", "--approve", "--trail", "Office", "Plants are watered each Friday.").want(t, 0)
	}
	fill()
	p.run(t, "ask", "plants").want(t, 0)
	p.run(t, "activity", "Office").want(t, 0, "plants")
	p.run(t, "trail", "delete", "Office", "--yes").want(t, 0)
	fill()
	if got := document[server.ActivityPage](t, p.run(t, "activity", "Office", "--json")); len(got.Records) != 0 {
		t.Errorf("the new Trail has the activity %+v", got.Records)
	}
}

// TestFollowShowsWhatIsNew and what was there before only once, however long the
// record is.
func TestFollowShowsWhatIsNew(t *testing.T) {
	p := newPlace(t)
	p.run(t, "trail", "create", "Office").want(t, 0)
	p.run(t, "rule", "add", "--approve", "--trail", "Office", "--id", "O-1", "Plants are watered each Friday.").want(t, 0)
	for i := range 7 {
		p.run(t, "ask", fmt.Sprintf("plants, question %d", i)).want(t, 0)
	}
	ctx, stop := context.WithTimeout(context.Background(), 2500*time.Millisecond)
	defer stop()
	late := time.AfterFunc(500*time.Millisecond, func() { p.run(t, "ask", "plants, asked late") })
	defer late.Stop()
	o := runWith(t, ctx, "", "activity", "Office", "--follow", "--json", "--limit", "2", "--socket", p.cfg.Socket, "-w", p.workspace).want(t, 0)
	var got []string
	for line := range strings.Lines(o.stdout) {
		var a store.Activity
		if err := json.Unmarshal([]byte(line), &a); err != nil {
			t.Fatalf("%q is no record: %v", line, err)
		}
		got = append(got, a.Query)
	}
	if d := cmp.Diff([]string{"plants, question 5", "plants, question 6", "plants, asked late"}, got); d != "" {
		t.Errorf("--follow (-want +got):\n%s", d)
	}
}
