package main

import (
	"encoding/json"
	"strings"
	"testing"
)

// hostile is text that would drive a terminal: colours, the title of the window,
// a bell, one-byte controls as UTF-8, and a turn of the direction of writing.
const hostile = "pay\x1b[31m red\x1b]0;title\x07 bell\u009b2J wipe\u202e turned\u2066 off\rback\x7f"

// controls finds what drives a terminal beyond ends of lines.
func controls(text string) string {
	return strings.Map(func(r rune) rune {
		if r != '\n' && drivesTerminal(r) {
			return r
		}
		return -1
	}, text)
}

func TestPrintable(t *testing.T) {
	for given, want := range map[string]string{
		"plain":          "plain",
		"two\nlines\tin": "two lines in",
		"a\x1b[31mb":     "a\uFFFD[31mb",
		"a\u009bb":       "a\uFFFDb",
		"a\u202eb":       "a\uFFFDb",
		"a\xffb":         "a\uFFFDb",
		"déjà vu 部":      "déjà vu 部",
	} {
		if got := printable(given); got != want {
			t.Errorf("printable(%q) = %q, want %q", given, got, want)
		}
	}
}

func FuzzTamed(f *testing.F) {
	f.Add(hostile)
	f.Add("two\nlines\tand \x00")
	f.Fuzz(func(t *testing.T, text string) {
		if left := controls(string(tamed([]byte(text), false))); strings.Trim(left, "\t") != "" {
			t.Errorf("tamed(%q) lets %q through", text, left)
		}
		document, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		safe := tamed(document, true)
		if left := controls(string(safe)); left != "" {
			t.Errorf("tamed(%q) lets %q through", document, left)
		}
		var before, after string
		if err := json.Unmarshal(document, &before); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(safe, &after); err != nil || before != after {
			t.Errorf("tamed(%q) = %q, which reads %q (%v), want %q", document, safe, after, err, before)
		}
	})
}

func TestWrap(t *testing.T) {
	for _, line := range wrap(strings.Repeat("word ", 100), 40) {
		if len(line) > 40 {
			t.Errorf("wrap gives the line %q of %d characters", line, len(line))
		}
	}
	if got := wrap("", 40); len(got) != 1 || got[0] != "" {
		t.Errorf("wrap of nothing = %q, want one empty line", got)
	}
}

// TestHostileTextIsTamed looks at everything that the command line prints for
// people. Rules and names with controls are refused at the door, so hostile text
// comes from documents, from questions, and from what is typed.
func TestHostileTextIsTamed(t *testing.T) {
	p := newPlace(t)
	row := toJSON(t, map[string]any{"trail": "Desk " + hostile, "text": hostile, "domain": hostile, "tags": []string{hostile}})
	p.run(t, "import", write(t, "rules.jsonl", row)).want(t, exitBadData, "may not stand here")
	p.run(t, "trail", "create", "Desk").want(t, 0)
	p.run(t, "rule", "add", "--trail", "Desk", "--id", "R-1", "--approve", "Desks are paid for by the company.").want(t, 0)
	document := write(t, "page.md", "---\nid: page\ntitle: \"Pay \\e[31m red\"\nstatus: active\ntags: [\"\\x9b2J\"]\n---\n# Pay\n\nThe desk is "+hostile+" paid for.\r\nNext line.\n")
	p.run(t, "import", document).want(t, 0)
	p.run(t, "ask", "who pays for desks "+hostile).want(t, 0, "R-1")
	p.run(t, "activity", "Desk").want(t, 0, "who pays for desks pay\uFFFD[31m red")
	p.run(t, "kb", "get", "page").want(t, 0, "The desk is pay\uFFFD[31m red", "Next line.\n")
	for _, args := range [][]string{{"ask", hostile}, {"ask", "desk", "--trail", hostile}, {"kb", "search", "who paid for the desk"}, {"kb", "get", "page"}, {"kb", "get", hostile},
		{"kb", "list"}, {"kb", "outline"}, {"kb", "curate"}, {"trail", "list"}, {"rule", "list"}, {"rule", "show", hostile}, {"activity", "Desk"}, {"activity", hostile},
		{"rule", "retire", "R-1", "--note", hostile}, {"rule", "history", "R-1"}, {"workspace", "create", hostile}, {"agent", "create", hostile}, {hostile}, {"ask", "--" + hostile},
		{"import", "/nosuch" + hostile}, {"import", "--plan", document}, {"call", "kb_get", `{"id": "` + hostile + `"}`}} {
		o := p.run(t, args...)
		if left := controls(o.stderr); left != "" {
			t.Errorf("waymark %q lets %q through to stderr: %q", args, left, o.stderr)
		}
		if args[0] == "call" {
			continue // JSON as it is, since stdout is no terminal here
		}
		if left := controls(o.stdout); left != "" {
			t.Errorf("waymark %q lets %q through: %q", args, left, o.stdout)
		}
	}
}

func toJSON(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
