package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

// completions are the scripts by shell. Each asks the program itself what may
// come next: it prints one word a line when completionFlag stands last.
var completions = map[string]string{
	"bash": `_waymark() {
    local current="${COMP_WORDS[COMP_CWORD]}" words=("${COMP_WORDS[@]:0:COMP_CWORD}")
    if [[ $current == -* ]]; then words+=("$current"); fi
    local IFS=$'\n'
    COMPREPLY=($(compgen -o default -W "$("${words[@]}" ` + completionFlag + ` 2>/dev/null)" -- "$current"))
}
complete -o default -F _waymark waymark
`,
	"zsh": `#compdef waymark
_waymark() {
    local -a words_before choices
    words_before=("${words[@]:0:$((CURRENT - 1))}")
    if [[ $PREFIX == -* ]]; then words_before+=("$PREFIX"); fi
    choices=("${(@f)$("${words_before[@]}" ` + completionFlag + ` 2>/dev/null)}")
    if [[ -n ${choices[1]} ]]; then compadd -- "${choices[@]}"; else _files; fi
}
compdef _waymark waymark
`,
	"fish": `complete -c waymark -a '(set -l before (commandline -opc); string match -q -- "-*" (commandline -ct); and set -a before (commandline -ct); $before ` + completionFlag + ` 2>/dev/null)'
`,
}

func completionCommand() *cli.Command {
	return &cli.Command{
		Name: "completion", Usage: "the script that completes commands and flags in a shell", ArgsUsage: "bash|zsh|fish",
		Description: describe("", []string{"source <(waymark completion bash)", "waymark completion fish > ~/.config/fish/completions/waymark.fish"}, []string{"0 good", "2 usage"}),
		Action: func(c *cli.Context) error {
			script, known := completions[c.Args().First()]
			if c.NArg() != 1 || !known {
				var shells []string
				for shell := range completions {
					shells = append(shells, shell)
				}
				slices.Sort(shells)
				return usageError("completion takes one of %s; see waymark completion --help", strings.Join(shells, ", "))
			}
			_, err := fmt.Fprint(c.App.Writer, script)
			return err
		},
	}
}
