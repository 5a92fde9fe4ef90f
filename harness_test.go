package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/urfave/cli/v2"

	"waymark/client"
	"waymark/config"
)

// asProgram makes the test binary behave as the program, for tests that need a
// process of their own: one that can be killed.
const asProgram = "WAYMARK_TEST_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main()
	}
	// The tests see no configuration of the machine they run on.
	for _, pair := range os.Environ() {
		name, _, _ := strings.Cut(pair, "=")
		if strings.HasPrefix(name, "WAYMARK_") || strings.HasPrefix(name, "KB_") {
			os.Unsetenv(name)
		}
	}
	code := m.Run()
	shared.stop()
	os.Exit(code)
}

// outcome is what a run of the program left behind.
type outcome struct {
	code           int
	stdout, stderr string
}

// runWith runs the program in this process with a text on stdin.
func runWith(t *testing.T, ctx context.Context, stdin string, args ...string) outcome {
	t.Helper()
	dir := t.TempDir()
	file := func(name, content string) *os.File {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		f, err := os.OpenFile(path, os.O_RDWR, 0)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close() })
		return f
	}
	in, out, errs := file("in", stdin), file("out", ""), file("err", "")
	var o outcome
	o.code = run(ctx, append([]string{"waymark"}, args...), in, out, errs)
	for f, text := range map[*os.File]*string{out: &o.stdout, errs: &o.stderr} {
		if _, err := f.Seek(0, io.SeekStart); err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(f)
		if err != nil {
			t.Fatal(err)
		}
		*text = string(b)
	}
	return o
}

// bare runs the program with nothing on stdin.
func bare(t *testing.T, args ...string) outcome {
	t.Helper()
	return runWith(t, context.Background(), "", args...)
}

// want checks how a run ended and that its two outputs say what they must.
func (o outcome) want(t *testing.T, code int, says ...string) outcome {
	t.Helper()
	if o.code != code {
		t.Errorf("exit code %d, want %d; stdout %q, stderr %q", o.code, code, o.stdout, o.stderr)
	}
	for _, say := range says {
		if !strings.Contains(o.stdout+o.stderr, say) {
			t.Errorf("%q is in neither stdout %q nor stderr %q", say, o.stdout, o.stderr)
		}
	}
	return o
}

// document reads stdout as exactly one JSON document.
func document[T any](t *testing.T, o outcome) T {
	t.Helper()
	var v T
	d := json.NewDecoder(strings.NewReader(o.stdout))
	if err := d.Decode(&v); err != nil {
		t.Fatalf("stdout is no JSON document (%v): %q; stderr %q", err, o.stdout, o.stderr)
	}
	if rest, _ := io.ReadAll(d.Buffered()); len(bytes.TrimSpace(rest)) > 0 {
		t.Errorf("stdout has more than one document: %q", o.stdout)
	}
	return v
}

// host is a daemon that a test talks to.
type host struct {
	cfg *config.Config
	end func() error
	dir string
}

// shortDir makes a directory whose path leaves room for the name of a socket.
func shortDir() (string, error) { return os.MkdirTemp("", "wm") }

// newHost starts a daemon in this process. It stands on the demo's day.
func newHost(change func(*config.Config)) (*host, error) {
	dir, err := shortDir()
	if err != nil {
		return nil, err
	}
	h := &host{dir: dir, cfg: &config.Config{Data: filepath.Join(dir, "data"), Socket: filepath.Join(dir, "s"), Log: config.Log{Level: "error", Format: "text"},
		KB: config.KB{TimeZone: "UTC"}, Index: config.Index{GraphRows: 150_000}}}
	if change != nil {
		change(h.cfg)
	}
	return h, h.start()
}

func (h *host) start() (err error) {
	started := time.Now()
	h.end, err = startPrivate(context.Background(), h.cfg, os.Stderr, func() time.Time { return demoDay.Add(time.Since(started)) })
	return err
}

func (h *host) close() error {
	defer os.RemoveAll(h.dir)
	return h.end()
}

// ownHost starts a daemon for one test.
func ownHost(t *testing.T, change func(*config.Config)) *host {
	t.Helper()
	h, err := newHost(change)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := h.close(); err != nil {
			t.Errorf("the daemon ended with %v", err)
		}
	})
	return h
}

// run runs a command against the daemon.
func (h *host) run(t *testing.T, args ...string) outcome {
	t.Helper()
	return bare(t, append([]string{"--socket", h.cfg.Socket}, args...)...)
}

// shared is the daemon of the tests that need none of their own; each of them
// has a workspace in it.
var shared sharedHost

type sharedHost struct {
	once, company sync.Once
	host          *host
	err           error
	output        string // of the demo
	companyErr    error
	workspaces    int
}

func (s *sharedHost) get(t *testing.T) *host {
	t.Helper()
	s.once.Do(func() { s.host, s.err = newHost(nil) })
	if s.err != nil {
		t.Fatal(s.err)
	}
	return s.host
}

func (s *sharedHost) stop() {
	if s.host != nil && s.err == nil {
		if err := s.host.close(); err != nil {
			fmt.Fprintln(os.Stderr, "the shared daemon ended with", err)
		}
	}
}

// place is a workspace of a daemon.
type place struct {
	*host
	workspace string
}

// newPlace makes an empty workspace in the shared daemon.
func newPlace(t *testing.T) place {
	t.Helper()
	h := shared.get(t)
	shared.workspaces++
	p := place{h, fmt.Sprintf("place %d", shared.workspaces)}
	h.run(t, "workspace", "create", p.workspace).want(t, 0)
	return p
}

// run runs a command in the workspace.
func (p place) run(t *testing.T, args ...string) outcome {
	t.Helper()
	return p.host.run(t, append([]string{"-w", p.workspace}, args...)...)
}

// sampleCompany is the workspace in which the demo ran, and what it printed.
func sampleCompany(t *testing.T) (place, string) {
	t.Helper()
	h := shared.get(t)
	shared.company.Do(func() {
		out, err := os.CreateTemp(h.dir, "demo")
		if err != nil {
			shared.companyErr = err
			return
		}
		defer out.Close()
		app := newApp(os.Stdin, out, os.Stderr)
		s := &session{Context: cli.NewContext(app, flag.NewFlagSet("demo", flag.ContinueOnError), &cli.Context{Context: context.Background()}),
			client: client.New(h.cfg.Socket, client.Options{Workspace: "demo"}), out: newTerminal(out, os.Getenv)}
		defer s.client.Close()
		if shared.companyErr = demonstrate(s, time.Second); shared.companyErr != nil {
			return
		}
		b, err := os.ReadFile(out.Name())
		shared.output, shared.companyErr = string(b), err
	})
	if shared.companyErr != nil {
		t.Fatal(shared.companyErr)
	}
	return place{h, "demo"}, shared.output
}

// write makes a file in a directory of the test and returns its path.
func write(t *testing.T, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// program is the test binary as a process of its own, with environment
// variables on top.
func program(env []string, args ...string) *exec.Cmd {
	c := exec.Command(os.Args[0], args...)
	c.Env = append(append(os.Environ(), asProgram+"=1"), env...)
	return c
}
