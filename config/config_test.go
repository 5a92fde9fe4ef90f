package config

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var testPaths = Paths{Data: "/d", Socket: "/d/s"}

func origins(values []Value) map[string]string {
	m := map[string]string{}
	for _, v := range values {
		m[v.Key] = v.Origin
	}
	return m
}

func TestEachSourceGoesOverTheOneBefore(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config.yaml")
	if err := os.WriteFile(path, []byte("data: /file\nsocket: /file/s\nkb:\n  review_due_after_days: 30\nlog: {level: warn}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	c, values, err := Load(Sources{File: path, Paths: testPaths,
		Environment: map[string]string{"WAYMARK_SOCKET": "/env/s", "KB_REVIEW_DUE_AFTER_DAYS": "60", "WAYMARK_GROUP": ""},
		Flags:       map[string]any{"kb.review_due_after_days": 90}})
	if err != nil {
		t.Fatal(err)
	}
	want := Config{Data: "/file", Socket: "/env/s", Log: Log{"warn", "text"}, Index: Index{150_000},
		KB: KB{TimeZone: "Local", ReviewDueAfterDays: 90}, Activity: Activity{365, 100_000}}
	if d := cmp.Diff(want, *c); d != "" {
		t.Errorf("Load (-want +got):\n%s", d)
	}
	got := origins(values)
	for key, origin := range map[string]string{"data": path, "socket": "WAYMARK_SOCKET", "kb.review_due_after_days": "flag", "log.format": "default"} {
		if got[key] != origin {
			t.Errorf("origin of %s = %q, want %q", key, got[key], origin)
		}
	}
}

func TestBadValuesAreNamedWithTheirOrigin(t *testing.T) {
	for _, c := range []struct {
		name, file string
		env        map[string]string
		says       []string
	}{
		{"unknown key", "colour: red\n", nil, []string{`unknown key "colour"`, "config.yaml", "kb.time_zone"}},
		{"unknown nested key", "kb: {zone: UTC}\n", nil, []string{`unknown key "kb.zone"`}},
		{"not yaml", "a: [\n", nil, []string{"config.yaml"}},
		{"zone", "", map[string]string{"WAYMARK_KB_TIME_ZONE": "Mars/Olympus"}, []string{"kb.time_zone", "WAYMARK_KB_TIME_ZONE", "Mars/Olympus"}},
		{"level", "", map[string]string{"WAYMARK_LOG_LEVEL": "loud"}, []string{"log.level", "debug, info, warn or error"}},
		{"not a number", "", map[string]string{"KB_REVIEW_DUE_AFTER_DAYS": "soon"}, []string{"review_due_after_days"}},
		{"negative", "activity: {max_records: -1}\n", nil, []string{"activity.max_records", "0 or more"}},
		{"empty path", "data: \"\"\n", nil, []string{"data", "takes a path"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := ""
			if c.file != "" {
				path = filepath.Join(t.TempDir(), "config.yaml")
				if err := os.WriteFile(path, []byte(c.file), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			_, _, err := Load(Sources{File: path, Environment: c.env, Paths: testPaths})
			if !errors.Is(err, ErrInvalid) {
				t.Fatalf("Load = %v, want ErrInvalid", err)
			}
			for _, say := range c.says {
				if !strings.Contains(err.Error(), say) {
					t.Errorf("Load = %v, want a text with %q", err, say)
				}
			}
		})
	}
}

func TestAMissingNamedFileIsAnError(t *testing.T) {
	if _, _, err := Load(Sources{File: "/does/not/exist.yaml", Paths: testPaths}); !errors.Is(err, ErrInvalid) {
		t.Errorf("Load = %v, want ErrInvalid", err)
	}
}

func TestDefaultPaths(t *testing.T) {
	env := map[string]string{"HOME": "/home/a"}
	getenv := func(name string) string { return env[name] }
	if got := DefaultPaths(1000, getenv); got.Data != "/home/a/.local/share/waymark" || got.Socket != "/home/a/.local/share/waymark/waymark.sock" {
		t.Errorf("DefaultPaths = %+v", got)
	}
	env["XDG_RUNTIME_DIR"] = "/run/user/1000"
	if got := DefaultPaths(1000, getenv).Socket; got != "/run/user/1000/waymark/waymark.sock" {
		t.Errorf("Socket = %q", got)
	}
	if got := DefaultPaths(0, getenv); got.Data != "/var/lib/waymark" {
		t.Errorf("DefaultPaths of root = %+v", got)
	}
}
