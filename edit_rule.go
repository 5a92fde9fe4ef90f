package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"

	"waymark/client"
	"waymark/server"
	"waymark/store"
)

// editedRule is what a person may change of a rule, as the editor shows it. A
// class that was derived is empty: it follows from the text.
type editedRule struct {
	Text           string      `json:"text"`
	Title          string      `json:"title"`
	Class          store.Class `json:"class"`
	Domain         string      `json:"domain"`
	Cluster        string      `json:"cluster"`
	Tags           []string    `json:"tags"`
	AppliesWhen    []string    `json:"applies_when"`
	EffectiveFrom  string      `json:"effective_from"`
	EffectiveUntil string      `json:"effective_until"`
	Source         string      `json:"source"`
	Supersedes     []string    `json:"supersedes"`
}

func editable(r store.Rule) editedRule {
	list := func(l []string) []string { return append([]string{}, l...) }
	e := editedRule{Text: r.Text, Title: r.Title, Class: r.Class, Domain: r.Domain, Cluster: r.Cluster, Tags: list(r.Tags), AppliesWhen: list(r.AppliesWhen),
		EffectiveFrom: r.EffectiveFrom, EffectiveUntil: r.EffectiveUntil, Source: r.Source, Supersedes: list(r.Supersedes)}
	if r.ClassDerived {
		e.Class = ""
	}
	return e
}

// editorCommand is the editor that the environment names; on a terminal there is
// always one.
func (s *session) editorCommand() string {
	for _, name := range []string{"VISUAL", "EDITOR"} {
		if editor := os.Getenv(name); editor != "" {
			return editor
		}
	}
	if isTerminal(s.stdin()) {
		return "vi"
	}
	return ""
}

// editInEditor lets a person change a rule in an editor and returns the fields
// that were changed and the file that holds them. The caller removes its
// directory once they are stored: what was written must not be lost when the
// daemon refuses it.
func (s *session) editInEditor(id string) (changed map[string]any, file string, err error) {
	var view server.RuleView
	if err := s.client.Get(s.Context.Context, client.Path("rules", id), &view); err != nil {
		return nil, "", err
	}
	rule := view.Rule
	if view.Draft != nil {
		rule = *view.Draft
	}
	before := editable(rule)
	text, err := indented(before)
	if err != nil {
		return nil, "", err
	}
	directory, err := os.MkdirTemp("", "waymark-rule-")
	if err != nil {
		return nil, "", fmt.Errorf("make a file for the editor: %w", err)
	}
	file = filepath.Join(directory, "rule.json")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		return nil, "", fmt.Errorf("make a file for the editor: %w", err)
	}
	// The variable may hold arguments and quotes, so a shell reads it.
	editor := exec.CommandContext(s.Context.Context, "/bin/sh", "-c", s.editorCommand()+` "$1"`, "sh", file)
	editor.Stdin, editor.Stdout, editor.Stderr = s.App.Reader, s.App.Writer, s.App.ErrWriter
	if err := editor.Run(); err != nil {
		os.RemoveAll(directory)
		return nil, "", fmt.Errorf("run the editor: %w", err)
	}
	if text, err = os.ReadFile(file); err != nil {
		return nil, "", fmt.Errorf("read what the editor saved: %w", err)
	}
	changed, err = changes(before, text)
	if err != nil {
		return nil, file, &exitError{code: exitBadData, err: fmt.Errorf("%w; what you wrote is kept in %s", err, file)}
	}
	return changed, file, nil
}

func indented(e editedRule) ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(e); err != nil {
		return nil, fmt.Errorf("write the rule for the editor: %w", err)
	}
	return b.Bytes(), nil
}

// changes are the fields that a saved text changes.
func changes(before editedRule, saved []byte) (map[string]any, error) {
	decoder := json.NewDecoder(bytes.NewReader(saved))
	decoder.DisallowUnknownFields()
	after := before
	if err := decoder.Decode(&after); err != nil {
		return nil, fmt.Errorf("what was saved is no rule: %w", err)
	}
	changed := map[string]any{}
	was, is := reflect.ValueOf(before), reflect.ValueOf(after)
	for i := range was.NumField() {
		if !reflect.DeepEqual(was.Field(i).Interface(), is.Field(i).Interface()) {
			changed[was.Type().Field(i).Tag.Get("json")] = is.Field(i).Interface()
		}
	}
	return changed, nil
}

// editRule changes a rule by the flags that were given, or else in an editor.
func (s *session) editRule(id string) error {
	body := s.ruleBody()
	delete(body, "id")
	file := ""
	if len(body) == 0 {
		if s.editorCommand() == "" {
			return usageError("rule edit takes at least one field to change, or an editor in VISUAL or EDITOR; see waymark rule edit --help")
		}
		var err error
		if body, file, err = s.editInEditor(id); err != nil {
			return err
		}
		if len(body) == 0 {
			os.RemoveAll(filepath.Dir(file))
			fmt.Fprintln(s.App.ErrWriter, "nothing was changed")
			return s.showRule(id)
		}
	}
	var out server.RuleChange
	if err := s.client.Patch(s.Context.Context, client.Path("rules", id)+s.confirmQuery(), body, &out); err != nil {
		if file != "" {
			fmt.Fprintf(s.App.ErrWriter, "what you wrote is kept in %s\n", file)
		}
		return err
	}
	if file != "" {
		os.RemoveAll(filepath.Dir(file))
	}
	return s.showChange(out)
}
