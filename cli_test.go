package main

import (
	"context"
	"encoding/json"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"waymark/config"
	"waymark/search"
	"waymark/store"
)

func TestUsageMistakesEndWithTwo(t *testing.T) {
	for _, c := range []struct {
		args string
		says string
	}{
		{"nosuch", `"nosuch"`},
		{"kb nosuch", `"nosuch"`},
		{"ask --nosuch question", "-nosuch"},
		{"ask question --nosuch", "-nosuch"},
		{"ask --limit many question", `"many"`},
		{"version more", `"more"`},
		{"paths more", `"more"`},
		{"health more", `"more"`},
		{"status more", `"more"`},
		{"config show more", `"more"`},
		{"trail list more", `"more"`},
		{"kb outline more", `"more"`},
		{"export more", `"more"`},
		{"serve more", "no arguments"},
		{"eval beir", "--help"},
	} {
		o := bare(t, strings.Fields(c.args)...).want(t, exitUsage, c.says)
		if o.stdout != "" {
			t.Errorf("waymark %s writes %q to stdout", c.args, o.stdout)
		}
	}
	p := newPlace(t)
	for _, args := range []string{"kb get", "kb get a b", "trail show", "rule show a b", "rule edit ID", "rule compare ID", "workspace create", "workspace rename a", "agent create",
		"agent create a b", "agent enable a", "call", "call kb_outline {} more", "import", "trail delete Invoices", "import --kind pictures x.csv"} {
		p.run(t, strings.Fields(args)...).want(t, exitUsage, "waymark: ")
	}
}

// TestExitCodes shows every code of the contract, section 9, where a user meets
// it.
func TestExitCodes(t *testing.T) {
	p, _ := sampleCompany(t)
	p.run(t, "agent", "create", "exits").want(t, 0)
	badRow := write(t, "rules.jsonl", `{"trail": "Desk", "text": ""}`)
	for _, c := range []struct {
		code int
		args []string
		says string
	}{
		{exitGood, []string{"ask", "travel approval"}, "Travel and expenses"},
		{exitGood, []string{"ask", "how long do I boil an egg at high altitude"}, "No rule matches."},
		{exitFailed, []string{"ask", "--exit-code", "how long do I boil an egg at high altitude"}, "No rule matches."},
		{exitFailed, []string{"kb", "search", "--exit-code", "--abstain", "which wine goes with grilled trout"}, "Abstained (no_signal_match)"},
		{exitUsage, []string{"ask", "  "}, "query_missing"},
		{exitUsage, []string{"kb", "search", "vpn", "--tier", "T9"}, "T1, T2, T3, T4, meta"},
		{exitUsage, []string{"call", "kb_get", `{"id": "a", "colour": 1}`}, "unknown_argument"},
		{exitUsage, []string{"call", "kb_get", `{"id"`}, "invalid_argument"},
		{exitUsage, []string{"rule", "add", "--trail", "Invoices", "--cluster", "c", "Invoices are numbered."}, "cluster"},
		{exitNotFound, []string{"ask", "--trail", "Payrol", "pay day"}, "valid: Payroll; "},
		{exitNotFound, []string{"ask", "--domain", "Lev", "pay day"}, "valid: "},
		{exitNotFound, []string{"ask", "--cluster", "Holliday", "pay day"}, "unknown_cluster"},
		{exitNotFound, []string{"kb", "get", "ADR-03"}, "unknown_document"},
		{exitNotFound, []string{"rule", "show", "nosuch"}, "unknown_rule"},
		{exitNotFound, []string{"rule", "compare", "nosuch", "TRV-011"}, "unknown_rule"},
		{exitNotFound, []string{"rule", "add", "--trail", "Invoces", "Invoices are numbered."}, "valid: Invoices; "},
		{exitNotFound, []string{"trail", "show", "nosuch"}, "unknown_trail"},
		{exitNotFound, []string{"activity", "nosuch"}, "unknown_trail"},
		{exitNotFound, []string{"export", "--trail", "nosuch"}, "unknown_trail"},
		{exitNotFound, []string{"agent", "rotate", "nosuch"}, "unknown_agent"},
		{exitNotFound, []string{"agent", "enable", "exits", "kb_serch"}, "valid: kb_search; "},
		{exitNotFound, []string{"call", "kb_serch"}, "unknown_tool"},
		{exitNotFound, []string{"workspace", "delete", "nosuch", "--yes"}, "unknown_workspace"},
		{exitNotAllowed, []string{"call", "search_trail_rules", `{"query": "pay day"}`, "--agent", "exits"}, "tool_not_enabled"},
		{exitConflict, []string{"rule", "add", "--trail", "Travel and expenses", "--domain", "Expenses", "--cluster", "Meals", "The meal allowance on trips inside the EU is 70 EUR a day for everybody."}, "TRV-011"},
		{exitBadData, []string{"import", badRow}, "the text of the rule is missing"},
		{exitBadData, []string{"import", "/nosuch/folder"}, "no such file"},
	} {
		if o := p.run(t, c.args...); o.code != c.code || !strings.Contains(o.stdout+o.stderr, c.says) {
			t.Errorf("waymark %q = %d, want %d with %q; stdout %q, stderr %q", c.args, o.code, c.code, c.says, o.stdout, o.stderr)
		}
	}
	bare(t, "ask", "anything", "--socket", "/nosuch/socket").want(t, exitUnreachable, "no daemon answers", "waymark serve")
}

