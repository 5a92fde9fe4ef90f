package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"waymark/config"
	"waymark/hosts"
)

func hostCommand() *cli.Command {
	file := &cli.StringFlag{Name: "file", Usage: "edit this file instead of the host's own"}
	name := &cli.StringFlag{Name: "name", Usage: "the name under which the host shows it", Value: "waymark"}
	show := &cli.BoolFlag{Name: "print", Usage: "show the change and write nothing"}
	asJSON := &cli.BoolFlag{Name: "json", Usage: "print one JSON document"}
	var names []string
	for _, h := range hosts.All() {
		names = append(names, h.Name)
	}
	known := " Hosts: " + strings.Join(names, ", ") + "."
	exits := plainExits("1 failed, or the file has to be edited by hand", "3 no such host", "65 the file cannot be read")
	return &cli.Command{
		Name:  "host",
		Usage: "connect agent hosts: write the MCP entry into their files",
		Subcommands: []*cli.Command{
			{Name: "add", Usage: "add or update the entry of a host", ArgsUsage: "HOST",
				Description: describe("Shows the change, keeps the old file beside the new one, and leaves everything else in the file as it is."+known,
					[]string{"waymark host add claude-code --agent reviewer -w acme", "waymark host add zed --print"}, exits),
				Flags: []cli.Flag{
					&cli.StringFlag{Name: "agent", Usage: "the host calls as this agent of the workspace; without it as an operator"},
					&cli.StringFlag{Name: "workspace", Aliases: []string{"w"}, Usage: "the workspace, by name or id"},
					&cli.StringFlag{Name: "socket", Usage: "the daemon's socket"},
					&cli.BoolFlag{Name: "start", Usage: "the host starts the daemon when none answers"},
					&cli.StringFlag{Name: "command", Usage: "the program that the host starts; this one when left out"},
					name, file, show, asJSON},
				Action: func(c *cli.Context) error { return failedHost(addHost(c)) }},
			{Name: "remove", Usage: "remove the entry of a host", ArgsUsage: "HOST",
				Description: describe("Shows the change and keeps the old file beside the new one."+known,
					[]string{"waymark host remove claude-code"}, exits),
				Flags: []cli.Flag{name, file, show, asJSON},
				Action: func(c *cli.Context) error {
					return failedHost(editHost(c, func(h hosts.Host, text []byte) ([]byte, error) { return h.Remove(text, c.String("name")) }))
				}},
			{Name: "list", Usage: "list the hosts, their files, and which have the entry",
				Description: describe("", []string{"waymark host list", "waymark host list --json"}, plainExits()),
				Flags:       []cli.Flag{name, asJSON},
				Action:      func(c *cli.Context) error { return failedHost(listHosts(c)) }},
		},
	}
}

// failedHost gives the errors of package hosts their exit codes.
func failedHost(err error) error {
	switch {
	case errors.Is(err, hosts.ErrUnknownHost):
		return &exitError{code: exitNotFound, err: err}
	case errors.Is(err, hosts.ErrUnreadable):
		return &exitError{code: exitBadData, err: err}
	}
	return failed(err)
}

func userPlace() hosts.Place {
	return hosts.Place{Home: os.Getenv("HOME"), System: runtime.GOOS, Getenv: os.Getenv}
}

func addHost(c *cli.Context) error {
	return editHost(c, func(h hosts.Host, text []byte) ([]byte, error) {
		args, err := bridgeArguments(c)
		if err != nil {
			return nil, err
		}
		command := c.String("command")
		if command == "" {
			if command, err = os.Executable(); err != nil {
				return nil, fmt.Errorf("find this program: %w", err)
			}
			if strings.Contains(command, string(filepath.Separator)+"go-build") {
				return nil, usageError("this program is a temporary one of go run: build it (go build -o waymark .), or name another with --command PATH")
			}
		}
		return h.Add(text, hosts.Entry{Name: c.String("name"), Command: command, Args: args})
	})
}

