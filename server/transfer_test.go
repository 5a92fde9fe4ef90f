package server_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"waymark/client"
	"waymark/ingest"
	"waymark/search"
	"waymark/search/searchtest"
	"waymark/server"
)

// importLines imports over the socket and returns the events of the answer.
func importLines(t *testing.T, c *client.Client, header server.ImportHeader, files ...server.ImportFile) (progress []ingest.Progress, last server.ImportEvent) {
	t.Helper()
	err := c.Import(t.Context(), func(e *json.Encoder) error {
		if err := e.Encode(header); err != nil {
			return err
		}
		for _, f := range files {
			if err := e.Encode(f); err != nil {
				return err
			}
		}
		return nil
	}, func(line json.RawMessage) error {
		var event server.ImportEvent
		if err := json.Unmarshal(line, &event); err != nil {
			return err
		}
		if event.Progress != nil {
			progress = append(progress, *event.Progress)
		}
		last = event
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if last.Report == nil {
		t.Fatalf("the last line is no report: %+v", last)
	}
	return progress, last
}

// TestImport streams files in and progress out; a plan changes nothing, a second
// import finds nothing to do.
func TestImport(t *testing.T) {
	d := serve(t, searchtest.Options{}, nil)
	s := d.Space("acme")
	c := d.client(t, client.Options{Workspace: "acme"})
	var rules strings.Builder
	for i := range 700 {
		fmt.Fprintf(&rules, "{\"trail\": \"Travel\", \"id\": \"h%03d\", \"text\": \"Hotel approval %d is recorded.\", \"status\": \"approved\"}\n", i, i)
	}
	file := server.ImportFile{Path: "rules.jsonl", Data: []byte(rules.String())}
	version := func() uint64 {
		t.Helper()
		v, err := d.Store.Version(s.ID)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	before := version()
	if _, planned := importLines(t, c, server.ImportHeader{Plan: true, KeepStatus: true}, file); planned.Report.Counts[ingest.Added] != 701 || !planned.Report.Plan {
		t.Errorf("planned: %+v, want 700 rules and their Trail", planned.Report.Counts)
	}
	if version() != before {
		t.Error("a plan changed the store")
	}
	progress, done := importLines(t, c, server.ImportHeader{KeepStatus: true}, file)
	if done.Report.Counts[ingest.Added] != 701 || done.Error != nil || len(progress) < 3 {
		t.Errorf("imported: %+v after %d lines of progress", done.Report.Counts, len(progress))
	}
	if a, err := c.SearchTrailRules(t.Context(), search.RuleQuery{Query: "hotel approval"}); err != nil || a.Total != 700 {
		t.Errorf("found: %+v, %v; want all 700 when the import returns", a, err)
	}
	if _, again := importLines(t, c, server.ImportHeader{KeepStatus: true}, file); again.Report.Counts[ingest.Unchanged] == 0 || again.Report.Counts[ingest.Added] != 0 {
		t.Errorf("again: %+v, want nothing to do", again.Report.Counts)
	}
	before = version()
	_, wrong := importLines(t, c, server.ImportHeader{KeepStatus: true},
		server.ImportFile{Path: "more.jsonl", Data: []byte("{\"trail\": \"Travel\", \"text\": \"Fine.\"}\n{\"trail\": \"Travel\"}\n")},
		server.ImportFile{Path: "gone.md", Unread: "permission denied"})
	if wrong.Report.Counts[ingest.Refused] != 2 || wrong.Report.Counts[ingest.Held] != 1 || version() != before {
		t.Errorf("a wrong row: %+v, version %d; want it refused, the other held, and nothing stored", wrong.Report.Counts, version())
	}
	at := slices.IndexFunc(wrong.Report.Items, func(i ingest.Item) bool { return i.Line == 2 })
	if at < 0 || wrong.Report.Items[at].Reason == "" {
		t.Errorf("the wrong row has no line or reason: %+v", wrong.Report.Items)
	}
}

// TestMassLoss: an import that would remove most documents is refused, with what
// to do.
func TestMassLoss(t *testing.T) {
	d := serve(t, searchtest.Options{}, nil)
	d.Space("acme")
	c := d.client(t, client.Options{Workspace: "acme"})
	var files []server.ImportFile
	for i := range 10 {
		files = append(files, server.ImportFile{Path: fmt.Sprintf("universal/d%d.md", i), Data: []byte("---\nstatus: active\n---\nText.\n")})
	}
	importLines(t, c, server.ImportHeader{}, files...)
	_, lost := importLines(t, c, server.ImportHeader{Prune: true}, files[:2]...)
	if lost.Error == nil || lost.Error.Code != search.CodeInvalidArgument || !strings.Contains(lost.Error.Hint, "allow_mass_loss") {
		t.Errorf("pruning 8 of 10: %+v, want it refused with what to do", lost.Error)
	}
	if list, err := c.ListDocuments(t.Context(), search.ListQuery{}); err != nil || list.Total != 10 {
		t.Errorf("%+v, %v; want all ten still there", list, err)
	}
	if _, meant := importLines(t, c, server.ImportHeader{Prune: true, AllowMassLoss: true}, files[:2]...); meant.Error != nil || meant.Report.Counts[ingest.Removed] != 8 {
		t.Errorf("meant: %+v", meant)
	}
}

// TestExport writes what an import takes back without a change.
func TestExport(t *testing.T) {
	d := serve(t, searchtest.Options{}, nil)
	s := d.Space("acme")
	searchtest.NewRandom(s, 4).Fill(20, 0)
	in := inWorkspace(s.ID)
	for _, format := range []string{"jsonl", "csv", "xlsx"} {
		for _, kind := range []string{"rules", "trails"} {
			r := d.send(t, "GET", "/v1/export?kind="+kind+"&format="+format, ``, in...)
			if r.status != 200 || r.body == "" || strings.HasPrefix(r.header.Get("Content-Type"), "application/json;") {
				t.Fatalf("%s as %s: %+v", kind, format, r)
			}
			c := d.client(t, client.Options{Workspace: "acme"})
			_, back := importLines(t, c, server.ImportHeader{KeepStatus: true}, server.ImportFile{Path: kind + "." + format, Data: []byte(r.body)})
			if n := back.Report.Counts; len(n) != 1 || n[ingest.Unchanged] == 0 {
				t.Errorf("%s as %s, imported again: %+v, want all unchanged", kind, format, n)
			}
		}
	}
	if r := d.send(t, "GET", "/v1/export?trail=Payroll", ``, in...); strings.Contains(r.body, `"trail":"Travel"`) || !strings.Contains(r.body, "Payroll") && !strings.Contains(r.body, "trail-1") {
		t.Errorf("one Trail: %.300s", r.body)
	}
	d.send(t, "GET", "/v1/export?trail=Nowhere", ``, in...).want(t, "an unknown Trail", 404, search.CodeUnknownTrail)
	d.send(t, "GET", "/v1/export?format=pdf", ``, in...).want(t, "an unknown format", 400, search.CodeInvalidArgument)
}

// TestImportStopsAtItsCaller: when each returns an error, the import ends for the
// caller with that error.
func TestImportStopsAtItsCaller(t *testing.T) {
	d := serve(t, searchtest.Options{}, nil)
	d.Space("acme")
	c := d.client(t, client.Options{Workspace: "acme"})
	enough := errors.New("enough")
	err := c.Import(t.Context(), func(e *json.Encoder) error { return e.Encode(server.ImportHeader{}) }, func(json.RawMessage) error { return enough })
	if !errors.Is(err, enough) {
		t.Errorf("Import = %v, want the caller's error", err)
	}
	err = c.Import(t.Context(), func(e *json.Encoder) error { return enough }, func(json.RawMessage) error { return nil })
	if !errors.Is(err, enough) {
		t.Errorf("Import = %v, want the error of what it was to send", err)
	}
	err = c.Import(t.Context(), func(e *json.Encoder) error { return e.Encode(map[string]any{"plans": true}) }, func(json.RawMessage) error { return nil })
	var e *search.Error
	if !errors.As(err, &e) || e.Code != search.CodeUnknownArgument || !slices.Contains(e.Valid, "plan") {
		t.Errorf("Import = %v, want unknown_argument", err)
	}
}
