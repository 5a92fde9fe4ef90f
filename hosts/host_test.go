package hosts

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
	"github.com/google/go-cmp/cmp"
	"github.com/tailscale/hujson"
	"go.yaml.in/yaml/v3"
)

var entry = Entry{Name: "waymark", Command: "/usr/local/bin/waymark", Args: []string{"mcp", "--agent", "a \"b\""}}

func host(t *testing.T, name string) Host {
	t.Helper()
	h, err := Find(name)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func TestAdd(t *testing.T) {
	const inner = `"command": "/usr/local/bin/waymark", "args": ["mcp", "--agent", "a \"b\""]`
	tests := []struct{ about, host, file, want string }{
		{"no file", "cursor", "", `{
  "mcpServers": {
    "waymark": {
      "type": "stdio",
      "command": "/usr/local/bin/waymark",
      "args": ["mcp", "--agent", "a \"b\""]
    }
  }
}
`},
		{"an empty object", "windsurf", "{}\n", `{
  "mcpServers": {
    "waymark": {
      "command": "/usr/local/bin/waymark",
      "args": ["mcp", "--agent", "a \"b\""]
    }
  }
}
`},
		{"other members, in their indentation", "claude-desktop", "{\n    \"theme\": \"dark\",\n    \"mcpServers\": {\n        \"other\": {\"command\": \"x\"}\n    }\n}", "{\n    \"theme\": \"dark\",\n    \"mcpServers\": {\n        \"other\": {\"command\": \"x\"},\n        \"waymark\": {\n            \"command\": \"/usr/local/bin/waymark\",\n            \"args\": [\"mcp\", \"--agent\", \"a \\\"b\\\"\"]\n        }\n    }\n}"},
		{"all on one line", "windsurf", `{"a":1,"mcpServers":{"other":{"command":"x"}}}`, `{"a":1,"mcpServers":{"other":{"command":"x"}, "waymark": {` + inner + `}}}`},
		{"comments and trailing commas", "zed", "// mine\n{\n\t\"a\": 1, // one\n\t/* b */\n}\n", "// mine\n{\n\t\"a\": 1,\n\t\"context_servers\": {\n\t\t\"waymark\": {\n\t\t\t\"source\": \"custom\",\n\t\t\t\"command\": \"/usr/local/bin/waymark\",\n\t\t\t\"args\": [\"mcp\", \"--agent\", \"a \\\"b\\\"\"]\n\t\t}\n\t}, // one\n\t/* b */\n}\n"},
		{"CR LF and a byte-order mark", "vscode", "\xef\xbb\xbf{\r\n  \"servers\": {}\r\n}\r\n", "\xef\xbb\xbf{\r\n  \"servers\": {\r\n    \"waymark\": {\r\n      \"type\": \"stdio\",\r\n      \"command\": \"/usr/local/bin/waymark\",\r\n      \"args\": [\"mcp\", \"--agent\", \"a \\\"b\\\"\"]\r\n    }\r\n  }\r\n}\r\n"},
		{"an entry with another command and a member of the user's", "gemini-cli", "{\n  \"mcpServers\": {\n    \"waymark\": {\n      \"trust\": true, // I do\n      \"command\": \"old\"\n    }\n  }\n}\n", "{\n  \"mcpServers\": {\n    \"waymark\": {\n      \"trust\": true, // I do\n      \"command\": \"/usr/local/bin/waymark\",\n      \"args\": [\"mcp\", \"--agent\", \"a \\\"b\\\"\"]\n    }\n  }\n}\n"},
		{"one list for command and arguments", "opencode", "{}", "{\n  \"mcp\": {\n    \"waymark\": {\n      \"type\": \"local\",\n      \"command\": [\"/usr/local/bin/waymark\", \"mcp\", \"--agent\", \"a \\\"b\\\"\"],\n      \"enabled\": true\n    }\n  }\n}"},
		{"TOML, no file", "codex", "", "[mcp_servers.waymark]\ncommand = \"/usr/local/bin/waymark\"\nargs = [\"mcp\", \"--agent\", \"a \\\"b\\\"\"]\n"},
		{"TOML, others", "codex", "model = \"x\" # mine\n\n[mcp_servers.other]\ncommand = \"y\"", "model = \"x\" # mine\n\n[mcp_servers.other]\ncommand = \"y\"\n\n[mcp_servers.waymark]\ncommand = \"/usr/local/bin/waymark\"\nargs = [\"mcp\", \"--agent\", \"a \\\"b\\\"\"]\n"},
		{"TOML, changed over several lines", "codex", "[mcp_servers.waymark] # ours\nargs = [ # three\n  \"mcp\", # ]\n  \"x\",\n]\nstartup_timeout_sec = 5\n\n[mcp_servers.waymark.env]\nA = \"b\"\n\n[tui]\nx = '''\n[mcp_servers.waymark]\n'''\n", "[mcp_servers.waymark] # ours\ncommand = \"/usr/local/bin/waymark\"\nargs = [\"mcp\", \"--agent\", \"a \\\"b\\\"\"]\nstartup_timeout_sec = 5\n\n[mcp_servers.waymark.env]\nA = \"b\"\n\n[tui]\nx = '''\n[mcp_servers.waymark]\n'''\n"},
		{"YAML, no file", "goose", "", "extensions:\n  waymark:\n    enabled: true\n    type: stdio\n    name: waymark\n    description: What our rules and documents say\n    cmd: /usr/local/bin/waymark\n    args:\n      - mcp\n      - --agent\n      - a \"b\"\n    envs: {}\n    timeout: 300\n"},
		{"YAML, others", "goose", "# mine\nGOOSE_MODEL: x\nextensions: # all\n    developer:\n        enabled: true\n        text: |\n            a\n\n             b\nend: 1\n", "# mine\nGOOSE_MODEL: x\nextensions: # all\n    waymark:\n      enabled: true\n      type: stdio\n      name: waymark\n      description: What our rules and documents say\n      cmd: /usr/local/bin/waymark\n      args:\n        - mcp\n        - --agent\n        - a \"b\"\n      envs: {}\n      timeout: 300\n    developer:\n        enabled: true\n        text: |\n            a\n\n             b\nend: 1\n"},
		{"YAML, changed", "goose", "extensions:\n  waymark:\n    enabled: false # not now\n    type: stdio\n    cmd: old\n    args:\n    - a\n    - b\n    timeout: 9\n  other: {}\n", "extensions:\n  waymark:\n    enabled: false # not now\n    type: stdio\n    cmd: /usr/local/bin/waymark\n    args:\n      - mcp\n      - --agent\n      - a \"b\"\n    timeout: 9\n  other: {}\n"},
		{"YAML, an empty section", "goose", "a: 1\nextensions: {}\n", "a: 1\nextensions:\n  waymark:\n    enabled: true\n    type: stdio\n    name: waymark\n    description: What our rules and documents say\n    cmd: /usr/local/bin/waymark\n    args:\n      - mcp\n      - --agent\n      - a \"b\"\n    envs: {}\n    timeout: 300\n"},
	}
	for _, test := range tests {
		h := host(t, test.host)
		got, err := h.Add([]byte(test.file), entry)
		if err != nil {
			t.Errorf("%s: Add() = %v", test.about, err)
			continue
		}
		if diff := cmp.Diff(test.want, string(got)); diff != "" {
			t.Errorf("%s: Add() (-want +got):\n%s", test.about, diff)
		}
		if has, err := h.Has(got, entry.Name); !has || err != nil {
			t.Errorf("%s: Has() = %t, %v", test.about, has, err)
		}
		again, err := h.Add(got, entry)
		if err != nil || !bytes.Equal(again, got) {
			t.Errorf("%s: the second Add() changes the file again (%v):\n%s", test.about, err, Diff(got, again))
		}
	}
}

// TestRemoveUndoesAdd: where a host had other servers, adding and removing ours
// leaves the very bytes.
func TestRemoveUndoesAdd(t *testing.T) {
	files := map[string][]string{
		"cursor": {"{\n  \"mcpServers\": {\n    \"a\": {},\n    \"b\": {}\n  }\n}\n", `{"mcpServers":{"a":{}}}`, "{\"mcpServers\": {}}", "{\n\t\"mcpServers\": {\n\t\t// none yet\n\t\t\"a\": 1, // one\n\t},\n}",
			"{\r\n \"mcpServers\": {\r\n  \"a\": 1\r\n } /* end */\r\n}"},
		"codex": {"[mcp_servers.a]\ncommand = \"x\"\n", "a = 1\r\n\r\n[b]\r\nc = [\r\n1,\r\n]\r\n", "# only a comment\n"},
		"goose": {"extensions:\n  a:\n    x: 1\n\n  # about b\n  b:\n    y: |\n      text\n\nz: 1\n", "# c\nextensions:\n    a: {}\n"},
	}
	for name, all := range files {
		h := host(t, name)
		for _, file := range all {
			added, err := h.Add([]byte(file), entry)
			if err != nil {
				t.Errorf("%s: Add(%q) = %v", name, file, err)
				continue
			}
			removed, err := h.Remove(added, entry.Name)
			if err != nil || string(removed) != file {
				t.Errorf("%s: after adding and removing: %v\n%s", name, err, cmp.Diff(file, string(removed)))
			}
			same, err := h.Remove(removed, entry.Name)
			if err != nil || !bytes.Equal(same, removed) {
				t.Errorf("%s: removing what is not there: %v\n%s", name, err, Diff(removed, same))
			}
		}
	}
}

// TestRandomFilesKeepWhatTheySay: of files in any manner, an edit changes our
// entry and nothing else that the file says.
func TestRandomFilesKeepWhatTheySay(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for _, h := range All() {
		refused := 0
		for range 300 {
			file, read := randomFile(random, h)
			before := read(t, file)
			added, err := h.Add(file, entry)
			if err != nil {
				if errors.Is(err, ErrLayout) {
					refused++
					continue
				}
				t.Fatalf("%s: Add(%s) = %v", h.Name, file, err)
			}
			if has, _ := h.Has(added, entry.Name); !has {
				t.Fatalf("%s: Add(%s) added nothing:\n%s", h.Name, file, added)
			}
			if diff := cmp.Diff(without(before), without(read(t, added))); diff != "" {
				t.Fatalf("%s: Add changed what\n%s\nsays:\n%s", h.Name, file, diff)
			}
			removed, err := h.Remove(added, entry.Name)
			if err != nil {
				if errors.Is(err, ErrLayout) {
					refused++
					continue
				}
				t.Fatalf("%s: Remove(%s) = %v", h.Name, added, err)
			}
			if diff := cmp.Diff(without(before), without(read(t, removed))); diff != "" {
				t.Fatalf("%s: Remove changed what\n%s\nsays:\n%s", h.Name, added, diff)
			}
			if has, _ := h.Has(removed, entry.Name); has {
				t.Fatalf("%s: Remove left the entry:\n%s", h.Name, removed)
			}
		}
		if refused > 60 {
			t.Errorf("%s: %d of 300 files were refused", h.Name, refused)
		}
	}
}

// without takes our entry, and sections without any other, from what a file says.
func without(says map[string]any) map[string]any {
	rest := map[string]any{}
	for name, value := range says {
		if section, isMap := value.(map[string]any); isMap {
			delete(section, entry.Name)
			if len(section) == 0 {
				continue
			}
		}
		rest[name] = value
	}
	return rest
}

// randomFile writes a file of the host's format in a random manner, and a reader
// for it.
func randomFile(random *rand.Rand, h Host) ([]byte, func(*testing.T, []byte) map[string]any) {
	pick := func(some ...string) string { return some[random.IntN(len(some))] }
	end := pick("\n", "\n", "\r\n")
	var b strings.Builder
	switch f := h.format.(type) {
	case jsonFile:
		space := func() string {
			return pick("", " ", end, end+"  ", end+"\t", " // x"+end, "/* y */", end+"  // z"+end+"  ")
		}
		object := func(members ...string) string {
			text := "{" + space()
			for i, m := range members {
				text += m + space()
				if i < len(members)-1 || random.IntN(3) == 0 {
					text += "," + space()
				}
			}
			return text + "}"
		}
		value := func() string {
			return pick(`1`, `"a // b"`, `[1, "}"]`, `{"x": {}}`, "{"+end+"  \"y\": null"+end+"}", `true`)
		}
		var members, entries []string
		for i := range random.IntN(4) {
			members = append(members, fmt.Sprintf("%q:%s%s", fmt.Sprint("m", i), space(), value()))
		}
		for i := range random.IntN(3) {
			entries = append(entries, fmt.Sprintf("%q:%s%s", fmt.Sprint("e", i), space(), value()))
		}
		if random.IntN(3) == 0 {
			entries = append(entries, fmt.Sprintf("%q: %s", entry.Name, object(`"command": "old"`, `"mine": 1`)))
		}
		random.Shuffle(len(entries), func(i, j int) { entries[i], entries[j] = entries[j], entries[i] })
		if random.IntN(4) > 0 {
			members = append(members, fmt.Sprintf("%q:%s%s", f.section, space(), object(entries...)))
		}
		random.Shuffle(len(members), func(i, j int) { members[i], members[j] = members[j], members[i] })
		b.WriteString(space() + object(members...) + space())
		return []byte(b.String()), readJSON
	case tomlFile:
		parts := []string{"[a]" + end + "x = 1" + end, "[a.b] # c" + end + "y = \"\"\"" + end + "[" + f.section + ".waymark]" + end + "\"\"\"" + end, "[[c]]" + end + "z = [" + end + "  \"#]\", # d" + end + "]" + end,
			"[" + f.section + ".other]" + end + "command = 'C:\\x'" + end, "# e" + end, end,
			"[" + f.section + ".waymark]" + end + pick("", "command = \"old\" # f"+end) + pick("", "args = []"+end) + "mine = {a = 1}" + end + pick("", "["+f.section+".waymark.env]"+end+"A = \"b\""+end)}
		random.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
		b.WriteString(pick("", "top = true"+end) + strings.Join(parts[:random.IntN(len(parts)+1)], ""))
		return []byte(b.String()), readTOML
	case yamlFile:
		indent := pick("  ", "    ", " ")
		parts := []string{"a: 1" + end, "# b" + end, end, "c:" + end + indent + "- d" + end + indent + "- |" + end + indent + indent + "e" + end, "g: |" + end + indent + f.section + ":" + end + indent + "  waymark: 1" + end}
		entries := []string{indent + "other:" + end + indent + indent + "x: 1 # h" + end, indent + "# i" + end, indent + "last: >-" + end + indent + indent + " j" + end + end + indent + indent + " k" + end,
			indent + "waymark:" + end + indent + indent + pick("cmd: old", "args:"+end+indent+indent+"- l", "mine: {}") + end}
		random.Shuffle(len(entries), func(i, j int) { entries[i], entries[j] = entries[j], entries[i] })
		section := f.section + ":" + pick(" {}"+end, end, end+strings.Join(entries[:1+random.IntN(len(entries))], ""))
		parts = append(parts, section)
		random.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
		b.WriteString(strings.Join(parts[:random.IntN(len(parts)+1)], ""))
		return []byte(b.String()), readYAML
	}
	panic("no such format")
}

func readJSON(t *testing.T, file []byte) map[string]any {
	t.Helper()
	plain, err := hujson.Standardize(bytes.Clone(file))
	var v map[string]any
	if err == nil && len(bytes.TrimSpace(plain)) > 0 {
		err = json.Unmarshal(plain, &v)
	}
	if err != nil {
		t.Fatalf("%v in\n%s", err, file)
	}
	return v
}

func readTOML(t *testing.T, file []byte) map[string]any {
	t.Helper()
	var v map[string]any
	if _, err := toml.Decode(string(file), &v); err != nil {
		t.Fatalf("%v in\n%s", err, file)
	}
	return v
}

func readYAML(t *testing.T, file []byte) map[string]any {
	t.Helper()
	var v map[string]any
	if err := yaml.Unmarshal(file, &v); err != nil {
		t.Fatalf("%v in\n%s", err, file)
	}
	for name, value := range v {
		if value == nil {
			v[name] = map[string]any{} // a section without entries
		}
	}
	return v
}

func TestRefusesWhatItCannotRead(t *testing.T) {
	for name, files := range map[string][]string{
		"cursor": {"{", "[]", "not json", "{\"mcpServers\": {}} x", "\xff"},
		"codex":  {"a =", "[a", "a = 1\na = 2"},
		"goose":  {"a: [", "- a", "a: b: c"},
	} {
		for _, file := range files {
			h := host(t, name)
			if _, err := h.Add([]byte(file), entry); !errors.Is(err, ErrUnreadable) {
				t.Errorf("%s: Add(%q) = %v, want %v", name, file, err, ErrUnreadable)
			}
			if _, err := h.Remove([]byte(file), entry.Name); !errors.Is(err, ErrUnreadable) {
				t.Errorf("%s: Remove(%q) = %v, want %v", name, file, err, ErrUnreadable)
			}
		}
	}
	for name, files := range map[string][]string{
		"cursor": {`{"mcpServers": []}`, `{"mcpServers": {"waymark": 1}}`},
		"codex":  {"mcp_servers.waymark.command = \"x\"\n", "[mcp_servers]\nwaymark = {command = \"x\"}\n"},
		"goose":  {"extensions: {a: 1}\n", "extensions:\n  waymark: {cmd: x}\n", "{a: 1}\n"},
	} {
		for _, file := range files {
			if _, err := host(t, name).Add([]byte(file), entry); !errors.Is(err, ErrLayout) {
				t.Errorf("%s: Add(%q) = %v, want %v", name, file, err, ErrLayout)
			}
		}
	}
}

func TestPaths(t *testing.T) {
	want := map[string][2]string{
		"claude-code":    {"/h/.claude.json", "/h/.claude.json"},
		"claude-desktop": {"/h/.config/Claude/claude_desktop_config.json", "/h/Library/Application Support/Claude/claude_desktop_config.json"},
		"codex":          {"/h/.codex/config.toml", "/h/.codex/config.toml"},
		"cursor":         {"/h/.cursor/mcp.json", "/h/.cursor/mcp.json"},
		"gemini-cli":     {"/h/.gemini/settings.json", "/h/.gemini/settings.json"},
		"goose":          {"/h/.config/goose/config.yaml", "/h/.config/goose/config.yaml"},
		"opencode":       {"/h/.config/opencode/opencode.json", "/h/.config/opencode/opencode.json"},
		"vscode":         {"/h/.config/Code/User/mcp.json", "/h/Library/Application Support/Code/User/mcp.json"},
		"windsurf":       {"/h/.codeium/windsurf/mcp_config.json", "/h/.codeium/windsurf/mcp_config.json"},
		"zed":            {"/h/.config/zed/settings.json", "/h/.config/zed/settings.json"},
	}
	if len(All()) != len(want) {
		t.Errorf("there are %d hosts, want %d", len(All()), len(want))
	}
	for _, h := range All() {
		for i, system := range []string{"linux", "darwin"} {
			if got := h.Path(Place{Home: "/h", System: system, Getenv: func(string) string { return "" }}); got != want[h.Name][i] {
				t.Errorf("Path(%s, %s) = %s, want %s", h.Name, system, got, want[h.Name][i])
			}
		}
	}
	moved := Place{Home: "/h", System: "linux", Getenv: func(name string) string { return "/moved/" + name }}
	for name, want := range map[string]string{"claude-code": "/moved/CLAUDE_CONFIG_DIR/.claude.json", "codex": "/moved/CODEX_HOME/config.toml", "zed": "/moved/XDG_CONFIG_HOME/zed/settings.json"} {
		if got := host(t, name).Path(moved); got != want {
			t.Errorf("Path(%s) = %s, want %s", name, got, want)
		}
	}
	if _, err := Find("emacs"); !errors.Is(err, ErrUnknownHost) || !strings.Contains(err.Error(), "claude-code") {
		t.Errorf("Find(emacs) = %v", err)
	}
}
