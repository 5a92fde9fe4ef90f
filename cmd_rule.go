package main

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"waymark/client"
	"waymark/ingest"
	"waymark/server"
	"waymark/store"
)

func ruleFlags(own ...cli.Flag) []cli.Flag {
	return append(own,
		&cli.StringFlag{Name: "id", Usage: "the rule's id; made from Trail and text when left out"},
		&cli.StringFlag{Name: "title", Usage: "a few words that name it"}, &cli.StringFlag{Name: "class", Usage: "obligation, prohibition, permission, recommendation, definition, procedure or exception"},
		&cli.StringFlag{Name: "domain", Usage: "the area of the Trail that it lies in"}, &cli.StringFlag{Name: "cluster", Usage: "the group inside the domain"},
		&cli.StringSliceFlag{Name: "tag", Usage: "may be repeated"}, &cli.StringSliceFlag{Name: "applies-when", Usage: "a situation in which it applies; may be repeated"},
		&cli.StringFlag{Name: "effective-from", Usage: "a day, as 2006-01-02"}, &cli.StringFlag{Name: "effective-until", Usage: "a day, as 2006-01-02; the last one"},
		&cli.StringFlag{Name: "source", Usage: "where it is written"}, &cli.StringSliceFlag{Name: "supersedes", Usage: "id of a rule that this one replaces; may be repeated"},
		&cli.BoolFlag{Name: "confirm-conflicts", Usage: "go on although it conflicts inside its Trail"},
	)
}

// ruleBody is what the flags say of a rule; only what was given is in it.
func (s *session) ruleBody() map[string]any {
	body := map[string]any{}
	for flag, field := range map[string]string{"trail": "trail", "text": "text", "id": "id", "title": "title", "class": "class", "domain": "domain", "cluster": "cluster",
		"effective-from": "effective_from", "effective-until": "effective_until", "source": "source"} {
		if v := s.given(flag); v != nil {
			body[field] = *v
		}
	}
	for flag, field := range map[string]string{"tag": "tags", "applies-when": "applies_when", "supersedes": "supersedes"} {
		if s.IsSet(flag) {
			body[field] = s.StringSlice(flag)
		}
	}
	return body
}

func (s *session) confirmQuery() string {
	if s.Bool("confirm-conflicts") {
		return "?confirm_conflicts=true"
	}
	return ""
}

