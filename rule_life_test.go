package main

import (
	"slices"
	"strings"
	"testing"

	"waymark/ingest"
	"waymark/search"
	"waymark/server"
	"waymark/store"
)

// asked are the ids and texts that a question brings.
func asked(t *testing.T, p place, question string, args ...string) map[string]string {
	t.Helper()
	found := map[string]string{}
	for _, hit := range document[search.RuleAnswer](t, p.run(t, append([]string{"ask", "--json", question}, args...)...).want(t, 0)).Results {
		found[hit.ID] = hit.Text
	}
	return found
}

func history(t *testing.T, p place, id string) string {
	t.Helper()
	var actions []string
	for _, e := range document[[]store.RuleEvent](t, p.run(t, "rule", "history", id, "--json").want(t, 0)) {
		if e.By == "" || e.At.IsZero() {
			t.Errorf("history of %s: %+v says neither who nor when", id, e)
		}
		actions = append(actions, e.Action)
	}
	return strings.Join(actions, " ")
}

// TestTheLifeOfARule goes from its draft to its end, and asks at every step what
// an agent would find.
func TestTheLifeOfARule(t *testing.T) {
	p := newPlace(t)
	const question = "when are the office plants watered"
	p.run(t, "trail", "create", "Office", "--description", "what keeps it going", "--owner", "Ada").want(t, 0, "Office", "owner Ada")
	added := document[server.RuleChange](t, p.run(t, "rule", "add", "--json", "--trail", "office", "--id", "O-1", "--domain", "Green", "--cluster", "Plants", "--tag", "plants",
		"--applies-when", "a week begins", "--source", "handbook, page 3", "The clerk waters the office plants each Friday.").want(t, 0))
	if r := added.Rule; r.Status != store.StatusDraft || r.Version != 1 || r.Domain != "Green" || !r.ClassDerived || r.Author != "operator" || r.Source != "handbook, page 3" {
		t.Errorf("rule add = %+v", r)
	}
	if got := asked(t, p, question); len(got) != 0 {
		t.Errorf("a draft is found: %v", got)
	}
	p.run(t, "rule", "approve", "O-1").want(t, 0, "version 1 · approved")
	if got := asked(t, p, question); !strings.Contains(got["O-1"], "Friday") {
		t.Errorf("in force, but found is %v", got)
	}

	// Editing leaves the old version in force until the new one is approved.
	p.run(t, "rule", "edit", "O-1", "--text", "The clerk waters the office plants each Monday.").want(t, 0, "version 2 · draft")
	if got := asked(t, p, question); !strings.Contains(got["O-1"], "Friday") {
		t.Errorf("edited, but found is %v, want the old text", got)
	}
	shown := document[server.RuleView](t, p.run(t, "rule", "show", "O-1", "--json"))
	if shown.Rule.Version != 1 || shown.Draft == nil || shown.Draft.Version != 2 || shown.Draft.Cluster != "Plants" {
		t.Errorf("rule show = %+v, want version 1 in force and version 2 waiting with its other fields", shown)
	}
	p.run(t, "rule", "discard", "O-1").want(t, 0, "O-1")
	p.run(t, "rule", "approve", "O-1").want(t, exitUsage, "has no draft")
	p.run(t, "rule", "edit", "O-1", "--text", "The clerk waters the office plants each Tuesday.").want(t, 0, "version 3 · draft")
	p.run(t, "rule", "approve", "O-1").want(t, 0, "version 3 · approved")
	if got := asked(t, p, question); !strings.Contains(got["O-1"], "Tuesday") {
		t.Errorf("approved, but found is %v, want the new text", got)
	}

	// One that was in force can be retired, not deleted.
	p.run(t, "rule", "delete", "O-1", "--yes").want(t, exitUsage, "has been in force")
	p.run(t, "rule", "retire", "O-1", "--note", "the plants are gone").want(t, 0, "retired")
	if got := asked(t, p, question); len(got) != 0 {
		t.Errorf("a retired rule is found: %v", got)
	}
	p.run(t, "rule", "retire", "O-1").want(t, exitUsage, "not in force")
	if got, want := history(t, p, "O-1"), "created approved edited discarded edited superseded approved retired"; got != want {
		t.Errorf("history = %q, want %q", got, want)
	}
	p.run(t, "rule", "history", "O-1").want(t, 0, "the plants are gone", "operator", "version 3  retired")
	p.run(t, "rule", "list", "--status", "retired").want(t, 0, "retired   O-1")
}

