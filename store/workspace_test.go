package store

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestFoldName(t *testing.T) {
	for _, c := range [][2]string{
		{"Invoices", "  invoices\t"},
		{"STRASSE", "straße"},
		{"Café", "cafe\u0301"},
		{"ΣΊΣΥΦΟΣ", "σίσυφος"},
		{"Ǆ", "ǆ"},
		{"\u212b", "å"},
		{"İ", "i\u0307"},
	} {
		if a, b := FoldName(c[0]), FoldName(c[1]); a != b {
			t.Errorf("FoldName(%q) = %q, FoldName(%q) = %q, want the same", c[0], a, c[1], b)
		}
	}
	for _, c := range [][2]string{{"resume", "résumé"}, {"a b", "ab"}, {"ı", "i"}} {
		if a, b := FoldName(c[0]), FoldName(c[1]); a == b {
			t.Errorf("FoldName(%q) = FoldName(%q), want them apart", c[0], c[1])
		}
	}
}

func FuzzFoldName(f *testing.F) {
	for _, name := range []string{"Invoices", "straße", "e\u0301", "İ", "\u0345\u0301", "\xff"} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		folded := FoldName(name)
		if again := FoldName(folded); again != folded {
			t.Errorf("FoldName(FoldName(%q)) = %q, want %q", name, again, folded)
		}
	})
}

func TestWorkspaces(t *testing.T) {
	s := openTest(t, testOptions(t))
	gov, err := s.CreateWorkspace(" Gov ")
	if err != nil || gov.Name != "Gov" || gov.ID == "" || gov.Created.IsZero() {
		t.Fatalf("CreateWorkspace() = %+v, %v", gov, err)
	}
	acme, err := s.CreateWorkspace("acme")
	if err != nil {
		t.Fatal(err)
	}
	got, err := s.Workspaces()
	if diff := cmp.Diff([]Workspace{acme, gov}, got); diff != "" || err != nil {
		t.Errorf("Workspaces() (-want +got), %v:\n%s", err, diff)
	}
	for _, name := range []string{"gov", "GOV\n", gov.ID} {
		if found, err := s.FindWorkspace(name); err != nil || found != gov {
			t.Errorf("FindWorkspace(%q) = %+v, %v, want %+v", name, found, err, gov)
		}
	}
	for _, name := range []string{"", "nobody", strings.ToLower(gov.ID), "\xff"} {
		if _, err := s.FindWorkspace(name); !errors.Is(err, ErrNotFound) {
			t.Errorf("FindWorkspace(%q) = %v, want ErrNotFound", name, err)
		}
	}
	var exists *ExistsError
	if _, err := s.CreateWorkspace("GOV"); !errors.As(err, &exists) || exists.Kind != "workspace" || exists.Field != "name" {
		t.Errorf("CreateWorkspace() of a taken name = %v, want an ExistsError", err)
	}
	if _, err := s.RenameWorkspace(acme.ID, "gov"); !errors.Is(err, ErrExists) {
		t.Errorf("RenameWorkspace() to a taken name = %v, want ErrExists", err)
	}
	for _, name := range []string{"", "  ", "a\nb", "\xff", strings.Repeat("x", MaxNameLength+1)} {
		_, err := s.CreateWorkspace(name)
		wantField(t, "CreateWorkspace", err, "workspace", "name")
		_, err = s.RenameWorkspace(gov.ID, name)
		wantField(t, "RenameWorkspace", err, "workspace", "name")
	}
	if renamed, err := s.RenameWorkspace(gov.ID, "GOV"); err != nil || renamed.Name != "GOV" || renamed.ID != gov.ID {
		t.Errorf("RenameWorkspace() to other case = %+v, %v", renamed, err)
	}
	if renamed, err := s.RenameWorkspace(gov.ID, "Government"); err != nil || renamed.Name != "Government" {
		t.Errorf("RenameWorkspace() = %+v, %v", renamed, err)
	}
	if _, err := s.FindWorkspace("gov"); !errors.Is(err, ErrNotFound) {
		t.Errorf("FindWorkspace() of the old name = %v, want ErrNotFound", err)
	}
	if version, err := s.Version(gov.ID); err != nil || version != 0 {
		t.Errorf("Version() after renaming = %d, %v, want 0", version, err)
	}
	if _, err := s.CreateWorkspace("Gov"); err != nil {
		t.Errorf("CreateWorkspace() of a name that was given up = %v", err)
	}
	if err := s.Check(t.Context()); err != nil {
		t.Errorf("Check() = %v", err)
	}
}

