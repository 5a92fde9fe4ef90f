package main

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/urfave/cli/v2"

	"waymark/client"
	"waymark/server"
	"waymark/store"
)

// followEvery is how often --follow looks for new records.
const followEvery = time.Second

// followPage is how many records --follow looks at: more than are made in
// followEvery.
const followPage = 1000

func activityCommand() *cli.Command {
	return &cli.Command{
		Name: "activity", Usage: "the searches that returned rules of a Trail, newest first", ArgsUsage: "TRAIL",
		Description: describe("With --follow the records come oldest first, with --json one document a line, until it is interrupted.",
			[]string{"waymark activity Invoices", "waymark activity Invoices --limit 500 --json", "waymark activity Invoices --follow"}, daemonExits()),
		Flags: daemonFlags(&cli.IntFlag{Name: "limit", Usage: "how many records", Value: 50}, &cli.StringFlag{Name: "cursor", Usage: "go on after an earlier page"},
			&cli.BoolFlag{Name: "follow", Usage: "go on showing new records as they come"}),
		Action: withDaemon(func(s *session) error {
			trail, err := s.argument("the Trail's name or id")
			if err != nil {
				return err
			}
			if s.Bool("follow") {
				return s.follow(trail, s.Int("limit"))
			}
			page, err := s.activity(trail, s.String("cursor"), s.Int("limit"))
			if err != nil {
				return err
			}
			return s.show(page, func() {
				for _, a := range page.Records {
					renderActivity(s.out, a)
				}
				if page.NextCursor != "" {
					s.out.printf("%s\n", s.out.dim("more with --cursor "+page.NextCursor))
				}
			})
		}),
	}
}

func (s *session) activity(trail, cursor string, limit int) (*server.ActivityPage, error) {
	var page server.ActivityPage
	path := client.Path("activity", trail) + "?" + query("cursor", cursor, "limit", strconv.Itoa(limit))
	if err := s.client.Get(s.Context.Context, path, &page); err != nil {
		return nil, err
	}
	return &page, nil
}

// follow shows the newest records, oldest first, and then new ones until it is
// interrupted. Every page is the newest followPage records: what is on it and was
// not on the one before is new.
func (s *session) follow(trail string, shown int) error {
	var before map[string]bool
	for {
		page, err := s.activity(trail, "", followPage)
		switch {
		case s.Context.Context.Err() != nil:
			return nil
		case err != nil:
			return err
		}
		now := map[string]bool{}
		for i, a := range slices.Backward(page.Records) {
			key := fmt.Sprint(a.Time.UnixNano(), a.Agent, a.Query, a.Rules)
			now[key] = true
			if before == nil && i >= shown || before[key] {
				continue
			}
			if s.json {
				if err := s.printJSON(a); err != nil {
					return err
				}
				continue
			}
			if renderActivity(s.out, a); s.out.err != nil {
				return s.out.err
			}
		}
		before = now
		select {
		case <-s.Context.Context.Done():
			return nil
		case <-time.After(followEvery):
		}
	}
}

func renderActivity(t *terminal, a store.Activity) {
	who := a.Agent
	if who == "" {
		who = "operator"
	}
	t.printf("%s  %s  %s\n", a.Time.Local().Format("2006-01-02 15:04:05"), t.cyan(printable(who)), t.bold(printable(a.Query)))
	for _, r := range a.Rules {
		t.printf("   %3d. %s\n", r.Rank, printable(r.ID))
	}
	for _, c := range a.Conflicts {
		t.printf("   %s %s and %s\n", t.yellow("conflict"), printable(c[0]), printable(c[1]))
	}
}