func TestSupersedingRetiresTheOldRuleAtOnce(t *testing.T) {
	p := newPlace(t)
	p.run(t, "trail", "create", "Paper").want(t, 0)
	p.run(t, "rule", "add", "--approve", "--trail", "Paper", "--id", "A", "Paper is bought from the supplier North.").want(t, 0)
	p.run(t, "rule", "add", "--trail", "Paper", "--id", "B", "--supersedes", "A", "--confirm-conflicts", "Paper is bought from the supplier South.").want(t, 0)
	if got := asked(t, p, "paper supplier"); len(got) != 1 || got["A"] == "" {
		t.Errorf("before approval %v is in force, want A", got)
	}
	p.run(t, "rule", "approve", "B").want(t, 0)
	if got := asked(t, p, "paper supplier"); len(got) != 1 || got["B"] == "" {
		t.Errorf("after approval %v is in force, want B", got)
	}
	p.run(t, "rule", "show", "A").want(t, 0, "retired", "superseded by B")
	if got := history(t, p, "A"); !strings.HasPrefix(got, "created approved ") {
		t.Errorf("history of A = %q", got)
	}
}

func TestRulesThatConflictAreNeverAddedSilently(t *testing.T) {
	p := newPlace(t)
	p.run(t, "trail", "create", "Travel").want(t, 0)
	p.run(t, "rule", "add", "--approve", "--trail", "Travel", "--id", "T-1", "Employees must book hotels through the travel portal.").want(t, 0)
	against := "Employees must not book hotels through the travel portal."
	found := document[[]ingest.Conflict](t, p.run(t, "rule", "check", "--json", "--trail", "Travel", against).want(t, 0))
	if len(found) != 1 || found[0].Rules[1] != "T-1" || found[0].Kind != "deontic" || !found[0].Certain || found[0].Point == "" {
		t.Errorf("rule check = %+v, want the deontic conflict with T-1", found)
	}
	p.run(t, "rule", "check", "--trail", "Travel", against).want(t, 0, "conflicts with T-1 (deontic)")
	p.run(t, "rule", "check", "--trail", "Travel", "Suitcases are carried by their owners.").want(t, 0, "no conflict found")
	p.run(t, "rule", "list").want(t, 0, "T-1")
	o := p.run(t, "rule", "add", "--trail", "Travel", "--id", "T-2", against).want(t, exitConflict, "T-1", "valid: T-1", "confirm")
	if o.stdout != "" {
		t.Errorf("a refusal writes %q to stdout", o.stdout)
	}
	p.run(t, "rule", "show", "T-2").want(t, exitNotFound)
	p.run(t, "rule", "add", "--trail", "Travel", "--id", "T-2", "--confirm-conflicts", against).want(t, 0, "conflicts with T-1")
	p.run(t, "rule", "approve", "T-2").want(t, 0, "conflicts with T-1") // shown again
	p.run(t, "rule", "compare", "T-1", "T-2").want(t, 0, "conflicts with T-2 (deontic)")
	p.run(t, "rule", "edit", "T-2", "--text", "Employees never book hotels through the travel portal.").want(t, exitConflict, "T-1")
	answer := document[search.RuleAnswer](t, p.run(t, "ask", "--json", "hotels travel portal"))
	if len(answer.Results) != 2 || len(answer.Conflicts) != 1 {
		t.Errorf("both rules and their conflict are wanted, found %+v with %+v", answer.Results, answer.Conflicts)
	}
}

