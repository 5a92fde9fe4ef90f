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
			{Name: "list", Usage: "list the workspaces", Flags: daemonFlags(), Action: withDaemon(func(s *session) error {
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
			{Name: "create", Usage: "create a workspace", ArgsUsage: "NAME", Flags: daemonFlags(), Action: withDaemon(func(s *session) error {
				name, err := s.argument("its name")
				if err != nil {
					return err
				}
				return s.showWorkspace(s.client.Post, "/v1/workspaces", name)
			})},
			{Name: "rename", Usage: "rename a workspace", ArgsUsage: "WORKSPACE NAME", Flags: daemonFlags(), Action: withDaemon(func(s *session) error {
				if s.NArg() != 2 {
					return usageError("workspace rename takes the workspace and its new name")
				}
				return s.showWorkspace(s.client.Patch, client.Path("workspaces", s.Args().First()), s.Args().Get(1))
			})},
			{Name: "delete", Usage: "delete a workspace with everything in it", ArgsUsage: "WORKSPACE", Flags: daemonFlags(yesFlag), Action: withDaemon(func(s *session) error {
				name, err := s.argument("the workspace")
				if err == nil {
					err = s.confirm("Delete the workspace " + name + " with everything in it")
				}
				if err != nil {
					return err
				}
				return s.client.Delete(s.Context.Context, client.Path("workspaces", name))
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
		return &cli.Command{Name: verb, Usage: usage, ArgsUsage: "NAME TOOL...", Flags: daemonFlags(), Action: withDaemon(func(s *session) error {
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
			{Name: "list", Usage: "list the agents of a workspace", Flags: daemonFlags(), Action: withDaemon(func(s *session) error {
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
				Flags: daemonFlags(&cli.StringSliceFlag{Name: "enable", Usage: "a tool beyond the usual ones; may be repeated"}),
				Action: withDaemon(func(s *session) error {
					name, err := s.argument("the agent's name")
					if err != nil {
						return err
					}
					return s.showToken("/v1/agents", map[string]any{"name": name, "enable": s.StringSlice("enable")})
				})},
			tools("enable", "enable tools for an agent"),
			tools("disable", "disable tools for an agent"),
			{Name: "rotate", Usage: "give an agent a new token, shown this once", ArgsUsage: "NAME", Flags: daemonFlags(), Action: withDaemon(func(s *session) error {
				name, err := s.argument("the agent's name")
				if err != nil {
					return err
				}
				return s.showToken(client.Path("agents", name, "rotate"), nil)
			})},
			{Name: "delete", Usage: "delete an agent", ArgsUsage: "NAME", Flags: daemonFlags(yesFlag), Action: withDaemon(func(s *session) error {
				name, err := s.argument("the agent's name")
				if err == nil {
					err = s.confirm("Delete the agent " + name)
				}
				if err != nil {
					return err
				}
				return s.client.Delete(s.Context.Context, client.Path("agents", name))
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
