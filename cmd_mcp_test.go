package main

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"waymark/config"
)

// TestMCPOverStdio pipes messages through the command: as an operator, as an
// agent without its token, and as whoever holds one.
func TestMCPOverStdio(t *testing.T) {
	p := newPlace(t)
	p.run(t, "trail", "create", "Office").want(t, 0)
	p.run(t, "rule", "add", "--approve", "--trail", "Office", "--id", "O-1", "Plants are watered each Friday.").want(t, 0)
	p.run(t, "agent", "create", "reviewer", "--json").want(t, 0)
	messages := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
no message
{"jsonrpc":"2.0","id":2,"method":"tools/list"}
{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"search_trail_rules","arguments":{"query":"plants"}}}
`
	pipe := func(args ...string) map[string]string {
		t.Helper()
		args = append([]string{"--socket", p.cfg.Socket, "mcp"}, args...)
		o := runWith(t, context.Background(), messages, args...).want(t, 0)
		if o.stderr != "" {
			t.Errorf("%v: stderr is %q", args, o.stderr)
		}
		answers := map[string]string{}
		for _, line := range strings.Split(strings.TrimSuffix(o.stdout, "\n"), "\n") {
			var m struct {
				Version string          `json:"jsonrpc"`
				ID      json.RawMessage `json:"id"`
			}
			if err := json.Unmarshal([]byte(line), &m); err != nil || m.Version != "2.0" {
				t.Errorf("%v: stdout has a line that is no message: %q", args, line)
			}
			answers[string(m.ID)] = line
		}
		if len(answers) != 4 || !strings.Contains(answers["null"], "-32700") || !strings.Contains(answers["1"], `"name":"waymark"`) {
			t.Errorf("%v: answers %v", args, answers)
		}
		return answers
	}
	for _, test := range []struct {
		args  []string
		tools int
		says  string
	}{
		{[]string{"-w", p.workspace}, 8, "O-1"},
		{[]string{"-w", p.workspace, "--agent", "reviewer"}, 6, "tool_not_enabled"},
		{nil, 8, "workspace_missing"},
		{[]string{"-w", "nosuch"}, 0, "unknown_workspace"},
		{[]string{"-w", p.workspace, "--agent", "nosuch"}, 0, "unknown_agent"},
	} {
		answers := pipe(test.args...)
		if n := strings.Count(answers["2"], `"inputSchema"`); n != test.tools {
			t.Errorf("%v: %d tools, want %d: %s", test.args, n, test.tools, answers["2"])
		}
		if !strings.Contains(answers["3"], test.says) {
			t.Errorf("%v: the call says %s, want %q", test.args, answers["3"], test.says)
		}
	}
	t.Setenv("WAYMARK_TOKEN", "none")
	if answers := pipe(); !strings.Contains(answers["3"], "unauthorized") {
		t.Errorf("a wrong token: %s", answers["3"])
	}
}

func TestMCPTakesNoArguments(t *testing.T) {
	bare(t, "mcp", "tools/list").want(t, exitUsage, "takes no arguments")
	bare(t, "mcp", "--socket", "/nosuch/s").want(t, 0)
}

// TestStartDaemonThatCannotStart: what stands in the way is told, not waited for.
func TestStartDaemonThatCannotStart(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := startDaemon(&config.Config{Data: filepath.Join(file, "data"), Socket: "/nosuch/s"}); err == nil || !strings.Contains(err.Error(), "data directory") {
		t.Errorf("startDaemon() = %v", err)
	}
}