// TestEveryCodeHasAnExit keeps the table of exit codes whole.
func TestEveryCodeHasAnExit(t *testing.T) {
	for _, code := range []search.Code{search.CodeQueryMissing, search.CodeWorkspaceMissing, search.CodeUnknownWorkspace, search.CodeUnknownTrail, search.CodeUnknownDomain,
		search.CodeUnknownCluster, search.CodeNameAmbiguous, search.CodeUnknownRule, search.CodeUnknownDocument, search.CodeUnknownAgent, search.CodeUnknownTool,
		search.CodeToolNotEnabled, search.CodeUnauthorized, search.CodeInvalidArgument, search.CodeUnknownArgument, search.CodeTooLarge, search.CodeStaleCursor,
		search.CodeConflictUnconfirmed, search.CodeReadOnly, search.CodeNotReady} {
		if codes[code] == 0 {
			t.Errorf("the code %s has no exit code", code)
		}
	}
}

// TestADaemonThatStarts answers as one does until it is ready.
func TestADaemonThatStarts(t *testing.T) {
	dir, err := shortDir()
	if err != nil {
		t.Fatal(err)
	}
	socket := filepath.Join(dir, "s")
	l, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go http.Serve(l, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusServiceUnavailable)
		_ = json.NewEncoder(w).Encode(map[string]any{"error": search.Error{Code: search.CodeNotReady, Message: "The daemon is starting.", Hint: "Try again in a moment."}})
	}))
	for _, args := range [][]string{{"health"}, {"ask", "anything"}, {"workspace", "list"}} {
		bare(t, append(args, "--socket", socket)...).want(t, exitTryAgain, "The daemon is starting.", "Try again in a moment.")
	}
}

func TestADaemonThatEndsBeforeItAnswers(t *testing.T) {
	dir, err := shortDir()
	if err != nil {
		t.Fatal(err)
	}
	socket := filepath.Join(dir, "s")
	l, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			_, _ = c.Read(make([]byte, 1))
			c.Close()
		}
	}()
	file := write(t, "rules.jsonl", `{"trail": "Desk", "text": "Lamps are switched off at night."}`)
	bare(t, "status", "--socket", socket).want(t, exitUnreachable, "ended before its answer was whole", "waymark serve")
	bare(t, "import", file, "-w", "w", "--socket", socket).want(t, exitUnreachable, "import again")
}

