package store

import (
	"errors"
	"fmt"
	"io"
	"runtime"
	"sync"
	"testing"
	"testing/iotest"

	"go.etcd.io/bbolt"
	berrors "go.etcd.io/bbolt/errors"
)

// commits returns how many transactions were committed to the file.
func commits(t testing.TB, s *Store) int {
	t.Helper()
	var id int
	err := s.db.View(func(root *bbolt.Tx) error {
		id = root.ID()
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func TestWritersShareCommits(t *testing.T) {
	options := testOptions(t)
	options.NoSync = false
	s, w, trail, _ := filled(t, options)
	before := commits(t, s)
	const writers, each = 32, 8
	var group sync.WaitGroup
	ids := make([][]string, writers)
	for writer := range writers {
		group.Go(func() {
			for n := range each {
				rule, err := s.AddRule(w, Rule{TrailID: trail, Text: fmt.Sprintf("Rule %d of %d.", n, writer), Class: ClassObligation}, "ann")
				if err != nil {
					t.Error(err)
					return
				}
				ids[writer] = append(ids[writer], rule.ID)
			}
		})
	}
	group.Wait()
	used := commits(t, s) - before
	if used > writers*each/4 {
		t.Errorf("%d writes by %d writers took %d commits, want at most %d", writers*each, writers, used, writers*each/4)
	}
	version, err := s.Version(w)
	if err != nil {
		t.Fatal(err)
	}
	if want := uint64(2 + writers*each); version != want {
		t.Errorf("Version() = %d, want %d: one for each write", version, want)
	}
	for writer := range ids {
		for n, id := range ids[writer] {
			rule, err := s.Rule(w, id)
			if want := fmt.Sprintf("Rule %d of %d.", n, writer); err != nil || rule.Text != want {
				t.Errorf("Rule(%q) = %q, %v, want %q", id, rule.Text, err, want)
			}
		}
	}
	if err := s.Check(t.Context()); err != nil {
		t.Errorf("Check() = %v", err)
	}
}

func TestReadingAndFailingCommitNothing(t *testing.T) {
	s, w, _, rule := filled(t, testOptions(t))
	before := commits(t, s)
	if _, err := s.ApproveRule(w, rule, "ann"); !errors.Is(err, ErrNoDraft) {
		t.Errorf("ApproveRule() = %v, want ErrNoDraft", err)
	}
	if err := s.Update(w, func(*Tx) error { return nil }); err != nil {
		t.Errorf("Update() = %v", err)
	}
	if used := commits(t, s) - before; used != 0 {
		t.Errorf("%d commits, want none", used)
	}
}

// together runs writers so that they share a group: each waits in its
// transaction until the next one waits for its turn.
func together(t *testing.T, s *Store, writers ...func()) {
	t.Helper()
	s.writing.Lock()
	var group sync.WaitGroup
	for i, writer := range writers {
		group.Go(writer)
		for s.waiting.Load() != int64(i+1) {
			runtime.Gosched()
		}
	}
	s.writing.Unlock()
	group.Wait()
}

func TestFailureLeavesTheGroupAlone(t *testing.T) {
	s, w, trail, rule := filled(t, testOptions(t))
	before := commits(t, s)
	failed := errors.New("changed my mind")
	add := func(text string) func() {
		return func() {
			if _, err := s.AddRule(w, Rule{ID: text, TrailID: trail, Text: text, Class: ClassObligation}, "ann"); err != nil {
				t.Errorf("AddRule(%q) = %v", text, err)
			}
		}
	}
	together(t, s,
		add("one"),
		func() {
			err := s.Update(w, func(tx *Tx) error {
				if _, err := tx.CreateTrail(Trail{ID: "new", Name: "New"}); err != nil {
					t.Error(err)
				}
				if err := tx.RetireRule(rule, "ann", ""); err != nil {
					t.Error(err)
				}
				if err := tx.DiscardDraft("one", "ann"); err != nil {
					t.Error(err)
				}
				if _, _, err := tx.CreateAgent("agent", nil); err != nil {
					t.Error(err)
				}
				return failed
			})
			if err != failed {
				t.Errorf("Update() = %v, want %v", err, failed)
			}
		},
		add("two"),
		func() {
			defer func() {
				if cause := recover(); cause != "a bug" {
					t.Errorf("recover() = %v, want the panic of the function", cause)
				}
			}()
			s.Update(w, func(tx *Tx) error {
				if err := tx.DeleteTrail(trail, "ann"); err != nil {
					t.Error(err)
				}
				panic("a bug")
			})
		},
		func() {
			s.Update(w, func(tx *Tx) error {
				if err := tx.DeleteTrail(trail, "ann"); err != nil {
					t.Error(err)
				}
				runtime.Goexit()
				return nil
			})
		},
		add("three"),
	)
	if used := commits(t, s) - before; used != 1 {
		t.Errorf("%d commits, want 1", used)
	}
	rules, err := s.Rules(w, RuleFilter{})
	if err != nil {
		t.Fatal(err)
	}
	if len(rules) != 4 {
		t.Errorf("Rules() = %d rules, want 4", len(rules))
	}
	for _, r := range rules {
		want := StatusDraft
		if r.ID == rule {
			want = StatusApproved
		}
		if r.Status != want {
			t.Errorf("rule %q is %s, want %s", r.ID, r.Status, want)
		}
	}
	if version, err := s.Version(w); err != nil || version != 5 {
		t.Errorf("Version() = %d, %v, want 5", version, err)
	}
	if err := s.Check(t.Context()); err != nil {
		t.Errorf("Check() = %v", err)
	}
}

func TestLastOfGroupFails(t *testing.T) {
	s, w, trail, _ := filled(t, testOptions(t))
	together(t, s,
		func() {
			if _, err := s.CreateTrail(w, Trail{ID: "kept", Name: "Kept"}); err != nil {
				t.Error(err)
			}
		},
		func() {
			if _, err := s.CreateTrail(w, Trail{ID: trail, Name: "Again"}); !errors.Is(err, ErrExists) {
				t.Errorf("CreateTrail() of a taken id = %v, want ErrExists", err)
			}
		},
	)
	if _, err := s.Trail(w, "kept"); err != nil {
		t.Errorf("Trail() of the other writer = %v", err)
	}
}

func TestMethodThatFailsChangesNothing(t *testing.T) {
	s, w, trail, rule := filled(t, testOptions(t))
	err := s.Update(w, func(tx *Tx) error {
		if _, err := tx.AddRule(Rule{ID: "good", TrailID: trail, Text: "Keep receipts.", Class: ClassObligation}, "ann"); err != nil {
			return err
		}
		bad := Rule{ID: "bad", TrailID: trail, Text: "Keep nothing.", Class: "wish", Supersedes: []string{"nobody"}}
		if _, err := tx.AddRule(bad, "ann"); !errors.Is(err, ErrInvalid) {
			t.Errorf("AddRule() of a bad rule = %v, want ErrInvalid", err)
		}
		if _, err := tx.AddRule(Rule{ID: rule, TrailID: trail, Text: "Twice.", Class: ClassObligation}, "ann"); !errors.Is(err, ErrExists) {
			t.Errorf("AddRule() of a taken id = %v, want ErrExists", err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if rules, err := s.Rules(w, RuleFilter{}); err != nil || len(rules) != 2 {
		t.Errorf("Rules() = %d rules, %v, want 2", len(rules), err)
	}
	if err := s.Check(t.Context()); err != nil {
		t.Errorf("Check() = %v", err)
	}
}

func TestTransactionEnds(t *testing.T) {
	s, w, trail, rule := filled(t, testOptions(t))
	var read *ReadTx
	if err := s.View(w, func(tx *ReadTx) error { read = tx; return nil }); err != nil {
		t.Fatal(err)
	}
	var write *Tx
	if err := s.Update(w, func(tx *Tx) error { write = tx; return nil }); err != nil {
		t.Fatal(err)
	}
	for name, err := range map[string]error{
		"ReadTx.Rule":    second(read.Rule(rule)),
		"ReadTx.Version": second(read.Version()),
		"Tx.Trail":       second(write.Trail(trail)),
		"Tx.CreateTrail": second(write.CreateTrail(Trail{Name: "Late"})),
		"Tx.AddRule":     second(write.AddRule(Rule{TrailID: trail, Text: "Late.", Class: ClassObligation}, "")),
		"Tx.DeleteModel": write.DeleteModel("model"),
	} {
		if !errors.Is(err, ErrTxDone) {
			t.Errorf("%s after the end = %v, want ErrTxDone", name, err)
		}
	}
}

// second returns the error of two results.
func second[T any](_ T, err error) error { return err }

func TestCommitThatFails(t *testing.T) {
	s, w, _, _ := filled(t, testOptions(t))
	s.db.MaxSize = 1 // as if the disk were full
	large := Document{ID: "large", Path: "large.md", Tier: "meta", Raw: make([]byte, 8<<20)}
	together(t, s,
		func() {
			if _, err := s.PutDocument(w, large); !errors.Is(err, berrors.ErrMaxSizeReached) {
				t.Errorf("PutDocument() on a full disk = %v, want ErrMaxSizeReached", err)
			}
		},
		func() {
			if _, err := s.CreateTrail(w, Trail{ID: "beside", Name: "Beside"}); !errors.Is(err, berrors.ErrMaxSizeReached) {
				t.Errorf("CreateTrail() in the same commit = %v, want ErrMaxSizeReached", err)
			}
		},
	)
	if _, err := s.Trail(w, "beside"); !errors.Is(err, ErrNotFound) {
		t.Errorf("Trail() after the commit failed = %v, want ErrNotFound", err)
	}
	s.db.MaxSize = 0
	if _, err := s.PutDocument(w, large); err != nil {
		t.Errorf("PutDocument() after there is room = %v", err)
	}
	if err := s.Check(t.Context()); err != nil {
		t.Errorf("Check() = %v", err)
	}
}

func TestNoEntropy(t *testing.T) {
	options := testOptions(t)
	options.Entropy = iotest.ErrReader(io.ErrNoProgress)
	s := openTest(t, options)
	if _, err := s.CreateWorkspace("Acme"); !errors.Is(err, io.ErrNoProgress) {
		t.Errorf("CreateWorkspace() without entropy = %v, want %v", err, io.ErrNoProgress)
	}
	if _, err := s.FindWorkspace("Acme"); !errors.Is(err, ErrNotFound) {
		t.Errorf("FindWorkspace() = %v, want ErrNotFound", err)
	}
}
