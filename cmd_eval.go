package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"waymark/client"
	"waymark/config"
	"waymark/eval"
	"waymark/ingest"
	"waymark/server"
	"waymark/store"
)

func evalCommand() *cli.Command {
	flags := func(own ...cli.Flag) []cli.Flag {
		return append(own,
			&cli.StringFlag{Name: "data", Usage: "keep the daemon's data here, and use it again; else a temporary directory"},
			&cli.StringFlag{Name: "save", Usage: "write the run to this file"},
			&cli.StringFlag{Name: "compare", Usage: "compare with a run that was saved"},
			&cli.StringFlag{Name: "model", Usage: "path of another encoder (.wmodel)"},
			&cli.BoolFlag{Name: "json", Usage: "print one JSON document"})
	}
	return &cli.Command{
		Name: "eval", Usage: "measure answers on judged question sets, through the socket of a daemon of its own",
		Subcommands: []*cli.Command{
			{Name: "beir", Usage: "a BEIR-style folder: corpus.jsonl, queries.jsonl, qrels.tsv", ArgsUsage: "DIR",
				Description: describe("", []string{"waymark eval beir ../shared/data/scifact --as documents --data /tmp/scifact"}, plainExits()),
				Flags: flags(&cli.StringFlag{Name: "split", Usage: "reads queries.SPLIT.jsonl and qrels.SPLIT.tsv"},
					&cli.StringFlag{Name: "as", Value: "rules", Usage: "load the corpus as rules or as documents"}),
				Action: evalAction(evalBEIR)},
			{Name: "olympus", Usage: "a suite of olympus-bench: a corpus of markdown and its questions", ArgsUsage: "DIR",
				Description: describe("", []string{"waymark eval olympus ../shared/data/olympus-bench/governance --in-force --abstain"}, plainExits()),
				Flags: flags(&cli.BoolFlag{Name: "in-force", Usage: "ask for what governs only"}, &cli.BoolFlag{Name: "abstain", Usage: "ask for nothing rather than a weak match"},
					&cli.IntFlag{Name: "limit", Value: 5, Usage: "how many hits are asked for"}),
				Action: evalAction(evalOlympus)},
			{Name: "set", Usage: "trails.jsonl, rules.jsonl, documents and questions.jsonl, as in testdata/company", ArgsUsage: "DIR",
				Description: describe("", []string{"waymark eval set testdata/company"}, plainExits()),
				Flags:       flags(), Action: evalAction(evalSet)},
		},
	}
}

// evalDay is the day on which measurements stand, that of the public sets.
var evalDay = time.Date(2026, 7, 8, 9, 0, 0, 0, time.UTC)

// evaluation is one measurement under way.
type evaluation struct {
	*session
	folder string
	fresh  bool // nothing is loaded yet
}

func evalAction(f func(*evaluation) (*eval.Report, error)) cli.ActionFunc {
	return func(c *cli.Context) error {
		if c.NArg() != 1 {
			return usageError("%s takes one folder; see --help", c.Command.HelpName)
		}
		return failed(runEvaluation(c, f))
	}
}

func runEvaluation(c *cli.Context, f func(*evaluation) (*eval.Report, error)) (err error) {
	data := c.String("data")
	if data == "" {
		if data, err = os.MkdirTemp("", "waymark-eval-"); err != nil {
			return err
		}
		defer os.RemoveAll(data)
	}
	sockets, err := os.MkdirTemp("", "waymark-eval-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(sockets)
	cfg := &config.Config{Data: data, Socket: filepath.Join(sockets, "waymark.sock"), Log: config.Log{Level: "warn", Format: "text"},
		KB: config.KB{TimeZone: "UTC"}, Embedding: config.Embedding{Model: c.String("model")}, Index: config.Index{GraphRows: 200_000}}
	stop, err := startPrivate(c.Context, cfg, c.App.ErrWriter, func() time.Time { return evalDay })
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, stop()) }()
	e := &evaluation{session: &session{Context: c, client: client.New(cfg.Socket, client.Options{Workspace: "eval"}), out: newTerminal(c.App.Writer.(*os.File), os.Getenv)}, folder: c.Args().First()}
	defer e.client.Close()
	var all []store.Workspace
	if err := client.New(cfg.Socket, client.Options{}).Get(c.Context, "/v1/workspaces", &all); err != nil {
		return err
	}
	if len(all) == 0 {
		e.fresh = true
		if err := client.New(cfg.Socket, client.Options{}).Post(c.Context, "/v1/workspaces", map[string]string{"name": "eval"}, nil); err != nil {
			return err
		}
	}
	report, err := f(e)
	if err != nil {
		return err
	}
	if c.Bool("json") {
		return writeJSON(c, report)
	}
	report.Write(c.App.Writer)
	return nil
}

