package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"waymark/client"
	"waymark/ingest"
	"waymark/search"
	"waymark/server"
)

func importCommand() *cli.Command {
	return &cli.Command{
		Name:      "import",
		Usage:     "bring a folder of markdown, a .zip of one, or files of rules into a workspace",
		ArgsUsage: "PATH...",
		Description: describe("Rules and Trails are .jsonl, .csv or .xlsx files. Importing the same again changes nothing. A workspace that is named and does not exist is created.",
			[]string{"waymark import ./policies -w gov", "waymark import --plan rules.csv --trail Invoices", "waymark import trails.jsonl rules.jsonl --keep-status",
				"waymark import ./policies --prune"},
			daemonExits("0 everything was stored or is unchanged", "5 rules were held because they conflict", "65 files or rows were refused")),
		Flags: daemonFlags(
			&cli.BoolFlag{Name: "plan", Usage: "show what would change, and change nothing"},
			&cli.StringFlag{Name: "trail", Usage: "Trail of rules that name none"},
			&cli.StringFlag{Name: "kind", Usage: "what the files hold: trails, rules or documents"},
			&cli.BoolFlag{Name: "keep-status", Usage: "keep the statuses of the file; else new rules are drafts"},
			&cli.BoolFlag{Name: "confirm-conflicts", Usage: "store rules although they conflict inside their Trail"},
			&cli.BoolFlag{Name: "skip-bad-rows", Usage: "store the right rows of a file that has wrong ones"},
			&cli.BoolFlag{Name: "prune", Usage: "remove stored documents that are not among the files"},
			&cli.BoolFlag{Name: "allow-mass-loss", Usage: "let --prune remove more than 30 % of the documents"},
			&cli.StringFlag{Name: "date-format", Usage: "another way in which days are written: " + strings.Join(ingest.DayFormats(), ", ")},
			&cli.BoolFlag{Name: "adr-status", Usage: "read \"## Status\" sections of decision records"},
			&cli.BoolFlag{Name: "pep", Usage: "read .rst files with PEP headers"},
		),
		Action: withDaemon(runImport),
	}
}

func runImport(s *session) error {
	if s.NArg() == 0 {
		return usageError("import takes at least one path; see waymark import --help")
	}
	switch kind := ingest.Kind(s.String("kind")); kind {
	case "", ingest.KindTrails, ingest.KindRules, ingest.KindDocuments:
	default:
		return usageError("--kind takes trails, rules or documents, not %q", kind)
	}
	inputs, err := readInputs(s.Args().Slice(), ingest.ReadOptions{PEP: s.Bool("pep")})
	if err != nil {
		return &exitError{code: exitBadData, err: err}
	}
	if inputs.Ignored > 0 {
		fmt.Fprintf(s.App.ErrWriter, "left out as no documents: %d files\n", inputs.Ignored)
	}
	header := server.ImportHeader{Kind: ingest.Kind(s.String("kind")), Trail: s.String("trail"), Plan: s.Bool("plan"), KeepStatus: s.Bool("keep-status"),
		ConfirmConflicts: s.Bool("confirm-conflicts"), SkipBadRows: s.Bool("skip-bad-rows"), Prune: s.Bool("prune"), AllowMassLoss: s.Bool("allow-mass-loss"),
		DateFormat: s.String("date-format"), ADRStatus: s.Bool("adr-status"), PEP: s.Bool("pep")}
	report, err := s.importFiles(header, inputs)
	var missing *search.Error
	if errors.As(err, &missing) && missing.Code == search.CodeUnknownWorkspace && !header.Plan {
		if report, err = s.importAnew(header, inputs); err != nil {
			return err
		}
	}
	if err != nil {
		return err
	}
	if err := s.show(report, func() { renderReport(s.out, report) }); err != nil {
		return err
	}
	switch {
	case report.Counts[ingest.Refused] > 0:
		return &exitError{code: exitBadData, err: fmt.Errorf("files or rows were refused: %d", report.Counts[ingest.Refused])}
	case report.Unconfirmed > 0:
		return &exitError{code: exitConflict, err: fmt.Errorf("rules were held because they conflict with others of their Trail: %d; add --confirm-conflicts to store them", report.Unconfirmed)}
	}
	return nil
}

// importAnew creates the workspace that was named, which does not exist yet, and
// imports into it.
func (s *session) importAnew(header server.ImportHeader, inputs ingest.Inputs) (*ingest.Report, error) {
	name := s.client.Workspace()
	plain := client.New(s.client.Socket(), client.Options{})
	defer plain.Close()
	if err := plain.Post(s.Context.Context, "/v1/workspaces", map[string]string{"name": name}, nil); err != nil {
		return nil, err
	}
	fmt.Fprintf(s.App.ErrWriter, "created the workspace %q\n", name)
	return s.importFiles(header, inputs)
}

// readInputs reads what the paths name: folders and archives of documents, and
// files of rows.
func readInputs(paths []string, o ingest.ReadOptions) (ingest.Inputs, error) {
	var all ingest.Inputs
	for _, path := range paths {
		var in ingest.Inputs
		var err error
		switch strings.ToLower(filepath.Ext(path)) {
		case ".jsonl", ".csv", ".xlsx":
			var data []byte
			if data, err = os.ReadFile(path); err == nil {
				in.Files = []ingest.File{{Path: filepath.Base(path), Data: data}}
			}
		case ".zip":
			var data []byte
			if data, err = os.ReadFile(path); err == nil {
				in, err = ingest.ReadZip(filepath.Base(path), data, o)
			}
		default:
			in, err = ingest.ReadDir(path, o)
		}
		if err != nil {
			return all, err
		}
		all.Files, all.Unread, all.Ignored = append(all.Files, in.Files...), append(all.Unread, in.Unread...), all.Ignored+in.Ignored
	}
	return all, nil
}

