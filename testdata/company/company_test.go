// Package company_test checks the sample company: that its files are well
// formed, agree with each other, and hold what README.md says they hold. It
// reads the files of this folder and nothing else, and imports no package of
// the module, so that it judges the data and not the program.
package company_test

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"
)

// today is the day around which the sample's dates are written.
const today = "2026-12-01"

type trail struct {
	ID          string `json:"id"`
	Name        string `json:"name"`
	Description string `json:"description"`
	Owner       string `json:"owner"`
}

type rule struct {
	ID             string   `json:"id"`
	Trail          string   `json:"trail"`
	Title          string   `json:"title"`
	Text           string   `json:"text"`
	Class          string   `json:"class"`
	Domain         string   `json:"domain"`
	Cluster        string   `json:"cluster"`
	Tags           []string `json:"tags"`
	AppliesWhen    []string `json:"applies_when"`
	Status         string   `json:"status"`
	EffectiveFrom  string   `json:"effective_from"`
	EffectiveUntil string   `json:"effective_until"`
	Source         string   `json:"source"`
	Supersedes     []string `json:"supersedes"`
}

// governs tells whether agents may see the rule today.
func (r rule) governs() bool {
	return r.Status == "approved" && (r.EffectiveFrom == "" || r.EffectiveFrom <= today) &&
		(r.EffectiveUntil == "" || r.EffectiveUntil >= today)
}

// lines reads a file of one JSON object a line and refuses unknown fields.
func lines[T any](t *testing.T, name string) []T {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var all []T
	for i, line := range strings.Split(strings.TrimSuffix(string(data), "\n"), "\n") {
		d := json.NewDecoder(bytes.NewReader([]byte(line)))
		d.DisallowUnknownFields()
		var one T
		if err := d.Decode(&one); err != nil {
			t.Fatalf("%s:%d: %v", name, i+1, err)
		}
		if d.More() {
			t.Fatalf("%s:%d: more than one value on the line", name, i+1)
		}
		all = append(all, one)
	}
	return all
}

// rulesByID reads the rules.
func rulesByID(t *testing.T) map[string]rule {
	t.Helper()
	rules := make(map[string]rule)
	for _, r := range lines[rule](t, "rules.jsonl") {
		rules[r.ID] = r
	}
	return rules
}

// isDay tells whether a text is a day of the calendar, or empty.
func isDay(text string) bool {
	if text == "" {
		return true
	}
	_, err := time.Parse(time.DateOnly, text)
	return err == nil
}

// atLeast fails the test if a count is too small.
func atLeast(t *testing.T, what string, got, want int) {
	t.Helper()
	if got < want {
		t.Errorf("%s: %d, want at least %d", what, got, want)
	}
}
