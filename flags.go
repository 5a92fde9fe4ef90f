package main

import (
	"strings"

	"github.com/urfave/cli/v2"
)

// flagsFirst moves the flags of the command that is called before its
// arguments, so that they may stand anywhere: the flag package of the library
// stops at the first argument. What follows "--" stays where it is.
func flagsFirst(app *cli.App, args []string) []string {
	if len(args) < 2 {
		return args
	}
	commands, flags := app.Commands, app.Flags
	at := 1
	for at < len(args) {
		var next *cli.Command
		for _, c := range commands {
			if c.HasName(args[at]) {
				next = c
			}
		}
		if next == nil {
			break
		}
		commands, flags = next.Subcommands, next.Flags
		at++
	}
	var front, back []string
	rest := args[at:]
	for i := 0; i < len(rest); i++ {
		arg := rest[i]
		if arg == "--" {
			back = append(back, rest[i:]...)
			break
		}
		if !strings.HasPrefix(arg, "-") || arg == "-" {
			back = append(back, arg)
			continue
		}
		front = append(front, arg)
		if takesValue(flags, arg) && i+1 < len(rest) {
			i++
			front = append(front, rest[i])
		}
	}
	return append(append(append([]string{}, args[:at]...), front...), back...)
}

// takesValue tells whether the word after a flag belongs to it.
func takesValue(flags []cli.Flag, arg string) bool {
	name := strings.TrimLeft(arg, "-")
	if strings.Contains(name, "=") {
		return false
	}
	for _, f := range flags {
		for _, n := range f.Names() {
			if n != name {
				continue
			}
			_, isBool := f.(*cli.BoolFlag)
			return !isBool
		}
	}
	return false
}

// daemonFlags are what every command that talks to the daemon takes, before its
// own flags.
func daemonFlags(own ...cli.Flag) []cli.Flag {
	return append(own,
		&cli.StringFlag{Name: "workspace", Aliases: []string{"w"}, Usage: "the workspace, by name or id"},
		&cli.StringFlag{Name: "socket", Usage: "the daemon's socket"},
		&cli.BoolFlag{Name: "json", Usage: "print one JSON document"},
	)
}
