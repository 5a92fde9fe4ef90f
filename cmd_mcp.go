package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"

	"github.com/urfave/cli/v2"

	"waymark/client"
	"waymark/config"
	"waymark/mcp"
)

func mcpCommand() *cli.Command {
	return &cli.Command{
		Name:  "mcp",
		Usage: "join an agent host's stdio to the daemon (MCP)",
		Description: describe("A host starts it; see waymark host add. It writes nothing but messages of the protocol to stdout, outlives restarts of the daemon, "+
			"and ends when its input ends.\n\n"+
			"Without --agent an operator calls, who may use every tool. With --agent an operator acts as that agent of the workspace. "+
			"Whoever is no operator sets WAYMARK_TOKEN to an agent's token.",
			[]string{"waymark mcp --agent reviewer -w acme", "printf '%s\\n' '{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}' | waymark mcp -w acme"},
			plainExits("0 the host ended it", "1 its output could not be written")),
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "agent", Usage: "call as this agent of the workspace"},
			&cli.StringFlag{Name: "workspace", Aliases: []string{"w"}, Usage: "the workspace, by name or id"},
			&cli.StringFlag{Name: "socket", Usage: "the daemon's socket"},
			&cli.BoolFlag{Name: "start", Usage: "start the daemon when none answers; it outlives the bridge"},
		},
		Action: func(c *cli.Context) error {
			if c.Args().Present() {
				return usageError("mcp takes no arguments; see waymark mcp --help")
			}
			cfg, _, _, err := loadConfig(c)
			if err != nil {
				return failed(err)
			}
			options := bridgeOptions(cfg, c.String("agent"), os.Getenv("WAYMARK_TOKEN"))
			if c.Bool("start") {
				options.Start = func() error { return startDaemon(cfg) }
			}
			bridge, err := mcp.NewBridge(options)
			if err != nil {
				return failed(err)
			}
			return failed(bridge.Run(c.Context, c.App.Reader, c.App.Writer))
		},
	}
}

// bridgeOptions say where the daemon is and on whose behalf calls are made: of
// whom a token names, else of an operator, who may act as an agent.
func bridgeOptions(cfg *config.Config, agent, token string) mcp.BridgeOptions {
	header := http.Header{}
	if token != "" {
		header.Set("Authorization", "Bearer "+token)
	} else {
		setIf(header, client.WorkspaceHeader, cfg.Workspace)
		setIf(header, client.AgentHeader, agent)
	}
	// A host that asks a thousand things at once waits here, not at the socket.
	transport := &http.Transport{MaxConnsPerHost: 64, MaxIdleConnsPerHost: 64, DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, "unix", cfg.Socket)
	}}
	return mcp.BridgeOptions{Transport: transport, Header: header, Agent: agent, Operator: token == "" && agent == "", Socket: cfg.Socket, Version: version}
}

// setIf sets a header whose value may hold any character.
func setIf(h http.Header, name, value string) {
	if value != "" {
		h.Set(name, url.PathEscape(value))
	}
}

// startDaemon starts the daemon in a session of its own, so that it lives on when
// the host ends the bridge. What it says goes to a file in the data directory.
// Of two that are started at once, one finds the database locked and ends.
func startDaemon(cfg *config.Config) error {
	program, err := os.Executable()
	if err != nil {
		return fmt.Errorf("find this program: %w", err)
	}
	if err := os.MkdirAll(cfg.Data, 0o700); err != nil {
		return fmt.Errorf("make the data directory: %w", err)
	}
	log, err := os.OpenFile(filepath.Join(cfg.Data, "serve.log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("open the daemon's log: %w", err)
	}
	defer log.Close()
	daemon := exec.Command(program, "serve", "--data", cfg.Data, "--socket", cfg.Socket)
	daemon.Stderr = log
	daemon.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := daemon.Start(); err != nil {
		return fmt.Errorf("start the daemon: %w", err)
	}
	// Should it end before the bridge does, this takes note of it.
	go func() { _ = daemon.Wait() }()
	return nil
}
