package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestHostAddListRemove(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	for _, name := range []string{"XDG_CONFIG_HOME", "CLAUDE_CONFIG_DIR", "CODEX_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR"} {
		t.Setenv(name, "")
	}
	path := filepath.Join(home, ".cursor", "mcp.json")
	state := func(want string) {
		t.Helper()
		for _, s := range document[[]hostState](t, bare(t, "host", "list", "--json").want(t, 0)) {
			if s.Host == "cursor" && s.State != want {
				t.Errorf("the state of cursor is %q, want %q", s.State, want)
			}
		}
	}
	state("no file")
	bare(t, "host", "add", "cursor", "--print", "--command", "/opt/waymark").want(t, 0, path, `+     "waymark": {`, "Nothing was written.")
	state("no file")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	before := "{\n  // mine\n  \"mcpServers\": {\n    \"other\": {\"command\": \"x\"}\n  }\n}\n"
	if err := os.WriteFile(path, []byte(before), 0o600); err != nil {
		t.Fatal(err)
	}
	state("not added")
	add := []string{"host", "add", "cursor", "--agent", "reviewer", "-w", "acme", "--start", "--command", "/opt/waymark"}
	bare(t, add...).want(t, 0, `+       "args": ["mcp", "--agent", "reviewer", "--start", "--workspace", "acme"]`, "Written.", path+".before-")
	state("added")
	bare(t, add...).want(t, 0, "Nothing to change.")
	change := document[hostChange](t, bare(t, "host", "remove", "cursor", "--json").want(t, 0))
	if !change.Changed || !change.Written || change.File != path || change.Backup == "" {
		t.Errorf("the change is %+v", change)
	}
	if after, err := os.ReadFile(path); string(after) != before || err != nil {
		t.Errorf("after adding and removing the file is %q (%v), want %q", after, err, before)
	}
	bare(t, "host", "remove", "cursor").want(t, 0, "Nothing to change.")
	bare(t, "host", "add", "emacs").want(t, exitNotFound, "claude-code")
	bare(t, "host", "add").want(t, exitUsage)
	bare(t, "host", "list", "cursor").want(t, exitUsage)
	if err := os.WriteFile(path, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	state("unreadable")
	bare(t, "host", "add", "cursor", "--command", "/opt/waymark").want(t, exitBadData, path)
	other := filepath.Join(home, "other.toml")
	bare(t, "host", "add", "codex", "--file", other, "--name", "rules", "--command", "/opt/waymark").want(t, 0, "[mcp_servers.rules]")
	if text, err := os.ReadFile(other); err != nil || !strings.Contains(string(text), `command = "/opt/waymark"`) {
		t.Errorf("%s holds %q (%v)", other, text, err)
	}
	bare(t, "host", "list").want(t, 0, "claude-desktop", "zed")
}
