package company_test

import (
	"slices"
	"testing"
)

type pair struct {
	A     string `json:"a"`
	B     string `json:"b"`
	Label string `json:"label"`
	Kind  string `json:"kind"`
	Why   string `json:"why"`
	Point string `json:"point"`
}

var (
	kinds   = []string{"deontic", "threshold", "deadline", "frequency", "actor", "object", "condition"}
	reasons = []string{"ladder", "scope", "exception", "stricter", "agree", "object", "complementary", "definition"}
)

func TestPairs(t *testing.T) {
	rules := rulesByID(t)
	seen := make(map[[2]string]bool)
	across, inside, none := 0, 0, 0
	byKind, byReason := make(map[string]int), make(map[string]int)
	for _, p := range lines[pair](t, "conflicts.jsonl") {
		key := [2]string{min(p.A, p.B), max(p.A, p.B)}
		if seen[key] || p.A == p.B {
			t.Errorf("pair %s %s is there twice or is one rule", p.A, p.B)
		}
		seen[key] = true
		a, b := rules[p.A], rules[p.B]
		if !a.governs() || !b.governs() {
			t.Errorf("pair %s %s: both must be approved and effective on %s", p.A, p.B, today)
		}
		switch {
		case p.Label == "conflict" && slices.Contains(kinds, p.Kind) && p.Why == "" && p.Point != "":
			byKind[p.Kind]++
			if a.Trail == b.Trail {
				inside++
			} else {
				across++
			}
		case p.Label == "none" && slices.Contains(reasons, p.Why) && p.Kind == "" && p.Point == "":
			byReason[p.Why]++
			none++
		default:
			t.Errorf("pair %s %s: label %q, kind %q, why %q and point %q do not go together", p.A, p.B, p.Label, p.Kind, p.Why, p.Point)
		}
	}
	atLeast(t, "conflicts across Trails", across, 12)
	atLeast(t, "conflicts inside a Trail", inside, 4)
	atLeast(t, "look-alikes", none, 15)
	for _, kind := range kinds {
		atLeast(t, "conflicts of kind "+kind, byKind[kind], 2)
	}
	for _, reason := range reasons {
		atLeast(t, "look-alikes because of "+reason, byReason[reason], 2)
	}
}
