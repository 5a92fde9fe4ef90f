package main

import (
	"log/slog"
	"os"
	"time"

	"github.com/urfave/cli/v2"
)

func serveCommand() *cli.Command {
	return &cli.Command{
		Name:  "serve",
		Usage: "run the daemon in the foreground",
		Description: describe("The first start creates everything. The daemon opens nothing but its Unix socket, says on stderr when it is ready, and ends on SIGTERM or an interrupt once the calls under way are answered.",
			[]string{"waymark serve", "waymark serve --data ./data --socket ./waymark.sock"},
			plainExits("0 ended by a signal", "1 failed, for example because another process holds the database or the socket")),
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "data", Usage: "directory of the database and the index"},
			&cli.StringFlag{Name: "socket", Usage: "path of the Unix socket"},
			&cli.StringFlag{Name: "group", Usage: "group whose members may connect and administer"},
			&cli.StringFlag{Name: "workspace", Aliases: []string{"w"}, Usage: "workspace of an operator's call that names none"},
			&cli.StringFlag{Name: "model", Usage: "path of another encoder (.wmodel)"},
			&cli.StringFlag{Name: "time-zone", Usage: "zone whose calendar days count"},
			&cli.IntFlag{Name: "review-due-after-days", Usage: "age from which a verification is old; 0: never"},
			&cli.StringFlag{Name: "log-level", Usage: "debug, info, warn or error"},
			&cli.StringFlag{Name: "log-format", Usage: "text or json"},
		},
		Action: func(c *cli.Context) error {
			if c.Args().Present() {
				return usageError("serve takes no arguments; see waymark serve --help")
			}
			cfg, values, _, err := loadConfig(c)
			if err != nil {
				return failed(err)
			}
			log := newLogger(c.App.ErrWriter, cfg.Log)
			started := time.Now()
			return failed(runDaemon(c.Context, cfg, values, log, time.Now, func() {
				log.Info("ready", slog.String("socket", cfg.Socket), slog.String("data", cfg.Data), slog.String("version", version),
					slog.Int("pid", os.Getpid()), slog.Int64("ms", time.Since(started).Milliseconds()))
			}))
		},
	}
}
