package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"waymark/config"
	"waymark/search"
)

func manual(t *testing.T) string {
	t.Helper()
	b, err := os.ReadFile("docs/manual.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// step is a command of the manual's sessions, with the exit code that it has
// there.
type step struct {
	command string
	code    int
}

// steps reads the sessions: every line after "$ " in a console block is a
// command, with the lines of its here-document. What follows "$ echo $?" is the
// exit code of the command before; without it a command ends with 0.
func steps(t *testing.T, text string) []step {
	t.Helper()
	var all []step
	lines := strings.Split(text, "\n")
	inside := false
	for i := 0; i < len(lines); i++ {
		command, isCommand := strings.CutPrefix(lines[i], "$ ")
		switch {
		case strings.HasPrefix(lines[i], "```"):
			inside = lines[i] == "```console"
		case !inside || !isCommand:
		case command == "echo $?":
			code, err := strconv.Atoi(lines[i+1])
			if err != nil {
				t.Fatalf("line %d of the manual is no exit code: %q", i+2, lines[i+1])
			}
			all[len(all)-1].code = code
		default:
			if _, end, isHere := strings.Cut(command, "<<'"); isHere {
				for end = strings.TrimSuffix(end, "'"); lines[i] != end; {
					i++
					command += "\n" + lines[i]
				}
			}
			all = append(all, step{command: command})
		}
	}
	return all
}

// TestManualSessionsRun runs every command of the manual in its order, in one
// shell, and checks how each ends.
func TestManualSessionsRun(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash here")
	}
	all := steps(t, manual(t))
	if len(all) < 50 || !strings.HasPrefix(all[0].command, "waymark serve") {
		t.Fatalf("the manual has %d commands, and begins with %q", len(all), all[0].command)
	}
	dir := testDir(t)
	d := serve(t, dir)
	if err := os.Symlink(d.socket, filepath.Join(dir, "waymark.sock")); err != nil {
		t.Fatal(err)
	}
	var script strings.Builder
	script.WriteString("waymark() { \"$PROGRAM\" \"$@\"; }\n")
	if _, err := exec.LookPath("curl"); err != nil {
		script.WriteString("curl() { :; }\n")
	}
	for i, s := range all[1:] {
		fmt.Fprintf(&script, "{ %s\n} </dev/null >out 2>&1\ncode=$?\nif [ $code != %d ]; then echo %q: $code; cat out; fi\n", s.command, s.code, fmt.Sprintf("command %d of the manual, %s", i+1, s.command))
	}
	shell := exec.Command(bash, "-c", script.String())
	shell.Dir = dir
	p := program(nil)
	shell.Env = append(p.Env, "PROGRAM="+p.Path)
	out, err := shell.CombinedOutput()
	if err != nil || len(out) > 0 {
		t.Errorf("the manual's sessions: %v\n%s", err, out)
	}
}

// table reads the rows of the manual's table with this heading, without its
// marks of code.
func table(t *testing.T, heading string) [][]string {
	t.Helper()
	_, rest, found := strings.Cut(manual(t), heading+"\n")
	if !found {
		t.Fatalf("the manual has no table %q", heading)
	}
	var rows [][]string
	for line := range strings.SplitSeq(rest, "\n") {
		if !strings.HasPrefix(line, "|") {
			break
		}
		if strings.HasPrefix(line, "|---") {
			continue
		}
		var cells []string
		for cell := range strings.SplitSeq(strings.Trim(line, "|"), "|") {
			cells = append(cells, strings.ReplaceAll(strings.TrimSpace(cell), "`", ""))
		}
		rows = append(rows, cells)
	}
	return rows
}

// TestManualListsEverySetting with its variable and default, and nothing else.
func TestManualListsEverySetting(t *testing.T) {
	rows := table(t, "| key | environment | default | is |")
	samples := map[string]string{"kb.time_zone": "UTC", "log.level": "warn", "log.format": "json", "kb.adr_status": "true", "kb.pep_headers": "true"}
	byPath := []string{"data", "socket"}
	settings := func() map[string]config.Value {
		all := map[string]config.Value{}
		for _, v := range document[[]config.Value](t, bare(t, "config", "show", "--json").want(t, 0)) {
			all[v.Key] = v
		}
		return all
	}
	plain := settings()
	if len(plain) != len(rows) {
		t.Errorf("the manual has %d settings, the program %d", len(rows), len(plain))
	}
	for _, row := range rows {
		key, name, standard := row[0], row[1], row[2]
		v, known := plain[key]
		if !known {
			t.Errorf("the program has no setting %q", key)
			continue
		}
		if got := fmt.Sprint(v.Value); !slices.Contains(byPath, key) && v.Origin == "default" && got != standard {
			t.Errorf("the default of %s is %q, the manual says %q", key, got, standard)
		}
		t.Run(name, func(t *testing.T) {
			sample := samples[key]
			if sample == "" {
				sample = "7"
			}
			t.Setenv(name, sample)
			if got := settings()[key]; got.Origin != name || fmt.Sprint(got.Value) != sample {
				t.Errorf("%s=%s gives %s the value %v from %s", name, sample, key, got.Value, got.Origin)
			}
		})
	}
}

func TestManualListsEveryCode(t *testing.T) {
	var numbers []string
	for _, row := range table(t, "| code | means |") {
		numbers = append(numbers, row[0])
	}
	var want []string
	for _, code := range []int{exitGood, exitFailed, exitUsage, exitNotFound, exitNotAllowed, exitConflict, exitBadData, exitUnreachable, exitTryAgain, exitBadConfig} {
		want = append(want, strconv.Itoa(code))
	}
	if !slices.Equal(numbers, want) {
		t.Errorf("the manual has the exit codes %v, the program %v", numbers, want)
	}
	listed := map[search.Code]bool{}
	for _, row := range table(t, "| code | exit | is |") {
		for name := range strings.SplitSeq(row[0], ", ") {
			code := search.Code(name)
			listed[code] = true
			exit := exitFailed
			if n, known := codes[code]; known {
				exit = n
			} else if code != search.CodeInternal {
				t.Errorf("the program has no code %s", code)
			}
			if row[1] != strconv.Itoa(exit) {
				t.Errorf("the manual gives %s the exit code %s, the program %d", code, row[1], exit)
			}
		}
	}
	for code := range codes {
		if !listed[code] {
			t.Errorf("the manual does not list %s", code)
		}
	}
}

// TestManualListsEveryField of a file of rules, as an export writes them.
func TestManualListsEveryField(t *testing.T) {
	p := newPlace(t)
	p.run(t, "trail", "create", "Desk").want(t, 0)
	p.run(t, "rule", "add", "--trail", "Desk", "Lamps are switched off at night.").want(t, 0)
	var fields map[string]json.RawMessage
	if err := json.Unmarshal([]byte(p.run(t, "export").stdout), &fields); err != nil {
		t.Fatal(err)
	}
	listed := map[string]bool{}
	for _, row := range table(t, "### Rules\n\n"+between(t, manual(t), "### Rules\n\n", "| field | holds |")+"| field | holds |") {
		for name := range strings.SplitSeq(row[0], ", ") {
			listed[name] = true
			if _, known := fields[name]; !known {
				t.Errorf("a rule has no field %q", name)
			}
		}
	}
	for name := range fields {
		if !listed[name] {
			t.Errorf("the manual does not list the field %q", name)
		}
	}
}

// between is what stands between two texts.
func between(t *testing.T, text, after, before string) string {
	t.Helper()
	_, rest, found := strings.Cut(text, after)
	middle, _, ends := strings.Cut(rest, before)
	if !found || !ends {
		t.Fatalf("nothing stands between %q and %q", after, before)
	}
	return middle
}