func TestDeleteWorkspace(t *testing.T) {
	s, w, trail, _ := filled(t, testOptions(t))
	_, token, err := s.CreateAgent(w, "Agent", nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.DeleteWorkspace(w); err != nil {
		t.Fatal(err)
	}
	var missing *NotFoundError
	for what, err := range map[string]error{
		"DeleteWorkspace": s.DeleteWorkspace(w),
		"Trail":           second(s.Trail(w, trail)),
		"Version":         second(s.Version(w)),
		"CreateTrail":     second(s.CreateTrail(w, Trail{Name: "Late"})),
		"RenameWorkspace": second(s.RenameWorkspace(w, "Late")),
		"Version of none": second(s.Version("")),
	} {
		if !errors.As(err, &missing) || missing.Kind != "workspace" {
			t.Errorf("%s of a deleted workspace = %v, want a NotFoundError", what, err)
		}
	}
	if _, _, err := s.AgentByToken(token); !errors.Is(err, ErrNotFound) {
		t.Errorf("AgentByToken() = %v, want ErrNotFound", err)
	}
	again, err := s.CreateWorkspace("Acme")
	if err != nil || again.ID == w {
		t.Errorf("CreateWorkspace() of a deleted name = %+v, %v", again, err)
	}
	if err := s.Check(t.Context()); err != nil {
		t.Errorf("Check() = %v", err)
	}
}

// still is a clock that stands still.
func still() time.Time { return time.Date(2026, time.May, 4, 12, 0, 0, 0, time.UTC) }

// TestWall does random operations in one workspace and looks for any trace of
// them in another one with the same names and ids: after each of them, and
// against the same work done in a store without the other workspace.
func TestWall(t *testing.T) {
	all := func(bucket) bool { return true }
	work := func(noise bool) [][3]string {
		options := testOptions(t)
		options.Now = still
		options.Entropy = rand.NewChaCha8([32]byte{1})
		s := openTest(t, options)
		quiet, err := s.CreateWorkspace("Quiet")
		if err != nil {
			t.Fatal(err)
		}
		quietModel := newModel(11)
		var loud Workspace
		loudModel := newModel(11) // the same ids, names and texts
		if noise {
			if loud, err = s.CreateWorkspace("Loud"); err != nil {
				t.Fatal(err)
			}
		}
		for step := range 150 {
			quietModel.step(t, s, quiet.ID)
			if !noise {
				continue
			}
			before := bucketBytes(t, s, quiet.ID, all)
			for range 2 {
				loudModel.step(t, s, loud.ID)
			}
			if step%10 == 0 {
				loudModel.others(t, s, loud.ID, step)
			}
			if after := bucketBytes(t, s, quiet.ID, all); !cmp.Equal(before, after) {
				t.Fatalf("step %d in another workspace changed this one:\n%s", step, cmp.Diff(before, after))
			}
		}
		if noise {
			for _, change := range []func() error{
				func() error { return second(s.RenameWorkspace(loud.ID, "Louder")) },
				func() error { return s.DeleteWorkspace(loud.ID) },
			} {
				before := bucketBytes(t, s, quiet.ID, all)
				if err := change(); err != nil {
					t.Fatal(err)
				}
				if after := bucketBytes(t, s, quiet.ID, all); !cmp.Equal(before, after) {
					t.Error("renaming or deleting a workspace changed another one")
				}
			}
		}
		// Ids and versions that are given out afterwards are the same as well.
		if _, err := s.CreateTrail(quiet.ID, Trail{Name: "Last"}); err != nil {
			t.Fatal(err)
		}
		return bucketBytes(t, s, quiet.ID, all)
	}
	alone, beside := work(false), work(true)
	if diff := cmp.Diff(alone, beside); diff != "" {
		t.Errorf("a workspace depends on whether there is another (-alone +beside):\n%s", diff)
	}
}

// others does what the random operations leave out.
func (m *model) others(t *testing.T, s *Store, w string, n int) {
	t.Helper()
	trail := pick(m, m.trails)
	_, _, err := s.CreateAgent(w, fmt.Sprintf("Agent %d", n), []string{"kb_search"})
	err = errors.Join(err,
		s.PutVectors(w, "model", []Hash{HashText(fmt.Sprint(n))}, [][]float32{{1}}),
		s.AppendActivity(w, []Activity{{TrailID: trail, Query: "q"}}),
	)
	if err != nil {
		t.Error(err)
	}
}

func TestForeignIDIsUnknown(t *testing.T) {
	s, w, trail, rule := filled(t, testOptions(t))
	if _, err := s.PutDocument(w, Document{ID: "travel", Path: "travel.md", Tier: "meta"}); err != nil {
		t.Fatal(err)
	}
	agent, _, err := s.CreateAgent(w, "Agent", nil)
	if err != nil {
		t.Fatal(err)
	}
	other, err := s.CreateWorkspace("Other")
	if err != nil {
		t.Fatal(err)
	}
	for what, ask := range map[string]func(id string) error{
		"Trail":       func(id string) error { return second(s.Trail(other.ID, id)) },
		"Rule":        func(id string) error { return second(s.Rule(other.ID, id)) },
		"RuleHistory": func(id string) error { return second(s.RuleHistory(other.ID, id)) },
		"Document":    func(id string) error { return second(s.Document(other.ID, id, WholeDocument)) },
		"Agent":       func(id string) error { return second(s.Agent(other.ID, id)) },
		"RetireRule":  func(id string) error { return s.RetireRule(other.ID, id, "", "") },
		"AddRule": func(id string) error {
			return second(s.AddRule(other.ID, Rule{TrailID: id, Text: "Text.", Class: ClassObligation}, ""))
		},
	} {
		for _, foreign := range []string{trail, rule, "travel", agent.ID} {
			unknown := strings.Repeat("x", len(foreign))
			got := strings.ReplaceAll(fmt.Sprint(ask(foreign)), foreign, "ID")
			want := strings.ReplaceAll(fmt.Sprint(ask(unknown)), unknown, "ID")
			if got != want || !errors.Is(ask(foreign), ErrNotFound) {
				t.Errorf("%s of a foreign id = %q, of an unknown one %q, want them alike", what, got, want)
			}
		}
	}
}
