package main

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"

	"waymark/config"
	"waymark/search"
	"waymark/tool"
)

// TestEveryParameterHasAFlag: what an agent can ask, a person can type.
func TestEveryParameterHasAFlag(t *testing.T) {
	commands := map[string]string{"ask": "search_trail_rules", "kb search": "kb_search", "kb get": "kb_get", "kb list": "kb_list", "kb outline": "kb_outline", "kb curate": "kb_curate"}
	renamed := map[string]string{"trails": "trail", "domains": "domain", "clusters": "cluster", "doc_type": "type"}
	arguments := []string{"query", "id"} // what stands without a flag
	seen := 0
	eachCommand(newApp(os.Stdin, os.Stdout, os.Stderr).Commands, nil, func(c *cli.Command, path []string) {
		name, answers := commands[strings.Join(path, " ")]
		if !answers {
			return
		}
		seen++
		at := slices.IndexFunc(tool.All(), func(t *tool.Tool) bool { return t.Name == name })
		for _, p := range tool.All()[at].Parameters {
			flag := strings.ReplaceAll(p.Name, "_", "-")
			if other, is := renamed[p.Name]; is {
				flag = other
			}
			if !slices.Contains(arguments, p.Name) && findFlag(c.Flags, "--"+flag) == nil {
				t.Errorf("%v has no flag for the parameter %s of %s", path, p.Name, name)
			}
		}
	})
	if seen != len(commands) {
		t.Errorf("%d of %d commands were seen", seen, len(commands))
	}
}

// TestFlagsAreTheToolsArguments asks the same by flags and as an agent would.
func TestFlagsAreTheToolsArguments(t *testing.T) {
	p, _ := sampleCompany(t)
	for _, c := range []struct {
		tool, arguments string
		args            []string
	}{
		{"search_trail_rules", `{"query": "who approves", "trails": ["Invoices", "Procurement"], "domains": ["Approvals"], "clusters": ["Release limits", "Order limits"], "limit": 4, "explain": true}`,
			[]string{"ask", "--trail", "Invoices", "--trail", "Procurement", "--domain", "Approvals", "--cluster", "Release limits", "--cluster", "Order limits", "--limit", "4", "--explain", "who approves"}},
		{"kb_search", `{"query": "policy", "tier": "T1", "category": "security", "status": "active", "limit": 3, "in_force": true, "verbose": true, "as_of": "2026-06-01", "explain": true}`,
			[]string{"kb", "search", "--tier", "T1", "--category", "security", "--status", "active", "--limit", "3", "--in-force", "--verbose", "--as-of", "2026-06-01", "--explain", "policy"}},
		{"kb_search", `{"query": "vpn", "include_expired": true, "doc_type": "policy", "abstain": true}`, []string{"kb", "search", "--include-expired", "--type", "policy", "--abstain", "vpn"}},
		{"kb_search", `{"query": "policy", "validity_state": "expiring_within:31"}`, []string{"kb", "search", "--validity-state", "expiring_within:31", "policy"}},
		{"kb_get", `{"id": "POL-SEC-04", "verbose": true, "as_of": "2026-06-30"}`, []string{"kb", "get", "POL-SEC-04", "--verbose", "--as-of", "2026-06-30"}},
		{"kb_list", `{"tier": "T2", "limit": 2, "as_of": "2027-01-01"}`, []string{"kb", "list", "--tier", "T2", "--limit", "2", "--as-of", "2027-01-01"}},
		{"kb_outline", `{"as_of": "2027-01-01"}`, []string{"kb", "outline", "--as-of", "2027-01-01"}},
		{"kb_curate", `{"limit": 2, "as_of": "2027-01-01"}`, []string{"kb", "curate", "--limit", "2", "--as-of", "2027-01-01"}},
	} {
		want := p.run(t, "call", c.tool, c.arguments).want(t, 0)
		if got := p.run(t, append(c.args, "--json")...).want(t, 0); got.stdout != want.stdout {
			t.Errorf("waymark %q = %s, want %s", c.args, got.stdout, want.stdout)
		}
	}
}

// TestADayDecidesWhatGoverns looks at the last day of a policy and the next.
func TestADayDecidesWhatGoverns(t *testing.T) {
	p, _ := sampleCompany(t)
	found := func(args ...string) bool {
		a := document[search.DocumentAnswer](t, p.run(t, append([]string{"kb", "search", "--json", "connecting to the VPN from a hotel"}, args...)...).want(t, 0))
		return slices.ContainsFunc(a.Hits, func(h search.DocumentHit) bool { return h.ID == "POL-SEC-04" })
	}
	for _, c := range []struct {
		args []string
		want bool
	}{
		{[]string{"--in-force", "--as-of", "2026-06-30"}, true},
		{[]string{"--in-force", "--as-of", "2026-07-01"}, false},
		{[]string{"--in-force"}, false},
		{nil, false},
		{[]string{"--include-expired"}, true},
		{[]string{"--validity-state", "expired"}, true},
		{[]string{"--include-expired", "--in-force"}, false},
	} {
		if got := found(c.args...); got != c.want {
			t.Errorf("with %q the policy that ran out in June is found: %v, want %v", c.args, got, c.want)
		}
	}
	p.run(t, "kb", "get", "POL-SEC-04").want(t, 0, "expired", "not in force")
	p.run(t, "kb", "get", "POL-SEC-04", "--as-of", "2026-06-30").want(t, 0, "in force")
	p.run(t, "kb", "search", "--validity-state", "expiring_within:40000", "policy").want(t, exitUsage, "36500")
}

func TestReviewIsDueAfterTheConfiguredDays(t *testing.T) {
	file := write(t, "page.md", "---\ntitle: Badges\nstatus: active\nlast_verified: 2026-10-01\n---\n# Badges\n\nBadges are worn in sight.\n")
	for days, stale := range map[int]bool{0: false, 30: true, 90: false} {
		h := ownHost(t, func(c *config.Config) { c.KB.ReviewDueAfterDays = days })
		h.run(t, "import", file, "-w", "w").want(t, 0)
		o := h.run(t, "kb", "search", "badges").want(t, 0)
		if got := strings.Contains(o.stdout, "stale"); got != stale {
			t.Errorf("61 days after its verification and due after %d, the page is stale: %v, want %v", days, got, stale)
		}
		curated := document[search.CurateAnswer](t, h.run(t, "kb", "curate", "--json"))
		if got := curated.Total > 0; got != stale {
			t.Errorf("due after %d, the page is to be looked at again: %v, want %v", days, got, stale)
		}
	}
	bare(t, "serve", "--review-due-after-days", "-1").want(t, exitBadConfig, "kb.review_due_after_days (from flag)")
}

// TestProvenance: each document says which file it came from, and its bytes.
func TestProvenance(t *testing.T) {
	p := newPlace(t)
	p.run(t, "import", folder(t, officePages())).want(t, 0)
	p.run(t, "kb", "get", "universal-people-lunch", "--verbose", "--json").want(t, 0, `"path":"universal/people/lunch.md"`, `"content_hash":"`)
}
