package ingest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"waymark/store"
)

// sayings is a Checker for tests: two rules conflict when one has the word
// "must" where the other has "mustnot"; they should be compared when one has
// "maybe".
type sayings struct{}

func (sayings) Analyze(_ string, r store.Rule) any { return " " + strings.ToLower(r.Text) + " " }

func (sayings) Compare(a, b any, _ float64) (Conflict, bool) {
	x, y := a.(string), b.(string)
	if has := func(p, q string) bool { return strings.Contains(x, p) && strings.Contains(y, q) }; has(" must ", " mustnot ") || has(" mustnot ", " must ") {
		return Conflict{Kind: "deontic", Point: "must against mustnot", Certain: true}, true
	}
	if strings.Contains(x, " maybe ") || strings.Contains(y, " maybe ") {
		return Conflict{Kind: "object", Point: "maybe"}, true
	}
	return Conflict{}, false
}

func TestImportHoldsConflicts(t *testing.T) {
	f := newFixture(t, sayings{})
	first := file("a.csv", "trail,id,text", "T,A,Staff must book hotels early.", "Other,B,Staff mustnot book hotels early.")
	if r := f.do(Request{Files: []File{first}}); len(r.Conflicts) != 0 || !r.OK() {
		t.Errorf("rules of two Trails: %q, %v", items(r), r.Conflicts)
	}
	second := file("b.csv", "trail,id,text,supersedes",
		"T,C,Staff mustnot book hotels early today.,", "T,D,Staff maybe book hotels early.,", "T,E,Drivers wash cars.,C", "T,F,Staff mustnot book hotels early now.,A")
	plan := f.do(Request{Files: []File{second}, Plan: true})
	r := f.do(Request{Files: []File{second}})
	want := []string{
		"b.csv:2 rules C held: it conflicts with another rule of its Trail, and that was not confirmed",
		"b.csv:3 rules D added", "b.csv:4 rules E held: supersedes the rule C was held", "b.csv:5 rules F added"}
	if diff := cmp.Diff(want, items(r)); diff != "" {
		t.Errorf("report differs (-want +got):\n%s", diff)
	}
	wantConflicts := []Conflict{
		{Rules: [2]string{"C", "A"}, Texts: [2]string{"Staff mustnot book hotels early today.", "Staff must book hotels early."}, Trail: "t", Kind: "deontic", Point: "must against mustnot", Certain: true},
		{Rules: [2]string{"D", "A"}, Texts: [2]string{"Staff maybe book hotels early.", "Staff must book hotels early."}, Trail: "t", Kind: "object", Point: "maybe"},
		{Rules: [2]string{"F", "D"}, Texts: [2]string{"Staff mustnot book hotels early now.", "Staff maybe book hotels early."}, Trail: "t", Kind: "object", Point: "maybe"}}
	if diff := cmp.Diff(wantConflicts, r.Conflicts); diff != "" || r.Unconfirmed != 1 {
		t.Errorf("%d unconfirmed, conflicts differ (-want +got):\n%s", r.Unconfirmed, diff)
	}
	if diff := cmp.Diff(items(r), items(plan)); diff != "" || !cmp.Equal(plan.Conflicts, r.Conflicts) {
		t.Errorf("the plan differs (-done +plan):\n%s", diff)
	}
	r = f.do(Request{Files: []File{second}, ConfirmConflicts: true})
	if r.Counts[Added] != 2 || r.Counts[Unchanged] != 2 || len(r.Conflicts) == 0 || r.Unconfirmed != 0 {
		t.Errorf("confirmed: %q, %v", items(r), r.Conflicts)
	}
	// Both rules of a pair in one file and one batch.
	r = f.do(Request{Files: []File{file("c.csv", "trail,id,text", "New,G,Guests must sign the book.", "New,H,Guests mustnot sign the book.")}})
	if r.Unconfirmed != 1 || r.Items[2].Action != Held {
		t.Errorf("a pair in one file: %q", items(r))
	}
}

