package main

import (
	"context"
	"net"
	"net/http"
	"net/url"
	"os"

	"github.com/urfave/cli/v2"

	"waymark/client"
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
		},
		Action: func(c *cli.Context) error {
			if c.Args().Present() {
				return usageError("mcp takes no arguments; see waymark mcp --help")
			}
			cfg, _, _, err := loadConfig(c)
			if err != nil {
				return failed(err)
			}
			token := os.Getenv("WAYMARK_TOKEN")
			header := http.Header{}
			if token != "" {
				header.Set("Authorization", "Bearer "+token)
			} else {
				setIf(header, client.WorkspaceHeader, cfg.Workspace)
				setIf(header, client.AgentHeader, c.String("agent"))
			}
			transport := &http.Transport{MaxIdleConnsPerHost: 64, DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
				var d net.Dialer
				return d.DialContext(ctx, "unix", cfg.Socket)
			}}
			bridge, err := mcp.NewBridge(mcp.BridgeOptions{Transport: transport, Header: header, Agent: c.String("agent"),
				Operator: token == "" && c.String("agent") == "", Socket: cfg.Socket, Version: version})
			if err != nil {
				return failed(err)
			}
			return failed(bridge.Run(c.Context, c.App.Reader, c.App.Writer))
		},
	}
}

// setIf sets a header whose value may hold any character.
func setIf(h http.Header, name, value string) {
	if value != "" {
		h.Set(name, url.PathEscape(value))
	}
}
