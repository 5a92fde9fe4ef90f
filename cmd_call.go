package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/urfave/cli/v2"

	"waymark/search"
)

func callCommand() *cli.Command {
	return &cli.Command{
		Name:      "call",
		Usage:     "call a tool as an agent would, and print exactly its JSON answer",
		ArgsUsage: "TOOL [JSON]",
		Description: describe("The arguments are one JSON object, given as an argument or, without one, on stdin. An error of the tool is printed as JSON on stdout too.",
			[]string{"waymark call search_trail_rules '{\"query\": \"travel approval\", \"limit\": 3}'",
				"echo '{\"id\": \"travel-policy\"}' | waymark call kb_get --agent reviewer -w acme"},
			daemonExits("0 answered", "2 bad arguments", "4 the tool is not enabled")),
		Flags: daemonFlags(&cli.StringFlag{Name: "agent", Usage: "call as this agent of the workspace"}),
		Action: withDaemon(func(s *session) error {
			var text []byte
			var err error
			switch s.NArg() {
			case 1:
				if !isTerminal(s.stdin()) {
					if text, err = io.ReadAll(s.App.Reader); err != nil {
						return fmt.Errorf("read the arguments: %w", err)
					}
				}
			case 2:
				text = []byte(s.Args().Get(1))
			default:
				return usageError("call takes the name of a tool and one JSON object; see waymark call --help")
			}
			answer, err := s.client.CallRaw(s.Context.Context, s.Args().First(), text)
			var known *search.Error
			if err == nil || errors.As(err, &known) {
				if err := writeOut(s.App.Writer, answer, true); err != nil {
					return err
				}
			}
			if known != nil {
				return &exitError{code: failed(err).(*exitError).code}
			}
			return err
		}),
	}
}
