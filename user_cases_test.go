package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"waymark/search"
)

// The cases here are those of the shared list of users' cases that are about the
// whole program; they keep its ids. The others are tests of single packages.

// TestU17: two rules of one matter come back with one conflict that names both
// and the point, and neither is chosen silently.
func TestU17(t *testing.T) {
	p := newPlace(t)
	rules := func(second string) string {
		return `{"trail": "Travel", "id": "F-1", "text": "Meals are paid up to 40 per day.", "status": "approved"}` + "\n" +
			`{"trail": "Expenses", "id": "F-2", "text": "` + second + `", "status": "approved"}` + "\n"
	}
	p.run(t, "import", "--keep-status", write(t, "rules.jsonl", rules("Meals are paid up to 60 per day."))).want(t, 0)
	a := document[search.RuleAnswer](t, p.run(t, "ask", "--json", "--explain", "meal allowance").want(t, 0))
	var ids []string
	for _, hit := range a.Results {
		ids = append(ids, hit.ID)
	}
	if slices.Sort(ids); !slices.Equal(ids, []string{"F-1", "F-2"}) {
		t.Fatalf("found %v, want both rules", ids)
	}
	if len(a.Conflicts) != 1 {
		t.Fatalf("conflicts = %+v, want one", a.Conflicts)
	}
	c := a.Conflicts[0]
	named := c.Rules[:]
	if slices.Sort(named); !slices.Equal(named, []string{"F-1", "F-2"}) || !strings.Contains(c.Point, "40") || !strings.Contains(c.Point, "60") {
		t.Errorf("the conflict is %+v, want F-1 and F-2 with 40 against 60", c)
	}
}

// TestU19: 200 rules and documents of one domain, 3 of another, one word in all
// of them. Asked in the small domain, nothing of the large one shows.
func TestU19(t *testing.T) {
	p := newPlace(t)
	var rows strings.Builder
	pages := map[string]string{}
	for i := range 203 {
		domain := "hr"
		if i >= 200 {
			domain = "finance"
		}
		fmt.Fprintf(&rows, `{"trail": "Company", "id": "%s-%d", "domain": %q, "tags": [%q], "text": "Case %d of %s needs an approval.", "class": "obligation", "status": "approved"}`+"\n", domain, i, domain, domain+"-tag", i, domain)
		pages[fmt.Sprintf("universal/%s/case-%d.md", domain, i)] = page(fmt.Sprintf("Approval of %s case %d", domain, i), fmt.Sprintf("Case %d of %s needs an approval.", i, domain))
	}
	p.run(t, "import", "--keep-status", "--confirm-conflicts", write(t, "rules.jsonl", rows.String())).want(t, 0)
	p.run(t, "import", folder(t, pages)).want(t, 0)
	for _, args := range [][]string{{"ask", "--domain", "finance", "--limit", "10", "--explain"}, {"kb", "search", "--category", "finance", "--limit", "10", "--verbose"}} {
		o := p.run(t, append(args, "--json", "approval")...).want(t, 0)
		a := document[struct {
			Results []search.RuleHit
			Hits    []search.DocumentHit
			Total   int
		}](t, o)
		if n := len(a.Results) + len(a.Hits); n != 3 || a.Total > 3 {
			t.Errorf("waymark %q finds %d of %d, want exactly 3", args, n, a.Total)
		}
		for _, leak := range []string{"hr-", " hr ", "-hr", "/hr/", "hr-tag"} {
			if strings.Contains(o.stdout, leak) {
				t.Errorf("waymark %q shows %q: %s", args, leak, o.stdout)
			}
		}
	}
	unknown := p.run(t, "ask", "--domain", "legal", "approval").want(t, exitNotFound)
	if !strings.Contains(unknown.stderr, "finance") {
		t.Errorf("an unknown domain is answered %q, want the names that there are", unknown.stderr)
	}
}

// TestU27: pages neither overlap nor skip, and say the same on every run.
func TestU27(t *testing.T) {
	p := newPlace(t)
	var rows strings.Builder
	for i := range 60 {
		fmt.Fprintf(&rows, `{"trail": "Travel", "id": "T-%02d", "text": "Travel to office %d is booked by desk %d.", "class": "obligation", "status": "approved"}`+"\n", i, i, i*7%60)
	}
	p.run(t, "import", "--keep-status", "--confirm-conflicts", write(t, "rules.jsonl", rows.String())).want(t, 0)
	scored := func(args ...string) (hits []string, cursor string) {
		t.Helper()
		a := document[search.RuleAnswer](t, p.run(t, append([]string{"ask", "--json", "--explain", "travel to an office"}, args...)...).want(t, 0))
		for _, hit := range a.Results {
			hits = append(hits, fmt.Sprintf("%d %s %v", hit.Rank, hit.ID, hit.Explain.Score))
		}
		return hits, a.NextCursor
	}
	five, cursor := scored("--limit", "5")
	twenty, _ := scored("--limit", "20")
	next, _ := scored("--limit", "20", "--cursor", cursor)
	whole, _ := scored("--limit", "60")
	if len(whole) < 25 {
		t.Fatalf("%d rules match", len(whole))
	}
	for _, c := range []struct{ got, want []string }{{five, whole[:5]}, {twenty, whole[:20]}, {next, whole[5:25]}} {
		if d := cmp.Diff(c.want, c.got); d != "" {
			t.Errorf("a page differs from the whole (-want +got):\n%s", d)
		}
	}
	for range 3 {
		if again, _ := scored("--limit", "20"); !slices.Equal(again, twenty) {
			t.Errorf("asked again: %v, want %v", again, twenty)
		}
	}
}

// TestU29 does what an operator's bad day does; the tests of the daemon look
// closer at each.
func TestU29(t *testing.T) {
	dir := testDir(t)
	d := serve(t, dir)
	if got := mode(t, d.socket); got != os.ModeSocket|0o660 {
		t.Errorf("mode of the socket = %v", got)
	}
	if err := d.Process.Signal(syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	d.ends(t)
	again := serve(t, dir)
	bare(t, "health", "--socket", again.socket).want(t, 0)
	began := time.Now()
	bare(t, "serve", "--data", filepath.Join(dir, "data"), "--socket", again.socket).want(t, exitFailed, fmt.Sprintf("process %d", again.Process.Pid))
	if took := time.Since(began); took > 2*time.Second {
		t.Errorf("the second daemon took %v to end", took)
	}
	bare(t, "health", "--socket", again.socket).want(t, 0)
}
