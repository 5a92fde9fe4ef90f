package ingest

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"waymark/embedding/embeddingtest"
	"waymark/store"
	"waymark/store/storetest"
)

// fixture is a writer into a new store with one workspace.
type fixture struct {
	t         testing.TB
	store     *store.Store
	writer    *Writer
	embedder  *countingEmbedder
	workspace string
	commits   int
}

// countingEmbedder counts the texts that are embedded.
type countingEmbedder struct {
	*embeddingtest.Embedder
	count atomic.Int64
	fail  error
}

func (e *countingEmbedder) texts() int { return int(e.count.Load()) }

func (e *countingEmbedder) EmbedPassages(ctx context.Context, texts []string) ([][]float32, error) {
	if e.fail != nil {
		return nil, e.fail
	}
	e.count.Add(int64(len(texts)))
	return e.Embedder.EmbedPassages(ctx, texts)
}

func newFixture(t testing.TB, checker Checker) *fixture {
	t.Helper()
	f := &fixture{t: t, store: storetest.Open(t), embedder: &countingEmbedder{Embedder: embeddingtest.New()}}
	f.workspace = storetest.Workspace(t, f.store, "test")
	f.writer = NewWriter(Options{Store: f.store, Embedder: f.embedder, Conflicts: checker, BatchSize: 4,
		AfterCommit: func(context.Context, string) error { f.commits++; return nil }})
	return f
}

// do imports and wants no error.
func (f *fixture) do(r Request) Report {
	f.t.Helper()
	report, err := f.try(r)
	if err != nil {
		f.t.Fatalf("Import = %v, want no error", err)
	}
	return report
}

func (f *fixture) try(r Request) (Report, error) {
	r.Workspace, r.By = f.workspace, "tester"
	return f.writer.Import(context.Background(), r)
}

// state is all content of the workspace, as text without times.
func (f *fixture) state() string {
	f.t.Helper()
	var b strings.Builder
	err := f.store.View(f.workspace, func(tx *store.ReadTx) error {
		trails, err := tx.Trails()
		if err != nil {
			return err
		}
		for _, t := range trails {
			fmt.Fprintf(&b, "trail %s %q %q %q\n", t.ID, t.Name, t.Description, t.Owner)
		}
		for head, err := range tx.RuleHeads("") {
			if err != nil {
				return err
			}
			for v := 1; v <= head.Latest; v++ {
				r, err := tx.RuleVersion(head.ID, v)
				if err != nil {
					return err
				}
				fmt.Fprintf(&b, "rule %s@%d %s %s %q %s %v\n", r.ID, v, r.TrailID, r.Status, r.Text, r.Class, r.Tags)
			}
		}
		for d, err := range tx.Documents(store.WithPassages) {
			if err != nil {
				return err
			}
			fmt.Fprintf(&b, "document %s %s %s %d\n", d.ID, d.Path, d.Hash[:8], len(d.Passages))
		}
		return nil
	})
	if err != nil {
		f.t.Fatal(err)
	}
	return b.String()
}

// version is the version of the store, which moves with every change.
func (f *fixture) version() uint64 {
	v, err := f.store.Version(f.workspace)
	if err != nil {
		f.t.Fatal(err)
	}
	return v
}

// items writes the items of a report as lines.
func items(r Report) []string {
	var out []string
	for _, i := range r.Items {
		line := fmt.Sprintf("%s:%d %s %s %s", i.File, i.Line, i.Kind, i.ID, i.Action)
		if i.Reason != "" {
			line += ": " + strings.TrimPrefix(i.Field+" "+i.Reason, " ")
		}
		out = append(out, line)
	}
	return out
}

func file(path string, all ...string) File { return File{Path: path, Data: []byte(lines(all...))} }

