package main

import (
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"waymark/client"
	"waymark/config"
	"waymark/ingest"
	"waymark/search"
	"waymark/server"
)

// company is the sample company that the demo shows.
//
//go:embed testdata/company/trails.jsonl testdata/company/rules.jsonl testdata/company/demo.jsonl all:testdata/company/documents
var company embed.FS

const companyRoot = "testdata/company"

// demoDay is the day that the demo plays on: the sample's validity days are
// written around it, so that the demo shows the same next year.
var demoDay = time.Date(2026, 12, 1, 9, 0, 0, 0, time.UTC)

// demoQuestion is one line of demo.jsonl.
type demoQuestion struct {
	Caption   string          `json:"caption"`
	Tool      string          `json:"tool"`
	Arguments json.RawMessage `json:"arguments"`
}

func demoCommand() *cli.Command {
	return &cli.Command{
		Name: "demo", Usage: "the main job on a sample company", ArgsUsage: "[QUESTION]",
		Description: describe("Starts a daemon in a temporary directory, loads the Trails and documents of a sample company, and asks questions over its socket. "+
			"With a question of your own, asks that one of rules and documents.",
			[]string{"waymark demo", "waymark demo \"may I work from abroad?\""}, []string{"0 good", "1 failed", "2 usage"}),
		Action: func(c *cli.Context) error { return failed(runDemo(c)) },
	}
}

func runDemo(c *cli.Context) error {
	directory, err := os.MkdirTemp("", "waymark-demo-")
	if err != nil {
		return fmt.Errorf("make a temporary directory: %w", err)
	}
	defer os.RemoveAll(directory)
	cfg := &config.Config{Data: directory, Socket: filepath.Join(directory, "waymark.sock"), Workspace: "demo",
		Log: config.Log{Level: "error", Format: "text"}, KB: config.KB{TimeZone: "UTC"}}
	started := time.Now()
	clock := func() time.Time { return demoDay.Add(time.Since(started)) }
	stop, err := startPrivate(c.Context, cfg, c.App.ErrWriter, clock)
	if err != nil {
		return err
	}
	s := &session{Context: c, client: client.New(cfg.Socket, client.Options{Workspace: cfg.Workspace}), out: newTerminal(c.App.Writer.(*os.File), os.Getenv)}
	defer s.client.Close()
	err = demonstrate(s, time.Since(started))
	return errors.Join(err, s.out.err, stop())
}

func demonstrate(s *session, took time.Duration) error {
	files, err := companyFiles()
	if err != nil {
		return err
	}
	ctx := s.Context.Context
	if err := client.New(s.client.Socket(), client.Options{}).Post(ctx, "/v1/workspaces", map[string]string{"name": "demo"}, nil); err != nil {
		return err
	}
	loading := time.Now()
	report, err := s.importFiles(server.ImportHeader{KeepStatus: true, ConfirmConflicts: true}, ingest.Inputs{Files: files})
	if err != nil {
		return err
	}
	s.out.printf("A daemon was started in a temporary directory in %d ms. It loaded %d rules, Trails and documents\nof a sample company in %.1f s, and is asked over its Unix socket.\n\n",
		took.Milliseconds(), report.Counts[ingest.Added], time.Since(loading).Seconds())
	if s.NArg() > 0 {
		return s.demoOwn(s.words())
	}
	questions, err := companyQuestions()
	if err != nil {
		return err
	}
	for _, q := range questions {
		if err := s.demoAsk(q); err != nil {
			return err
		}
	}
	s.out.printf("%s\n", s.out.dim("Ask the sample company yourself:  waymark demo \"may I work from abroad?\""))
	return nil
}

// demoOwn asks one question of rules and documents.
func (s *session) demoOwn(question string) error {
	arguments, err := json.Marshal(map[string]any{"query": question, "limit": 5})
	if err != nil {
		return err
	}
	for _, q := range []demoQuestion{{"The rules that speak to it", "search_trail_rules", arguments}, {"The documents that speak to it", "kb_search", arguments}} {
		if err := s.demoAsk(q); err != nil {
			return err
		}
	}
	return nil
}

func (s *session) demoAsk(q demoQuestion) error {
	var asked struct {
		Query string `json:"query"`
	}
	if err := json.Unmarshal(q.Arguments, &asked); err != nil {
		return fmt.Errorf("read the demo's question: %w", err)
	}
	s.out.printf("%s\n", s.out.green("# "+q.Caption))
	s.out.printf("%s  %s\n", s.out.bold("“"+asked.Query+"”"), s.out.dim(q.Tool+demoFilters(q.Arguments)))
	answer, err := s.client.CallRaw(s.Context.Context, q.Tool, q.Arguments)
	if err != nil {
		return err
	}
	if q.Tool == "search_trail_rules" {
		return renderAs(answer, func(a *search.RuleAnswer) { renderRules(s.out, withoutCursor(a)) }, s.out)
	}
	return renderAs(answer, func(a *search.DocumentAnswer) { a.NextCursor = ""; renderDocuments(s.out, a) }, s.out)
}

func withoutCursor(a *search.RuleAnswer) *search.RuleAnswer {
	a.NextCursor = ""
	return a
}

func renderAs[T any](answer []byte, render func(*T), t *terminal) error {
	var a T
	if err := json.Unmarshal(answer, &a); err != nil {
		return fmt.Errorf("read an answer: %w", err)
	}
	render(&a)
	t.printf("\n")
	return nil
}

// demoFilters shows the arguments beside the query.
func demoFilters(arguments json.RawMessage) string {
	var all map[string]json.RawMessage
	if json.Unmarshal(arguments, &all) != nil {
		return ""
	}
	delete(all, "query")
	delete(all, "limit")
	if len(all) == 0 {
		return ""
	}
	b, err := json.Marshal(all)
	if err != nil {
		return ""
	}
	return " " + string(b)
}

// companyFiles lists the sample company's files as an import takes them.
func companyFiles() ([]ingest.File, error) {
	var files []ingest.File
	add := func(name, as string) error {
		data, err := company.ReadFile(name)
		if err != nil {
			return err
		}
		files = append(files, ingest.File{Path: as, Data: data})
		return nil
	}
	for _, name := range []string{"trails.jsonl", "rules.jsonl"} {
		if err := add(path.Join(companyRoot, name), name); err != nil {
			return nil, err
		}
	}
	documents := path.Join(companyRoot, "documents")
	err := fs.WalkDir(company, documents, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || path.Ext(name) != ".md" {
			return err
		}
		return add(name, strings.TrimPrefix(name, documents+"/"))
	})
	return files, err
}

func companyQuestions() ([]demoQuestion, error) {
	data, err := company.ReadFile(path.Join(companyRoot, "demo.jsonl"))
	if err != nil {
		return nil, err
	}
	var questions []demoQuestion
	for line := range strings.SplitSeq(strings.TrimSpace(string(data)), "\n") {
		var q demoQuestion
		if err := json.Unmarshal([]byte(line), &q); err != nil {
			return nil, fmt.Errorf("read the demo's questions: %w", err)
		}
		questions = append(questions, q)
	}
	return questions, nil
}
