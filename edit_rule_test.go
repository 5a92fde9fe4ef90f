package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"waymark/server"
)

func TestChangesOfASavedRule(t *testing.T) {
	before := editedRule{Text: "Plants are watered.", Tags: []string{"green"}, AppliesWhen: []string{}, Supersedes: []string{}}
	whole, err := indented(before)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, saved string
		want        map[string]any
		fails       bool
	}{
		{"as it was", string(whole), map[string]any{}, false},
		{"a text", `{"text": "Plants are sold."}`, map[string]any{"text": "Plants are sold."}, false},
		{"lists", `{"tags": [], "supersedes": ["A"]}`, map[string]any{"tags": []string{}, "supersedes": []string{"A"}}, false},
		{"unknown field", `{"colour": "red"}`, nil, true},
		{"wrong type", `{"tags": "green"}`, nil, true},
		{"no JSON", `text: Plants`, nil, true},
		{"nothing", ``, nil, true},
	} {
		got, err := changes(before, []byte(c.saved))
		if (err != nil) != c.fails {
			t.Errorf("%s: changes failed with %v, want failure %v", c.name, err, c.fails)
		}
		if d := cmp.Diff(c.want, got); err == nil && d != "" {
			t.Errorf("%s: changes (-want +got):\n%s", c.name, d)
		}
	}
}

// TestEditInAnEditor has a script stand for the person.
func TestEditInAnEditor(t *testing.T) {
	p := newPlace(t)
	p.run(t, "trail", "create", "Office").want(t, 0)
	p.run(t, "rule", "add", "--approve", "--trail", "Office", "--id", "O-1", "--tag", "green", "Plants are watered each Friday.").want(t, 0)
	p.run(t, "rule", "edit", "O-1").want(t, exitUsage, "EDITOR")
	kept := t.TempDir()
	t.Setenv("TMPDIR", kept)
	left := func() []string {
		files, err := filepath.Glob(filepath.Join(kept, "waymark-rule-*", "rule.json"))
		if err != nil {
			t.Fatal(err)
		}
		return files
	}
	t.Setenv("EDITOR", "true")
	p.run(t, "rule", "edit", "O-1").want(t, 0, "nothing was changed", "version 1 · approved")
	t.Setenv("EDITOR", "sed -i -e 's/Friday/Monday/'")
	changed := document[server.RuleChange](t, p.run(t, "rule", "edit", "O-1", "--json").want(t, 0)).Rule
	if changed.Version != 2 || changed.Text != "Plants are watered each Monday." || len(changed.Tags) != 1 || !changed.ClassDerived {
		t.Errorf("edited in an editor: %+v", changed)
	}
	p.run(t, "ask", "when are plants watered").want(t, 0, "Friday")
	t.Setenv("VISUAL", "sed -i -e 's/Monday/Tuesday/'") // it goes before EDITOR, and edits the draft
	p.run(t, "rule", "edit", "O-1").want(t, 0, "Tuesday")
	t.Setenv("VISUAL", "false")
	p.run(t, "rule", "edit", "O-1").want(t, exitFailed, "run the editor")
	if files := left(); len(files) != 0 {
		t.Errorf("left behind: %v", files)
	}
	for saved, code := range map[string]int{`{"class": "wish"}`: exitUsage, `no rule`: exitBadData} {
		t.Setenv("VISUAL", "echo '"+saved+"' >")
		o := p.run(t, "rule", "edit", "O-1").want(t, code, "what you wrote is kept in "+kept)
		files := left()
		if len(files) != 1 {
			t.Fatalf("kept: %v; %s", files, o.stderr)
		}
		if b, err := os.ReadFile(files[0]); err != nil || strings.TrimSpace(string(b)) != saved {
			t.Errorf("kept is %q, %v, want %q", b, err, saved)
		}
		os.RemoveAll(filepath.Dir(files[0]))
	}
	p.run(t, "rule", "edit", "nosuch").want(t, exitNotFound)
}
