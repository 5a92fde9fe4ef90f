package main

import (
	"archive/zip"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"waymark/ingest"
	"waymark/search"
	"waymark/store"
)

// folder writes documents, each with an id, a title and a text.
func folder(t *testing.T, documents map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range documents {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func page(title, text string) string {
	return fmt.Sprintf("---\ntitle: %s\nstatus: active\n---\n# %s\n\n%s\n", title, title, text)
}

func officePages() map[string]string {
	return map[string]string{
		"universal/security/badges.md": page("Badges", "Badges are worn in sight in every building."),
		"universal/security/keys.md":   page("Keys", "Keys are signed for at the reception."),
		"universal/people/lunch.md":    page("Lunch", "Lunch is served from noon to two."),
		"notes.txt":                    "left out",
	}
}

// counts are the parts of a report that a test looks at.
func counts(t *testing.T, o outcome) map[ingest.Action]int {
	t.Helper()
	return document[ingest.Report](t, o).Counts
}

func wantCounts(t *testing.T, o outcome, want map[ingest.Action]int) {
	t.Helper()
	got := counts(t, o)
	for action, n := range got {
		if n == 0 {
			delete(got, action)
		}
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("counts (-want +got):\n%s%s%s", d, o.stdout, o.stderr)
	}
}

// everything is what a workspace holds, as the command line shows it.
func everything(t *testing.T, p place) string {
	t.Helper()
	var b strings.Builder
	for _, args := range [][]string{{"trail", "list", "--json"}, {"export"}, {"kb", "list", "--json", "--limit", "100"}} {
		b.WriteString(p.run(t, args...).want(t, 0).stdout)
	}
	return b.String()
}

func TestImportAFolderAgainAndAgain(t *testing.T) {
	p := newPlace(t)
	pages := officePages()
	dir := folder(t, pages)
	empty := everything(t, p)
	plan := p.run(t, "import", "--plan", dir).want(t, 0, "would be 3 added", "added     universal/people/lunch.md", "left out as no documents: 1 files")
	if plan.stderr == "" || everything(t, p) != empty {
		t.Error("--plan changed something")
	}
	wantCounts(t, p.run(t, "import", dir, "--json").want(t, 0), map[ingest.Action]int{ingest.Added: 3})
	before := everything(t, p)
	again := document[ingest.Report](t, p.run(t, "import", dir, "--json").want(t, 0))
	if again.Counts[ingest.Unchanged] != 3 || again.Embedded != 0 || everything(t, p) != before {
		t.Errorf("the same folder again = %+v, want 3 unchanged and nothing embedded", again)
	}
	pages["universal/people/lunch.md"] = page("Lunch", "Lunch is served from eleven to one.")
	delete(pages, "universal/security/keys.md")
	dir = folder(t, pages)
	p.run(t, "import", dir).want(t, 0, "0 added, 1 changed, 1 unchanged, 0 removed", "1 stored documents are not among the files; --prune removes them")
	p.run(t, "kb", "get", "universal-security-keys").want(t, 0)
	p.run(t, "import", dir, "--prune").want(t, exitUsage, "too many documents would be removed", "--allow-mass-loss")
	p.run(t, "kb", "get", "universal-security-keys").want(t, 0)
	p.run(t, "import", dir, "--prune", "--allow-mass-loss").want(t, 0, "1 removed")
	p.run(t, "kb", "get", "universal-security-keys").want(t, exitNotFound)
}

// TestAnEmptyFolderNeverDeletes is the mass-loss guard at its worst: the folder
// is not mounted.
func TestAnEmptyFolderNeverDeletes(t *testing.T) {
	p := newPlace(t)
	p.run(t, "import", folder(t, officePages())).want(t, 0)
	p.run(t, "import", t.TempDir(), "--prune").want(t, exitUsage, "3 of the 3 stored documents", "is it the right folder")
	p.run(t, "import", "/nosuch/folder", "--prune").want(t, exitBadData, "no such file")
	if got := document[search.ListAnswer](t, p.run(t, "kb", "list", "--json")); got.Total != 3 {
		t.Errorf("%d documents are left, want 3", got.Total)
	}
}

// TestPruneUnderTheGuard removes up to 30 % without a question.
func TestPruneUnderTheGuard(t *testing.T) {
	p := newPlace(t)
	pages := map[string]string{}
	for i := range 8 {
		pages[fmt.Sprintf("p%d.md", i)] = page(fmt.Sprintf("Page %d", i), fmt.Sprintf("Room %d is locked at night.", i))
	}
	p.run(t, "import", folder(t, pages)).want(t, 0)
	delete(pages, "p3.md")
	delete(pages, "p4.md")
	p.run(t, "import", folder(t, pages), "--prune").want(t, 0, "0 added, 0 changed, 6 unchanged, 2 removed")
}

func TestImportAnArchive(t *testing.T) {
	p, q := newPlace(t), newPlace(t)
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, name := range []string{"universal/people/lunch.md", "universal/security/badges.md", "universal/security/keys.md"} {
		w, err := z.Create("office/" + name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(officePages()[name])); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	p.run(t, "import", write(t, "office.zip", b.String())).want(t, 0, "3 added")
	q.run(t, "import", folder(t, officePages())).want(t, 0, "3 added")
	if zipped, plain := p.run(t, "kb", "list", "--json"), q.run(t, "kb", "list", "--json"); zipped.stdout != plain.stdout {
		t.Errorf("from the archive %s, from the folder %s", zipped.stdout, plain.stdout)
	}
	p.run(t, "import", write(t, "office.zip", b.String())).want(t, 0, "3 unchanged")
	p.run(t, "import", write(t, "bad.zip", "no archive")).want(t, exitBadData, "the archive cannot be read")
}

func TestImportNamesTheWorkspaceItCreates(t *testing.T) {
	h := shared.get(t)
	file := write(t, "rules.jsonl", `{"trail": "Desk", "text": "Lamps are switched off at night."}`)
	h.run(t, "import", file, "-w", "made by import", "--plan").want(t, exitNotFound, `no workspace "made by import"`)
	h.run(t, "import", file, "-w", "made by import").want(t, 0, `created the workspace "made by import"`, "2 added")
	h.run(t, "import", file, "-w", "MADE by import").want(t, 0, "1 unchanged")
	h.run(t, "workspace", "delete", "made by import", "--yes").want(t, 0)
}

// deskRules is one set of rules in each format.
var deskRules = map[string]string{
	"rules.jsonl": `{"trail": "Desk", "id": "D-1", "text": "Lamps, all of them, are switched off at night.", "domain": "Light", "cluster": "Lamps", "tags": ["night", "power; light"], "status": "approved"}
{"trail": "Desk", "id": "D-2", "text": "Nobody moves a desk alone.", "class": "prohibition", "effective_from": "2026-01-01", "effective_until": "2027-12-31"}
`,
	"rules.csv": "trail,id,text,domain,cluster,tags,status,class,effective_from,effective_until\n" +
		"Desk,D-1,\"Lamps, all of them, are switched off at night.\",Light,Lamps,night; power\\; light,approved,,,\n" +
		"Desk,D-2,Nobody moves a desk alone.,,,,draft,prohibition,2026-01-01,2027-12-31\n",
	"semicolons.csv": "\ufefftrail;id;text;domain;cluster;tags;status;class;effective_from;effective_until\r\n" +
		"Desk;D-1;Lamps, all of them, are switched off at night.;Light;Lamps;\"night; power\\; light\";approved;;;\r\n" +
		"Desk;D-2;Nobody moves a desk alone.;;;;draft;prohibition;2026-01-01;2027-12-31\r\n",
}

func TestEveryFormatSaysTheSame(t *testing.T) {
	want := ""
	for _, name := range []string{"rules.jsonl", "rules.csv", "semicolons.csv"} {
		p := newPlace(t)
		p.run(t, "import", "--keep-status", write(t, name, deskRules[name])).want(t, 0, "3 added")
		got := p.run(t, "export").want(t, 0, `"status":"approved"`, `"status":"draft"`).stdout
		if want == "" {
			want = got
		}
		if got != want {
			t.Errorf("%s holds\n%s, want\n%s", name, got, want)
		}
	}
}

// TestRoundTrips exports and imports in all three formats: nothing is lost.
func TestRoundTrips(t *testing.T) {
	company, _ := sampleCompany(t)
	trails, rules := company.run(t, "export", "--kind", "trails").want(t, 0), company.run(t, "export", "--trail", "Invoices").want(t, 0)
	if strings.Count(rules.stdout, "\n") < 20 {
		t.Fatalf("the export has %d rules", strings.Count(rules.stdout, "\n"))
	}
	for _, format := range []string{"jsonl", "csv", "xlsx"} {
		p := newPlace(t)
		for _, kind := range []string{"trails", "rules"} {
			o := company.run(t, "export", "--kind", kind, "--format", format, "--trail", "Invoices").want(t, 0)
			p.run(t, "import", "--keep-status", "--confirm-conflicts", write(t, kind+"."+format, o.stdout)).want(t, 0)
			again := p.run(t, "import", "--keep-status", "--json", write(t, kind+"."+format, o.stdout)).want(t, 0)
			if c := counts(t, again); c[ingest.Added]+c[ingest.Changed]+c[ingest.Refused]+c[ingest.Held] > 0 {
				t.Errorf("%s of %s again = %v, want all unchanged", format, kind, c)
			}
		}
		if got := p.run(t, "export", "--trail", "Invoices").want(t, 0); got.stdout != rules.stdout {
			t.Errorf("through %s the rules are\n%s, want\n%s", format, got.stdout, rules.stdout)
		}
		got := p.run(t, "export", "--kind", "trails").want(t, 0).stdout
		if got == "" || !strings.Contains(trails.stdout, got) {
			t.Errorf("through %s the Trail is\n%s, want it as in\n%s", format, got, trails.stdout)
		}
	}
	for _, args := range [][]string{{"--kind", "pictures"}, {"--format", "pdf"}} {
		company.run(t, append([]string{"export"}, args...)...).want(t, exitUsage, "invalid_argument")
	}
}

func TestStatusesOfAFile(t *testing.T) {
	p := newPlace(t)
	file := write(t, "rules.jsonl", deskRules["rules.jsonl"])
	statuses := func() string {
		var s []string
		for _, r := range document[[]store.Rule](t, p.run(t, "rule", "list", "--json")) {
			s = append(s, r.ID+" "+string(r.Status))
		}
		return strings.Join(s, ", ")
	}
	p.run(t, "import", file).want(t, 0)
	if got := statuses(); got != "D-1 draft, D-2 draft" {
		t.Errorf("without --keep-status: %s", got)
	}
	p.run(t, "import", file, "--keep-status", "--plan").want(t, 0, "would be 0 added, 1 changed")
	if got := statuses(); got != "D-1 draft, D-2 draft" {
		t.Errorf("after --plan: %s", got)
	}
	p.run(t, "import", file, "--keep-status").want(t, 0, "0 added, 1 changed, 1 unchanged")
	if got := statuses(); got != "D-1 approved, D-2 draft" {
		t.Errorf("with --keep-status: %s", got)
	}
	// Without --keep-status a rule in force stays in force, and what is new in the
	// file waits as a draft.
	changed := strings.Replace(deskRules["rules.jsonl"], "at night", "at noon", 1)
	p.run(t, "import", write(t, "rules.jsonl", changed)).want(t, 0, "1 changed")
	p.run(t, "rule", "show", "D-1").want(t, 0, "version 1 · approved", "at night", "waiting for approval", "version 2 · draft", "at noon")
}

const contradiction = `{"trail": "Travel", "id": "T-1", "text": "Employees must book hotels through the travel portal.", "status": "approved"}
{"trail": "Travel", "id": "T-2", "text": "Employees must not book hotels through the travel portal.", "status": "approved"}
{"trail": "Travel", "id": "T-3", "text": "Receipts are kept for six years.", "status": "approved"}
`

func TestConflictsAreHeldUntilTheyAreConfirmed(t *testing.T) {
	p := newPlace(t)
	file := write(t, "rules.jsonl", contradiction)
	o := p.run(t, "import", "--keep-status", "--json", file).want(t, exitConflict, "held because they conflict", "--confirm-conflicts")
	report := document[ingest.Report](t, o)
	if report.Unconfirmed != 1 || len(report.Conflicts) == 0 || report.Conflicts[0].Rules != [2]string{"T-2", "T-1"} || report.Conflicts[0].Point == "" || !report.Conflicts[0].Certain {
		t.Errorf("the report is %+v, want T-2 held because of T-1", report)
	}
	p.run(t, "rule", "show", "T-2").want(t, exitNotFound)
	p.run(t, "rule", "show", "T-3").want(t, 0)
	p.run(t, "import", "--keep-status", file).want(t, exitConflict, "conflict T-2 and T-1: ", "held      rules.jsonl:2 T-2")
	p.run(t, "import", "--keep-status", "--confirm-conflicts", file).want(t, 0, "1 added", "conflict T-2 and T-1")
	p.run(t, "rule", "show", "T-2").want(t, 0)
	p.run(t, "ask", "may I book a hotel through the travel portal").want(t, 0, "These two rules conflict", "T-1", "T-2")
}

func TestBadFilesLoseNothing(t *testing.T) {
	good := `{"trail": "Desk", "text": "Lamps are switched off at night."}` + "\n"
	for _, c := range []struct {
		name, file, content string
		says                []string
	}{
		{"empty text", "r.jsonl", good + `{"trail": "Desk", "text": "  "}`, []string{"r.jsonl:2", "text: the text of the rule is missing", "held      r.jsonl:1"}},
		{"unknown field", "r.jsonl", good + `{"trail": "Desk", "text": "a", "colour": "red"}`, []string{"r.jsonl:2", "colour: there is no such field"}},
		{"wrong type", "r.jsonl", good + `{"trail": "Desk", "text": {"en": "a"}}`, []string{"r.jsonl:2", "text"}},
		{"not JSON", "r.jsonl", good + "not JSON\n", []string{"r.jsonl:2", "no JSON object"}},
		{"cluster alone", "r.jsonl", good + `{"trail": "Desk", "text": "a b", "cluster": "c"}`, []string{"r.jsonl:2", "cluster"}},
		{"bad class", "r.jsonl", good + `{"trail": "Desk", "text": "a b", "class": "wish"}`, []string{"r.jsonl:2", "class", "obligation"}},
		{"bad day", "r.jsonl", good + `{"trail": "Desk", "text": "a b", "effective_from": "2026-02-30"}`, []string{"r.jsonl:2", "effective_from"}},
		{"days in the wrong order", "r.jsonl", good + `{"trail": "Desk", "text": "a b", "effective_from": "2026-03-01", "effective_until": "2026-02-01"}`, []string{"effective_until"}},
		{"same id twice", "r.jsonl", `{"trail": "Desk", "id": "a", "text": "Lamps are off."}` + "\n" + `{"trail": "Desk", "id": "a", "text": "Lamps are on."}`, []string{"r.jsonl:2", "id"}},
		{"no Trail", "r.jsonl", good + `{"text": "a b"}`, []string{"r.jsonl:2", "no Trail is named"}},
		{"not UTF-8", "r.csv", "trail,text\nDesk,caf\xe9\n", []string{"r.csv:2", "not UTF-8"}},
		{"missing column", "r.csv", "trail,title\nDesk,Lamps\n", []string{"r.csv:1", "text: the column is missing"}},
		{"unknown column", "r.csv", "trail,text,colour\nDesk,Lamps are off,red\n", []string{"r.csv", "colour"}},
		{"too few cells", "r.csv", "trail,text\nDesk,Lamps are off\nDesk\n", []string{"r.csv:3"}},
		{"empty file", "r.csv", "", []string{"the file is empty"}},
		{"no workbook", "r.xlsx", "no workbook", []string{"the workbook cannot be read"}},
		{"not UTF-8 page", "p.md", "# caf\xe9\n", []string{"p.md:1", "not UTF-8"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newPlace(t)
			before := everything(t, p)
			o := p.run(t, "import", write(t, c.file, c.content)).want(t, exitBadData, append(c.says, "refused")...)
			if after := everything(t, p); after != before {
				t.Errorf("a wrong row changed the workspace: %s\n%s", after, o.stdout)
			}
		})
	}
}

func TestSkipBadRows(t *testing.T) {
	p := newPlace(t)
	rows := `{"trail": "Desk", "id": "a", "text": "Lamps are switched off at night."}` + "\n" + `{"trail": "Desk", "id": "b"}` + "\n" + `{"trail": "Desk", "id": "c", "text": "Chairs stand still."}`
	p.run(t, "import", write(t, "r.jsonl", rows), "--skip-bad-rows").want(t, exitBadData, "3 added", "1 refused", "r.jsonl:2")
	p.run(t, "rule", "show", "a").want(t, 0)
	p.run(t, "rule", "show", "b").want(t, exitNotFound)
	p.run(t, "rule", "show", "c").want(t, 0)
}

// TestOneBadFileOfSeveral: its own rows are held, those of others are stored.
func TestOneBadFileOfSeveral(t *testing.T) {
	p := newPlace(t)
	p.run(t, "import", write(t, "good.jsonl", `{"trail": "Desk", "id": "a", "text": "Lamps are switched off at night."}`), write(t, "bad.jsonl", `{"trail": "Desk", "id": "b"}`)).
		want(t, exitBadData, "2 added", "1 refused")
	p.run(t, "rule", "show", "a").want(t, 0)
}

func TestTheTrailOfRowsThatNameNone(t *testing.T) {
	p := newPlace(t)
	file := write(t, "rules.jsonl", `{"text": "Lamps are switched off at night."}`)
	p.run(t, "import", file, "--trail", "Desk").want(t, 0, "2 added")
	p.run(t, "import", file, "--trail", "desk").want(t, 0, "1 unchanged")
	p.run(t, "rule", "list", "--trail", "Desk").want(t, 0, "Lamps are switched off")
}

func TestFrontMatterThatIsBroken(t *testing.T) {
	p := newPlace(t)
	dir := folder(t, map[string]string{
		"broken.md": "---\nid: broken\ntitle: [x\nstatus: active\n---\n# Badges\n\nBadges are worn in sight.\n",
		"day.md":    "---\nid: day\nstatus: active\nvalid_until: 2026-02-30\n---\n# Keys\n\nKeys are signed for.\n",
		"fine.md":   page("Lunch", "Lunch is served at noon."),
	})
	p.run(t, "import", dir).want(t, 0, "3 added", "not in force broken.md:", "the front matter cannot be read", `not in force day.md:4 valid_until "2026-02-30"`)
	p.run(t, "kb", "search", "--in-force", "badges worn in sight").want(t, 0)
	hits := document[search.DocumentAnswer](t, p.run(t, "kb", "search", "--in-force", "--json", "badges keys lunch"))
	for _, hit := range hits.Hits {
		if hit.ID != "fine" {
			t.Errorf("%s is in force", hit.ID)
		}
	}
	p.run(t, "kb", "get", "broken").want(t, 0, "not in force", "Badges are worn in sight.")
}

// TestNamesThatDifferByLittle is U23: five documents with five ids, none evicts
// another.
func TestNamesThatDifferByLittle(t *testing.T) {
	p := newPlace(t)
	pages := map[string]string{}
	for _, name := range []string{"Travel Policy.md", "travel-policy.md", "Travel_Policy.md", "README.md", "readme.md"} {
		pages[name] = page(name, "What "+name+" says of travel.")
	}
	p.run(t, "import", folder(t, pages)).want(t, 0, "5 added")
	list := document[search.ListAnswer](t, p.run(t, "kb", "list", "--json"))
	var ids []string
	for _, d := range list.Documents {
		ids = append(ids, d.ID)
		p.run(t, "kb", "get", d.ID).want(t, 0, d.Title)
	}
	if slices.Sort(ids); len(slices.Compact(ids)) != 5 {
		t.Errorf("the ids are %q, want five", ids)
	}
}

// TestDaysAndNumbersOfATable is U25: a spreadsheet of another country.
func TestDaysAndNumbersOfATable(t *testing.T) {
	p := newPlace(t)
	table := "\ufeffid;text;trail;effective_until\n00042;\"Gifts; small ones are kept.\";Gifts;31.12.2026\n021000021;Cash is never taken.;Gifts;2026-13-01\n"
	p.run(t, "import", write(t, "r.csv", table)).want(t, exitBadData, "r.csv:2", "31.12.2026", "r.csv:3", "effective_until", "2026-13-01")
	p.run(t, "import", write(t, "r.csv", table), "--date-format", "dd.mm.yyyy", "--skip-bad-rows").want(t, exitBadData, "r.csv:3", "2 added")
	p.run(t, "rule", "show", "00042", "--json").want(t, 0, `"effective_until":"2026-12-31"`, "Gifts; small ones are kept.")
	p.run(t, "import", write(t, "r.csv", table), "--date-format", "yy").want(t, exitUsage, "dd.mm.yyyy")
}