func TestImportRules(t *testing.T) {
	f := newFixture(t, nil)
	files := []File{
		file("rules.jsonl", `{"trail": "Travel", "id": "T-1", "text": "Book hotels early.", "tags": ["hotel"]}`,
			`{"trail": " travel ", "text": "Pay with the company card."}`),
		file("trails.csv", "name,owner", "Payroll,HR"),
	}
	r := f.do(Request{Files: files})
	paid := derivedID("travel", "Pay with the company card.")
	want := []string{"trails.csv:2 trails payroll added", "rules.jsonl:1 trails travel added: there was no Trail \"Travel\"",
		"rules.jsonl:1 rules T-1 added", "rules.jsonl:2 rules " + paid + " added"}
	if diff := cmp.Diff(want, items(r)); diff != "" {
		t.Errorf("report differs (-want +got):\n%s", diff)
	}
	rule, err := f.store.Rule(f.workspace, "T-1")
	if err != nil || rule.Status != store.StatusDraft || rule.TrailID != "travel" || !rule.ClassDerived || rule.Author != "tester" {
		t.Errorf("stored rule = %+v, %v", rule, err)
	}
	state, version, embedded := f.state(), f.version(), f.embedder.texts()
	if embedded != 2 || r.Embedded != 2 {
		t.Errorf("%d texts embedded, reported %d, want 2", embedded, r.Embedded)
	}
	again := f.do(Request{Files: files})
	if again.Counts[Unchanged] != 3 || len(again.Items) != 3 || f.state() != state || f.version() != version || f.embedder.texts() != embedded {
		t.Errorf("the second import was not idle: %q", items(again))
	}
	changed := f.do(Request{Files: []File{file("rules.csv", "id,text", "T-1,Book hotels very early.")}})
	rule, _ = f.store.Rule(f.workspace, "T-1")
	if changed.Counts[Changed] != 1 || rule.Text != "Book hotels very early." || !slices.Equal(rule.Tags, []string{"hotel"}) || rule.Version != 1 {
		t.Errorf("an edit by id: %q, stored %+v; want the draft changed and its tags kept", items(changed), rule)
	}
	f.do(Request{Files: []File{file("rules.jsonl", `{"id": "T-1", "text": "Book hotels very early.", "tags": null}`)}})
	if rule, _ = f.store.Rule(f.workspace, "T-1"); rule.Tags != nil {
		t.Errorf("tags = %q after null, want none", rule.Tags)
	}
}

