package ingest

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"waymark/store"
)

// nasty are texts that formats like to damage.
var nasty = []string{"plain", "a;b", `a\;b`, "a, \"b\"", "two\nlines", "tab\there", "00042", "1e5", "=SUM(A1)", "TRUE", "2026-01-02",
	"é à ü", "_x0041_", "<b>&amp;</b>", "報告", "🎉", "'quoted'", "a|b", "- x", "# y", "null", "\u00a0x", "a\u2028b"}

// line is a nasty text of one line without outer space.
func line(r *rand.Rand) string {
	for {
		if s := clean(nasty[r.IntN(len(nasty))]); !strings.ContainsAny(s, "\n\t") {
			return s
		}
	}
}

// randomRules fills a workspace with Trails and rules in all states.
func randomRules(t *testing.T, f *fixture, r *rand.Rand, count int) {
	t.Helper()
	maybe := func() string {
		if r.IntN(2) == 0 {
			return ""
		}
		return line(r)
	}
	list := func() []string {
		var out []string
		for range r.IntN(4) {
			out = append(out, line(r))
		}
		return out
	}
	err := f.store.Update(f.workspace, func(tx *store.Tx) error {
		for i, name := range []string{"Travel", "Pay; roll", "Same", "same"} {
			if _, err := tx.CreateTrail(store.Trail{ID: fmt.Sprintf("t%d", i), Name: name, Description: nasty[r.IntN(len(nasty))], Owner: maybe()}); err != nil {
				return err
			}
		}
		for i := range count {
			in := RuleInput{ID: fmt.Sprintf("R-%03d", i), Text: nasty[r.IntN(len(nasty))] + fmt.Sprint(" ", i), Title: maybe(), Tags: list(), AppliesWhen: list(),
				Source: maybe(), Domain: maybe()}
			if in.Domain != "" {
				in.Cluster = maybe()
			}
			if r.IntN(2) == 0 {
				in.Class = store.Classes[r.IntN(len(store.Classes))]
			}
			if r.IntN(3) == 0 {
				in.EffectiveFrom, in.EffectiveUntil = "2026-01-01", "2026-12-31"
			}
			if i > 0 && r.IntN(5) == 0 {
				in.Supersedes = []string{fmt.Sprintf("R-%03d", r.IntN(i))}
			}
			in.Status = store.Statuses[r.IntN(3)]
			rule, err := tx.AddRule(in.rule(fmt.Sprintf("t%d", r.IntN(4)), store.Rule{}), "x")
			if err != nil {
				return err
			}
			if rule.Status == store.StatusApproved && r.IntN(3) == 0 {
				rule.Text += " edited"
				if _, err := tx.EditRule(rule, "x"); err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// content is what an export should keep: of every rule the version that stands
// for it, and its draft.
func content(t *testing.T, f *fixture) (trails []store.Trail, rules []store.Rule) {
	t.Helper()
	err := f.store.View(f.workspace, func(tx *store.ReadTx) (err error) {
		if trails, err = tx.Trails(); err != nil {
			return err
		}
		for head, err := range tx.RuleHeads("") {
			if err != nil {
				return err
			}
			versions := []int{head.Current()}
			if head.InForce != 0 && head.Draft != 0 {
				versions = append(versions, head.Draft)
			}
			for _, v := range versions {
				rule, err := tx.RuleVersion(head.ID, v)
				if err != nil {
					return err
				}
				rules = append(rules, rule)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return trails, rules
}

// TestExportRoundTrip: what is exported and imported into an empty workspace is
// the same, in every format, and importing it where it came from changes nothing.
func TestExportRoundTrip(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for round := range 4 {
		from := newFixture(t, nil)
		randomRules(t, from, r, 60)
		wantTrails, wantRules := content(t, from)
		version := from.version()
		for _, format := range []Format{FormatJSONLines, FormatCSV, FormatXLSX} {
			var trails, rules bytes.Buffer
			if err := Export(&trails, from.store, from.workspace, KindTrails, format, ""); err != nil {
				t.Fatal(err)
			}
			if err := Export(&rules, from.store, from.workspace, KindRules, format, ""); err != nil {
				t.Fatal(err)
			}
			files := []File{{Path: "a-trails." + string(format), Data: trails.Bytes()}, {Path: "rules." + string(format), Data: rules.Bytes()}}
			to := newFixture(t, nil)
			report := to.do(Request{Files: files, KeepStatus: true})
			if !report.OK() {
				t.Fatalf("round %d, %s: %q", round, format, items(report))
			}
			gotTrails, gotRules := content(t, to)
			ignore := cmpopts.IgnoreFields(store.Rule{}, "Version", "Author", "Created", "Approved", "Approver")
			if diff := cmp.Diff(wantRules, gotRules, ignore); diff != "" {
				t.Fatalf("round %d, %s: rules differ (-exported +imported):\n%s", round, format, diff)
			}
			if diff := cmp.Diff(wantTrails, gotTrails, cmpopts.IgnoreFields(store.Trail{}, "Created", "Updated")); diff != "" {
				t.Fatalf("round %d, %s: trails differ (-exported +imported):\n%s", round, format, diff)
			}
			if again := from.do(Request{Files: files, KeepStatus: true}); again.Counts[Unchanged] != len(again.Items) || from.version() != version {
				t.Errorf("round %d, %s: importing into the source changes it: %v", round, format, again.Counts)
			}
		}
	}
}

func TestExportForm(t *testing.T) {
	f := newFixture(t, nil)
	f.do(Request{Files: []File{file("t.csv", "id,name,owner", "t,Travel,Ana"), file("r.jsonl", `{"trail": "t", "id": "R-1", "text": "Use <b>.", "tags": ["a;b", "c"]}`)}})
	for _, c := range []struct {
		kind   Kind
		format Format
		want   string
	}{
		{KindTrails, FormatJSONLines, `{"id":"t","name":"Travel","description":"","owner":"Ana"}` + "\n"},
		{KindTrails, FormatCSV, "id,name,description,owner\nt,Travel,,Ana\n"},
		{KindRules, FormatJSONLines, `{"trail":"Travel","id":"R-1","text":"Use <b>.","title":"","class":"","domain":"","cluster":"","tags":["a;b","c"],"applies_when":[],"status":"draft","effective_from":"","effective_until":"","source":"","supersedes":[]}` + "\n"},
		{KindRules, FormatCSV, "trail,id,text,title,class,domain,cluster,tags,applies_when,status,effective_from,effective_until,source,supersedes\nTravel,R-1,Use <b>.,,,,,a\\;b; c,,draft,,,,\n"},
	} {
		var b bytes.Buffer
		if err := Export(&b, f.store, f.workspace, c.kind, c.format, ""); err != nil || b.String() != c.want {
			t.Errorf("Export(%s, %s) = %q, %v, want %q", c.kind, c.format, b.String(), err, c.want)
		}
	}
	var b bytes.Buffer
	if err := Export(&b, f.store, f.workspace, KindRules, FormatCSV, "nobody"); err != nil || strings.Count(b.String(), "\n") != 1 {
		t.Errorf("Export of an unknown Trail = %q, %v, want the header", b.String(), err)
	}
	if err := Export(&b, f.store, f.workspace, KindDocuments, FormatCSV, ""); err == nil || err.Error() != `export: "documents" is neither "trails" nor "rules"` {
		t.Errorf("Export of documents = %v", err)
	}
	if err := Export(&b, f.store, f.workspace, KindRules, "pdf", ""); err == nil || err.Error() != `export rules: "pdf" is no format; known are "jsonl", "csv" and "xlsx"` {
		t.Errorf("Export as pdf = %v", err)
	}
}