// bridgeArguments are the arguments with which the host starts the bridge. A host
// that is started from a desktop has another environment than this shell, so
// what came from flags or variables is written out.
func bridgeArguments(c *cli.Context) ([]string, error) {
	cfg, _, _, err := loadConfig(c)
	if err != nil {
		return nil, err
	}
	paths := config.DefaultPaths(os.Getuid(), os.Getenv)
	bare, _, err := config.Load(config.Sources{File: paths.FindFile(func(string) string { return "" }), Paths: paths})
	if err != nil {
		return nil, err
	}
	args := []string{"mcp"}
	if agent := c.String("agent"); agent != "" {
		args = append(args, "--agent", agent)
	}
	if c.Bool("start") {
		args = append(args, "--start")
	}
	if cfg.Workspace != bare.Workspace {
		args = append(args, "--workspace", cfg.Workspace)
	}
	if cfg.Socket != bare.Socket {
		socket, err := filepath.Abs(cfg.Socket)
		if err != nil {
			return nil, fmt.Errorf("find the socket: %w", err)
		}
		args = append(args, "--socket", socket)
	}
	return args, nil
}

// hostChange is what an edit of a host's file did.
type hostChange struct {
	Host    string `json:"host"`
	File    string `json:"file"`
	Changed bool   `json:"changed"`
	Written bool   `json:"written"`
	Backup  string `json:"backup,omitempty"`
	Change  string `json:"change,omitempty"`
}

// editHost shows what an edit changes in the file of the host that is named, and
// writes it unless it is only to be shown.
func editHost(c *cli.Context, edit func(hosts.Host, []byte) ([]byte, error)) error {
	if c.NArg() != 1 {
		return usageError("%s takes the name of one host; see --help", c.Command.HelpName)
	}
	h, err := hosts.Find(c.Args().First())
	if err != nil {
		return err
	}
	change := hostChange{Host: h.Name, File: c.String("file")}
	if change.File == "" {
		change.File = h.Path(userPlace())
	}
	before, err := hosts.Read(change.File)
	if err != nil {
		return err
	}
	after, err := edit(h, before)
	if errors.Is(err, hosts.ErrUnreadable) || errors.Is(err, hosts.ErrLayout) {
		return fmt.Errorf("%s: %w", change.File, err)
	}
	if err != nil {
		return err
	}
	change.Change = hosts.Diff(before, after)
	change.Changed = change.Change != ""
	out := c.App.Writer
	if !c.Bool("json") {
		fmt.Fprintln(out, change.File)
		fmt.Fprint(out, change.Change)
	}
	if change.Changed && !c.Bool("print") {
		if change.Backup, err = hosts.Replace(change.File, after, time.Now()); err != nil {
			return err
		}
		change.Written = true
	}
	if c.Bool("json") {
		return writeJSON(c, change)
	}
	switch {
	case !change.Changed:
		fmt.Fprintln(out, "Nothing to change.")
	case !change.Written:
		fmt.Fprintln(out, "Nothing was written.")
	default:
		fmt.Fprintf(out, "Written. Restart %s, or let it read its servers again.\n", h.Title)
		if change.Backup != "" {
			fmt.Fprintf(out, "The old file is %s\n", change.Backup)
		}
	}
	return nil
}

// hostState is one line of host list.
type hostState struct {
	Host  string `json:"host"`
	Title string `json:"title"`
	State string `json:"state"` // no file, not added, added, or unreadable
	File  string `json:"file"`
}

func listHosts(c *cli.Context) error {
	if c.Args().Present() {
		return usageError("host list takes no arguments; see --help")
	}
	states := []hostState{}
	for _, h := range hosts.All() {
		s := hostState{Host: h.Name, Title: h.Title, State: "no file", File: h.Path(userPlace())}
		if text, err := hosts.Read(s.File); err != nil {
			s.State = "unreadable"
		} else if text != nil {
			switch has, err := h.Has(text, c.String("name")); {
			case err != nil:
				s.State = "unreadable"
			case has:
				s.State = "added"
			default:
				s.State = "not added"
			}
		}
		states = append(states, s)
	}
	if c.Bool("json") {
		return writeJSON(c, states)
	}
	for _, s := range states {
		fmt.Fprintf(c.App.Writer, "%-15s %-10s %s\n", s.Host, s.State, s.File)
	}
	return nil
}