// TestImportReport has the report of every kind of row that is not stored.
func TestImportReport(t *testing.T) {
	f := newFixture(t, nil)
	f.do(Request{Files: []File{file("t.csv", "id,name", "a,Same", "b,same", "c,Other"), file("r.csv", "trail,id,text", "c,X-1,First.")}})
	before := f.state()
	for _, c := range []struct {
		name    string
		request Request
		want    []string
		stored  bool
	}{
		{"no Trail", Request{Files: []File{file("r.csv", "text", "A.")}},
			[]string{"r.csv:2 rules  refused: trail no Trail is named; name one in the column trail, or one for all rows that name none"}, false},
		{"name of two Trails", Request{Files: []File{file("r.csv", "trail,text", "SAME,A.")}},
			[]string{`r.csv:2 rules  refused: trail "SAME" is the name of the Trails "a" and "b"; give the id`}, false},
		{"another Trail", Request{Files: []File{file("r.csv", "trail,id,text", "a,X-1,First.")}},
			[]string{`r.csv:2 rules X-1 refused: trail the rule "X-1" belongs to the Trail "c" and cannot move`}, false},
		{"a wrong row holds the others", Request{Files: []File{file("r.csv", "trail,id,text,class", "New,Y-1,A.,", "New,Y-2,B.,law")}},
			[]string{`r.csv:2 trails new held: none of its rules was stored`, "r.csv:2 rules Y-1 held: another row of the file is wrong, so nothing of it was stored",
				`r.csv:3 rules Y-2 refused: class "law" is not among "obligation", "prohibition", "permission", "recommendation", "definition", "procedure" and "exception"`}, false},
		{"a wrong row holds Trails", Request{Files: []File{file("t.csv", "id,name", "d,New", "e,")}},
			[]string{"t.csv:3 trails e refused: name the name of the Trail is missing", "t.csv:2 trails d held: another row of the file is wrong, so nothing of it was stored"}, false},
		{"twice the same", Request{Files: []File{file("r.csv", "trail,id,text", "c,X-1,First.", "c,X-1,First.")}},
			[]string{"r.csv:2 rules X-1 unchanged", "r.csv:3 rules X-1 unchanged: the same as line 2 of r.csv"}, false},
		{"twice, and different", Request{Files: []File{file("r.csv", "trail,id,text", "c,Y-1,A.", "c,Y-1,B.")}},
			[]string{"r.csv:2 rules Y-1 held: another row of the file is wrong, so nothing of it was stored",
				"r.csv:3 rules Y-1 refused: id line 2 of r.csv has the same id or, without ids, the same text, and differs in the rest"}, false},
		{"supersedes nothing", Request{Files: []File{file("r.csv", "trail,id,text,supersedes", "c,Y-1,A.,Z-9", "c,Y-2,B.,Y-1")}},
			[]string{`r.csv:2 rules Y-1 refused: supersedes there is no rule "Z-9"`, `r.csv:3 rules Y-2 refused: supersedes there is no rule "Y-1"`}, false},
		{"unknown kind of file", Request{Files: []File{file("a.docx", "x")}},
			[]string{"a.docx:0   refused: what kind of file this is cannot be seen from its name; known are .md, .jsonl, .csv and .xlsx"}, false},
		{"unread", Request{Unread: []UnreadFile{{"a.md", &fs.PathError{Op: "open", Path: "/x/a.md", Err: fs.ErrPermission}}}},
			[]string{"a.md:0 documents  refused: the file cannot be read: permission denied"}, false},
		{"bad rows skipped", Request{SkipBadRows: true, Files: []File{file("r.csv", "trail,id,text,class", "New,Y-1,A.,", "New,Y-2,B.,law")}},
			[]string{`r.csv:2 trails new added: there was no Trail "New"`, "r.csv:2 rules Y-1 added",
				`r.csv:3 rules Y-2 refused: class "law" is not among "obligation", "prohibition", "permission", "recommendation", "definition", "procedure" and "exception"`}, true},
	} {
		r := f.do(c.request)
		if diff := cmp.Diff(c.want, items(r)); diff != "" {
			t.Errorf("%s: report differs (-want +got):\n%s", c.name, diff)
		}
		if (f.state() != before) != c.stored {
			t.Errorf("%s: stored = %v, want %v", c.name, !c.stored, c.stored)
		}
	}
	if _, err := f.try(Request{DateFormat: "x"}); !errors.Is(err, ErrBadRow) {
		t.Errorf("Import with an unknown form of days = %v, want ErrBadRow", err)
	}
	if _, err := f.writer.Import(context.Background(), Request{Workspace: "nobody"}); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("Import into an unknown workspace = %v, want store.ErrNotFound", err)
	}
}

func TestImportPlanChangesNothing(t *testing.T) {
	f := newFixture(t, RuleChecker{})
	files := []File{file("r.csv", "trail,text", "New,A rule.", "New,Another rule."), file("a.md", "---", "status: active", "---", "Text.")}
	before, version := f.state(), f.version()
	plan := f.do(Request{Files: files, Plan: true})
	if f.state() != before || f.version() != version || f.commits != 0 {
		t.Errorf("a plan changed the store")
	}
	if models, err := f.store.VectorModels(f.workspace); err != nil || len(models) > 0 {
		t.Errorf("a plan stored vectors: %q, %v", models, err)
	}
	real := f.do(Request{Files: files})
	plan.Plan = false
	if diff := cmp.Diff(real, plan); diff != "" {
		t.Errorf("the plan differs from what was done (-done +plan):\n%s", diff)
	}
}

