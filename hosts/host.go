package hosts

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Entry is the server as every host is told of it.
type Entry struct {
	// Name is the name that the host shows.
	Name string
	// Command is the program, as an absolute path: hosts that are started from
	// a desktop do not have the PATH of a shell.
	Command string
	Args    []string
}

// Host is one agent host.
type Host struct {
	// Name is what the command line calls it, Title what people do.
	Name, Title string

	// paths lists where the host looks for its file, in the order of preference.
	paths  func(Place) []string
	format format
}

// Place is the machine and the user whose files are meant.
type Place struct {
	Home   string
	System string // as runtime.GOOS
	Getenv func(string) string
}

// config is the directory of configuration: XDG_CONFIG_HOME or its default.
func (p Place) config(parts ...string) string {
	base := p.Getenv("XDG_CONFIG_HOME")
	if !filepath.IsAbs(base) {
		base = filepath.Join(p.Home, ".config")
	}
	return filepath.Join(append([]string{base}, parts...)...)
}

// application is where desktop programs keep their files.
func (p Place) application(parts ...string) string {
	if p.System == "darwin" {
		return filepath.Join(append([]string{p.Home, "Library", "Application Support"}, parts...)...)
	}
	return p.config(parts...)
}

// home is a path below the user's home, or below what a variable names instead.
func (p Place) home(variable, fallback string, parts ...string) string {
	base := ""
	if variable != "" {
		base = p.Getenv(variable)
	}
	return filepath.Join(append([]string{cmp.Or(base, filepath.Join(p.Home, fallback))}, parts...)...)
}

// All lists the hosts by name.
func All() []Host {
	stdio := func(e Entry) []member {
		return []member{{"type", "stdio"}, {"command", e.Command}, {"args", e.Args}}
	}
	plain := func(e Entry) []member { return []member{{"command", e.Command}, {"args", e.Args}} }
	one := func(path func(Place) string) func(Place) []string {
		return func(p Place) []string { return []string{path(p)} }
	}
	hosts := []Host{
		{"claude-code", "Claude Code", one(func(p Place) string {
			if dir := p.Getenv("CLAUDE_CONFIG_DIR"); dir != "" {
				return filepath.Join(dir, ".claude.json")
			}
			return filepath.Join(p.Home, ".claude.json")
		}), jsonFile{"mcpServers", stdio}},
		{"claude-desktop", "Claude Desktop", one(func(p Place) string {
			return p.application("Claude", "claude_desktop_config.json")
		}), jsonFile{"mcpServers", plain}},
		{"codex", "Codex", one(func(p Place) string { return p.home("CODEX_HOME", ".codex", "config.toml") }), tomlFile{"mcp_servers"}},
		{"cursor", "Cursor", one(func(p Place) string { return p.home("", ".cursor", "mcp.json") }), jsonFile{"mcpServers", stdio}},
		{"gemini-cli", "Gemini CLI", one(func(p Place) string { return p.home("", ".gemini", "settings.json") }), jsonFile{"mcpServers", plain}},
		{"goose", "Goose", one(func(p Place) string { return p.config("goose", "config.yaml") }), yamlFile{"extensions"}},
		{"opencode", "opencode", func(p Place) []string {
			return []string{p.config("opencode", "opencode.json"), p.config("opencode", "opencode.jsonc")}
		}, jsonFile{"mcp", func(e Entry) []member {
			return []member{{"type", "local"}, {"command", append([]string{e.Command}, e.Args...)}, {"enabled", true}}
		}}},
		{"vscode", "VS Code", one(func(p Place) string { return p.application("Code", "User", "mcp.json") }), jsonFile{"servers", stdio}},
		{"windsurf", "Windsurf", one(func(p Place) string { return p.home("", ".codeium", "windsurf", "mcp_config.json") }), jsonFile{"mcpServers", plain}},
		{"zed", "Zed", one(func(p Place) string { return p.config("zed", "settings.json") }), jsonFile{"context_servers", func(e Entry) []member {
			return []member{{"source", "custom"}, {"command", e.Command}, {"args", e.Args}}
		}}},
	}
	slices.SortFunc(hosts, func(a, b Host) int { return cmp.Compare(a.Name, b.Name) })
	return hosts
}

// Find finds a host by name. The error lists the names.
func Find(name string) (Host, error) {
	var names []string
	for _, h := range All() {
		if h.Name == name {
			return h, nil
		}
		names = append(names, h.Name)
	}
	return Host{}, fmt.Errorf("%w: %q; the hosts are %s", ErrUnknownHost, name, strings.Join(names, ", "))
}

// Path is the host's file: the first of its places where there is one, else the
// first of its places.
func (h Host) Path(p Place) string {
	paths := h.paths(p)
	for _, path := range paths {
		if _, err := os.Stat(path); err == nil {
			return path
		}
	}
	return paths[0]
}

// format is a kind of file. Each method takes the file as it is, nil for one
// that does not exist.
type format interface {
	// add returns the file with the entry, the very bytes when it has it.
	add(file []byte, e Entry) ([]byte, error)
	// remove returns the file without the entry of that name, the very bytes
	// when it has none.
	remove(file []byte, name string) ([]byte, error)
	// has tells whether there is an entry of that name.
	has(file []byte, name string) (bool, error)
}

// Add returns the file with the entry in it. A file that has it already comes
// back as it is.
func (h Host) Add(file []byte, e Entry) ([]byte, error) {
	after, err := h.format.add(file, e)
	return h.checked(after, err, e.Name, true)
}

// Remove returns the file without the entry of that name. A file that has none
// comes back as it is.
func (h Host) Remove(file []byte, name string) ([]byte, error) {
	after, err := h.format.remove(file, name)
	return h.checked(after, err, name, false)
}

// checked refuses an edit that the host could not read, or that did not do what
// it was to do: better none than a broken file.
func (h Host) checked(after []byte, err error, name string, want bool) ([]byte, error) {
	if err != nil {
		return nil, err
	}
	if has, err := h.format.has(after, name); err != nil || has != want {
		return nil, fmt.Errorf("%w: it is laid out in a way that an edit would break", ErrLayout)
	}
	return after, nil
}

// Has tells whether the file has an entry of that name.
func (h Host) Has(file []byte, name string) (bool, error) { return h.format.has(file, name) }
