// Waymark answers an agent's question "what does our company say about this?"
// with the rules that govern it: one program, a daemon for machines without a
// network, and the commands that talk to it over a Unix socket.
package main

import (
	"context"
	"errors"
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
	// The first signal ends the program cleanly; a second one ends it at once.
	context.AfterFunc(ctx, stop)
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
		reportError(stderr, e)
	}
	return e.code
}

func newApp(stdin, stdout, stderr *os.File) *cli.App {
	app := &cli.App{
		Name:                 "waymark",
		Usage:                "which of our rules speak to this?",
		Version:              version,
		Reader:               stdin,
		Writer:               stdout,
		ErrWriter:            stderr,
		HideVersion:          true,
		EnableBashCompletion: true,
		// A comma may be part of a name: a flag that takes several is repeated.
		DisableSliceFlagSeparator: true,
		ExitErrHandler:            func(*cli.Context, error) {},
		OnUsageError: func(_ *cli.Context, err error, _ bool) error {
			return &exitError{code: exitUsage, err: err}
		},
		CommandNotFound: func(c *cli.Context, name string) {},
		Description: describe("The flags --workspace, --socket and --json may stand anywhere; WAYMARK_WORKSPACE, WAYMARK_SOCKET and the configuration say the same for good. WAYMARK_TOKEN calls as the agent whose token it is.",
			[]string{"waymark demo", "waymark serve", "waymark import ./policies -w gov", "waymark ask \"who signs an invoice of 8,000 euros?\""},
			daemonExits("5 a conflict was not confirmed", "65 bad input data")),
		Action: func(c *cli.Context) error {
			if c.Args().Present() {
				return usageError("there is no command %q; see waymark --help", c.Args().First())
			}
			return cli.ShowAppHelp(c)
		},
		Commands: []*cli.Command{
			serveCommand(), demoCommand(), askCommand(), kbCommand(), callCommand(), importCommand(), exportCommand(),
			trailCommand(), ruleCommand(), workspaceCommand(), agentCommand(), activityCommand(),
			evalCommand(), mcpCommand(), hostCommand(), statusCommand(), healthCommand(), configCommand(), pathsCommand(), completionCommand(), versionCommand(),
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
	if len(c.Subcommands) == 0 {
		// "help" is a word like any other where arguments are expected.
		c.HideHelpCommand = true
		if action := c.Action; c.ArgsUsage == "" {
			c.Action = func(ctx *cli.Context) error {
				if ctx.Args().Present() {
					return usageError("%s takes no arguments, and was given %q; see --help", c.HelpName, ctx.Args().First())
				}
				return action(ctx)
			}
		}
		return
	}
	c.Action = func(ctx *cli.Context) error {
		if ctx.Args().Present() {
			return usageError("there is no command %q here; see %s --help", ctx.Args().First(), c.HelpName)
		}
		return cli.ShowSubcommandHelp(ctx)
	}
	for _, sub := range c.Subcommands {
		prepareCommand(sub)
	}
}
