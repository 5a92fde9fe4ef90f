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
		Description: "Rules and Trails are .jsonl, .csv or .xlsx files. Importing the same again changes nothing.\n\nExamples:\n" +
			"   waymark import ./policies -w gov\n   waymark import --plan rules.csv --trail Invoices\n   waymark import trails.jsonl rules.jsonl --keep-status\n\n" +
			"Exit codes: 0 everything was stored or unchanged; 5 rules were held because they conflict; 65 some rows or files were refused; 69 no daemon.",
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
	inputs, err := readInputs(s.Args().Slice(), ingest.ReadOptions{PEP: s.Bool("pep")})
	if err != nil {
		return &exitError{code: exitBadData, err: err}
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
		return &exitError{code: exitBadData, err: fmt.Errorf("%d rows or files were refused", report.Counts[ingest.Refused])}
	case report.Unconfirmed > 0:
		return &exitError{code: exitConflict, err: fmt.Errorf("%d rules were held because they conflict with others of their Trail; add --confirm-conflicts to store them", report.Unconfirmed)}
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
	progress := isTerminal(os.Stderr) && !s.json
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
			fmt.Fprintf(os.Stderr, "\r\x1b[K%s %d of %d, %.0f s", p.Phase, p.Done, p.Total, time.Since(started).Seconds())
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
		fmt.Fprint(os.Stderr, "\r\x1b[K")
	}
	switch {
	case err != nil:
		return nil, err
	case failure != nil:
		return nil, failure
	case report == nil:
		return nil, fmt.Errorf("the daemon ended before the import was done; what it had acknowledged is stored, so import again")
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
		t.printf("%-9s %s %s %s\n", item.Action, printable(place), printable(item.ID), printable(reason))
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
		Description: "Example:\n   waymark export --kind rules --format csv --trail Invoices > invoices.csv\n\nExit codes: 0 good; 2 usage; 3 unknown Trail; 69 no daemon.",
		Flags: daemonFlags(
			&cli.StringFlag{Name: "kind", Usage: "trails or rules", Value: "rules"},
			&cli.StringFlag{Name: "format", Usage: "jsonl, csv or xlsx", Value: "jsonl"},
			&cli.StringFlag{Name: "trail", Usage: "only this Trail"}),
		Action: withDaemon(func(s *session) error {
			rows, err := s.client.Raw(s.Context.Context, "GET", "/v1/export?"+query("kind", s.String("kind"), "format", s.String("format"), "trail", s.String("trail")), nil)
			if err != nil {
				return err
			}
			_, err = s.App.Writer.Write(rows)
			return err
		}),
	}
}
