package main

import (
	"strings"

	"github.com/urfave/cli/v2"

	"waymark/client"
	"waymark/server"
	"waymark/store"
)

func workspaceCommand() *cli.Command {
	return &cli.Command{
		Name: "workspace", Usage: "list, create, rename and delete workspaces",
		Subcommands: []*cli.Command{
			{Name: "list", Usage: "list the workspaces", Description: describe("", []string{"waymark workspace list"}, daemonExits()), Flags: daemonFlags(), Action: withDaemon(func(s *session) error {
				var all []store.Workspace
				if err := s.client.Get(s.Context.Context, "/v1/workspaces", &all); err != nil {
					return err
				}
				return s.show(all, func() {
					for _, w := range all {
						s.out.printf("%-28s %s\n", printable(w.Name), s.out.dim(w.ID))
					}
				})
			})},
			{Name: "create", Usage: "create a workspace", ArgsUsage: "NAME", Description: describe("", []string{"waymark workspace create gov"}, daemonExits()), Flags: daemonFlags(), Action: withDaemon(func(s *session) error {
				name, err := s.argument("its name")
				if err != nil {
					return err
				}
				return s.showWorkspace(s.client.Post, "/v1/workspaces", name)
			})},
			{Name: "rename", Usage: "rename a workspace", ArgsUsage: "WORKSPACE NAME", Description: describe("Its id stays.", []string{"waymark workspace rename gov governance"}, daemonExits()), Flags: daemonFlags(), Action: withDaemon(func(s *session) error {
				if s.NArg() != 2 {
					return usageError("workspace rename takes the workspace and its new name")
				}
				return s.showWorkspace(s.client.Patch, client.Path("workspaces", s.Args().First()), s.Args().Get(1))
			})},
			{Name: "delete", Usage: "delete a workspace with everything in it", ArgsUsage: "WORKSPACE", Description: describe("Nothing of it can be brought back.", []string{"waymark workspace delete gov --yes"}, daemonExits()), Flags: daemonFlags(yesFlag), Action: withDaemon(func(s *session) error {
				name, err := s.argument("the workspace")
				if err == nil {
					err = s.confirm("Delete the workspace " + name + " with everything in it")
				}
				if err != nil {
					return err
				}
				if err := s.client.Delete(s.Context.Context, client.Path("workspaces", name)); err != nil {
					return err
				}
				return s.deleted("workspace", name)
			})},
		},
	}
}

func (s *session) showWorkspace(send sendFunc, path, name string) error {
	var w store.Workspace
	if err := send(s.Context.Context, path, map[string]string{"name": name}, &w); err != nil {
		return err
	}
	return s.show(w, func() { s.out.printf("%s  %s\n", s.out.bold(printable(w.Name)), s.out.dim(w.ID)) })
}

func agentCommand() *cli.Command {
	tools := func(verb, usage string) *cli.Command {
		return &cli.Command{Name: verb, Usage: usage, ArgsUsage: "NAME TOOL...",
			Description: describe("It holds from the agent's next call on.", []string{"waymark agent " + verb + " reviewer search_trail_rules"}, daemonExits()), Flags: daemonFlags(), Action: withDaemon(func(s *session) error {
				if s.NArg() < 2 {
					return usageError("agent %s takes the agent's name and at least one tool", verb)
				}
				var a store.Agent
				if err := s.client.Post(s.Context.Context, client.Path("agents", s.Args().First(), verb), map[string][]string{"tools": s.Args().Tail()}, &a); err != nil {
					return err
				}
				return s.show(a, func() { s.out.printf("%s may use %s\n", printable(a.Name), strings.Join(a.Tools, ", ")) })
			})}
	}
	return &cli.Command{
		Name: "agent", Usage: "create agents and say which tools they may use",
		Subcommands: []*cli.Command{
			{Name: "list", Usage: "list the agents of a workspace", Description: describe("", []string{"waymark agent list -w gov"}, daemonExits()), Flags: daemonFlags(), Action: withDaemon(func(s *session) error {
				var all []store.Agent
				if err := s.client.Get(s.Context.Context, "/v1/agents", &all); err != nil {
					return err
				}
				return s.show(all, func() {
					for _, a := range all {
						s.out.printf("%-20s %s\n", printable(a.Name), s.out.dim(strings.Join(a.Tools, ", ")))
					}
				})
			})},
			{Name: "create", Usage: "create an agent; its token is shown this once", ArgsUsage: "NAME",
				Description: describe("It has every tool but search_trail_rules and kb_curate, which are enabled by name.",
					[]string{"waymark agent create reviewer -w gov --enable search_trail_rules", "waymark agent create auditor --enable search_trail_rules kb_curate"}, daemonExits()),
				Flags: daemonFlags(&cli.StringSliceFlag{Name: "enable", Usage: "a tool beyond the usual ones; may be repeated"}),
				Action: withDaemon(func(s *session) error {
					enable := s.StringSlice("enable")
					if len(enable) > 0 && s.NArg() > 1 { // as in --enable TOOL TOOL
						enable = append(enable, s.Args().Tail()...)
					} else if _, err := s.argument("the agent's name"); err != nil {
						return err
					}
					return s.showToken("/v1/agents", map[string]any{"name": s.Args().First(), "enable": enable})
				})},
			tools("enable", "enable tools for an agent"),
			tools("disable", "disable tools for an agent"),
			{Name: "rotate", Usage: "give an agent a new token, shown this once", ArgsUsage: "NAME", Description: describe("The old token ends at once.", []string{"waymark agent rotate reviewer"}, daemonExits()), Flags: daemonFlags(), Action: withDaemon(func(s *session) error {
				name, err := s.argument("the agent's name")
				if err != nil {
					return err
				}
				return s.showToken(client.Path("agents", name, "rotate"), nil)
			})},
			{Name: "delete", Usage: "delete an agent", ArgsUsage: "NAME", Description: describe("Its token ends at once; its activity stays.", []string{"waymark agent delete reviewer --yes"}, daemonExits()), Flags: daemonFlags(yesFlag), Action: withDaemon(func(s *session) error {
				name, err := s.argument("the agent's name")
				if err == nil {
					err = s.confirm("Delete the agent " + name)
				}
				if err != nil {
					return err
				}
				if err := s.client.Delete(s.Context.Context, client.Path("agents", name)); err != nil {
					return err
				}
				return s.deleted("agent", name)
			})},
		},
	}
}

func (s *session) showToken(path string, body any) error {
	var t server.AgentToken
	if err := s.client.Post(s.Context.Context, path, body, &t); err != nil {
		return err
	}
	return s.show(t, func() {
		s.out.printf("%s may use %s\n", s.out.bold(printable(t.Agent.Name)), strings.Join(t.Agent.Tools, ", "))
		s.out.printf("token, shown this once: %s\n", t.Token)
	})
}
