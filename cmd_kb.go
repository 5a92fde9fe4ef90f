package main

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"waymark/search"
)

func kbCommand() *cli.Command {
	asOf := &cli.StringFlag{Name: "as-of", Usage: "the day on which to judge what is in force, as 2006-01-02"}
	tier := &cli.StringFlag{Name: "tier", Usage: "only this tier: T1, T2, T3, T4 or meta"}
	category := &cli.StringFlag{Name: "category", Usage: "only this category"}
	limit := func(n int) *cli.IntFlag { return &cli.IntFlag{Name: "limit", Usage: "how many at most", Value: n} }
	cursor := &cli.StringFlag{Name: "cursor", Usage: "go on after an earlier answer"}
	verbose := &cli.BoolFlag{Name: "verbose", Usage: "every field"}
	return &cli.Command{
		Name:  "kb",
		Usage: "search and read the governance knowledge base",
		Subcommands: []*cli.Command{
			{
				Name: "search", Usage: "find documents", ArgsUsage: "QUESTION",
				Description: describe("Documents that ran out are left out; --in-force leaves out all that does not govern.",
					[]string{"waymark kb search \"who signs off a hotel over 300 dollars a night\"", "waymark kb search --in-force --abstain \"password length\"",
						"waymark kb search --validity-state expiring_within:30 policy"},
					daemonExits("0 answered", "1 nothing found, with --exit-code; or failed")),
				Flags: daemonFlags(tier, category,
					&cli.StringFlag{Name: "status", Usage: "only this front-matter status"},
					&cli.StringFlag{Name: "type", Usage: "only this type"},
					limit(search.DefaultDocumentLimit),
					&cli.BoolFlag{Name: "in-force", Usage: "only what governs on the day"},
					&cli.BoolFlag{Name: "abstain", Usage: "nothing rather than a weak match"},
					verbose,
					&cli.StringFlag{Name: "validity-state", Usage: "expired, stale, or expiring_within:N"},
					&cli.BoolFlag{Name: "include-expired", Usage: "also what is past valid_until"},
					asOf, cursor,
					&cli.BoolFlag{Name: "explain", Usage: "show the parts of each score"},
					&cli.BoolFlag{Name: "exit-code", Usage: "end with 1 when nothing is found"}),
				Action: withDaemon(kbSearch),
			},
			{
				Name: "get", Usage: "read a document", ArgsUsage: "ID",
				Description: describe("Any document is shown, in force or not.", []string{"waymark kb get travel-policy", "waymark kb get travel-policy --as-of 2026-12-31 --json"}, daemonExits()),
				Flags:       daemonFlags(verbose, asOf, cursor),
				Action: withDaemon(func(s *session) error {
					id, err := s.argument("the document's id")
					if err != nil {
						return err
					}
					a, err := s.client.GetDocument(s.Context.Context, search.GetQuery{ID: id, Verbose: s.Bool("verbose"), AsOf: s.String("as-of"), Cursor: s.String("cursor")})
					if err != nil {
						return err
					}
					return s.show(a, func() { renderDocument(s.out, a) })
				}),
			},
			{
				Name: "list", Usage: "list documents by id",
				Description: describe("A \"-\" marks what is not in force.", []string{"waymark kb list", "waymark kb list --tier T1 --category security"}, daemonExits()),
				Flags:       daemonFlags(tier, category, limit(search.DefaultListLimit), asOf, cursor),
				Action: withDaemon(func(s *session) error {
					a, err := s.client.ListDocuments(s.Context.Context, search.ListQuery{Tier: s.String("tier"), Category: s.String("category"),
						Limit: s.Int("limit"), AsOf: s.String("as-of"), Cursor: s.String("cursor")})
					if err != nil {
						return err
					}
					return s.show(a, func() { renderList(s.out, a) })
				}),
			},
			{
				Name: "outline", Usage: "tiers and categories with their counts",
				Description: describe("", []string{"waymark kb outline"}, daemonExits()),
				Flags:       daemonFlags(asOf),
				Action: withDaemon(func(s *session) error {
					a, err := s.client.Outline(s.Context.Context, search.OutlineQuery{AsOf: s.String("as-of")})
					if err != nil {
						return err
					}
					return s.show(a, func() {
						for _, t := range a.Tiers {
							s.out.printf("%-6s %5d documents, %d in force\n", t.Name, t.Documents, t.InForce)
							for _, c := range t.Categories {
								s.out.printf("   %-24s %5d, %d in force\n", printable(c.Name), c.Documents, c.InForce)
							}
						}
					})
				}),
			},
			{
				Name: "curate", Usage: "what someone should look at again, most overdue first",
				Description: describe("", []string{"waymark kb curate --limit 10"}, daemonExits()),
				Flags:       daemonFlags(limit(search.DefaultCurateLimit), asOf),
				Action: withDaemon(func(s *session) error {
					a, err := s.client.Curate(s.Context.Context, search.CurateQuery{Limit: s.Int("limit"), AsOf: s.String("as-of")})
					if err != nil {
						return err
					}
					return s.show(a, func() {
						for _, d := range a.Documents {
							s.out.printf("%5d days  %s  %s\n", d.DaysOverdue, printable(d.ID), s.out.dim(printable(d.Reason)))
						}
						s.out.printf("%d of %d\n", len(a.Documents), a.Total)
					})
				}),
			},
		},
	}
}

func kbSearch(s *session) error {
	a, err := s.client.SearchDocuments(s.Context.Context, search.DocumentQuery{Query: s.words(), Tier: s.String("tier"), Category: s.String("category"),
		Status: s.String("status"), DocType: s.String("type"), Limit: max(s.Int("limit"), 1), InForce: s.Bool("in-force"), Abstain: s.Bool("abstain"),
		Verbose: s.Bool("verbose"), ValidityState: s.String("validity-state"), IncludeExpired: s.Bool("include-expired"),
		AsOf: s.String("as-of"), Cursor: s.String("cursor"), Explain: s.Bool("explain")})
	if err != nil {
		return err
	}
	if err := s.show(a, func() { renderDocuments(s.out, a) }); err != nil {
		return err
	}
	if s.Bool("exit-code") && len(a.Hits) == 0 {
		return &exitError{code: exitFailed}
	}
	return nil
}

func renderDocument(t *terminal, a *search.GetAnswer) {
	t.printf("%s  %s\n", t.bold(printable(a.Title)), t.dim(printable(a.ID)))
	state := "in force"
	if !a.InForce {
		state = "not in force: " + a.WhyNot
	}
	t.printf("%s\n", t.yellow(printable(fmt.Sprintf("%s · %s · %s · %s", a.Tier, a.Status, a.Freshness, state))))
	t.printf("\n")
	for line := range strings.SplitSeq(a.Text, "\n") {
		t.printf("%s\n", printable(strings.TrimSuffix(line, "\r")))
	}
	if a.NextCursor != "" {
		t.printf("%s\n", t.dim("more with --cursor "+a.NextCursor))
	}
}

func renderList(t *terminal, a *search.ListAnswer) {
	for _, d := range a.Documents {
		mark := " "
		if !d.InForce {
			mark = "-"
		}
		t.printf("%s %-5s %-44s %s\n", mark, d.Tier, printable(d.ID), t.dim(printable(d.Title)))
	}
	t.printf("%d of %d\n", len(a.Documents), a.Total)
	if a.NextCursor != "" {
		t.printf("%s\n", t.dim("more with --cursor "+a.NextCursor))
	}
}