func TestAddRule(t *testing.T) {
	f := newFixture(t, sayings{})
	ctx, ch := context.Background(), Change{Workspace: f.workspace, By: "ana"}
	for _, trail := range []store.Trail{{Name: "Travel & Expenses"}, {ID: "x", Name: "Twin"}, {ID: "y", Name: "twin"}} {
		if _, err := f.writer.CreateTrail(ctx, ch, trail); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		in   RuleInput
		is   error
		want string
	}{
		{RuleInput{}, ErrBadRow, "text: the text of the rule is missing\ntrail: no Trail is named"},
		{RuleInput{Text: "A.", Trail: "Nope"}, ErrUnknown, `trail: there is no Trail "Nope"`},
		{RuleInput{Text: "A.", Trail: "TWIN"}, ErrAmbiguous, `trail: "TWIN" is the name of the Trails "x" and "y"; give the id`},
		{RuleInput{Text: "A.", Trail: "x", Cluster: "c"}, ErrBadRow, "cluster: a cluster lies in a domain, and none is given"},
		{RuleInput{Text: "A.", Trail: "x", Status: "active"}, ErrBadRow, `status: "active" is not among "draft", "approved" and "retired"`},
		{RuleInput{Text: "A.", Trail: "x", Class: "law", EffectiveFrom: "1.1.26"}, ErrBadRow,
			`class: "law" is not among "obligation", "prohibition", "permission", "recommendation", "definition", "procedure" and "exception"` + "\n" +
				`effective_from: "1.1.26" is unclear as a day; write it as 2006-01-02`},
		{RuleInput{Text: "a\xffb", Trail: "x"}, ErrBadRow, "text: the text is not UTF-8"},
		{RuleInput{Text: "A.", Trail: "x", Supersedes: []string{"nobody"}}, store.ErrInvalid,
			`invalid rule: supersedes of rule "r-TODO" names "nobody", which does not exist`},
	} {
		_, _, err := f.writer.AddRule(ctx, ch, c.in)
		want := strings.ReplaceAll(c.want, "r-TODO", derivedID("x", c.in.Text))
		if !errors.Is(err, c.is) || err.Error() != want {
			t.Errorf("AddRule(%+v) = %v, want %q", c.in, err, want)
		}
	}
	rule, conflicts, err := f.writer.AddRule(ctx, ch, RuleInput{Trail: "travel-expenses", Text: "Staff must fly economy.", Tags: []string{" b ", "b", "a"}, Status: store.StatusApproved})
	if err != nil || len(conflicts) > 0 || rule.Status != store.StatusApproved || rule.Class != store.ClassObligation || !rule.ClassDerived ||
		!slices.Equal(rule.Tags, []string{"b", "a"}) || rule.Author != "ana" || rule.Approver != "ana" {
		t.Fatalf("AddRule = %+v, %v, %v", rule, conflicts, err)
	}
	if _, _, err := f.writer.AddRule(ctx, ch, RuleInput{Trail: "travel-expenses", Text: " staff MUST fly economy. "}); !errors.Is(err, store.ErrExists) {
		t.Errorf("AddRule of the same text = %v, want store.ErrExists", err)
	}
	in := RuleInput{Trail: "Travel & Expenses", Text: "Staff mustnot fly economy."}
	found, err := f.writer.CheckRule(ctx, f.workspace, in)
	if err != nil || len(found) != 1 {
		t.Errorf("CheckRule = %v, %v, want one conflict", found, err)
	}
	state := f.state()
	_, _, err = f.writer.AddRule(ctx, ch, in)
	var unconfirmed *ConflictError
	if !errors.Is(err, ErrConflictUnconfirmed) || !errors.As(err, &unconfirmed) || unconfirmed.Conflicts[0].Rules[1] != rule.ID || f.state() != state {
		t.Errorf("AddRule of a conflict = %v, want it refused with the conflict", err)
	}
	if want := fmt.Sprintf("conflict not confirmed: with rule %q (deontic: must against mustnot)", rule.ID); err.Error() != want {
		t.Errorf("the error reads %q, want %q", err, want)
	}
	ch.ConfirmConflicts = true
	draft, conflicts, err := f.writer.AddRule(ctx, ch, in)
	if err != nil || len(conflicts) != 1 {
		t.Fatalf("AddRule of a confirmed conflict = %v, %v", conflicts, err)
	}
	approved, conflicts, err := f.writer.ApproveRules(ctx, ch, draft.ID)
	if err != nil || len(conflicts) != 1 || len(approved) != 1 || approved[0].Status != store.StatusApproved {
		t.Errorf("ApproveRules = %v, %v, %v, want the conflict shown again", approved, conflicts, err)
	}
	c, conflict, err := f.writer.CompareRules(f.workspace, draft.ID, rule.ID)
	if err != nil || !conflict || c.Kind != "deontic" || c.Trail != "travel-expenses" {
		t.Errorf("CompareRules = %+v, %v, %v", c, conflict, err)
	}
	if _, _, err := f.writer.CompareRules(f.workspace, draft.ID, "nobody"); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("CompareRules with nobody = %v, want store.ErrNotFound", err)
	}
}

