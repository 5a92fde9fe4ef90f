package config

import (
	"os"
	"path/filepath"
)

// Paths are the default locations of one user.
type Paths struct {
	Data   string // directory of the database and the index
	Socket string
	Files  []string // configuration files, of which the first that exists is read
}

// DefaultPaths follows the XDG base directories for an ordinary user, and the
// file hierarchy standard for root.
func DefaultPaths(uid int, getenv func(string) string) Paths {
	if uid == 0 {
		return Paths{Data: "/var/lib/waymark", Socket: "/run/waymark/waymark.sock", Files: []string{"/etc/waymark/config.yaml"}}
	}
	home := getenv("HOME")
	or := func(name, fallback string) string {
		if dir := getenv(name); filepath.IsAbs(dir) {
			return dir
		}
		return filepath.Join(home, fallback)
	}
	p := Paths{Data: filepath.Join(or("XDG_DATA_HOME", ".local/share"), "waymark"),
		Files: []string{filepath.Join(or("XDG_CONFIG_HOME", ".config"), "waymark", "config.yaml"), "/etc/waymark/config.yaml"}}
	p.Socket = filepath.Join(p.Data, "waymark.sock")
	if dir := getenv("XDG_RUNTIME_DIR"); filepath.IsAbs(dir) {
		p.Socket = filepath.Join(dir, "waymark", "waymark.sock")
	}
	return p
}

// FindFile returns the configuration file to read: the one that WAYMARK_CONFIG
// names, else the first of Files that exists, else none.
func (p Paths) FindFile(getenv func(string) string) string {
	if named := getenv("WAYMARK_CONFIG"); named != "" {
		return named
	}
	for _, f := range p.Files {
		if _, err := os.Stat(f); err == nil {
			return f
		}
	}
	return ""
}
