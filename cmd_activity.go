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

func activityCommand() *cli.Command {
	return &cli.Command{
		Name: "activity", Usage: "the searches that returned rules of a Trail, newest first", ArgsUsage: "TRAIL",
		Description: "Example:\n   waymark activity Invoices --follow\n\nExit codes: 0 good; 3 unknown Trail; 69 no daemon.",
		Flags: daemonFlags(&cli.IntFlag{Name: "limit", Usage: "how many records", Value: 50}, &cli.StringFlag{Name: "cursor", Usage: "go on after an earlier page"},
			&cli.BoolFlag{Name: "follow", Usage: "go on showing new records as they come"}),
		Action: withDaemon(func(s *session) error {
			trail, err := s.argument("the Trail's name or id")
			if err != nil {
				return err
			}
			page, err := s.activity(trail, s.String("cursor"), s.Int("limit"))
			if err != nil {
				return err
			}
			if !s.Bool("follow") {
				return s.show(page, func() {
					for _, a := range page.Records {
						renderActivity(s.out, a)
					}
					if page.NextCursor != "" {
						s.out.printf("%s\n", s.out.dim("more with --cursor "+page.NextCursor))
					}
				})
			}
			return s.follow(trail, page)
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

// follow shows records oldest first, and new ones until it is interrupted.
func (s *session) follow(trail string, page *server.ActivityPage) error {
	seen := map[string]bool{}
	key := func(a store.Activity) string {
		return fmt.Sprint(a.Time.UnixNano(), a.Agent, a.Query, a.Rules)
	}
	for {
		fresh := slices.Clone(page.Records)
		slices.Reverse(fresh)
		for _, a := range fresh {
			if seen[key(a)] {
				continue
			}
			seen[key(a)] = true
			if s.json {
				if err := s.printJSON(a); err != nil {
					return err
				}
			} else {
				renderActivity(s.out, a)
			}
		}
		select {
		case <-s.Context.Context.Done():
			return nil
		case <-time.After(followEvery):
		}
		next, err := s.activity(trail, "", 1000)
		if s.Context.Context.Err() != nil {
			return nil
		}
		if err != nil {
			return err
		}
		page = next
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