// load imports files once into a data directory.
func (e *evaluation) load(files []ingest.File) error {
	if !e.fresh {
		return nil
	}
	began := time.Now()
	report, err := e.importFiles(server.ImportHeader{KeepStatus: true, ConfirmConflicts: true, SkipBadRows: true}, ingest.Inputs{Files: files})
	if err != nil {
		return err
	}
	took := time.Since(began).Seconds()
	fmt.Fprintf(e.App.ErrWriter, "%d loaded, %d refused, %d texts embedded in %.1f s: %.0f a second\n", report.Counts[ingest.Added], report.Counts[ingest.Refused],
		report.Embedded, took, float64(report.Embedded)/took)
	return nil
}

// finish asks the questions, saves the run, and measures it.
func (e *evaluation) finish(asked []eval.Asked) (*eval.Report, error) {
	began := time.Now()
	run, err := eval.Ask(e.Context.Context, e.client, asked)
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(e.App.ErrWriter, "%d questions in %.1f s\n", len(asked), time.Since(began).Seconds())
	questions := eval.Questions(asked)
	if path := e.String("save"); path != "" {
		if err := eval.WriteRun(path, questions, run); err != nil {
			return nil, err
		}
	}
	var other eval.Run
	if path := e.String("compare"); path != "" {
		if other, err = eval.ReadRun(path); err != nil {
			return nil, err
		}
	}
	return eval.Measure(filepath.Base(filepath.Clean(e.folder)), questions, run, other), nil
}

func evalBEIR(e *evaluation) (*eval.Report, error) {
	tool, convert := "search_trail_rules", beirRules
	switch e.String("as") {
	case "rules":
	case "documents":
		tool, convert = "kb_search", beirDocuments
	default:
		return nil, usageError("--as takes rules or documents")
	}
	if e.fresh {
		items, err := eval.ReadCorpus(e.folder)
		if err != nil {
			return nil, err
		}
		files, err := convert(items)
		if err != nil {
			return nil, err
		}
		if err := e.load(files); err != nil {
			return nil, err
		}
	}
	questions, err := eval.ReadQuestions(e.folder, e.String("split"))
	if err != nil {
		return nil, err
	}
	var asked []eval.Asked
	for _, q := range questions {
		asked = append(asked, eval.Asked{Question: q, Tool: tool})
	}
	return e.finish(asked)
}

// beirRules makes a file of approved rules of a corpus.
func beirRules(items []eval.Item) ([]ingest.File, error) {
	var b strings.Builder
	for _, i := range items {
		line, err := json.Marshal(map[string]string{"trail": "Corpus", "id": i.ID, "title": i.Title, "text": i.Text, "status": "approved", "class": "obligation"})
		if err != nil {
			return nil, err
		}
		b.Write(line)
		b.WriteByte('\n')
	}
	return []ingest.File{{Path: "rules.jsonl", Data: []byte(b.String())}}, nil
}

// beirDocuments makes a markdown document of each item.
func beirDocuments(items []eval.Item) ([]ingest.File, error) {
	var files []ingest.File
	for _, i := range items {
		text := fmt.Sprintf("---\nid: %s\ntitle: %s\nstatus: active\n---\n%s\n", strconv.Quote(i.ID), strconv.Quote(i.Title), i.Text)
		files = append(files, ingest.File{Path: i.ID + ".md", Data: []byte(text)})
	}
	return files, nil
}

func evalOlympus(e *evaluation) (*eval.Report, error) {
	in, err := ingest.ReadDir(filepath.Join(e.folder, "corpus"), ingest.ReadOptions{})
	if err != nil {
		return nil, err
	}
	if err := e.load(in.Files); err != nil {
		return nil, err
	}
	questions, err := eval.ReadOlympus(e.folder)
	if err != nil {
		return nil, err
	}
	var asked []eval.Asked
	for _, q := range questions {
		asked = append(asked, eval.Asked{Question: q, Tool: "kb_search", Arguments: map[string]any{"limit": e.Int("limit"), "in_force": e.Bool("in-force"), "abstain": e.Bool("abstain")}})
	}
	return e.finish(asked)
}

func evalSet(e *evaluation) (*eval.Report, error) {
	if e.fresh {
		in, err := ingest.ReadDir(filepath.Join(e.folder, "documents"), ingest.ReadOptions{})
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return nil, err
		}
		files := in.Files
		for _, name := range []string{"trails.jsonl", "rules.jsonl"} {
			data, err := os.ReadFile(filepath.Join(e.folder, name))
			if err != nil {
				return nil, err
			}
			files = append(files, ingest.File{Path: name, Data: data})
		}
		if err := e.load(files); err != nil {
			return nil, err
		}
	}
	asked, err := eval.ReadAsked(filepath.Join(e.folder, "questions.jsonl"))
	if err != nil {
		return nil, err
	}
	return e.finish(asked)
}
