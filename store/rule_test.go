package store

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// days is a clock that moves on by a day with every reading.
func days() func() time.Time {
	next := time.Date(2026, time.January, 1, 8, 0, 0, 0, time.UTC)
	return func() time.Time {
		next = next.AddDate(0, 0, 1)
		return next
	}
}

func TestRuleLife(t *testing.T) {
	options := testOptions(t)
	options.Now = days()
	s, w, trail, _ := filled(t, options)
	draft, err := s.AddRule(w, Rule{
		ID: "receipts", TrailID: trail, Text: "  Keep receipts.\n", Class: ClassObligation,
		Domain: " Finance ", Cluster: "Records", Tags: []string{" a", "b", "a"}, EffectiveFrom: "2026-01-01",
	}, " ann ")
	if err != nil {
		t.Fatal(err)
	}
	want := Rule{
		ID: "receipts", TrailID: trail, Version: 1, Status: StatusDraft, Text: "Keep receipts.", Class: ClassObligation,
		Domain: "Finance", Cluster: "Records", Tags: []string{"a", "b"}, EffectiveFrom: "2026-01-01", Author: "ann", Created: draft.Created,
	}
	if diff := cmp.Diff(want, draft); diff != "" || draft.Created.IsZero() {
		t.Errorf("AddRule() (-want +got):\n%s", diff)
	}
	inForce, err := s.ApproveRule(w, "receipts", "bob")
	if err != nil {
		t.Fatal(err)
	}
	want.Status, want.Approver, want.Approved = StatusApproved, "bob", draft.Created.AddDate(0, 0, 1)
	if diff := cmp.Diff(want, inForce); diff != "" {
		t.Errorf("ApproveRule() (-want +got):\n%s", diff)
	}

	edit := want
	edit.Text = "Keep receipts for 7 years."
	second, err := s.EditRule(w, edit, "cid")
	if err != nil {
		t.Fatal(err)
	}
	if second.Version != 2 || second.Status != StatusDraft || second.Author != "cid" || !second.Approved.IsZero() || second.Approver != "" {
		t.Errorf("EditRule() of a rule in force = %+v, want a draft of version 2", second)
	}
	if current, err := s.Rule(w, "receipts"); err != nil || cmp.Diff(want, current) != "" {
		t.Errorf("Rule() = %+v, %v, want the version in force as it was", current, err)
	}
	edit.Text = "Keep receipts for 10 years."
	if second, err = s.EditRule(w, edit, "dan"); err != nil || second.Version != 2 || second.Author != "cid" {
		t.Errorf("EditRule() of a draft = %+v, %v, want version 2 by its author", second, err)
	}
	if _, err := s.ApproveRule(w, "receipts", "bob"); err != nil {
		t.Fatal(err)
	}
	if first, err := s.RuleVersion(w, "receipts", 1); err != nil || first.Status != StatusRetired || first.Text != "Keep receipts." {
		t.Errorf("RuleVersion(1) = %+v, %v, want it retired", first, err)
	}
	if err := s.DeleteRule(w, "receipts", "ann"); !errors.Is(err, ErrWasApproved) {
		t.Errorf("DeleteRule() of a rule in force = %v, want ErrWasApproved", err)
	}
	if err := s.RetireRule(w, "receipts", "eve", "replaced by the archive"); err != nil {
		t.Fatal(err)
	}
	head, err := s.RuleHead(w, "receipts")
	if diff := cmp.Diff(RuleHead{ID: "receipts", TrailID: trail, Latest: 2}, head); diff != "" || err != nil {
		t.Errorf("RuleHead() of a retired rule (-want +got), %v:\n%s", err, diff)
	}
	if err := s.RetireRule(w, "receipts", "eve", ""); !errors.Is(err, ErrNotInForce) {
		t.Errorf("RetireRule() of a retired rule = %v, want ErrNotInForce", err)
	}
	wantHistory(t, s, w, "receipts",
		"1 created ann ",
		"1 approved bob ",
		"2 edited cid ",
		"2 edited dan ",
		"1 superseded bob by version 2",
		"2 approved bob ",
		"2 retired eve replaced by the archive",
	)
}

