package main

import (
	"net/url"

	"github.com/urfave/cli/v2"

	"waymark/client"
	"waymark/store"
)

// query makes the query of a URL from pairs of name and value; empty values are
// left out.
func query(pairs ...string) string {
	v := url.Values{}
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			v.Set(pairs[i], pairs[i+1])
		}
	}
	return v.Encode()
}

// given is the value of a flag, nil when it was not given.
func (s *session) given(flag string) *string {
	if !s.IsSet(flag) {
		return nil
	}
	v := s.String(flag)
	return &v
}

var yesFlag = &cli.BoolFlag{Name: "yes", Usage: "do not ask"}

func trailCommand() *cli.Command {
	fields := []cli.Flag{&cli.StringFlag{Name: "name", Usage: "its new name"}, &cli.StringFlag{Name: "description", Usage: "what it is for"}, &cli.StringFlag{Name: "owner", Usage: "who answers for it"}}
	body := func(s *session) map[string]*string {
		return map[string]*string{"name": s.given("name"), "description": s.given("description"), "owner": s.given("owner")}
	}
	return &cli.Command{
		Name: "trail", Usage: "list, show, create, edit and delete Trails",
		Subcommands: []*cli.Command{
			{Name: "list", Usage: "list the Trails", Description: describe("", []string{"waymark trail list"}, daemonExits()), Flags: daemonFlags(), Action: withDaemon(func(s *session) error {
				var all []store.Trail
				if err := s.client.Get(s.Context.Context, "/v1/trails", &all); err != nil {
					return err
				}
				return s.show(all, func() {
					for _, t := range all {
						s.out.printf("%-28s %-28s %s\n", printable(t.ID), printable(t.Name), s.out.dim(printable(t.Owner)))
					}
				})
			})},
			{Name: "show", Usage: "show a Trail", ArgsUsage: "TRAIL", Description: describe("", []string{"waymark trail show Invoices"}, daemonExits()), Flags: daemonFlags(), Action: withDaemon(func(s *session) error {
				name, err := s.argument("the Trail's name or id")
				if err != nil {
					return err
				}
				var t store.Trail
				if err := s.client.Get(s.Context.Context, client.Path("trails", name), &t); err != nil {
					return err
				}
				return s.showTrail(t)
			})},
			{Name: "create", Usage: "create a Trail", ArgsUsage: "NAME",
				Description: describe("", []string{"waymark trail create Invoices --description \"how invoices are released\" --owner \"accounts payable\""}, daemonExits()), Flags: daemonFlags(fields[1:]...), Action: withDaemon(func(s *session) error {
					name, err := s.argument("the Trail's name")
					if err != nil {
						return err
					}
					in, t := body(s), store.Trail{}
					in["name"] = &name
					if err := s.client.Post(s.Context.Context, "/v1/trails", in, &t); err != nil {
						return err
					}
					return s.showTrail(t)
				})},
			{Name: "edit", Usage: "edit a Trail", ArgsUsage: "TRAIL", Description: describe("What is not named stays.", []string{"waymark trail edit Invoices --name \"Supplier invoices\""}, daemonExits()), Flags: daemonFlags(fields...), Action: withDaemon(func(s *session) error {
				name, err := s.argument("the Trail's name or id")
				if err != nil {
					return err
				}
				var t store.Trail
				if err := s.client.Patch(s.Context.Context, client.Path("trails", name), body(s), &t); err != nil {
					return err
				}
				return s.showTrail(t)
			})},
			{Name: "delete", Usage: "delete a Trail with its rules", ArgsUsage: "TRAIL", Description: describe("Its rules, their history and its activity go with it.", []string{"waymark trail delete Invoices --yes"}, daemonExits()), Flags: daemonFlags(yesFlag), Action: withDaemon(func(s *session) error {
				name, err := s.argument("the Trail's name or id")
				if err == nil {
					err = s.confirm("Delete the Trail " + name + " with all its rules")
				}
				if err != nil {
					return err
				}
				if err := s.client.Delete(s.Context.Context, client.Path("trails", name)); err != nil {
					return err
				}
				return s.deleted("Trail", name)
			})},
		},
	}
}

func (s *session) showTrail(t store.Trail) error {
	return s.show(t, func() {
		s.out.printf("%s  %s\n", s.out.bold(printable(t.Name)), s.out.dim(printable(t.ID)))
		if t.Description != "" {
			s.out.paragraph("  ", t.Description)
		}
		if t.Owner != "" {
			s.out.printf("  owner %s\n", printable(t.Owner))
		}
	})
}