func TestImportKeepStatus(t *testing.T) {
	f := newFixture(t, nil)
	data := file("r.csv", "trail,id,text,status,supersedes",
		"T,R-3,New text.,approved,R-1", "T,R-1,Old text.,approved,", "T,R-2,A draft.,draft,", "T,R-4,Past.,retired,", "T,R-5,No status.,,")
	f.do(Request{Files: []File{data}, KeepStatus: true})
	status := func() map[string]store.Status {
		m := map[string]store.Status{}
		rules, err := f.store.Rules(f.workspace, store.RuleFilter{})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range rules {
			m[r.ID] = r.Status
		}
		return m
	}
	want := map[string]store.Status{"R-1": store.StatusRetired, "R-2": store.StatusDraft, "R-3": store.StatusApproved, "R-4": store.StatusRetired, "R-5": store.StatusDraft}
	if diff := cmp.Diff(want, status()); diff != "" {
		t.Errorf("statuses differ (-want +got):\n%s", diff)
	}
	// Without the option all are drafts, and a rule in force stays in force.
	f.do(Request{Files: []File{file("r.csv", "id,text,status", "R-3,Newer text.,approved")}})
	head, err := f.store.RuleHead(f.workspace, "R-3")
	if err != nil || head.InForce != 1 || head.Draft != 2 {
		t.Errorf("head = %+v, %v, want version 1 in force and 2 a draft", head, err)
	}
	f.do(Request{KeepStatus: true, Files: []File{file("r.csv", "id,text,status", "R-3,Newest text.,approved", "R-2,A draft.,approved")}})
	head, _ = f.store.RuleHead(f.workspace, "R-3")
	rule, _ := f.store.Rule(f.workspace, "R-3")
	if head.InForce != 2 || head.Draft != 0 || rule.Text != "Newest text." || status()["R-2"] != store.StatusApproved {
		t.Errorf("head = %+v, text %q, R-2 %s; want all approved", head, rule.Text, status()["R-2"])
	}
	r := f.do(Request{KeepStatus: true, SkipBadRows: true, Files: []File{file("r.csv", "id,text,status", "R-3,Newest text.,retired", "R-5,No status.,retired", "R-4,Past.,approved")}})
	if status()["R-3"] != store.StatusRetired || r.Counts[Changed] != 1 || r.Counts[Refused] != 2 {
		t.Errorf("retiring: %q, %v", items(r), status())
	}
}

// TestImportSupersedesOrder: a rule may come before the one that it supersedes,
// in other batches and other files, and in circles.
func TestImportSupersedesOrder(t *testing.T) {
	f := newFixture(t, nil)
	var rows []string
	rows = append(rows, "trail,id,text,supersedes")
	for i := range 40 {
		next := ""
		if i < 39 {
			next = fmt.Sprintf("R-%02d", i+1)
		} else {
			next = "R-30"
		}
		rows = append(rows, fmt.Sprintf("T,R-%02d,Text %d.,%s", i, i, next))
	}
	r := f.do(Request{Files: []File{file("r.csv", rows...)}})
	if r.Counts[Added] != 41 {
		t.Errorf("report: %q", items(r))
	}
}

func TestImportBatches(t *testing.T) {
	f := newFixture(t, nil)
	var rows []string
	for i := range 30 {
		rows = append(rows, fmt.Sprintf(`{"trail": "T", "text": "Rule number %d."}`, i))
	}
	var done []Progress
	seen := -1
	r := f.do(Request{Files: []File{file("r.jsonl", rows...)}, Progress: func(p Progress) {
		done = append(done, p)
		rules, err := f.store.Rules(f.workspace, store.RuleFilter{})
		if err != nil || len(rules) != p.Done {
			t.Errorf("progress says %d, the store has %d rules, %v", p.Done, len(rules), err)
		}
		if f.commits <= seen {
			t.Errorf("progress came before the index was told")
		}
		seen = f.commits
	}})
	if len(done) != 8 || done[7] != (Progress{PhaseWrite, 30, 30}) || r.Counts[Added] != 31 {
		t.Errorf("progress = %v, counts = %v", done, r.Counts)
	}
}

func TestImportStopsWithContext(t *testing.T) {
	f := newFixture(t, nil)
	var rows []string
	for i := range 30 {
		rows = append(rows, fmt.Sprintf(`{"trail": "T", "text": "Rule number %d."}`, i))
	}
	ctx, cancel := context.WithCancel(context.Background())
	_, err := f.writer.Import(ctx, Request{Workspace: f.workspace, Files: []File{file("r.jsonl", rows...)}, Progress: func(p Progress) {
		if p.Done >= 8 {
			cancel()
		}
	}})
	rules, _ := f.store.Rules(f.workspace, store.RuleFilter{})
	if !errors.Is(err, context.Canceled) || len(rules) < 8 || len(rules) >= 30 {
		t.Errorf("Import = %v with %d rules stored, want it stopped after 8 or a little more", err, len(rules))
	}
	f.embedder.fail = errors.New("no encoder")
	if _, err := f.try(Request{Files: []File{file("r.jsonl", rows...)}}); !errors.Is(err, f.embedder.fail) {
		t.Errorf("Import = %v, want the error of the encoder", err)
	}
}