func TestBadConfigurationEndsWith78(t *testing.T) {
	for _, c := range []struct{ name, value, says string }{
		{"WAYMARK_KB_TIME_ZONE", "Mars/Olympus", "IANA name"},
		{"WAYMARK_LOG_LEVEL", "loud", "debug, info, warn or error"},
		{"KB_REVIEW_DUE_AFTER_DAYS", "soon", "review_due_after_days"},
		{"WAYMARK_CONFIG", "/nosuch/config.yaml", "/nosuch/config.yaml"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Setenv(c.name, c.value)
			for _, args := range [][]string{{"serve"}, {"ask", "anything"}, {"config", "show"}, {"paths"}, {"health"}} {
				bare(t, args...).want(t, exitBadConfig, "bad configuration", c.says)
			}
		})
	}
	t.Setenv("WAYMARK_CONFIG", write(t, "config.yaml", "colour: red\n"))
	bare(t, "ask", "anything").want(t, exitBadConfig, `unknown key "colour"`)
}

func TestFlagsMayStandAnywhere(t *testing.T) {
	p, _ := sampleCompany(t)
	want := p.run(t, "ask", "--limit", "2", "--json", "--trail", "People", "unused", "vacation").want(t, 0)
	for _, args := range [][]string{
		{"--json", "ask", "unused", "vacation", "--limit", "2", "--trail", "People"},
		{"ask", "unused", "--limit=2", "vacation", "--trail=People", "--json"},
		{"ask", "--json", "--trail", "People", "--limit", "2", "--", "unused", "vacation"},
		{"ask", "--json", "--trail", "People", "--limit", "2", "unused vacation"},
	} {
		if got := p.run(t, args...); got.stdout != want.stdout {
			t.Errorf("waymark %q = %q, want %q; stderr %q", args, got.stdout, want.stdout, got.stderr)
		}
	}
	got := document[search.RuleAnswer](t, p.run(t, "ask", "--json", "--", "rail", "-travel", "--limit"))
	if got.Query != "rail -travel --limit" {
		t.Errorf("after -- the query is %q, want all of it", got.Query)
	}
	got = document[search.RuleAnswer](t, p.run(t, "ask", "--json", "help"))
	if got.Query != "help" {
		t.Errorf("waymark ask help asks %q, want %q", got.Query, "help")
	}
}

func TestACommaIsPartOfAName(t *testing.T) {
	p := newPlace(t)
	p.run(t, "trail", "create", "Desks, chairs").want(t, 0)
	p.run(t, "rule", "add", "--approve", "--trail", "Desks, chairs", "--tag", "home, office", "--tag", "wood", "Desks are adjusted by their users.", "--id", "D1").want(t, 0)
	p.run(t, "ask", "--trail", "Desks, chairs", "who adjusts desks").want(t, 0, "D1")
	r := document[struct{ Rule store.Rule }](t, p.run(t, "rule", "show", "D1", "--json"))
	if len(r.Rule.Tags) != 2 {
		t.Errorf("tags = %q, want two", r.Rule.Tags)
	}
}

