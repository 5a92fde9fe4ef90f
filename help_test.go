package main

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"
)

// eachCommand calls f with every command that does something and its full name.
func eachCommand(commands []*cli.Command, path []string, f func(c *cli.Command, path []string)) {
	for _, c := range commands {
		own := append(slices.Clip(path), c.Name)
		if len(c.Subcommands) > 0 {
			eachCommand(c.Subcommands, own, f)
			continue
		}
		f(c, own)
	}
}

func TestEveryCommandExplainsItself(t *testing.T) {
	count := 0
	eachCommand(newApp(os.Stdin, os.Stdout, os.Stderr).Commands, nil, func(c *cli.Command, path []string) {
		count++
		name := strings.Join(path, " ")
		t.Run(name, func(t *testing.T) {
			o := bare(t, append(path, "--help")...).want(t, 0, "waymark "+name, c.Usage, "Examples:", "Exit codes: 0 ", "2 ")
			if o.stderr != "" {
				t.Errorf("help writes %q to stderr", o.stderr)
			}
			_, examples, _ := strings.Cut(c.Description, "Examples:\n")
			if !strings.Contains(examples, "waymark "+name) {
				t.Errorf("no example calls %q:\n%s", name, c.Description)
			}
			for _, f := range c.Flags {
				if d, ok := f.(cli.DocGenerationFlag); ok && d.GetUsage() == "" {
					t.Errorf("the flag --%s says nothing of itself", f.Names()[0])
				}
			}
		})
	})
	if count < 30 {
		t.Errorf("%d commands were seen", count)
	}
}

func TestHelpOfGroupsListsTheirCommands(t *testing.T) {
	bare(t).want(t, 0, "ask", "import", "serve", "Exit codes: 0 good", "78 bad configuration")
	bare(t, "--help").want(t, 0, "ask", "WAYMARK_SOCKET")
	bare(t, "help").want(t, 0, "ask")
	bare(t, "rule").want(t, 0, "approve", "compare")
	bare(t, "rule", "--help").want(t, 0, "approve", "compare")
	bare(t, "help", "rule").want(t, 0, "approve")
}

func TestExamplesNameFlagsThatExist(t *testing.T) {
	app := newApp(os.Stdin, os.Stdout, os.Stderr)
	eachCommand(app.Commands, nil, func(c *cli.Command, path []string) {
		_, examples, _ := strings.Cut(c.Description, "Examples:\n")
		for line := range strings.SplitSeq(examples, "\n") {
			_, call, found := strings.Cut(line, "waymark ")
			if !found || strings.HasPrefix(line, "Exit codes") {
				continue
			}
			var called *cli.Command
			commands := app.Commands
			words := strings.Fields(call)
			for _, w := range words {
				at := slices.IndexFunc(commands, func(c *cli.Command) bool { return c.HasName(w) })
				if at < 0 {
					break
				}
				called, commands = commands[at], commands[at].Subcommands
			}
			if called == nil {
				t.Errorf("%s: the example %q calls no command", path, line)
				continue
			}
			for _, w := range words {
				if w == "--" || w == "&&" {
					break
				}
				if strings.HasPrefix(w, "-") && findFlag(called.Flags, w) == nil {
					t.Errorf("%s: the example %q has the flag %s, which %s does not take", path, line, w, called.Name)
				}
			}
		}
	})
}

func TestExitsOfACommandGoBeforeGeneralOnes(t *testing.T) {
	got := strings.Join(daemonExits("65 bad rows", "0 stored"), "; ")
	want := "0 stored; 1 failed; 2 usage; 3 a name or id is unknown; 4 not allowed; 65 bad rows; 69 no daemon answers; 75 try again; 78 bad configuration"
	if got != want {
		t.Errorf("daemonExits = %q, want %q", got, want)
	}
}