// importFiles sends files to the daemon and shows how far they are on a
// terminal.
func (s *session) importFiles(header server.ImportHeader, inputs ingest.Inputs) (*ingest.Report, error) {
	var report *ingest.Report
	var failure error
	stderr := s.App.ErrWriter
	f, isFile := stderr.(*os.File)
	progress := isFile && isTerminal(f) && !s.json
	started := time.Now()
	err := s.client.Import(s.Context.Context, func(e *json.Encoder) error {
		if err := e.Encode(header); err != nil {
			return err
		}
		for _, f := range inputs.Files {
			if err := e.Encode(server.ImportFile{Path: f.Path, Data: f.Data}); err != nil {
				return err
			}
		}
		for _, u := range inputs.Unread {
			if err := e.Encode(server.ImportFile{Path: u.Path, Unread: u.Err.Error()}); err != nil {
				return err
			}
		}
		return nil
	}, func(line json.RawMessage) error {
		var event server.ImportEvent
		if err := json.Unmarshal(line, &event); err != nil {
			return fmt.Errorf("read an import's progress: %w", err)
		}
		if p := event.Progress; p != nil && progress {
			fmt.Fprintf(stderr, "\r\x1b[K%s %d of %d, %.0f s", p.Phase, p.Done, p.Total, time.Since(started).Seconds())
		}
		if event.Report != nil {
			report = event.Report
		}
		if event.Error != nil {
			failure = event.Error
		}
		return nil
	})
	if progress {
		fmt.Fprint(stderr, "\r\x1b[K")
	}
	switch {
	case errors.Is(err, client.ErrInterrupted):
		return nil, fmt.Errorf("%w; what it had acknowledged is stored, so import again", err)
	case err != nil:
		return nil, err
	case failure != nil:
		return nil, failure
	case report == nil:
		return nil, fmt.Errorf("%w; what it had acknowledged is stored, so import again", client.ErrInterrupted)
	}
	return report, nil
}

func renderReport(t *terminal, r *ingest.Report) {
	for _, item := range r.Items {
		if item.Action != ingest.Refused && item.Action != ingest.Held && !r.Plan {
			continue
		}
		place := item.File
		if item.Line > 0 {
			place = fmt.Sprintf("%s:%d", item.File, item.Line)
		}
		reason := item.Reason
		if item.Field != "" {
			reason = item.Field + ": " + reason
		}
		t.printf("%s\n", strings.TrimSpace(fmt.Sprintf("%-9s %s %s %s", item.Action, printable(place), printable(item.ID), printable(reason))))
	}
	for _, n := range r.Notes {
		mark := "note"
		if n.Fatal {
			mark = "not in force"
		}
		t.printf("%s %s:%d %s %s\n", t.yellow(mark), printable(n.File), n.Line, printable(n.Field), printable(n.Reason))
	}
	for _, c := range r.Conflicts {
		mark := "compare"
		if c.Certain {
			mark = "conflict"
		}
		t.printf("%s %s and %s: %s\n", t.yellow(mark), printable(c.Rules[0]), printable(c.Rules[1]), printable(c.Point))
	}
	word := ""
	if r.Plan {
		word = "would be "
	}
	t.printf("%s%d added, %d changed, %d unchanged, %d removed, %d held, %d refused; %d texts embedded\n", word,
		r.Counts[ingest.Added], r.Counts[ingest.Changed], r.Counts[ingest.Unchanged], r.Counts[ingest.Removed], r.Counts[ingest.Held], r.Counts[ingest.Refused], r.Embedded)
	if len(r.Missing) > 0 {
		t.printf("%d stored documents are not among the files; --prune removes them\n", len(r.Missing))
	}
}

func exportCommand() *cli.Command {
	return &cli.Command{
		Name: "export", Usage: "write Trails or rules in a form that import reads back without loss",
		Description: describe("The rows go to stdout. An import with --keep-status reads them back.",
			[]string{"waymark export > rules.jsonl", "waymark export --kind trails > trails.jsonl", "waymark export --format csv --trail Invoices > invoices.csv"}, daemonExits()),
		Flags: daemonFlags(
			&cli.StringFlag{Name: "kind", Usage: "trails or rules", Value: "rules"},
			&cli.StringFlag{Name: "format", Usage: "jsonl, csv or xlsx", Value: "jsonl"},
			&cli.StringFlag{Name: "trail", Usage: "only this Trail"}),
		Action: withDaemon(func(s *session) error {
			if stdout, isFile := s.App.Writer.(*os.File); s.String("format") == "xlsx" && isFile && isTerminal(stdout) {
				return usageError("a workbook is no text for a terminal: send stdout to a file")
			}
			rows, err := s.client.Raw(s.Context.Context, "GET", "/v1/export?"+query("kind", s.String("kind"), "format", s.String("format"), "trail", s.String("trail")), nil)
			if err != nil {
				return err
			}
			return writeOut(s.App.Writer, rows, s.String("format") == "jsonl")
		}),
	}
}