// TestWhereTheWorkspaceComesFrom: flag before environment before configuration
// before the only one that there is.
func TestWhereTheWorkspaceComesFrom(t *testing.T) {
	h := ownHost(t, nil)
	socket := h.cfg.Socket
	trails := func(want string, args ...string) {
		t.Helper()
		h.run(t, append([]string{"trail", "list"}, args...)...).want(t, 0, want)
	}
	h.run(t, "trail", "list").want(t, exitUsage, "workspace_missing", "WAYMARK_WORKSPACE", "import creates")
	t.Run("the reported fault: creating the workspace that the environment names", func(t *testing.T) {
		t.Setenv("WAYMARK_WORKSPACE", "co")
		h.run(t, "trail", "list").want(t, exitNotFound, `no workspace "co"`)
		h.run(t, "workspace", "list").want(t, 0)
		h.run(t, "status").want(t, 0)
		h.run(t, "workspace", "create", "co").want(t, 0, "co")
		h.run(t, "trail", "list").want(t, 0)
	})
	h.run(t, "trail", "create", "Of co").want(t, 0) // the only workspace need not be named
	trails("Of co")
	h.run(t, "import", "-w", "flag", write(t, "t.jsonl", `{"name": "Of flag"}`), "--kind", "trails").want(t, 0, `created the workspace "flag"`)
	h.run(t, "import", "-w", "file", write(t, "t.jsonl", `{"name": "Of file"}`), "--kind", "trails").want(t, 0)
	h.run(t, "trail", "list").want(t, exitUsage, "workspace_missing")
	t.Setenv("WAYMARK_CONFIG", write(t, "config.yaml", "workspace: file\n"))
	trails("Of file")
	t.Setenv("WAYMARK_WORKSPACE", "co")
	trails("Of co")
	trails("Of flag", "-w", "flag")
	trails("Of flag", "--workspace=FLAG")
	all := document[[]store.Workspace](t, h.run(t, "workspace", "list", "--json"))
	trails("Of co", "-w", all[0].ID)
	h.run(t, "workspace", "rename", "co", "company").want(t, 0, "company")
	h.run(t, "workspace", "delete", "company", "--yes").want(t, 0)
	h.run(t, "workspace", "create", "flag").want(t, exitUsage, "already exists")
	t.Setenv("WAYMARK_SOCKET", socket)
	bare(t, "workspace", "list").want(t, 0, "flag", "file")
}

func TestTheDaemonsOwnWorkspaceIsTheLast(t *testing.T) {
	h := ownHost(t, func(c *config.Config) { c.Workspace = "main" })
	for _, w := range []string{"main", "other"} {
		h.run(t, "workspace", "create", w).want(t, 0)
		h.run(t, "trail", "create", "Of "+w, "-w", w).want(t, 0)
	}
	h.run(t, "trail", "list").want(t, 0, "Of main")
	h.run(t, "trail", "list", "-w", "other").want(t, 0, "Of other")
}

// TestJSONIsOneDocument runs what only reads: everything with --json writes one
// document to stdout and nothing to stderr.
func TestJSONIsOneDocument(t *testing.T) {
	p, _ := sampleCompany(t)
	for _, args := range []string{"ask vacation", "ask vacation --explain --limit 3", "kb search vpn", "kb search vpn --verbose --explain", "kb get ADR-013", "kb get ADR-013 --verbose", "kb list",
		"kb outline", "kb curate", "trail list", "trail show people", "rule list --trail people", "rule show PEO-010", "rule history PEO-010", "rule check --trail people Trains leave on time.",
		"rule compare TRV-011 FLD-002", "workspace list", "agent list", "activity people", "status", "health", "version", "paths", "config show", "config show --origin"} {
		words := append(strings.Fields(args), "--json")
		var o outcome
		switch words[0] {
		case "version", "paths", "config":
			o = bare(t, words...)
		default:
			o = p.run(t, words...)
		}
		o.want(t, 0)
		document[json.RawMessage](t, o)
		if o.stderr != "" {
			t.Errorf("waymark %s --json writes %q to stderr", args, o.stderr)
		}
	}
	o := p.run(t, "ask", "--json", "--trail", "nosuch", "vacation").want(t, exitNotFound)
	if o.stdout != "" {
		t.Errorf("a failure writes %q to stdout", o.stdout)
	}
}