// TestAcrossTrailsNothingIsCheckedAtAdding, and everything when both come back.
func TestAcrossTrailsNothingIsCheckedAtAdding(t *testing.T) {
	p := newPlace(t)
	for _, trail := range []string{"Travel", "Procurement"} {
		p.run(t, "trail", "create", trail).want(t, 0)
	}
	p.run(t, "rule", "add", "--approve", "--trail", "Travel", "--id", "T-1", "Employees must book hotels through the travel portal.").want(t, 0)
	p.run(t, "rule", "add", "--approve", "--trail", "Procurement", "--id", "P-1", "Employees must not book hotels through the travel portal.").want(t, 0)
	p.run(t, "ask", "hotels travel portal").want(t, 0, "These two rules conflict", "in Travel", "in Procurement")
	if got := document[search.RuleAnswer](t, p.run(t, "ask", "--json", "--trail", "Travel", "hotels travel portal")); len(got.Conflicts) != 0 {
		t.Errorf("one of the two alone has the conflicts %+v", got.Conflicts)
	}
}

func TestTrailsAndTheirRules(t *testing.T) {
	p := newPlace(t)
	p.run(t, "trail", "list").want(t, 0)
	p.run(t, "trail", "create", "Office", "--owner", "Ada").want(t, 0)
	p.run(t, "trail", "edit", "OFFICE", "--name", "The office", "--description", "what keeps it going").want(t, 0, "The office", "what keeps it going", "owner Ada")
	p.run(t, "trail", "show", "office").want(t, 0, "The office") // the id stays
	p.run(t, "rule", "add", "--approve", "--trail", "The office", "--id", "O-1", "Plants are watered each Friday.").want(t, 0)
	p.run(t, "rule", "add", "--trail", "The office", "--id", "O-1", "Something else is watered.").want(t, exitUsage, "already exists")
	p.run(t, "rule", "add", "--trail", "The office", "Plants are watered each Friday.").want(t, 0) // the same text under another id
	p.run(t, "rule", "add", "--trail", "The office").want(t, exitUsage, "text of the rule is missing")
	p.run(t, "rule", "list", "--status", "bogus").want(t, exitUsage, "draft, approved or retired")
	p.run(t, "rule", "edit", "O-1", "--class", "wish").want(t, exitUsage, "obligation")
	p.run(t, "rule", "edit", "O-1", "--cluster", "c").want(t, exitUsage, "domain")
	if o := p.run(t, "trail", "delete", "The office", "--yes", "--json").want(t, 0); document[map[string]string](t, o)["deleted"] != "The office" {
		t.Errorf("trail delete --json = %q", o.stdout)
	}
	p.run(t, "rule", "show", "O-1").want(t, exitNotFound)
	p.run(t, "ask", "plants").want(t, 0, "No rule matches.")
}

// TestAWallBetweenWorkspaces: equal names and ids on both sides, and a foreign id
// answers as one that does not exist.
func TestAWallBetweenWorkspaces(t *testing.T) {
	p, q := newPlace(t), newPlace(t)
	for _, w := range []place{p, q} {
		w.run(t, "trail", "create", "Office").want(t, 0)
		w.run(t, "rule", "add", "--approve", "--trail", "Office", "--id", "O-1", "Plants are watered each Friday.").want(t, 0)
	}
	before := p.run(t, "ask", "--json", "--explain", "plants friday")
	q.run(t, "rule", "add", "--approve", "--trail", "Office", "--id", "Q-1", "Plants are never watered on a Friday, says the other company.", "--confirm-conflicts").want(t, 0)
	q.run(t, "rule", "retire", "O-1").want(t, 0)
	if after := p.run(t, "ask", "--json", "--explain", "plants friday"); after.stdout != before.stdout {
		t.Errorf("a change in another workspace changed\n%s to\n%s", before.stdout, after.stdout)
	}
	foreign, unknown := p.run(t, "rule", "show", "Q-1"), p.run(t, "rule", "show", "X-1")
	if foreign.code != unknown.code || strings.ReplaceAll(foreign.stderr, "Q-1", "X-1") != unknown.stderr {
		t.Errorf("a foreign id gives %q, an unknown one %q", foreign.stderr, unknown.stderr)
	}
	all := document[[]store.Workspace](t, p.run(t, "workspace", "list", "--json"))
	if !slices.ContainsFunc(all, func(w store.Workspace) bool { return w.Name == q.workspace }) {
		t.Errorf("an operator sees %v, want %q among them", all, q.workspace)
	}
}
