package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// pseudoTerminal opens a terminal: what is written to screen can be read from
// keyboard's side, and the other way round.
func pseudoTerminal(t *testing.T) (screen, behind *os.File) {
	t.Helper()
	behind, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("no pseudo-terminals here: %v", err)
	}
	t.Cleanup(func() { behind.Close() })
	if err := unix.IoctlSetPointerInt(int(behind.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Skipf("no pseudo-terminals here: %v", err)
	}
	number, err := unix.IoctlGetInt(int(behind.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	if screen, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0); err != nil {
		t.Skipf("no pseudo-terminals here: %v", err)
	}
	return screen, behind
}

// onTerminal runs the program with its outputs on a terminal, and returns what
// the terminal was sent.
func onTerminal(t *testing.T, ctx context.Context, typed string, args ...string) (code int, shown string) {
	t.Helper()
	screen, behind := pseudoTerminal(t)
	if _, err := io.WriteString(behind, typed); err != nil {
		t.Fatal(err)
	}
	done := make(chan string)
	go func() {
		b, _ := io.ReadAll(behind) // ends with an error when the other side closes
		done <- string(b)
	}()
	code = run(ctx, append([]string{"waymark"}, args...), screen, screen, screen)
	// A question that was interrupted still reads; it must let go of the file.
	if _, err := io.WriteString(behind, "\n"); err != nil {
		t.Fatal(err)
	}
	screen.Close()
	return code, <-done
}

func TestColoursOnATerminal(t *testing.T) {
	p, _ := sampleCompany(t)
	args := []string{"ask", "unused vacation", "--socket", p.cfg.Socket, "-w", p.workspace}
	t.Setenv("TERM", "xterm")
	if _, shown := onTerminal(t, context.Background(), "", args...); !strings.Contains(shown, "\x1b[1m") {
		t.Errorf("no colours on a terminal: %q", shown)
	}
	if o := bare(t, args...); strings.Contains(o.stdout, "\x1b") {
		t.Errorf("colours in a file: %q", o.stdout)
	}
	for _, off := range []struct{ name, value string }{{"NO_COLOR", "1"}, {"TERM", "dumb"}} {
		t.Run(off.name, func(t *testing.T) {
			t.Setenv(off.name, off.value)
			if _, shown := onTerminal(t, context.Background(), "", args...); strings.Contains(shown, "\x1b") || !strings.Contains(shown, "PEO-010") {
				t.Errorf("with %s=%s a terminal is sent %q", off.name, off.value, shown)
			}
		})
	}
}

func TestProgressOnATerminalOnly(t *testing.T) {
	p := newPlace(t)
	file := write(t, "rules.jsonl", `{"trail": "Desk", "text": "Lamps are switched off at night."}`)
	at := []string{"--socket", p.cfg.Socket, "-w", p.workspace}
	if _, shown := onTerminal(t, context.Background(), "", append([]string{"import", file}, at...)...); !strings.Contains(shown, "write 1 of 1") {
		t.Errorf("no progress on a terminal: %q", shown)
	}
	if o := p.run(t, "import", write(t, "more.jsonl", `{"trail": "Desk", "text": "Chairs stand still."}`)); strings.Contains(o.stderr, "write 1") {
		t.Errorf("progress in a file: %q", o.stderr)
	}
}

func TestHostileTextIsTamedOnATerminal(t *testing.T) {
	p := newPlace(t)
	p.run(t, "trail", "create", "Desk").want(t, 0)
	p.run(t, "rule", "add", "--trail", "Desk", "--approve", "Desks are paid for by the company.").want(t, 0)
	question := "who pays for \u009b2J desks \u202e"
	t.Setenv("NO_COLOR", "1")
	for _, args := range [][]string{{"ask", question, "--json"}, {"call", "search_trail_rules", `{"query": "` + question + `"}`}, {"activity", "Desk", "--json"}, {"export"}, {"export", "--format", "csv"}} {
		code, shown := onTerminal(t, context.Background(), "", append(args, "--socket", p.cfg.Socket, "-w", p.workspace)...)
		if left := strings.Trim(controls(shown), "\r"); code != exitGood || left != "" {
			t.Errorf("waymark %q = %d lets %q through: %q", args, code, left, shown)
		}
		if args[0] != "export" && !strings.Contains(shown, `\u009b`) {
			t.Errorf("waymark %q shows %q, want the question with its escapes", args, shown)
		}
	}
	if code, shown := onTerminal(t, context.Background(), "", "export", "--format", "xlsx", "--socket", p.cfg.Socket, "-w", p.workspace); code != exitUsage {
		t.Errorf("a workbook on a terminal = %d: %q", code, shown)
	}
}

func TestQuestionsBeforeALoss(t *testing.T) {
	p := newPlace(t)
	at := []string{"--socket", p.cfg.Socket, "-w", p.workspace}
	p.run(t, "trail", "create", "Desk").want(t, 0)
	p.run(t, "trail", "delete", "Desk").want(t, exitUsage, "--yes")
	ask := func(ctx context.Context, typed string, code int) {
		t.Helper()
		if got, shown := onTerminal(t, ctx, typed, append([]string{"trail", "delete", "Desk"}, at...)...); got != code || !strings.Contains(shown, "[y/N]") {
			t.Errorf("answered %q, deleting = %d, want %d: %q", typed, got, code, shown)
		}
	}
	ask(context.Background(), "n\n", exitFailed)
	ask(context.Background(), "\n", exitFailed)
	interrupted, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
	defer cancel()
	ask(interrupted, "", exitFailed)
	p.run(t, "trail", "show", "Desk").want(t, 0)
	ask(context.Background(), "y\n", exitGood)
	p.run(t, "trail", "show", "Desk").want(t, exitNotFound)
}

// TestAFullDiskIsNoSuccess: what could not be written is not passed over.
func TestAFullDiskIsNoSuccess(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skipf("no /dev/full here: %v", err)
	}
	defer full.Close()
	p, _ := sampleCompany(t)
	for _, args := range [][]string{{"ask", "vacation"}, {"ask", "vacation", "--json"}, {"call", "kb_outline", "{}"}, {"export"}, {"trail", "list"}, {"kb", "get", "ADR-013"}} {
		code := run(context.Background(), append([]string{"waymark", "--socket", p.cfg.Socket, "-w", p.workspace}, args...), os.Stdin, full, full)
		if code != exitFailed {
			t.Errorf("waymark %q on a full disk = %d, want %d", args, code, exitFailed)
		}
	}
}
