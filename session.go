package main

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/urfave/cli/v2"

	"waymark/client"
	"waymark/config"
	"waymark/store"
)

// loadConfig reads the configuration with the flags of a command over it.
func loadConfig(c *cli.Context) (*config.Config, []config.Value, string, error) {
	paths := config.DefaultPaths(os.Getuid(), os.Getenv)
	flags := map[string]any{}
	for flag, key := range map[string]string{"data": "data", "socket": "socket", "group": "group", "workspace": "workspace", "log-level": "log.level",
		"log-format": "log.format", "model": "embedding.model", "time-zone": "kb.time_zone", "review-due-after-days": "kb.review_due_after_days"} {
		if c.IsSet(flag) {
			flags[key] = c.Value(flag)
		}
	}
	environment := map[string]string{}
	for _, pair := range os.Environ() {
		name, value, _ := strings.Cut(pair, "=")
		environment[name] = value
	}
	file := paths.FindFile(os.Getenv)
	cfg, values, err := config.Load(config.Sources{File: file, Environment: environment, Flags: flags, Paths: paths})
	return cfg, values, file, err
}

// session is one command that talks to the daemon.
type session struct {
	*cli.Context
	client *client.Client
	out    *terminal
	json   bool
}

// withDaemon makes an action of a function that talks to the daemon.
func withDaemon(f func(*session) error) cli.ActionFunc {
	return func(c *cli.Context) error {
		cfg, _, _, err := loadConfig(c)
		if err != nil {
			return failed(err)
		}
		agent := ""
		if c.IsSet("agent") {
			agent = c.String("agent")
		}
		options := client.Options{Workspace: cfg.Workspace, Agent: agent, Token: os.Getenv("WAYMARK_TOKEN")}
		if options.Workspace == "" && options.Token == "" {
			options.Workspace = onlyWorkspace(c.Context, cfg.Socket)
		}
		s := &session{Context: c, client: client.New(cfg.Socket, options), out: newTerminal(c.App.Writer.(*os.File), os.Getenv), json: c.Bool("json")}
		defer s.client.Close()
		return failed(f(s))
	}
}

// onlyWorkspace is the workspace of a daemon that has exactly one, so that a
// person need not name it; empty otherwise. What is wrong with the daemon is told
// by the call that follows.
func onlyWorkspace(ctx context.Context, socket string) string {
	c := client.New(socket, client.Options{})
	defer c.Close()
	var all []store.Workspace
	if c.Get(ctx, "/v1/workspaces", &all) != nil || len(all) != 1 {
		return ""
	}
	return all[0].ID
}

// printJSON writes one JSON document to stdout.
func (s *session) printJSON(v any) error { return writeJSON(s.Context, v) }

// show prints an answer as JSON, or with the function for people.
func (s *session) show(v any, people func()) error {
	if s.json {
		return s.printJSON(v)
	}
	people()
	return s.out.err
}

// words joins the arguments of a command to one text.
func (s *session) words() string { return strings.Join(s.Args().Slice(), " ") }

// argument is the only argument of a command.
func (s *session) argument(what string) (string, error) {
	if s.NArg() != 1 {
		return "", usageError("%s takes one argument, %s; see --help", s.Command.HelpName, what)
	}
	return s.Args().First(), nil
}

// confirm asks a person before something is lost; --yes answers for them.
func (s *session) confirm(question string) error {
	if s.Bool("yes") {
		return nil
	}
	if !isTerminal(s.stdin()) {
		return usageError("%s? Add --yes to go on without being asked", question)
	}
	fmt.Fprintf(s.App.ErrWriter, "%s? [y/N] ", printable(question))
	answered := make(chan string, 1)
	go func() {
		var answer string
		_, _ = fmt.Fscanln(s.App.Reader, &answer)
		answered <- answer
	}()
	select {
	case answer := <-answered:
		if strings.EqualFold(answer, "y") || strings.EqualFold(answer, "yes") {
			return nil
		}
	case <-s.Context.Context.Done(): // interrupted instead of answered
		fmt.Fprintln(s.App.ErrWriter)
	}
	return &exitError{code: exitFailed, err: fmt.Errorf("nothing was changed")}
}

// deleted says that something is gone.
func (s *session) deleted(kind, name string) error {
	return s.show(map[string]string{"deleted": name}, func() { s.out.printf("deleted the %s %s\n", kind, printable(name)) })
}

func (s *session) stdin() *os.File { return s.App.Reader.(*os.File) }

// sendFunc is a method of the client that sends a body and reads an answer.
type sendFunc func(ctx context.Context, path string, in, out any) error
