package main

import (
	"os/exec"
	"strings"
	"testing"
)

func TestCompletionKnowsCommandsAndFlags(t *testing.T) {
	for _, c := range []struct{ given, want string }{
		{"", "import"},
		{"rule", "approve"},
		{"kb search -", "--in-force"},
		{"ask --lim", "--limit"},
	} {
		// A process of its own: the library looks at the process's arguments.
		out, err := program(nil, append(strings.Fields(c.given), completionFlag)...).Output()
		if err != nil || !strings.Contains("\n"+string(out), "\n"+c.want) {
			t.Errorf("after %q come %q, %v, want %s among them", c.given, out, err, c.want)
		}
	}
}

func TestCompletionScripts(t *testing.T) {
	for shell := range completions {
		o := bare(t, "completion", shell).want(t, 0, completionFlag)
		if path, err := exec.LookPath(shell); err == nil {
			check := exec.Command(path, "-n")
			check.Stdin = strings.NewReader(o.stdout)
			if out, err := check.CombinedOutput(); err != nil {
				t.Errorf("%s does not read its script: %v: %s", shell, err, out)
			}
		}
	}
	bare(t, "completion").want(t, exitUsage, "bash, fish, zsh")
	bare(t, "completion", "tcsh").want(t, exitUsage, "bash, fish, zsh")
}

// TestCompletionInBash lets bash complete a line.
func TestCompletionInBash(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash here")
	}
	script := bare(t, "completion", "bash").stdout
	shell := program(nil)
	run := exec.Command(bash, "-c", `waymark() { "$PROGRAM" "$@"; }
`+script+`
COMP_WORDS=(waymark rule appr); COMP_CWORD=2; _waymark; echo "${COMPREPLY[@]}"`)
	run.Env = append(shell.Env, "PROGRAM="+shell.Path)
	out, err := run.CombinedOutput()
	if got := strings.TrimSpace(string(out)); err != nil || got != "approve" {
		t.Errorf("bash completes %q, %v, want approve", got, err)
	}
}
