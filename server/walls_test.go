package server_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"waymark/search"
	"waymark/search/searchtest"
	"waymark/tool"
)

// allQuarrel is a comparer for which every two rules conflict.
type allQuarrel struct{}

func (allQuarrel) ComparePage(rules []search.ComparedRule) []search.ComparedPair {
	var all []search.ComparedPair
	for a := range rules {
		for b := a + 1; b < len(rules); b++ {
			all = append(all, search.ComparedPair{A: a, B: b, Kind: "threshold", Point: rules[a].Rule.Text + " against " + rules[b].Rule.Text})
		}
	}
	return all
}

// TestWallsOverTheSocket: whatever is done in one workspace, by whichever route,
// changes no byte of what the other is sent: answers, errors, lists, the state of
// rules, history and activity, to an operator and to an agent.
func TestWallsOverTheSocket(t *testing.T) {
	d := serve(t, searchtest.Options{Comparer: allQuarrel{}}, nil)
	ours, theirs := searchtest.NewRandom(d.Space("ours"), 7), searchtest.NewRandom(d.Space("theirs"), 7)
	ours.Fill(20, 15)
	theirs.Fill(20, 15)
	token := d.newAgent(t, ours.Space.ID, "clerk", tool.Names()...)
	calls := ours.Calls(25)
	type asked struct{ method, path, body string }
	var all []asked
	for _, c := range calls {
		body, err := json.Marshal(c.Arguments)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, asked{"POST", "/v1/call/" + c.Tool, string(body)})
	}
	for i := range 60 {
		id := fmt.Sprintf("r%03d", i) // some of which only the other will have
		all = append(all, asked{"GET", "/v1/rules/" + id, ""})
		if i%6 == 0 {
			all = append(all, asked{"GET", "/v1/rules/" + id + "/history", ""}, asked{"GET", "/v1/rules/r001/compare/" + id, ""})
		}
	}
	for _, path := range []string{"/v1/trails", "/v1/rules", "/v1/agents", "/v1/tools", "/v1/trails/theirs", "/v1/export?kind=rules", "/v1/export?kind=trails", "/v1/activity/hers"} {
		all = append(all, asked{"GET", path, ""})
	}
	transcript := func() []string {
		var lines []string
		for i, a := range all {
			headers := inWorkspace(ours.Space.ID)
			if i%2 == 1 && i < len(calls) {
				headers = asAgent(token)
			}
			r := d.send(t, a.method, a.path, a.body, headers...)
			lines = append(lines, fmt.Sprintf("%s %s %s\n%d %s", a.method, a.path, a.body, r.status, r.body))
		}
		return lines
	}
	before := transcript()
	in := inWorkspace(theirs.Space.ID)
	for range 5 {
		for range 4 {
			theirs.Step()
		}
		d.send(t, "POST", "/v1/call/search_trail_rules", `{"query": "hotel approval"}`, in...)
		d.send(t, "POST", "/v1/trails", `{"name": "Hers"}`, in...)
		d.send(t, "POST", "/v1/agents", `{"name": "clerk"}`, in...)
		d.send(t, "POST", "/v1/agents/clerk/rotate", ``, in...)
		d.send(t, "DELETE", "/v1/trails/hers", ``, in...)
		if d := cmp.Diff(before, transcript()); d != "" {
			t.Fatalf("after changes of the other workspace (-before +after):\n%s", d)
		}
	}
	d.send(t, "DELETE", "/v1/workspaces/theirs", ``).want(t, "delete", 200, "")
	if d := cmp.Diff(before, transcript()); d != "" {
		t.Fatalf("after the other workspace was deleted (-before +after):\n%s", d)
	}
	ours.Step()
	if d := cmp.Diff(before, transcript()); d == "" {
		t.Error("a change of our own changed nothing: the transcript shows too little")
	}
}

// TestForeignRules: a rule of the other workspace cannot be read, changed or told
// from one that does not exist, by any route.
func TestForeignRules(t *testing.T) {
	d := serve(t, searchtest.Options{Conflicts: sameLimit{}}, nil)
	ours, theirs := d.Space("ours"), d.Space("theirs")
	searchtest.NewRandom(ours, 1).Fill(3, 0)
	ask := func() []string {
		var lines []string
		for _, a := range [][3]string{{"GET", "/v1/rules/hers", ""}, {"PATCH", "/v1/rules/hers", `{"text": "Mine."}`}, {"POST", "/v1/rules/hers/approve", ""},
			{"POST", "/v1/rules/hers/retire", ""}, {"POST", "/v1/rules/hers/discard", ""}, {"GET", "/v1/rules/hers/history", ""}, {"DELETE", "/v1/rules/hers", ""},
			{"GET", "/v1/rules/hers/compare/r001", ""}, {"GET", "/v1/rules?trail=hers", ""}, {"GET", "/v1/trails/hers", ""}, {"DELETE", "/v1/trails/hers", ""},
			{"GET", "/v1/activity/hers", ""}, {"POST", "/v1/agents/hers/rotate", ""}, {"POST", "/v1/call/kb_get", `{"id": "hers"}`}} {
			r := d.send(t, a[0], a[1], a[2], inWorkspace(ours.ID)...)
			if r.status == 200 {
				t.Errorf("%v: %+v", a, r)
			}
			lines = append(lines, fmt.Sprint(a, r.status, r.body))
		}
		return lines
	}
	before := ask()
	theirs.AddTrail("hers", "Hers")
	read[struct{}](t, d, "POST", "/v1/rules", `{"id": "hers", "trail": "hers", "text": "A lighthouse.", "status": "approved"}`, inWorkspace(theirs.ID)...)
	theirs.AddDocuments(map[string]string{"universal/h.md": "---\nid: hers\nstatus: active\n---\nA lighthouse.\n"})
	d.newAgent(t, theirs.ID, "hers")
	stored, err := d.Store.Version(theirs.ID)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, ask()); diff != "" {
		t.Errorf("before and after the other workspace has it:\n%s", diff)
	}
	if now, err := d.Store.Version(theirs.ID); err != nil || now != stored {
		t.Errorf("the other workspace is at version %d, %v; want %d", now, err, stored)
	}
}
