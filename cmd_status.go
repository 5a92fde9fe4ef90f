package main

import (
	"fmt"
	"os"
	"runtime"

	"github.com/urfave/cli/v2"

	"waymark/config"
	"waymark/server"
	"waymark/tool"
)

func statusCommand() *cli.Command {
	return &cli.Command{Name: "status", Usage: "the state of the daemon and of every workspace", Description: describe("", []string{"waymark status", "waymark status --json"}, daemonExits()), Flags: daemonFlags(), Action: withDaemon(func(s *session) error {
		var st server.Status
		if err := s.client.Get(s.Context.Context, "/v1/status", &st); err != nil {
			return err
		}
		return s.show(st, func() {
			s.out.printf("waymark %s, process %d, since %s\n", st.Version, st.PID, st.Started)
			s.out.printf("database %s\nmodel    %s\n", printable(st.Database), printable(st.Model))
			for _, w := range st.Workspaces {
				h := w.Index
				s.out.printf("workspace %s  %s\n", s.out.bold(printable(w.Name)), s.out.dim(w.ID))
				s.out.printf("   version %d · %d rule passages in %d segments · %d document passages in %d segments\n", h.StoreVersion,
					h.Rules.Rows-h.Rules.DeadRows, h.Rules.Segments, h.Documents.Rows-h.Documents.DeadRows, h.Documents.Segments)
				if missing := h.Rules.RowsNoVector + h.Documents.RowsNoVector; missing > 0 {
					s.out.printf("   %s\n", s.out.yellow(fmt.Sprintf("%d passages wait for their vectors", missing)))
				}
				if h.Rebuilt != "" {
					s.out.printf("   %s\n", s.out.yellow("the index was rebuilt at start: "+printable(h.Rebuilt)))
				}
			}
		})
	})}
}

func healthCommand() *cli.Command {
	return &cli.Command{Name: "health", Usage: "whether the daemon answers; for scripts", Flags: daemonFlags(),
		Description: describe("", []string{"waymark health && echo ready"}, daemonExits("0 ready", "75 the daemon is starting")),
		Action: withDaemon(func(s *session) error {
			var answer map[string]string
			if err := s.client.Get(s.Context.Context, "/readyz", &answer); err != nil {
				return err
			}
			return s.show(answer, func() { s.out.printf("%s\n", answer["status"]) })
		})}
}

func configCommand() *cli.Command {
	return &cli.Command{Name: "config", Usage: "the configuration", Subcommands: []*cli.Command{{
		Name: "show", Usage: "every setting",
		Description: describe("", []string{"waymark config show --origin"}, plainExits()),
		Flags: []cli.Flag{&cli.BoolFlag{Name: "origin", Usage: "say where each comes from"}, &cli.BoolFlag{Name: "json", Usage: "print one JSON document"},
			&cli.StringFlag{Name: "socket", Usage: "show it with this socket"}, &cli.StringFlag{Name: "workspace", Aliases: []string{"w"}, Usage: "show it with this workspace"}},
		Action: func(c *cli.Context) error {
			_, values, _, err := loadConfig(c)
			if err != nil {
				return failed(err)
			}
			if c.Bool("json") {
				return writeJSON(c, values)
			}
			for _, v := range values {
				line := fmt.Sprintf("%-28s %v", v.Key, v.Value)
				if c.Bool("origin") {
					line = fmt.Sprintf("%-64s %s", line, v.Origin)
				}
				fmt.Fprintln(c.App.Writer, line)
			}
			return nil
		},
	}}}
}

func pathsCommand() *cli.Command {
	return &cli.Command{Name: "paths", Usage: "the files that are used", Description: describe("", []string{"waymark paths"}, plainExits()), Flags: []cli.Flag{&cli.BoolFlag{Name: "json", Usage: "print one JSON document"}},
		Action: func(c *cli.Context) error {
			cfg, _, file, err := loadConfig(c)
			if err != nil {
				return failed(err)
			}
			paths := config.DefaultPaths(os.Getuid(), os.Getenv)
			if c.Bool("json") {
				return writeJSON(c, map[string]any{"data": cfg.Data, "socket": cfg.Socket, "config": file, "config_candidates": paths.Files})
			}
			if file == "" {
				file = fmt.Sprintf("none; the first of %v that exists is read, or the one that WAYMARK_CONFIG names", paths.Files)
			}
			fmt.Fprintf(c.App.Writer, "data    %s\nsocket  %s\nconfig  %s\n", cfg.Data, cfg.Socket, file)
			return nil
		}}
}

func versionCommand() *cli.Command {
	return &cli.Command{Name: "version", Usage: "the version of this program", Description: describe("", []string{"waymark version"}, []string{"0 good", "2 usage"}), Flags: []cli.Flag{&cli.BoolFlag{Name: "json", Usage: "print one JSON document"}},
		Action: func(c *cli.Context) error {
			if c.Bool("json") {
				return writeJSON(c, map[string]string{"version": version, "go": runtime.Version(), "platform": runtime.GOOS + "/" + runtime.GOARCH})
			}
			fmt.Fprintf(c.App.Writer, "waymark %s %s %s/%s\n", version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return nil
		}}
}

// writeJSON writes one JSON document to stdout.
func writeJSON(c *cli.Context, v any) error {
	b, err := tool.WriteAnswer(v)
	if err != nil {
		return err
	}
	return writeOut(c.App.Writer, b, true)
}