func TestEditRule(t *testing.T) {
	f := newFixture(t, sayings{})
	ctx, ch := context.Background(), Change{Workspace: f.workspace, By: "ana"}
	if _, err := f.writer.CreateTrail(ctx, ch, store.Trail{ID: "t", Name: "T"}); err != nil {
		t.Fatal(err)
	}
	rule, _, err := f.writer.AddRule(ctx, ch, RuleInput{Trail: "T", ID: "R", Text: "Pay in 30 days.", Domain: "d", Tags: []string{"x"}, Status: store.StatusApproved})
	if err != nil {
		t.Fatal(err)
	}
	edited, _, err := f.writer.EditRule(ctx, ch, "R", RuleInput{Text: "You may pay in 40 days.", Domain: "ignored"}, []string{"text"})
	if err != nil || edited.Version != 2 || edited.Status != store.StatusDraft || edited.Domain != "d" || !slices.Equal(edited.Tags, rule.Tags) || edited.Class != store.ClassPermission {
		t.Errorf("EditRule = %+v, %v, want a draft with only the text and the derived class changed", edited, err)
	}
	edited, _, err = f.writer.EditRule(ctx, ch, "R", RuleInput{Text: "Pay in 50 days.", Class: store.ClassProcedure}, nil)
	if err != nil || edited.Version != 2 || edited.Domain != "" || edited.Tags != nil || edited.ClassDerived {
		t.Errorf("EditRule of all fields = %+v, %v", edited, err)
	}
	_, _, err = f.writer.EditRule(ctx, ch, "R", RuleInput{ID: "S", Trail: "U", Status: store.StatusRetired, Text: "A."}, []string{"text"})
	if want := "id: the id of a rule cannot be changed\ntrail: a rule cannot move to another Trail\nstatus: the status is changed by approving and retiring"; err == nil || err.Error() != want {
		t.Errorf("EditRule of what cannot be changed = %v, want %q", err, want)
	}
	if _, _, err := f.writer.EditRule(ctx, ch, "R", RuleInput{}, nil); !errors.Is(err, ErrBadRow) {
		t.Errorf("EditRule without a text = %v, want ErrBadRow", err)
	}
	if _, _, err := f.writer.EditRule(ctx, ch, "nobody", RuleInput{Text: "A."}, nil); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("EditRule of nobody = %v, want store.ErrNotFound", err)
	}
	// The text that R began with is free again, and R keeps its id.
	derived, _, err := f.writer.AddRule(ctx, ch, RuleInput{Trail: "T", Text: "First words."})
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err = f.writer.EditRule(ctx, ch, derived.ID, RuleInput{Text: "Other words."}, []string{"text"}); err != nil {
		t.Fatal(err)
	}
	again, _, err := f.writer.AddRule(ctx, ch, RuleInput{Trail: "T", Text: "First words."})
	if err != nil || again.ID == derived.ID {
		t.Errorf("AddRule of a text that an edited rule had = %+v, %v, want a new rule", again, err)
	}
	if _, _, err := f.writer.ApproveRules(ctx, ch, "R", "nobody"); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("ApproveRules with nobody = %v, want store.ErrNotFound", err)
	}
	if head, _ := f.store.RuleHead(f.workspace, "R"); head.Draft == 0 {
		t.Errorf("R was approved although another rule of the call does not exist")
	}
	for _, step := range []struct {
		name string
		err  error
		want error
	}{
		{"retire", f.writer.RetireRule(ctx, ch, "R", "out of use"), nil},
		{"retire again", f.writer.RetireRule(ctx, ch, "R", ""), store.ErrNotInForce},
		{"approve", func() error { _, _, err := f.writer.ApproveRules(ctx, ch, "R"); return err }(), store.ErrNoDraft},
		{"delete what was in force", f.writer.DeleteRule(ctx, ch, "R"), store.ErrWasApproved},
		{"discard", f.writer.DiscardDraft(ctx, ch, "R"), store.ErrNoDraft},
		{"delete a draft", f.writer.DeleteRule(ctx, ch, again.ID), nil},
		{"delete nobody", f.writer.DeleteRule(ctx, ch, "nobody"), store.ErrNotFound},
		{"delete no document", f.writer.DeleteDocument(ctx, ch, "nobody"), store.ErrNotFound},
	} {
		if !errors.Is(step.err, step.want) || (step.err == nil) != (step.want == nil) {
			t.Errorf("%s = %v, want %v", step.name, step.err, step.want)
		}
	}
}

