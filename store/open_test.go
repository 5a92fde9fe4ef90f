package store

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.etcd.io/bbolt"
)

// testOptions returns options for a new database without syncs.
func testOptions(t testing.TB) Options {
	return Options{Path: filepath.Join(t.TempDir(), "waymark.db"), NoSync: true}
}

// openTest opens a store that is closed when the test ends.
func openTest(t testing.TB, options Options) *Store {
	t.Helper()
	s, err := Open(options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// filled returns a new store with a workspace, a Trail and a rule in force.
func filled(t testing.TB, options Options) (s *Store, workspace, trail, rule string) {
	t.Helper()
	s = openTest(t, options)
	w, err := s.CreateWorkspace("Acme")
	if err != nil {
		t.Fatal(err)
	}
	made, err := s.CreateTrail(w.ID, Trail{Name: "Invoices"})
	if err != nil {
		t.Fatal(err)
	}
	added, err := s.AddRule(w.ID, Rule{TrailID: made.ID, Text: "Pay within 30 days.", Class: ClassObligation, Status: StatusApproved}, "ann")
	if err != nil {
		t.Fatal(err)
	}
	return s, w.ID, made.ID, added.ID
}

func TestFileMode(t *testing.T) {
	options := testOptions(t)
	openTest(t, options)
	info, err := os.Stat(options.Path)
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode().Perm() != 0o600 {
		t.Errorf("mode of the database file = %v, want 0600", info.Mode().Perm())
	}
}

func TestLockNamesHolder(t *testing.T) {
	options := testOptions(t)
	options.Holder = "socket /run/waymark.sock"
	options.LockTimeout = 100 * time.Millisecond
	s := openTest(t, options)
	for _, readOnly := range []bool{false, true} {
		options.ReadOnly = readOnly
		start := time.Now()
		_, err := Open(options)
		if !errors.Is(err, ErrLocked) {
			t.Fatalf("Open(ReadOnly: %v) of a locked file = %v, want ErrLocked", readOnly, err)
		}
		for _, want := range []string{fmt.Sprintf("process %d", os.Getpid()), "socket /run/waymark.sock"} {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("Open(ReadOnly: %v) of a locked file = %q, want %q in it", readOnly, err, want)
			}
		}
		if waited := time.Since(start); waited > time.Second {
			t.Errorf("Open(ReadOnly: %v) of a locked file took %v", readOnly, waited)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(holderPath(options.Path)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("lock file after Close: %v, want none", err)
	}
	options.ReadOnly = false
	openTest(t, options)
}

func TestLockOfUnknownHolder(t *testing.T) {
	options := testOptions(t)
	options.LockTimeout = 50 * time.Millisecond
	openTest(t, options)
	for _, line := range []string{"", "no number", "999999999 socket /gone"} {
		if err := os.WriteFile(holderPath(options.Path), []byte(line), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(options); !errors.Is(err, ErrLocked) || !strings.Contains(err.Error(), "another process") {
			t.Errorf("Open() with lock file %q = %v, want ErrLocked by another process", line, err)
		}
	}
}

func TestLockFileIsNotTheDatabase(t *testing.T) {
	for _, name := range []string{"waymark.db", "waymark", "waymark.lock", "w.a.y"} {
		if holderPath(name) == name || filepath.Ext(holderPath(name)) != ".lock" {
			t.Errorf("holderPath(%q) = %q", name, holderPath(name))
		}
	}
}

func TestReadOnly(t *testing.T) {
	options := testOptions(t)
	s, w, _, rule := filled(t, options)
	s.Close()
	options.ReadOnly = true
	first := openTest(t, options)
	second := openTest(t, options)
	for _, s := range []*Store{first, second} {
		if _, err := s.Rule(w, rule); err != nil {
			t.Errorf("Rule() = %v", err)
		}
		if err := s.RetireRule(w, rule, "ann", ""); !errors.Is(err, ErrReadOnly) {
			t.Errorf("RetireRule() = %v, want ErrReadOnly", err)
		}
		if _, err := s.CreateWorkspace("Other"); !errors.Is(err, ErrReadOnly) {
			t.Errorf("CreateWorkspace() = %v, want ErrReadOnly", err)
		}
		if err := s.Check(t.Context()); err != nil {
			t.Errorf("Check() = %v", err)
		}
	}
	options.Path += ".absent"
	if _, err := Open(options); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Open(ReadOnly) of no file = %v, want ErrNotExist", err)
	}
}

func TestClosed(t *testing.T) {
	s, w, _, rule := filled(t, testOptions(t))
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Errorf("second Close() = %v", err)
	}
	if _, err := s.Rule(w, rule); !errors.Is(err, ErrClosed) {
		t.Errorf("Rule() after Close = %v, want ErrClosed", err)
	}
	if err := s.RetireRule(w, rule, "", ""); !errors.Is(err, ErrClosed) {
		t.Errorf("RetireRule() after Close = %v, want ErrClosed", err)
	}
	if err := s.Check(t.Context()); !errors.Is(err, ErrClosed) {
		t.Errorf("Check() after Close = %v, want ErrClosed", err)
	}
}

func TestNotDatabase(t *testing.T) {
	for name, content := range map[string][]byte{
		"short text": []byte("# Travel\n"),
		"long text":  bytes.Repeat([]byte("Travel must be approved.\n"), 4000),
		"zeros":      make([]byte, 1<<16),
	} {
		options := testOptions(t)
		if err := os.WriteFile(options.Path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(options); !errors.Is(err, ErrNotDatabase) {
			t.Errorf("Open() of %s = %v, want ErrNotDatabase", name, err)
		}
		if got, err := os.ReadFile(options.Path); err != nil || !bytes.Equal(got, content) {
			t.Errorf("Open() of %s changed the file (%v)", name, err)
		}
	}
	if _, err := Open(Options{Path: t.TempDir()}); err == nil {
		t.Error("Open() of a directory = nil")
	}
}

func TestForeignBoltFile(t *testing.T) {
	options := testOptions(t)
	db, err := bbolt.Open(options.Path, 0o600, nil)
	if err != nil {
		t.Fatal(err)
	}
	err = db.Update(func(tx *bbolt.Tx) error {
		_, err := tx.CreateBucket([]byte("keys"))
		return err
	})
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(options); !errors.Is(err, ErrNotDatabase) {
		t.Errorf("Open() of a foreign bbolt file = %v, want ErrNotDatabase", err)
	}
}

func TestEmptyFileIsNew(t *testing.T) {
	options := testOptions(t)
	if err := os.WriteFile(options.Path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	s := openTest(t, options)
	if err := s.Check(t.Context()); err != nil {
		t.Errorf("Check() = %v", err)
	}
}