func TestImportDocuments(t *testing.T) {
	f := newFixture(t, nil)
	a := file("hr/a.md", "---", "id: A", "status: active", "supersedes: b.md", "---", "# A", "One.")
	b := file("hr/b.md", "# B", "Two.")
	r := f.do(Request{Files: []File{b, a}})
	want := []string{"hr/a.md:0 documents A added", "hr/b.md:0 documents hr-b added"}
	if diff := cmp.Diff(want, items(r)); diff != "" {
		t.Errorf("report differs (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]Note{{File: "hr/b.md", Line: 1, Field: "status", Reason: "no status is given, so the document does not govern"}}, r.Notes); diff != "" {
		t.Errorf("notes differ (-want +got):\n%s", diff)
	}
	d, err := f.store.Document(f.workspace, "A", store.WholeDocument)
	if err != nil || !slices.Equal(d.Supersedes, []string{"hr-b"}) || string(d.Raw) != string(a.Data) {
		t.Errorf("document = %+v, %v; want the path of b.md replaced by its id and the bytes kept", d, err)
	}
	odd := file("c.md", "---", "id: C", "status: active", "supersedes: [C, Nope]", "contradicts: a", "---", "Text.")
	r = f.do(Request{Files: []File{odd}, Plan: true})
	wantNotes := []Note{{File: "c.md", Line: 1, Field: "supersedes", Reason: `there is no document "Nope"`},
		{File: "c.md", Line: 1, Field: "supersedes", Reason: "the document names itself, which supersedes nothing"}}
	if diff := cmp.Diff(wantNotes, r.Notes); diff != "" {
		t.Errorf("notes differ (-want +got):\n%s", diff)
	}
	version := f.version()
	if r := f.do(Request{Files: []File{b, a}}); r.Counts[Unchanged] != 2 || f.version() != version {
		t.Errorf("the second import was not idle: %q", items(r))
	}
	a.Data = append(a.Data, "More.\n"...)
	moved := File{Path: "hr/old/b2.md", Data: []byte("---\nid: hr-b\n---\n# B\nTwo.\n")}
	r = f.do(Request{Files: []File{a, moved}})
	want = []string{"hr/a.md:0 documents A changed", `hr/old/b2.md:0 documents hr-b changed: moved from "hr/b.md"`}
	if diff := cmp.Diff(want, items(r)); diff != "" {
		t.Errorf("report differs (-want +got):\n%s", diff)
	}
}

func TestImportTwoFilesOneID(t *testing.T) {
	f := newFixture(t, nil)
	files := []File{file("a.md", "---", "id: X", "---", "One."), file("b.md", "---", "id: X", "---", "Two."),
		file("c/d.md", "Three."), file("c-d.md", "Four."), file("Cafe\u0301.md", "Five."), file("Caf\u00E9.md", "Six.")}
	r := f.do(Request{Files: files})
	refusal := func(id, path string) string {
		return fmt.Sprintf("refused: id the id %q belongs to %q already; give this document an id of its own in its front matter", id, path)
	}
	want := []string{"Caf\u00E9.md:0 documents Caf\u00E9 added", "Caf\u00E9.md:0 documents Caf\u00E9 refused: the file \"Caf\u00E9.md\" comes twice, or two names differ in their Unicode form only",
		"a.md:0 documents X added", "b.md:0 documents X " + refusal("X", "a.md"), "c-d.md:0 documents c-d added", "c/d.md:0 documents c-d " + refusal("c-d", "c-d.md")}
	if diff := cmp.Diff(want, items(r)); diff != "" {
		t.Errorf("report differs (-want +got):\n%s", diff)
	}
	// The file that has the id keeps it, whatever comes before it later.
	first := file("0.md", "---", "id: X", "---", "Zero.")
	r = f.do(Request{Files: append([]File{first}, files...)})
	if got := items(r)[0]; got != "0.md:0 documents X "+refusal("X", "a.md") {
		t.Errorf("a newcomer with the id of a.md: %q", got)
	}
}

func TestImportPrune(t *testing.T) {
	f := newFixture(t, nil)
	var all []File
	for i := range 10 {
		all = append(all, file(fmt.Sprintf("p%d.md", i), "---", "status: active", "---", fmt.Sprintf("Text %d.", i)))
	}
	f.do(Request{Files: all})
	before := f.state()
	r := f.do(Request{Files: all[2:]})
	if !slices.Equal(r.Missing, []string{"p0", "p1"}) || f.state() != before {
		t.Errorf("without pruning: missing %q", r.Missing)
	}
	for _, c := range []struct {
		name  string
		files []File
		want  string
	}{
		{"four of ten", all[4:], "import: too many documents would be removed: 4 of the 10 stored documents are not among the 6 files of this import; is it the right folder, and all of it? Allow the loss if it is"},
		{"everything", nil, "import: too many documents would be removed: 10 of the 10 stored documents are not among the 0 files of this import; is it the right folder, and all of it? Allow the loss if it is"},
	} {
		_, err := f.try(Request{Files: c.files, Prune: true})
		if !errors.Is(err, ErrMassLoss) || err.Error() != c.want || f.state() != before {
			t.Errorf("%s: Import = %v, want %q and nothing changed", c.name, err, c.want)
		}
	}
	broken := File{Path: "p0.md", Data: []byte("\xff")}
	r = f.do(Request{Files: append([]File{broken}, all[3:]...), Prune: true, Unread: []UnreadFile{{"p1.md", fs.ErrPermission}}})
	if got := items(r); got[len(got)-1] != "p2.md:0 documents p2 removed" || r.Counts[Removed] != 1 || r.Counts[Refused] != 2 {
		t.Errorf("pruning beside unreadable files: %q", got)
	}
	renamed := file("p3.md", "---", "id: other", "status: active", "---", "Text 3.")
	r = f.do(Request{Files: append([]File{all[0], all[1], renamed}, all[4:]...), Prune: true})
	if r.Counts[Added] != 1 || r.Counts[Removed] != 1 || strings.Contains(f.state(), "document p3 ") {
		t.Errorf("a new id for a file: %q", items(r))
	}
	r = f.do(Request{Prune: true, AllowMassLoss: true})
	if r.Counts[Removed] != 9 || f.state() != "" {
		t.Errorf("allowed loss: %q, left %q", items(r), f.state())
	}
}

func TestImportRenamesTrail(t *testing.T) {
	f := newFixture(t, nil)
	f.do(Request{Files: []File{file("t.csv", "id,name", "t,Travel"), file("r.csv", "trail,text", "t,One.", "t,Two.")}})
	before := f.embedder.texts()
	r := f.do(Request{Files: []File{file("t.csv", "id,name,description", "t,Journeys,All of them")}})
	if r.Counts[Changed] != 1 || f.embedder.texts() != before+2 || r.Embedded != 2 {
		t.Errorf("report %q, %d texts embedded, want one change and 2", items(r), f.embedder.texts()-before)
	}
	if n, err := f.writer.EnsureVectors(context.Background(), f.workspace, nil); n != 0 || err != nil {
		t.Errorf("EnsureVectors = %d, %v after a rename, want nothing missing", n, err)
	}
	trail, _ := f.store.Trail(f.workspace, "t")
	if trail.Name != "Journeys" || trail.Description != "All of them" {
		t.Errorf("trail = %+v", trail)
	}
}

func TestEnsureVectors(t *testing.T) {
	f := newFixture(t, nil)
	f.do(Request{KeepStatus: true, Files: []File{
		file("r.csv", "trail,id,text,status", "t,1,One.,approved", "t,2,Two.,draft", "t,3,Three.,retired"),
		file("r2.csv", "id,text,status", "1,One more.,draft"), file("a.md", "# A", "Text.", "# B", "Text.")}})
	other := NewWriter(Options{Store: f.store, Embedder: embeddingtest.New(embeddingtest.WithModelID("other"))})
	var last Progress
	n, err := other.EnsureVectors(context.Background(), f.workspace, func(p Progress) { last = p })
	// Two versions of rule 1, rule 2, two passages; nobody looks for rule 3.
	if n != 5 || err != nil || last != (Progress{PhaseEmbed, 5, 5}) {
		t.Errorf("EnsureVectors = %d, %v, progress %v, want 5", n, err, last)
	}
	if n, err := other.EnsureVectors(context.Background(), f.workspace, nil); n != 0 || err != nil {
		t.Errorf("EnsureVectors again = %d, %v, want 0", n, err)
	}
}

// TestImportCorpora imports public corpora twice and checks their life-cycles:
// all of them with WAYMARK_LONG=1, else without the two large handbooks.
func TestImportCorpora(t *testing.T) {
	root, long := corpora(t), os.Getenv("WAYMARK_LONG") != ""
	f := newFixture(t, nil)
	f.writer.options.BatchSize = DefaultBatchSize
	in, err := ReadDir(root, ReadOptions{PEP: true})
	if err != nil {
		t.Fatal(err)
	}
	if !long {
		in.Files = slices.DeleteFunc(in.Files, func(f File) bool {
			return strings.HasPrefix(f.Path, "sourcegraph-handbook/") || strings.HasPrefix(f.Path, "18f-handbook/")
		})
	}
	r := f.do(Request{Files: in.Files, Unread: in.Unread, PEP: true, ADRStatus: true})
	if r.Counts[Added] != len(in.Files) || len(in.Files) < 480 || len(in.Unread) > 0 {
		t.Errorf("%d files, unread %v, counts %v", len(in.Files), in.Unread, r.Counts)
	}
	documents, err := f.store.Documents(f.workspace, store.DocumentOnly)
	if err != nil {
		t.Fatal(err)
	}
	count, byID := map[string]int{}, map[string]store.Document{}
	for _, d := range documents {
		count[strings.Split(d.Path, string(filepath.Separator))[0]+" "+d.Status]++
		byID[d.ID] = d
		for _, p := range d.Problems {
			if p.Fatal {
				t.Errorf("%s:%d: %s %s", d.Path, p.Line, p.Field, p.Reason)
			}
		}
	}
	for status, want := range map[string]int{"peps-lifecycle superseded": 25, "peps-lifecycle accepted": 92 + 11, "peps-lifecycle active": 38,
		"peps-lifecycle rejected": 22, "peps-lifecycle withdrawn": 24, "peps-lifecycle deferred": 4, "peps-lifecycle draft": 5, "peps-lifecycle april fool!": 1,
		"moj-cloud-platform-adr superseded": 1, "moj-cloud-platform-adr accepted": 34, "moj-cloud-platform-adr proposed": 6,
		"moj-cloud-platform-adr rejected": 2, "moj-cloud-platform-adr incomplete": 2, "moj-cloud-platform-adr ": 5} {
		if count[status] != want {
			t.Errorf("%q: %d documents, want %d", status, count[status], want)
		}
	}
	adr := "moj-cloud-platform-adr-architecture-decision-record-"
	for id, want := range map[string][]string{"pep-0386": {"pep-0440"}, adr + "021-Multi-cluster": {adr + "036-multi-cluster"}} {
		if got := byID[id].SupersededBy; !slices.Equal(got, want) {
			t.Errorf("%s: superseded by %q, want %q", id, got, want)
		}
	}
	if got := byID["pep-0440"].Supersedes; !slices.Contains(got, "pep-0386") {
		t.Errorf("pep-0440 supersedes %q, want pep-0386 among them", got)
	}
	version := f.version()
	if again := f.do(Request{Files: in.Files, PEP: true, ADRStatus: true, Prune: true}); again.Counts[Unchanged] != len(in.Files) || f.version() != version {
		t.Errorf("the second import was not idle: %v", again.Counts)
	}
	// The bytes come back as they were.
	err = f.store.View(f.workspace, func(tx *store.ReadTx) error {
		n := 0
		for file, err := range ExportDocuments(tx) {
			if err != nil {
				return err
			}
			data, err := os.ReadFile(filepath.Join(root, file.Path))
			if err != nil || string(data) != string(file.Data) {
				t.Errorf("%s: exported bytes differ, %v", file.Path, err)
			}
			n++
		}
		if n != len(in.Files) {
			t.Errorf("%d files exported, want %d", n, len(in.Files))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
