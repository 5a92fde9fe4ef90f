package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"waymark/server"
)

// patience is how long a test waits for a process on a busy machine.
const patience = 30 * time.Second

// served is a daemon in a process of its own.
type served struct {
	*exec.Cmd
	socket string
	ready  time.Duration // as it said itself
	log    *bytes.Buffer // read it after the process ended
}

// serve starts the daemon as a process and waits until it says that it is ready.
func serve(t *testing.T, dir string, args ...string) *served {
	t.Helper()
	s := &served{socket: filepath.Join(dir, "s"), log: &bytes.Buffer{}}
	s.Cmd = program(nil, append([]string{"serve", "--data", filepath.Join(dir, "data"), "--socket", s.socket, "--log-format", "json"}, args...)...)
	stderr, err := s.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Process.Kill(); _ = s.Wait() })
	ready := make(chan time.Duration, 1)
	go func() {
		defer close(ready)
		lines := bufio.NewScanner(stderr)
		for lines.Scan() {
			fmt.Fprintln(s.log, lines.Text())
			var line struct {
				Msg string `json:"msg"`
				MS  int64  `json:"ms"`
			}
			if json.Unmarshal(lines.Bytes(), &line) == nil && line.Msg == "ready" {
				ready <- time.Duration(line.MS) * time.Millisecond
			}
		}
	}()
	select {
	case took, ok := <-ready:
		if !ok {
			t.Fatalf("the daemon ended at once: %s", s.log)
		}
		s.ready = took
	case <-time.After(patience):
		t.Fatal("the daemon is not ready")
	}
	return s
}

// ends waits for the process and returns its exit code; −1 when a signal ended
// it.
func (s *served) ends(t *testing.T) int {
	t.Helper()
	done := make(chan struct{})
	go func() { defer close(done); _ = s.Wait() }()
	select {
	case <-done:
	case <-time.After(patience):
		t.Fatal("the daemon does not end")
	}
	return s.ProcessState.ExitCode()
}