// wantHistory compares the history of a rule, one line for each event.
func wantHistory(t *testing.T, s *Store, workspace, id string, want ...string) {
	t.Helper()
	events, err := s.RuleHistory(workspace, id)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for i, event := range events {
		got = append(got, fmt.Sprintf("%d %s %s %s", event.Version, event.Action, event.By, event.Note))
		if event.RuleID != id || event.At.IsZero() || i > 0 && event.At.Before(events[i-1].At) {
			t.Errorf("event %d of rule %q = %+v", i, id, event)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("RuleHistory(%q) (-want +got):\n%s", id, diff)
	}
}

func TestSupersedingRetiresTheOldRule(t *testing.T) {
	s, w, trail, old := filled(t, testOptions(t))
	if _, err := s.EditRule(w, Rule{ID: old, Text: "Pay within 20 days.", Class: ClassObligation}, "ann"); err != nil {
		t.Fatal(err)
	}
	replacement := Rule{ID: "new", TrailID: trail, Text: "Pay within 10 days.", Class: ClassObligation, Supersedes: []string{old}}
	if _, err := s.AddRule(w, replacement, "ann"); err != nil {
		t.Fatal(err)
	}
	if head, _ := s.RuleHead(w, old); head.InForce != 1 || head.Draft != 2 {
		t.Errorf("a draft that supersedes the rule changed it: %+v", head)
	}
	if by, err := s.SupersededBy(w, old); err != nil || len(by) != 0 {
		t.Errorf("SupersededBy() before approval = %v, %v, want none", by, err)
	}
	before, _ := s.Version(w)
	if _, err := s.ApproveRule(w, "new", "bob"); err != nil {
		t.Fatal(err)
	}
	if after, _ := s.Version(w); after != before+1 {
		t.Errorf("approving took %d versions, want 1", after-before)
	}
	if head, _ := s.RuleHead(w, old); head.InForce != 0 || head.Draft != 0 || head.Latest != 2 {
		t.Errorf("head of the superseded rule = %+v, want it retired", head)
	}
	if by, err := s.SupersededBy(w, old); err != nil || !slices.Equal(by, []string{"new"}) {
		t.Errorf("SupersededBy() = %v, %v, want [new]", by, err)
	}
	wantHistory(t, s, w, old,
		"1 created ann ", "1 approved ann ", "2 edited ann ",
		`1 superseded bob by rule "new"`, `2 superseded bob by rule "new"`,
	)

	// The old rule comes back only when nothing in force stands against it.
	if _, err := s.EditRule(w, Rule{ID: old, Text: "Pay within 40 days.", Class: ClassObligation}, "ann"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.ApproveRule(w, old, "bob"); !errors.Is(err, ErrSuperseded) || !strings.Contains(err.Error(), `"new"`) {
		t.Errorf("ApproveRule() of a superseded rule = %v, want ErrSuperseded that names the other", err)
	}
	if err := s.RetireRule(w, "new", "bob", ""); err != nil {
		t.Fatal(err)
	}
	if by, err := s.SupersededBy(w, old); err != nil || !slices.Equal(by, []string{"new"}) {
		t.Errorf("SupersededBy() after the new rule was retired = %v, %v, want [new]", by, err)
	}
	if _, err := s.ApproveRule(w, old, "bob"); err != nil {
		t.Errorf("ApproveRule() after the new rule was retired = %v", err)
	}
	if err := s.Check(t.Context()); err != nil {
		t.Errorf("Check() = %v", err)
	}
}

func TestOrderOfAddingDoesNotMatter(t *testing.T) {
	rules := []Rule{
		{ID: "a", Text: "First.", Class: ClassObligation, Status: StatusApproved},
		{ID: "b", Text: "Second.", Class: ClassObligation, Status: StatusApproved, Supersedes: []string{"a"}},
		{ID: "c", Text: "Third.", Class: ClassObligation, Status: StatusApproved, Supersedes: []string{"b"}},
	}
	for _, order := range [][]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}} {
		s, w, trail, _ := filled(t, testOptions(t))
		err := s.Update(w, func(tx *Tx) error {
			for _, i := range order {
				rule := rules[i]
				rule.TrailID = trail
				if _, err := tx.AddRule(rule, "ann"); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatalf("order %v: %v", order, err)
		}
		for _, rule := range rules {
			want := StatusRetired
			if rule.ID == "c" {
				want = StatusApproved
			}
			if got, err := s.Rule(w, rule.ID); err != nil || got.Status != want {
				t.Errorf("order %v: rule %q is %s, %v, want %s", order, rule.ID, got.Status, err, want)
			}
		}
		if err := s.Check(t.Context()); err != nil {
			t.Errorf("order %v: Check() = %v", order, err)
		}
	}
}

func TestSupersedingEachOther(t *testing.T) {
	s, w, trail, _ := filled(t, testOptions(t))
	err := s.Update(w, func(tx *Tx) error {
		for _, pair := range [][2]string{{"a", "b"}, {"b", "a"}} {
			rule := Rule{ID: pair[0], TrailID: trail, Text: "Text.", Class: ClassObligation, Supersedes: pair[1:]}
			if _, err := tx.AddRule(rule, ""); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.ApproveRule(w, "a", ""); err != nil {
		t.Fatal(err)
	}
	// Approving a retired b's draft; b was superseded with its draft.
	if _, err := s.EditRule(w, Rule{ID: "b", Text: "Other text.", Class: ClassObligation, Supersedes: []string{"a"}}, ""); err != nil {
		t.Fatal(err)
	}
	if _, err := s.ApproveRule(w, "b", ""); err != nil {
		t.Errorf("ApproveRule() of a rule that supersedes its superseder = %v", err)
	}
	if a, _ := s.Rule(w, "a"); a.Status != StatusRetired {
		t.Errorf("rule a is %s, want retired", a.Status)
	}
}

func TestSupersededRuleMustExist(t *testing.T) {
	s, w, trail, _ := filled(t, testOptions(t))
	rule := Rule{ID: "new", TrailID: trail, Text: "Text.", Class: ClassObligation, Supersedes: []string{"typo"}}
	for name, err := range map[string]error{
		"AddRule": second(s.AddRule(w, rule, "")),
		"Update": s.Update(w, func(tx *Tx) error {
			_, err := tx.AddRule(rule, "")
			return err
		}),
	} {
		var invalid *InvalidError
		if !errors.As(err, &invalid) || invalid.Fields[0].Field != "supersedes" || !strings.Contains(err.Error(), `"typo"`) {
			t.Errorf("%s() with an unknown superseded rule = %v, want an InvalidError of supersedes", name, err)
		}
	}
	if _, err := s.Rule(w, "new"); !errors.Is(err, ErrNotFound) {
		t.Errorf("Rule() after the refusal = %v, want ErrNotFound", err)
	}

	// A rule that was deleted later may still be named.
	rule.Supersedes = []string{"gone"}
	if _, err := s.AddRule(w, Rule{ID: "gone", TrailID: trail, Text: "Text.", Class: ClassObligation}, ""); err != nil {
		t.Fatal(err)
	}
	if _, err := s.AddRule(w, rule, ""); err != nil {
		t.Fatal(err)
	}
	if err := s.DeleteRule(w, "gone", ""); err != nil {
		t.Fatal(err)
	}
	rule.Text = "Other text."
	if _, err := s.EditRule(w, rule, ""); err != nil {
		t.Errorf("EditRule() that still names a deleted rule = %v", err)
	}
	if _, err := s.ApproveRule(w, "new", ""); err != nil {
		t.Errorf("ApproveRule() that names a deleted rule = %v", err)
	}
}

func TestDeletedRuleKeepsItsHistory(t *testing.T) {
	s, w, trail, approved := filled(t, testOptions(t))
	rule := Rule{ID: "draft", TrailID: trail, Text: "Text.", Class: ClassObligation}
	for range 2 {
		if _, err := s.AddRule(w, rule, "ann"); err != nil {
			t.Fatal(err)
		}
		if err := s.DeleteRule(w, "draft", "bob"); err != nil {
			t.Fatal(err)
		}
	}
	wantHistory(t, s, w, "draft", "1 created ann ", "1 deleted bob ", "1 created ann ", "1 deleted bob ")
	for what, err := range map[string]error{
		"Rule":        second(s.Rule(w, "draft")),
		"RuleHead":    second(s.RuleHead(w, "draft")),
		"RuleVersion": second(s.RuleVersion(w, "draft", 1)),
		"DeleteRule":  s.DeleteRule(w, "draft", "bob"),
		"RuleHistory": second(s.RuleHistory(w, "never")),
	} {
		var missing *NotFoundError
		if !errors.As(err, &missing) || missing.Kind != "rule" {
			t.Errorf("%s() of a deleted rule = %v, want a NotFoundError of a rule", what, err)
		}
	}
	if err := s.AppendActivity(w, []Activity{{TrailID: trail, Query: "q"}}); err != nil {
		t.Fatal(err)
	}
	if err := s.DeleteTrail(w, trail, "bob"); err != nil {
		t.Fatal(err)
	}
	wantHistory(t, s, w, approved, "1 created ann ", "1 approved ann ", "1 deleted bob with its trail")
	if _, _, err := s.Activities(w, trail, "", 0); !errors.Is(err, ErrNotFound) {
		t.Errorf("Activities() of a deleted trail = %v, want ErrNotFound", err)
	}
	if left := bucketBytes(t, s, w, func(b bucket) bool { return b == bucketActivity || b == bucketRules || b == bucketVersions }); len(left) != 0 {
		t.Errorf("%d keys are left of a deleted trail", len(left))
	}
	if err := s.Check(t.Context()); err != nil {
		t.Errorf("Check() = %v", err)
	}
}

func TestAddRetiredRule(t *testing.T) {
	s, w, trail, _ := filled(t, testOptions(t))
	rule, err := s.AddRule(w, Rule{TrailID: trail, Text: "Fax it.", Class: ClassProcedure, Status: StatusRetired}, "ann")
	if err != nil || rule.Status != StatusRetired {
		t.Fatalf("AddRule() = %+v, %v, want it retired", rule, err)
	}
	if rules, _ := s.Rules(w, RuleFilter{Status: StatusRetired}); len(rules) != 1 {
		t.Errorf("Rules(retired) = %v, want one", rules)
	}
	if _, err := s.ApproveRule(w, rule.ID, "bob"); !errors.Is(err, ErrNoDraft) {
		t.Errorf("ApproveRule() = %v, want ErrNoDraft", err)
	}
}

func TestRulesRefusesUnknownStatus(t *testing.T) {
	s, w, _, _ := filled(t, testOptions(t))
	_, err := s.Rules(w, RuleFilter{Status: "live"})
	wantField(t, "Rules", err, "rule filter", "status")
	if rules, err := s.Rules(w, RuleFilter{TrailID: "nowhere"}); err != nil || len(rules) != 0 {
		t.Errorf("Rules() of no trail = %v, %v, want none", rules, err)
	}
}

func TestDiscardDraft(t *testing.T) {
	s, w, trail, approved := filled(t, testOptions(t))
	if err := s.DiscardDraft(w, approved, "ann"); !errors.Is(err, ErrNoDraft) {
		t.Errorf("DiscardDraft() without a draft = %v, want ErrNoDraft", err)
	}
	if _, err := s.EditRule(w, Rule{ID: approved, Text: "Other.", Class: ClassObligation}, "ann"); err != nil {
		t.Fatal(err)
	}
	if err := s.DiscardDraft(w, approved, "bob"); err != nil {
		t.Fatal(err)
	}
	if head, _ := s.RuleHead(w, approved); head.InForce != 1 || head.Draft != 0 || head.Latest != 2 {
		t.Errorf("head after DiscardDraft() = %+v, want version 1 in force", head)
	}
	third, err := s.EditRule(w, Rule{ID: approved, Text: "Third.", Class: ClassObligation}, "ann")
	if err != nil || third.Version != 3 {
		t.Errorf("EditRule() after DiscardDraft() = version %d, %v, want 3", third.Version, err)
	}
	draft, err := s.AddRule(w, Rule{TrailID: trail, Text: "Only a draft.", Class: ClassObligation}, "ann")
	if err != nil {
		t.Fatal(err)
	}
	if err := s.DiscardDraft(w, draft.ID, "bob"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Rule(w, draft.ID); !errors.Is(err, ErrNotFound) {
		t.Errorf("Rule() after DiscardDraft() of nothing but a draft = %v, want ErrNotFound", err)
	}
}

func TestInvalidRules(t *testing.T) {
	s, w, trail, old := filled(t, testOptions(t))
	good := Rule{TrailID: trail, Text: "Text.", Class: ClassObligation}
	for _, c := range []struct {
		field  string
		change func(*Rule)
	}{
		{"id", func(r *Rule) { r.ID = " padded" }},
		{"id", func(r *Rule) { r.ID = strings.Repeat("x", MaxIDBytes+1) }},
		{"id", func(r *Rule) { r.ID = "a\nb" }},
		{"id", func(r *Rule) { r.ID = "\xff" }},
		{"trail_id", func(r *Rule) { r.TrailID = "" }},
		{"status", func(r *Rule) { r.Status = "live" }},
		{"text", func(r *Rule) { r.Text = " \n\t" }},
		{"text", func(r *Rule) { r.Text = strings.Repeat("é", MaxTextLength+1) }},
		{"text", func(r *Rule) { r.Text = "a\xffb" }},
		{"title", func(r *Rule) { r.Title = strings.Repeat("x", MaxNameLength+1) }},
		{"title", func(r *Rule) { r.Title = "two\nlines" }},
		{"class", func(r *Rule) { r.Class = "" }},
		{"class", func(r *Rule) { r.Class = "Obligation" }},
		{"domain", func(r *Rule) { r.Domain = strings.Repeat("x", MaxNameLength+1) }},
		{"cluster", func(r *Rule) { r.Cluster = "Records" }},
		{"tags[1]", func(r *Rule) { r.Tags = []string{"a", " "} }},
		{"tags", func(r *Rule) {
			for n := range MaxListLength + 1 {
				r.Tags = append(r.Tags, fmt.Sprint(n))
			}
		}},
		{"applies_when[0]", func(r *Rule) { r.AppliesWhen = []string{"\xff"} }},
		{"effective_from", func(r *Rule) { r.EffectiveFrom = "2026-02-30" }},
		{"effective_from", func(r *Rule) { r.EffectiveFrom = "31.12.2026" }},
		{"effective_until", func(r *Rule) { r.EffectiveUntil = "2026-1-1" }},
		{"effective_until", func(r *Rule) { r.EffectiveFrom, r.EffectiveUntil = "2026-02-02", "2026-02-01" }},
		{"supersedes", func(r *Rule) { r.ID, r.Supersedes = "self", []string{"self"} }},
		{"supersedes[0]", func(r *Rule) { r.Supersedes = []string{""} }},
		{"author", func(r *Rule) { r.Author = "a\x00b" }},
	} {
		rule := good
		c.change(&rule)
		_, err := s.AddRule(w, rule, "ann")
		wantField(t, "AddRule", err, "rule", c.field)
		if rule.ID != "" || c.field == "trail_id" || c.field == "status" || c.field == "author" {
			continue // what an edit does not take from the caller
		}
		rule.ID = old
		_, err = s.EditRule(w, rule, "ann")
		wantField(t, "EditRule", err, "rule", c.field)
	}
	signed := good
	signed.Author = "ann"
	_, err := s.AddRule(w, signed, strings.Repeat("x", MaxNameLength+1))
	wantField(t, "AddRule by a long name", err, "rule", "by")
	_, err = s.ApproveRule(w, old, "\xff")
	if !errors.Is(err, ErrNoDraft) {
		t.Errorf("ApproveRule() = %v, want ErrNoDraft", err)
	}
	wantField(t, "RetireRule", s.RetireRule(w, old, "ann", "\xff"), "rule", "note")

	moved := Rule{ID: old, TrailID: "elsewhere", Text: "Text.", Class: ClassObligation}
	_, err = s.EditRule(w, moved, "ann")
	wantField(t, "EditRule", err, "rule", "trail_id")
	orphan := good
	orphan.TrailID = "nowhere"
	var missing *NotFoundError
	if _, err := s.AddRule(w, orphan, "ann"); !errors.As(err, &missing) || missing.Kind != "trail" || missing.ID != "nowhere" {
		t.Errorf("AddRule() in no trail = %v, want a NotFoundError of the trail", err)
	}

	all := Rule{TrailID: trail, Class: "x", Cluster: "c", EffectiveFrom: "x"}
	_, err = s.AddRule(w, all, "")
	var invalid *InvalidError
	if !errors.As(err, &invalid) || len(invalid.Fields) != 4 {
		t.Errorf("AddRule() with four wrong fields = %v, want all four named", err)
	}
	if version, err := s.Version(w); err != nil || version != 2 {
		t.Errorf("Version() after refusals = %d, %v, want 2", version, err)
	}
	longest := good
	longest.Text = strings.Repeat("é", MaxTextLength)
	longest.Title = strings.Repeat("é", MaxNameLength)
	longest.ID = strings.Repeat("x", MaxIDBytes)
	if _, err := s.AddRule(w, longest, "ann"); err != nil {
		t.Errorf("AddRule() at the limits = %v", err)
	}
}

// wantField fails the test unless err is an InvalidError of the kind whose only
// field is this one.
func wantField(t *testing.T, what string, err error, kind, field string) {
	t.Helper()
	var invalid *InvalidError
	if !errors.As(err, &invalid) || !errors.Is(err, ErrInvalid) || invalid.Kind != kind || len(invalid.Fields) != 1 || invalid.Fields[0].Field != field {
		t.Errorf("%s = %v, want an InvalidError of %s %s", what, err, kind, field)
	}
}

func TestIDsAscend(t *testing.T) {
	options := testOptions(t)
	options.Now = func() time.Time { return time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC) }
	s, w, trail, last := filled(t, options)
	for range 50 {
		err := s.Update(w, func(tx *Tx) error {
			for range 3 {
				rule, err := tx.AddRule(Rule{TrailID: trail, Text: "Text.", Class: ClassObligation}, "")
				if err != nil {
					return err
				}
				if rule.ID <= last {
					t.Errorf("id %q was given out after %q", rule.ID, last)
				}
				last = rule.ID
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

func TestWritingWhileRanging(t *testing.T) {
	s, w, trail, first := filled(t, testOptions(t))
	const n = 500 // several pages
	err := s.Update(w, func(tx *Tx) error {
		for i := range n {
			if _, err := tx.AddRule(Rule{ID: fmt.Sprintf("rule-%03d", i), TrailID: trail, Text: "Text.", Class: ClassObligation}, ""); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, filter := range []RuleFilter{{}, {TrailID: trail}} {
		stop := errors.New("stop")
		var visited []string
		err := s.Update(w, func(tx *Tx) error {
			for rule, err := range tx.Rules(filter) {
				if err != nil {
					return err
				}
				visited = append(visited, rule.ID)
				i := len(visited)
				switch {
				case rule.ID == first:
					err = tx.RetireRule(first, "", "")
				case i%3 == 0:
					err = tx.DeleteRule(rule.ID, "")
				case i%3 == 1:
					_, err = tx.ApproveRule(rule.ID, "")
				default: // one that comes before all others, and a failure
					_, err = tx.AddRule(Rule{ID: fmt.Sprintf("#%03d", i), TrailID: trail, Text: "Text.", Class: ClassObligation}, "")
					if _, refused := tx.AddRule(rule, ""); !errors.Is(refused, ErrExists) {
						t.Errorf("AddRule() of a taken id = %v, want ErrExists", refused)
					}
				}
				if err != nil {
					return err
				}
			}
			return stop
		})
		if err != stop {
			t.Fatal(err)
		}
		if len(visited) != n+1 || !slices.IsSorted(visited) || len(slices.Compact(visited)) != n+1 {
			t.Errorf("range over Rules(%+v) visited %d rules, sorted %v, want %d, each once", filter, len(visited), slices.IsSorted(visited), n+1)
		}
	}
	if err := s.Check(t.Context()); err != nil {
		t.Errorf("Check() = %v", err)
	}
}
