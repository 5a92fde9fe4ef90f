// Waymark answers an agent's question "what does our company say about this?"
// with the rules that govern it: one program, a daemon for machines without a
// network, and the commands that talk to it over a Unix socket.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	_ "time/tzdata" // calendar days need zones also where the system has none

	"github.com/urfave/cli/v2"
)

// version is set when a release is built.
var version = "0.1.0-dev"

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, os.Args, os.Stdin, os.Stdout, os.Stderr))
}

// run is the whole program; it returns the exit code.
func run(ctx context.Context, args []string, stdin, stdout, stderr *os.File) int {
	app := newApp(stdin, stdout, stderr)
	err := app.RunContext(ctx, flagsFirst(app, args))
	if err == nil {
		return exitGood
	}
	var e *exitError
	if !errors.As(err, &e) {
		e = &exitError{code: exitUsage, err: err}
	}
	if e.err != nil {
		fmt.Fprintf(stderr, "waymark: %v\n", e.err)
		if hint := e.hint(); hint != "" {
			fmt.Fprintf(stderr, "  %s\n", hint)
		}
	}
	return e.code
}

func newApp(stdin, stdout, stderr *os.File) *cli.App {
	app := &cli.App{
		Name:                   "waymark",
		Usage:                  "which of our rules speak to this?",
		Version:                version,
		Reader:                 stdin,
		Writer:                 stdout,
		ErrWriter:              stderr,
		HideVersion:            true,
		UseShortOptionHandling: false,
		EnableBashCompletion:   true,
		ExitErrHandler:         func(*cli.Context, error) {},
		OnUsageError: func(_ *cli.Context, err error, _ bool) error {
			return &exitError{code: exitUsage, err: err}
		},
		CommandNotFound: func(c *cli.Context, name string) {},
		Description:     "Exit codes: 0 good; 1 failed; 2 usage; 3 not found; 4 not allowed; 5 conflict not confirmed; 65 bad input data; 69 no daemon; 75 try again; 78 bad configuration.",
		Action: func(c *cli.Context) error {
			if c.Args().Present() {
				return usageError("there is no command %q; see waymark --help", c.Args().First())
			}
			return cli.ShowAppHelp(c)
		},
		Commands: []*cli.Command{
			serveCommand(), demoCommand(), askCommand(), kbCommand(), callCommand(), importCommand(), exportCommand(),
			trailCommand(), ruleCommand(), workspaceCommand(), agentCommand(), activityCommand(),
			evalCommand(), statusCommand(), healthCommand(), configCommand(), pathsCommand(), versionCommand(),
		},
	}
	for _, c := range app.Commands {
		prepareCommand(c)
	}
	return app
}

// prepareCommand gives a command, and those below it, the error handling of the
// program.
func prepareCommand(c *cli.Command) {
	c.OnUsageError = func(_ *cli.Context, err error, _ bool) error { return &exitError{code: exitUsage, err: err} }
	if len(c.Subcommands) > 0 && c.Action == nil {
		c.Action = func(ctx *cli.Context) error {
			if ctx.Args().Present() {
				return usageError("there is no command %q here; see waymark %s --help", ctx.Args().First(), c.Name)
			}
			return cli.ShowSubcommandHelp(ctx)
		}
	}
	for _, sub := range c.Subcommands {
		prepareCommand(sub)
	}
}