func TestEditTrail(t *testing.T) {
	f := newFixture(t, nil)
	ctx, ch := context.Background(), Change{Workspace: f.workspace, By: "ana"}
	trail, err := f.writer.CreateTrail(ctx, ch, store.Trail{Name: " Résumé / 2 ", Owner: "Ana"})
	if err != nil || trail.ID != "r\u00E9sum\u00E9-2" || trail.Name != "R\u00E9sum\u00E9 / 2" {
		t.Errorf("CreateTrail = %+v, %v", trail, err)
	}
	second, err := f.writer.CreateTrail(ctx, ch, store.Trail{Name: "Résumé (2)"})
	if err != nil || second.ID != "r\u00E9sum\u00E9-2-2" {
		t.Errorf("CreateTrail of a like name = %+v, %v", second, err)
	}
	if _, err := f.writer.CreateTrail(ctx, ch, store.Trail{ID: trail.ID, Name: "A"}); !errors.Is(err, store.ErrExists) {
		t.Errorf("CreateTrail with a taken id = %v, want store.ErrExists", err)
	}
	if _, err := f.writer.CreateTrail(ctx, ch, store.Trail{}); !errors.Is(err, ErrBadRow) || err.Error() != "name: the name of the Trail is missing" {
		t.Errorf("CreateTrail without a name = %v", err)
	}
	if _, _, err := f.writer.AddRule(ctx, ch, RuleInput{Trail: trail.ID, Text: "One."}); err != nil {
		t.Fatal(err)
	}
	before := f.embedder.texts()
	trail.Owner = "Ben"
	if _, err := f.writer.EditTrail(ctx, ch, trail); err != nil || f.embedder.texts() != before {
		t.Errorf("EditTrail of the owner = %v, and %d texts were embedded", err, f.embedder.texts()-before)
	}
	trail.Name = "CV"
	stored, err := f.writer.EditTrail(ctx, ch, trail)
	if err != nil || stored.Name != "CV" || stored.Owner != "Ben" || f.embedder.texts() != before+1 {
		t.Errorf("EditTrail of the name = %+v, %v, %d texts were embedded, want 1", stored, err, f.embedder.texts()-before)
	}
	if _, err := f.writer.EditTrail(ctx, ch, store.Trail{ID: "nobody", Name: "A"}); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("EditTrail of nobody = %v, want store.ErrNotFound", err)
	}
	if err := f.writer.DeleteTrail(ctx, ch, trail.ID); err != nil || strings.Contains(f.state(), "rule ") {
		t.Errorf("DeleteTrail = %v, left %q", err, f.state())
	}
}

// TestConcurrentAdds: of two rules that conflict and are added at the same time,
// one is refused.
func TestConcurrentAdds(t *testing.T) {
	f := newFixture(t, sayings{})
	f.writer.options.AfterCommit = nil
	ctx, ch := context.Background(), Change{Workspace: f.workspace}
	if _, err := f.writer.CreateTrail(ctx, ch, store.Trail{ID: "t", Name: "T"}); err != nil {
		t.Fatal(err)
	}
	for i := range 20 {
		var group sync.WaitGroup
		var results [2]error
		for k, word := range []string{"must", "mustnot"} {
			group.Go(func() {
				_, _, results[k] = f.writer.AddRule(ctx, ch, RuleInput{Trail: "t", Text: fmt.Sprintf("Team%d %s clean room%d now.", i, word, i)})
			})
		}
		group.Wait()
		refused := 0
		for _, err := range results {
			if errors.Is(err, ErrConflictUnconfirmed) {
				refused++
			} else if err != nil {
				t.Fatal(err)
			}
		}
		if refused != 1 {
			t.Fatalf("round %d: %d of two conflicting rules were refused, want 1", i, refused)
		}
	}
}
