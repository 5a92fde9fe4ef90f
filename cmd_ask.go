package main

import (
	"github.com/urfave/cli/v2"

	"waymark/search"
)

func askCommand() *cli.Command {
	return &cli.Command{
		Name:      "ask",
		Usage:     "which rules of our Trails speak to a question",
		ArgsUsage: "QUESTION",
		Description: describe("Searches the approved rules by words and by meaning. The words of the question need no quotes; what begins with \"-\" comes after \"--\".",
			[]string{"waymark ask \"who signs off an invoice over 5000?\"", "waymark ask --trail Invoices --domain Approvals PO-1234", "waymark ask travel approval -- -rail"},
			daemonExits("0 answered", "1 nothing matched, with --exit-code; or failed")),
		Flags: daemonFlags(
			&cli.StringSliceFlag{Name: "trail", Usage: "only this Trail, by name or id; may be repeated"},
			&cli.StringSliceFlag{Name: "domain", Usage: "only rules in a domain of this name; may be repeated"},
			&cli.StringSliceFlag{Name: "cluster", Usage: "only rules in a cluster of this name; may be repeated"},
			&cli.IntFlag{Name: "limit", Usage: "how many rules at most", Value: search.DefaultRuleLimit},
			&cli.StringFlag{Name: "cursor", Usage: "go on after an earlier answer"},
			&cli.BoolFlag{Name: "explain", Usage: "show the parts of each score"},
			&cli.BoolFlag{Name: "exit-code", Usage: "end with 1 when nothing matches"},
		),
		Action: withDaemon(func(s *session) error {
			answer, err := s.client.SearchTrailRules(s.Context.Context, search.RuleQuery{Query: s.words(), Trails: s.StringSlice("trail"),
				Domains: s.StringSlice("domain"), Clusters: s.StringSlice("cluster"), Limit: max(s.Int("limit"), 1), Cursor: s.String("cursor"), Explain: s.Bool("explain")})
			if err != nil {
				return err
			}
			if err := s.show(answer, func() { renderRules(s.out, answer) }); err != nil {
				return err
			}
			if s.Bool("exit-code") && len(answer.Results) == 0 {
				return &exitError{code: exitFailed}
			}
			return nil
		}),
	}
}