func testDir(t *testing.T) string {
	t.Helper()
	dir, err := shortDir()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

func mode(t *testing.T, path string) os.FileMode {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Mode()
}

// TestTheDaemonAsAProcess starts it, asks it, and ends it by SIGTERM while a call
// is under way.
func TestTheDaemonAsAProcess(t *testing.T) {
	dir := testDir(t)
	d := serve(t, dir)
	t.Logf("ready in %v", d.ready)
	if d.ready > 5*time.Second {
		t.Errorf("ready in %v, want about a third of a second", d.ready)
	}
	for path, want := range map[string]os.FileMode{d.socket: os.ModeSocket | 0o660, filepath.Join(dir, "data"): os.ModeDir | 0o700, filepath.Join(dir, "data", "waymark.db"): 0o600} {
		if got := mode(t, path); got != want {
			t.Errorf("mode of %s = %v, want %v", path, got, want)
		}
	}
	bare(t, "health", "--socket", d.socket).want(t, 0, "ready")
	bare(t, "status", "--socket", d.socket).want(t, 0, fmt.Sprintf("process %d", d.Process.Pid))
	second := bare(t, "serve", "--data", filepath.Join(dir, "data"), "--socket", filepath.Join(dir, "s2"))
	second.want(t, exitFailed, "database is in use", fmt.Sprintf("process %d (%s)", d.Process.Pid, d.socket))

	// A call whose body is still on its way when the signal comes.
	c, err := net.Dial("unix", d.socket)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	body := `{"name": "made at the last moment"}`
	fmt.Fprintf(c, "POST /v1/workspaces HTTP/1.1\r\nHost: waymark\r\nContent-Length: %d\r\n\r\n%s", len(body), body[:5])
	time.Sleep(100 * time.Millisecond) // so that the daemon reads it before the signal
	if err := d.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	time.Sleep(200 * time.Millisecond)
	if _, err := io.WriteString(c, body[5:]); err != nil {
		t.Fatal(err)
	}
	answer, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil || answer.StatusCode != http.StatusOK {
		t.Errorf("the call under way got %v, %v", answer, err)
	}
	if code := d.ends(t); code != exitGood {
		t.Errorf("after SIGTERM the daemon ends with %d: %s", code, d.log)
	}
	if _, err := os.Lstat(d.socket); !os.IsNotExist(err) {
		t.Errorf("the socket is left behind: %v", err)
	}
	bare(t, "health", "--socket", d.socket).want(t, exitUnreachable, "waymark serve")

	again := serve(t, dir)
	bare(t, "workspace", "list", "--socket", d.socket).want(t, 0, "made at the last moment")
	if err := again.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if code := again.ends(t); code != exitGood {
		t.Errorf("after an interrupt the daemon ends with %d: %s", code, again.log)
	}
}

// TestWhatKeepsADaemonFromStarting: each ends within two seconds, says what is in
// the way, and leaves it alone.
func TestWhatKeepsADaemonFromStarting(t *testing.T) {
	h := shared.get(t)
	dir := testDir(t)
	path := func(name string) string { return filepath.Join(dir, name) }
	plain := path("plain")
	if err := os.WriteFile(plain, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{"garbage": strings.Repeat("no database ", 1000), "short": "x"} {
		if err := os.MkdirAll(path(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(path(name), "waymark.db"), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	long := path(strings.Repeat("x", 100))
	for _, c := range []struct {
		name string
		args []string
		says []string
	}{
		{"the same data", []string{"--data", h.cfg.Data, "--socket", path("a")}, []string{"database is in use", fmt.Sprintf("process %d (%s)", os.Getpid(), h.cfg.Socket)}},
		{"the same socket", []string{"--data", path("d"), "--socket", h.cfg.Socket}, []string{"another process uses the socket path", fmt.Sprintf("process %d", os.Getpid())}},
		{"a file at the socket path", []string{"--data", path("d"), "--socket", plain}, []string{"a file that is not a socket"}},
		{"a folder at the socket path", []string{"--data", path("d"), "--socket", dir}, []string{"a file that is not a socket"}},
		{"a socket path too long", []string{"--data", path("d"), "--socket", long}, []string{"too long", fmt.Sprintf("%d bytes, at most ", len(long))}},
		{"data is a file", []string{"--data", plain, "--socket", path("a")}, []string{"data directory", "not a directory"}},
		{"data below a file", []string{"--data", filepath.Join(plain, "d"), "--socket", path("a")}, []string{"data directory", "not a directory"}},
		{"no database", []string{"--data", path("garbage"), "--socket", path("a")}, []string{"not a Waymark database"}},
		{"a short file", []string{"--data", path("short"), "--socket", path("a")}, []string{"waymark.db"}},
		{"no such model", []string{"--data", path("d"), "--socket", path("a"), "--model", path("nosuch.wmodel")}, []string{"nosuch.wmodel"}},
		{"no such group", []string{"--data", path("d"), "--socket", path("a"), "--group", "no such group"}, []string{`"no such group"`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			began := time.Now()
			bare(t, append([]string{"serve"}, c.args...)...).want(t, exitFailed, c.says...)
			if took := time.Since(began); took > 2*time.Second {
				t.Errorf("it took %v, want less than two seconds", took)
			}
		})
	}
	if b, err := os.ReadFile(plain); err != nil || string(b) != "mine" {
		t.Errorf("the file at the socket path is now %q, %v", b, err)
	}
	if b, err := os.ReadFile(filepath.Join(path("garbage"), "waymark.db")); err != nil || !strings.HasPrefix(string(b), "no database ") {
		t.Errorf("the file that is no database is now %.20q, %v", b, err)
	}
	h.run(t, "health").want(t, 0, "ready")
}

// TestASocketThatDoesNotAnswerInTime is held by somebody who does not take
// connections: whether it is a leftover is unclear, so it is left alone.
func TestASocketThatDoesNotAnswerInTime(t *testing.T) {
	dir := testDir(t)
	path := filepath.Join(dir, "s")
	fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(fd)
	if err := unix.Bind(fd, &unix.SockaddrUnix{Name: path}); err != nil {
		t.Fatal(err)
	}
	if err := unix.Listen(fd, 0); err != nil {
		t.Fatal(err)
	}
	for range 3 { // fill the queue of connections that nobody takes
		if c, err := net.DialTimeout("unix", path, 100*time.Millisecond); err == nil {
			defer c.Close()
		}
	}
	bare(t, "serve", "--data", filepath.Join(dir, "d"), "--socket", path).want(t, exitFailed, "whether somebody listens is unclear")
	if mode(t, path)&os.ModeSocket == 0 {
		t.Error("the socket is gone")
	}
}

// TestALeftoverSocketIsReplaced: nobody listens there any more.
func TestALeftoverSocketIsReplaced(t *testing.T) {
	dir := testDir(t)
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: filepath.Join(dir, "s"), Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	l.SetUnlinkOnClose(false)
	l.Close()
	d := serve(t, dir)
	bare(t, "health", "--socket", d.socket).want(t, 0, "ready")
}

// TestARestartAnswersTheSame asks the judged questions before and after, and once
// more after the derived data was deleted.
func TestARestartAnswersTheSame(t *testing.T) {
	p, _ := sampleCompany(t)
	p.run(t, "ask", "unused vacation").want(t, 0)
	questions, err := os.ReadFile("testdata/company/questions.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	answers := func() string {
		var b strings.Builder
		lines := strings.Split(strings.TrimSpace(string(questions)), "\n")
		for i := 0; i < len(lines); i += 5 {
			var q struct {
				Tool    string         `json:"tool"`
				Query   string         `json:"query"`
				Filters map[string]any `json:"filters"`
			}
			if err := json.Unmarshal([]byte(lines[i]), &q); err != nil {
				t.Fatal(err)
			}
			arguments := map[string]any{"query": q.Query, "explain": true}
			for name, v := range q.Filters {
				arguments[name] = v
			}
			b.WriteString(p.run(t, "call", q.Tool, toJSON(t, arguments)).want(t, 0).stdout)
		}
		for _, args := range [][]string{{"export"}, {"kb", "list", "--json"}, {"kb", "outline", "--json"}, {"trail", "list", "--json"}, {"rule", "history", "INV-001", "--json"}} {
			b.WriteString(p.run(t, args...).want(t, 0).stdout)
		}
		return b.String()
	}
	records := func() []string {
		var all []string
		for _, a := range document[server.ActivityPage](t, p.run(t, "activity", "People", "--json", "--limit", "1000").want(t, 0)).Records {
			all = append(all, a.Time.String()+" "+a.Query)
		}
		return all
	}
	want := answers()
	kept := records()
	for _, fresh := range []bool{false, true} {
		if err := p.end(); err != nil {
			t.Fatal(err)
		}
		if fresh {
			if err := os.RemoveAll(filepath.Join(p.cfg.Data, "index")); err != nil {
				t.Fatal(err)
			}
		}
		began := time.Now()
		if err := p.start(); err != nil {
			t.Fatal(err)
		}
		t.Logf("ready in %v, index deleted before: %v", time.Since(began), fresh)
		if got := records(); len(got) != len(kept) || len(got) == 0 || got[0] != kept[0] {
			t.Errorf("%d records of activity survive of %d", len(got), len(kept))
		}
		if got := answers(); got != want {
			t.Errorf("answers differ after a restart (index deleted before: %v): %s", fresh, firstDifference(want, got))
		}
		kept = records()
	}
}

// firstDifference shows two texts around where they part.
func firstDifference(a, b string) string {
	i := 0
	for i < min(len(a), len(b)) && a[i] == b[i] {
		i++
	}
	around := func(s string) string { return s[max(0, i-80):min(len(s), i+80)] }
	return fmt.Sprintf("%q, want %q", around(b), around(a))
}
