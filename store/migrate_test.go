package store

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.etcd.io/bbolt"
)

// copies returns the names of the copies beside a database.
func copies(t *testing.T, path string) []string {
	t.Helper()
	names, err := filepath.Glob(path + ".format*")
	if err != nil {
		t.Fatal(err)
	}
	return names
}

func TestNewerFormatIsRefused(t *testing.T) {
	options := testOptions(t)
	s, err := open(options, currentFormat+1, nil)
	if err != nil {
		t.Fatal(err)
	}
	s.Close()
	before, err := os.ReadFile(options.Path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Open(options); !errors.Is(err, ErrNewerFormat) || !strings.Contains(err.Error(), "format 2") {
		t.Errorf("Open() of a newer format = %v, want ErrNewerFormat with its number", err)
	}
	after, err := os.ReadFile(options.Path)
	if err != nil || !bytes.Equal(before, after) {
		t.Errorf("Open() of a newer format changed the file (%v)", err)
	}
	if _, err := os.Stat(holderPath(options.Path)); err == nil {
		t.Error("Open() of a newer format left a lock file")
	}
}

// newFormats are steps from the current format, made up for the tests.
func newFormats() map[uint32]migration {
	return map[uint32]migration{
		currentFormat: func(root *bbolt.Tx) error {
			return root.Bucket(topMeta).Put([]byte("first"), []byte("done"))
		},
		currentFormat + 1: func(root *bbolt.Tx) error {
			return root.Bucket(topMeta).Put([]byte("second"), append([]byte("after "), root.Bucket(topMeta).Get([]byte("first"))...))
		},
	}
}

func TestOlderFormatIsMigrated(t *testing.T) {
	options := testOptions(t)
	s, w, _, rule := filled(t, options)
	s.Close()

	s, err := open(options, currentFormat+2, newFormats())
	if err != nil {
		t.Fatal(err)
	}
	err = s.db.View(func(root *bbolt.Tx) error {
		if got := string(root.Bucket(topMeta).Get([]byte("second"))); got != "after done" {
			t.Errorf("second step left %q, want %q", got, "after done")
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Rule(w, rule); err != nil {
		t.Errorf("Rule() after migration = %v", err)
	}
	s.Close()
	if s, err = open(options, currentFormat+2, nil); err != nil {
		t.Fatalf("open after migration: %v", err)
	}
	s.Close()

	aside := copies(t, options.Path)
	if len(aside) != 1 {
		t.Fatalf("copies beside the database = %v, want one", aside)
	}
	if info, err := os.Stat(aside[0]); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("copy has mode %v (%v), want 0600", info.Mode(), err)
	}
	old := openTest(t, Options{Path: aside[0]})
	if _, err := old.Rule(w, rule); err != nil {
		t.Errorf("Rule() in the copy = %v", err)
	}
	if err := old.Check(t.Context()); err != nil {
		t.Errorf("Check() of the copy = %v", err)
	}
}

func TestFailedMigrationChangesNothing(t *testing.T) {
	broken := newFormats()
	broken[currentFormat+1] = func(*bbolt.Tx) error { return errors.New("no luck") }
	missing := newFormats()
	delete(missing, currentFormat+1)
	for name, steps := range map[string]map[uint32]migration{"broken step": broken, "missing step": missing} {
		options := testOptions(t)
		s, w, _, rule := filled(t, options)
		s.Close()
		if _, err := open(options, currentFormat+2, steps); err == nil {
			t.Fatalf("%s: open() = nil", name)
		}
		s = openTest(t, options)
		if _, err := s.Rule(w, rule); err != nil {
			t.Errorf("%s: Rule() = %v", name, err)
		}
		if err := s.Check(t.Context()); err != nil {
			t.Errorf("%s: Check() = %v", name, err)
		}
	}
}

func TestReadOnlyDoesNotMigrate(t *testing.T) {
	options := testOptions(t)
	s, _, _, _ := filled(t, options)
	s.Close()
	options.ReadOnly = true
	if _, err := open(options, currentFormat+2, newFormats()); !errors.Is(err, ErrReadOnly) {
		t.Errorf("open() of an older format for reading = %v, want ErrReadOnly", err)
	}
	if aside := copies(t, options.Path); len(aside) != 0 {
		t.Errorf("copies = %v, want none", aside)
	}
}