func TestTextForPeople(t *testing.T) {
	p, _ := sampleCompany(t)
	p.run(t, "ask", "what becomes of my unused vacation", "--explain").want(t, 0, "PEO-010", "matched meaning", "score ", "People › Leave › Holidays")
	p.run(t, "ask", "vacation", "--limit", "1").want(t, 0, "1 to 1 of ", "--cursor ")
	p.run(t, "kb", "search", "choosing a message broker for telemetry").want(t, 0, "ADR-013", "not in force · superseded · superseded by ADR-013")
	p.run(t, "kb", "get", "ADR-009").want(t, 0, "Kafka as broker for telemetry", "not in force", "superseded")
	p.run(t, "kb", "list", "--tier", "T1", "--limit", "2").want(t, 0, "2 of ", "--cursor ")
	p.run(t, "kb", "outline").want(t, 0, "T1", "documents, ", "in force")
	p.run(t, "kb", "curate").want(t, 0, "POL-SEC-04", "154 days", "valid_until 2026-06-30 has passed")
	p.run(t, "trail", "list").want(t, 0, "Invoices", "Head of Payroll, Leeds")
	p.run(t, "trail", "show", "invoices").want(t, 0, "owner Magdalena Wrona")
	p.run(t, "rule", "list", "--trail", "Payroll", "--status", "draft").want(t, 0, "draft ")
	p.run(t, "rule", "compare", "TRV-011", "FLD-002").want(t, 0, "conflicts with FLD-002 (")
	p.run(t, "rule", "compare", "TRV-011", "SEC-001").want(t, 0, "no conflict found")
	p.run(t, "status").want(t, 0, "workspace demo", "rule passages in", "waymark.db")
	p.run(t, "health").want(t, 0, "ready")
	bare(t, "version").want(t, 0, "waymark "+version)
	t.Setenv("HOME", "/home/nobody")
	bare(t, "paths", "--json").want(t, 0, `"socket"`, `"config_candidates"`)
	t.Setenv("WAYMARK_KB_TIME_ZONE", "Europe/Vienna")
	bare(t, "config", "show", "--origin").want(t, 0, "kb.time_zone", "Europe/Vienna", "WAYMARK_KB_TIME_ZONE", "activity.max_age_days        365")
}

// TestPagesOfAnAnswer follows cursors to the end: pages neither overlap nor skip.
func TestPagesOfAnAnswer(t *testing.T) {
	p, _ := sampleCompany(t)
	whole := document[search.RuleAnswer](t, p.run(t, "ask", "--json", "--limit", "100", "vacation"))
	var ids []string
	cursor := ""
	for range 20 {
		page := document[search.RuleAnswer](t, p.run(t, "ask", "--json", "--limit", "7", "--cursor", cursor, "vacation"))
		for _, hit := range page.Results {
			ids = append(ids, hit.ID)
		}
		if cursor = page.NextCursor; cursor == "" {
			break
		}
	}
	if len(ids) != len(whole.Results) || len(ids) != whole.Total {
		t.Fatalf("the pages have %d rules, the whole answer %d of %d", len(ids), len(whole.Results), whole.Total)
	}
	for i, hit := range whole.Results {
		if ids[i] != hit.ID {
			t.Errorf("rank %d is %s on the pages and %s in the whole", i+1, ids[i], hit.ID)
		}
	}
	p.run(t, "ask", "--cursor", "nonsense", "vacation").want(t, exitUsage, "cursor")
}

func TestCallIsExactlyTheAnswer(t *testing.T) {
	p, _ := sampleCompany(t)
	arguments := `{"query": "unused vacation", "limit": 2}`
	asked := p.run(t, "call", "search_trail_rules", arguments).want(t, 0)
	if piped := runWith(t, context.Background(), arguments, "call", "search_trail_rules", "-w", p.workspace, "--socket", p.cfg.Socket); piped.stdout != asked.stdout {
		t.Errorf("from stdin the answer is %q, want %q", piped.stdout, asked.stdout)
	}
	if json := p.run(t, "ask", "--json", "--limit", "2", "unused vacation"); json.stdout != asked.stdout {
		t.Errorf("ask --json = %q, want what call prints: %q", json.stdout, asked.stdout)
	}
	p.run(t, "call", "kb_outline").want(t, 0, `"tiers"`)
	failed := document[struct{ Error search.Error }](t, p.run(t, "call", "kb_get", `{"id": "nosuch"}`).want(t, exitNotFound))
	if failed.Error.Code != search.CodeUnknownDocument || failed.Error.Hint == "" {
		t.Errorf("a failure is %+v, want %s with a hint", failed.Error, search.CodeUnknownDocument)
	}
}