func ruleCommand() *cli.Command {
	trail := &cli.StringFlag{Name: "trail", Usage: "the Trail, by name or id"}
	text := &cli.StringFlag{Name: "text", Usage: "the new text"}
	byID := func(f func(*session, string) error) cli.ActionFunc {
		return withDaemon(func(s *session) error {
			id, err := s.argument("the rule's id")
			if err != nil {
				return err
			}
			return f(s, id)
		})
	}
	return &cli.Command{
		Name: "rule", Usage: "add, edit, approve and retire rules",
		Subcommands: []*cli.Command{
			{Name: "list", Usage: "list rules", Description: describe("", []string{"waymark rule list --trail Invoices --status draft"}, daemonExits()), Flags: daemonFlags(trail, &cli.StringFlag{Name: "status", Usage: "draft, approved or retired"}), Action: withDaemon(func(s *session) error {
				var all []store.Rule
				if err := s.client.Get(s.Context.Context, "/v1/rules?"+query("trail", s.String("trail"), "status", s.String("status")), &all); err != nil {
					return err
				}
				return s.show(all, func() {
					for _, r := range all {
						s.out.printf("%-9s %s\n", r.Status, s.out.dim(printable(r.ID)))
						s.out.paragraph("          ", r.Text)
					}
				})
			})},
			{Name: "show", Usage: "show a rule with its draft", ArgsUsage: "ID", Description: describe("", []string{"waymark rule show INV-001"}, daemonExits()), Flags: daemonFlags(), Action: byID((*session).showRule)},
			{Name: "add", Usage: "add a rule, as a draft or approved at once", ArgsUsage: "TEXT",
				Description: describe("A rule that conflicts with others of its Trail is added only with --confirm-conflicts.",
					[]string{"waymark rule add --trail Invoices --domain Approvals \"Invoices over 5,000 EUR need two signatures.\""}, daemonExits("0 added", "5 it conflicts and was not confirmed")),
				Flags: daemonFlags(ruleFlags(trail, &cli.BoolFlag{Name: "approve", Usage: "put it in force at once"})...),
				Action: withDaemon(func(s *session) error {
					body := s.ruleBody()
					body["text"] = s.words()
					if s.Bool("approve") {
						body["status"] = store.StatusApproved
					}
					var out server.RuleChange
					if err := s.client.Post(s.Context.Context, "/v1/rules"+s.confirmQuery(), body, &out); err != nil {
						return err
					}
					return s.showChange(out)
				})},
			{Name: "check", Usage: "which rules of the Trail a new rule would conflict with", ArgsUsage: "TEXT",
				Description: describe("Nothing is stored.", []string{"waymark rule check --trail Invoices \"Invoices are paid within 10 days.\""}, daemonExits()), Flags: daemonFlags(ruleFlags(trail)...), Action: withDaemon(func(s *session) error {
					body := s.ruleBody()
					body["text"] = s.words()
					var found []ingest.Conflict
					if err := s.client.Post(s.Context.Context, "/v1/rules/check", body, &found); err != nil {
						return err
					}
					return s.showConflicts(found)
				})},
			{Name: "compare", Usage: "whether two rules conflict, of one Trail or of two", ArgsUsage: "ID ID",
				Description: describe("", []string{"waymark rule compare TRV-011 FLD-002"}, daemonExits()), Flags: daemonFlags(), Action: withDaemon(func(s *session) error {
					if s.NArg() != 2 {
						return usageError("rule compare takes the ids of two rules; see waymark rule compare --help")
					}
					var found []ingest.Conflict
					if err := s.client.Get(s.Context.Context, client.Path("rules", s.Args().First(), "compare", s.Args().Get(1)), &found); err != nil {
						return err
					}
					return s.showConflicts(found)
				})},
			{Name: "edit", Usage: "edit a rule; one in force gets a new draft", ArgsUsage: "ID",
				Description: describe("What is not named stays. Without a field, the rule is opened in the editor that VISUAL or EDITOR names. The version in force stays in force until the new one is approved.",
					[]string{"waymark rule edit INV-001 --text \"Invoices over 8,000 EUR need two signatures.\"", "EDITOR=nano waymark rule edit INV-001"}, daemonExits("65 what was saved is no rule", "5 it conflicts and was not confirmed")),
				Flags: daemonFlags(ruleFlags(text)...), Action: byID((*session).editRule)},
			{Name: "approve", Usage: "put the draft of a rule in force", ArgsUsage: "ID",
				Description: describe("What it supersedes is retired at the same moment. Its conflicts are shown again.", []string{"waymark rule approve INV-001"}, daemonExits()), Flags: daemonFlags(), Action: byID(func(s *session, id string) error {
					var out server.RuleChange
					if err := s.client.Post(s.Context.Context, client.Path("rules", id, "approve"), nil, &out); err != nil {
						return err
					}
					return s.showChange(out)
				})},
			{Name: "retire", Usage: "take a rule out of force", ArgsUsage: "ID",
				Description: describe("", []string{"waymark rule retire INV-001 --note \"the process ended\""}, daemonExits()), Flags: daemonFlags(&cli.StringFlag{Name: "note", Usage: "why"}), Action: byID(func(s *session, id string) error {
					if err := s.client.Post(s.Context.Context, client.Path("rules", id, "retire"), map[string]string{"note": s.String("note")}, nil); err != nil {
						return err
					}
					return s.showRule(id)
				})},
			{Name: "discard", Usage: "give up the draft of a rule", ArgsUsage: "ID",
				Description: describe("The version in force, if there is one, stays.", []string{"waymark rule discard INV-001"}, daemonExits()), Flags: daemonFlags(), Action: byID(func(s *session, id string) error {
					if err := s.client.Post(s.Context.Context, client.Path("rules", id, "discard"), nil, nil); err != nil {
						return err
					}
					return s.deleted("draft of", id)
				})},
			{Name: "history", Usage: "what happened to a rule", ArgsUsage: "ID", Description: describe("", []string{"waymark rule history INV-001"}, daemonExits()), Flags: daemonFlags(), Action: byID(func(s *session, id string) error {
				var events []store.RuleEvent
				if err := s.client.Get(s.Context.Context, client.Path("rules", id, "history"), &events); err != nil {
					return err
				}
				return s.show(events, func() {
					for _, e := range events {
						line := fmt.Sprintf("%s  version %d  %-10s %s %s", e.At.Local().Format("2006-01-02 15:04:05"), e.Version, e.Action, printable(e.By), printable(e.Note))
						s.out.printf("%s\n", strings.TrimSpace(line))
					}
				})
			})},
			{Name: "delete", Usage: "delete a rule that never was in force", ArgsUsage: "ID",
				Description: describe("One that was in force can only be retired.", []string{"waymark rule delete INV-001 --yes"}, daemonExits()), Flags: daemonFlags(yesFlag), Action: byID(func(s *session, id string) error {
					if err := s.confirm("Delete the rule " + id); err != nil {
						return err
					}
					if err := s.client.Delete(s.Context.Context, client.Path("rules", id)); err != nil {
						return err
					}
					return s.deleted("rule", id)
				})},
		},
	}
}

func (s *session) showRule(id string) error {
	var v server.RuleView
	if err := s.client.Get(s.Context.Context, client.Path("rules", id), &v); err != nil {
		return err
	}
	return s.show(v, func() {
		renderStoredRule(s.out, v.Rule)
		if v.Draft != nil {
			s.out.printf("%s\n", s.out.yellow("waiting for approval:"))
			renderStoredRule(s.out, *v.Draft)
		}
		for _, by := range v.SupersededBy {
			s.out.printf("superseded by %s\n", printable(by))
		}
	})
}

func (s *session) showChange(c server.RuleChange) error {
	return s.show(c, func() {
		renderStoredRule(s.out, c.Rule)
		renderConflicts(s.out, c.Conflicts)
	})
}

func renderStoredRule(t *terminal, r store.Rule) {
	t.printf("%s  %s\n", t.bold(printable(r.ID)), t.dim(fmt.Sprintf("version %d · %s · %s", r.Version, r.Status, r.Class)))
	t.paragraph("  ", r.Text)
}

// showConflicts shows what a check or a comparison found.
func (s *session) showConflicts(found []ingest.Conflict) error {
	return s.show(found, func() {
		if len(found) == 0 {
			s.out.printf("no conflict found\n")
		}
		renderConflicts(s.out, found)
	})
}

func renderConflicts(t *terminal, conflicts []ingest.Conflict) {
	for _, c := range conflicts {
		mark := "compare with"
		if c.Certain {
			mark = "conflicts with"
		}
		t.printf("%s %s (%s): %s\n", t.yellow(mark), printable(c.Rules[1]), printable(c.Kind), printable(c.Point))
		t.paragraph("    ", c.Texts[1])
	}
}
