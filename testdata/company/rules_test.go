package company_test

import (
	"slices"
	"strings"
	"testing"
)

var classes = []string{"obligation", "prohibition", "permission", "recommendation", "definition", "procedure", "exception"}

func TestTrails(t *testing.T) {
	seen := make(map[string]bool)
	trails := lines[trail](t, "trails.jsonl")
	for _, tr := range trails {
		if tr.ID == "" || tr.Name == "" || tr.Description == "" || tr.Owner == "" {
			t.Errorf("Trail %q has an empty field", tr.ID)
		}
		for _, name := range []string{"id " + tr.ID, "name " + strings.ToLower(tr.Name)} {
			if seen[name] {
				t.Errorf("Trail %s is there twice", name)
			}
			seen[name] = true
		}
	}
	atLeast(t, "Trails", len(trails), 7)
}

func TestRulesAreWellFormed(t *testing.T) {
	trails := make(map[string]bool)
	for _, tr := range lines[trail](t, "trails.jsonl") {
		trails[tr.ID] = true
	}
	rules := lines[rule](t, "rules.jsonl")
	byID := rulesByID(t)
	if len(byID) != len(rules) {
		t.Errorf("%d rules have %d ids", len(rules), len(byID))
	}
	texts := make(map[string]string)
	for _, r := range rules {
		if !trails[r.Trail] {
			t.Errorf("%s: unknown Trail %q", r.ID, r.Trail)
		}
		if r.Cluster != "" && r.Domain == "" {
			t.Errorf("%s: cluster %q without a domain", r.ID, r.Cluster)
		}
		if r.Class != "" && !slices.Contains(classes, r.Class) {
			t.Errorf("%s: unknown class %q", r.ID, r.Class)
		}
		if !slices.Contains([]string{"approved", "draft", "retired"}, r.Status) {
			t.Errorf("%s: unknown status %q", r.ID, r.Status)
		}
		if n := len(strings.Fields(r.Text)); n < 12 || n > 60 {
			t.Errorf("%s: the text has %d words, want 12 to 60", r.ID, n)
		}
		if !isDay(r.EffectiveFrom) || !isDay(r.EffectiveUntil) {
			t.Errorf("%s: effective from %q until %q: no days", r.ID, r.EffectiveFrom, r.EffectiveUntil)
		}
		if r.EffectiveUntil != "" && r.EffectiveFrom > r.EffectiveUntil {
			t.Errorf("%s: effective until %s, before %s", r.ID, r.EffectiveUntil, r.EffectiveFrom)
		}
		if other, ok := texts[r.Text]; ok {
			t.Errorf("%s and %s have the same text", other, r.ID)
		}
		texts[r.Text] = r.ID
		checkSupersedes(t, r, byID)
	}
}

// checkSupersedes checks that a rule replaces rules of its own Trail, and that
// what an approved rule replaced is retired.
func checkSupersedes(t *testing.T, r rule, byID map[string]rule) {
	t.Helper()
	for _, id := range r.Supersedes {
		old, ok := byID[id]
		switch {
		case !ok || id == r.ID || old.Trail != r.Trail:
			t.Errorf("%s supersedes %q: want another rule of its Trail", r.ID, id)
		case r.Status == "approved" && old.Status != "retired":
			t.Errorf("%s supersedes %s, which is %s, want retired", r.ID, id, old.Status)
		}
	}
}

func TestRulesCoverWhatTestsNeed(t *testing.T) {
	rules := lines[rule](t, "rules.jsonl")
	count := make(map[string]int)
	domains := make(map[string]map[string]bool)
	for _, r := range rules {
		count["status "+r.Status]++
		count["class "+r.Class]++
		if r.Domain == "" {
			count["no domain"]++
		} else {
			if domains[r.Domain] == nil {
				domains[r.Domain] = make(map[string]bool)
			}
			domains[r.Domain][r.Trail] = true
		}
		if r.Cluster != "" {
			count["cluster"]++
		}
		if len(r.Supersedes) > 0 {
			count["supersedes, "+r.Status]++
		}
		if r.Status == "approved" && r.EffectiveUntil != "" && r.EffectiveUntil < today {
			count["window past"]++
		}
		if r.Status == "approved" && r.EffectiveFrom > today {
			count["window future"]++
		}
		if r.governs() && r.EffectiveFrom != "" {
			count["window present"]++
		}
		for _, currency := range []string{"EUR", "USD", "GBP", "PLN", "INR"} {
			if strings.Contains(r.Text, currency) {
				count[currency]++
			}
		}
	}
	shared := 0
	for _, in := range domains {
		if len(in) > 1 {
			shared++
		}
	}
	atLeast(t, "rules", len(rules), 200)
	atLeast(t, "domain names in more than one Trail", shared, 4)
	for _, class := range classes {
		atLeast(t, "class "+class, count["class "+class], 5)
	}
	for what, want := range map[string]int{"status draft": 15, "status retired": 15, "class ": 15, "no domain": 10, "cluster": 60,
		"supersedes, approved": 6, "supersedes, draft": 2, "window past": 2, "window future": 2, "window present": 5,
		"EUR": 30, "USD": 8, "GBP": 3, "PLN": 2, "INR": 1} {
		atLeast(t, what, count[what], want)
	}
	if share := float64(count["status approved"]) / float64(len(rules)); share < .75 || share > .88 {
		t.Errorf("%.2f of the rules are approved, want about .8", share)
	}
}
