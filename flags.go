package main

import (
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

// flagsFirst puts the arguments of the program into the order in which the
// library reads them: the command, its flags, "--", and what is left. So a flag
// may stand anywhere, also before the command when it is one that every command
// has, and a text that begins with "-" may follow a "--".
func flagsFirst(app *cli.App, args []string) []string {
	if len(args) < 2 || args[len(args)-1] == completionFlag {
		return args
	}
	words := args[1:]
	early, words := splitEarly(words)
	path, flags, words := splitCommand(app, words)
	if len(path) == 0 {
		return args
	}
	front, back := splitFlags(flags, words)
	ordered := slices.Concat(args[:1], path, early, front)
	if len(back) == 0 {
		return ordered
	}
	return slices.Concat(ordered, []string{"--"}, back)
}

// completionFlag is what the library's shell completion puts last.
const completionFlag = "--generate-bash-completion"

// splitEarly takes the flags of every command off the front.
func splitEarly(words []string) (early, rest []string) {
	common := daemonFlags()
	for len(words) > 0 && strings.HasPrefix(words[0], "-") {
		flag := findFlag(common, words[0])
		if flag == nil {
			break
		}
		n := 1
		if takesValue(flag, words[0]) && len(words) > 1 {
			n = 2
		}
		early, words = append(early, words[:n]...), words[n:]
	}
	return early, words
}

// splitCommand takes the names of a command and of those below it off the front,
// and returns the flags of the last one.
func splitCommand(app *cli.App, words []string) (path []string, flags []cli.Flag, rest []string) {
	commands := app.Commands
	for len(words) > 0 {
		at := slices.IndexFunc(commands, func(c *cli.Command) bool { return c.HasName(words[0]) })
		if at < 0 {
			break
		}
		path, words = append(path, words[0]), words[1:]
		commands, flags = commands[at].Subcommands, commands[at].Flags
	}
	return path, flags, words
}

// splitFlags parts flags, with their values, from arguments. All that follows
// "--" is an argument.
func splitFlags(flags []cli.Flag, words []string) (front, back []string) {
	for i := 0; i < len(words); i++ {
		word := words[i]
		switch {
		case word == "--":
			return front, append(back, words[i+1:]...)
		case !strings.HasPrefix(word, "-") || word == "-":
			back = append(back, word)
		default:
			front = append(front, word)
			if flag := findFlag(flags, word); flag != nil && takesValue(flag, word) && i+1 < len(words) {
				i++
				front = append(front, words[i])
			}
		}
	}
	return front, back
}

// findFlag is the flag that a word such as "--limit" or "-w=gov" names.
func findFlag(flags []cli.Flag, word string) cli.Flag {
	name, _, _ := strings.Cut(strings.TrimLeft(word, "-"), "=")
	for _, f := range flags {
		if slices.Contains(f.Names(), name) {
			return f
		}
	}
	return nil
}

// takesValue tells whether the word after a flag belongs to it.
func takesValue(flag cli.Flag, word string) bool {
	_, isBool := flag.(*cli.BoolFlag)
	return !isBool && !strings.Contains(word, "=")
}

// daemonFlags are what every command that talks to the daemon takes, after its
// own flags.
func daemonFlags(own ...cli.Flag) []cli.Flag {
	return append(slices.Clip(own),
		&cli.StringFlag{Name: "workspace", Aliases: []string{"w"}, Usage: "the workspace, by name or id"},
		&cli.StringFlag{Name: "socket", Usage: "the daemon's socket"},
		&cli.BoolFlag{Name: "json", Usage: "print one JSON document"},
	)
}
