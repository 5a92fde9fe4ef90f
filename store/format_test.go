package store

import (
	"compress/gzip"
	"errors"
	"flag"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.etcd.io/bbolt"
)

var updateFlag = flag.Bool("update", false, "write the database file of the current format, if there is none")

// formatFile is a database that an earlier release wrote. It is never written
// again: all later releases must read it.
const formatFile = "testdata/format1.db.gz"

// history writes a database with something of everything, the same in every
// run.
func history(t *testing.T) *Store {
	t.Helper()
	options := testOptions(t)
	options.Now = days()
	options.Entropy = rand.NewChaCha8([32]byte{42})
	s, w, trail, rule := filled(t, options)
	err := s.Update(w, func(tx *Tx) error {
		_, err := tx.AddRule(Rule{
			ID: "receipts", TrailID: trail, Title: "Receipts", Text: "Keep receipts for 7 years.", Class: ClassObligation, ClassDerived: true,
			Domain: "Finance", Cluster: "Records", Tags: []string{"receipt"}, AppliesWhen: []string{"buying"}, EffectiveFrom: "2026-01-01",
			EffectiveUntil: "2030-12-31", Source: "policy.md", Supersedes: []string{rule}, Author: "ann",
		}, "bob")
		return errors.Join(err,
			second(tx.PutDocument(handbook())),
			tx.PutVectors("model", []Hash{HashText("Keep receipts for 7 years.")}, [][]float32{{.25, -1, 3}}),
			tx.AppendActivity([]Activity{minute(trail, 1), minute(trail, 2)}),
		)
	})
	_, _, agentErr := s.CreateAgent(w, "Claude", []string{"kb_search"})
	err = errors.Join(err, agentErr,
		second(s.ApproveRule(w, "receipts", "cid")),
		second(s.EditRule(w, Rule{ID: "receipts", Text: "Keep receipts for 10 years.", Class: ClassObligation}, "dan")),
		second(s.CreateTrail(w, Trail{ID: "old", Name: "Old", Description: "To be deleted.", Owner: "Eve"})),
		s.DeleteTrail(w, "old", "eve"),
		second(s.CreateWorkspace("Empty")),
	)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestOldFileIsReadForEver(t *testing.T) {
	now := history(t)
	want, err := readAll(now)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(formatFile); errors.Is(err, fs.ErrNotExist) && *updateFlag {
		writeFormatFile(t, now)
	}
	packed, err := os.Open(formatFile)
	if err != nil {
		t.Fatal(err)
	}
	defer packed.Close()
	unpacked, err := gzip.NewReader(packed)
	if err != nil {
		t.Fatal(err)
	}
	options := testOptions(t)
	file, err := os.Create(options.Path)
	if err != nil {
		t.Fatal(err)
	}
	_, err = io.Copy(file, unpacked)
	if err := errors.Join(err, file.Close()); err != nil {
		t.Fatal(err)
	}
	s := openTest(t, options)
	if err := s.Check(t.Context()); err != nil {
		t.Errorf("Check() of the old file = %v", err)
	}
	got, err := readAll(s)
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("content of the old file (-want +got), %v:\n%s", err, diff)
	}
}

// writeFormatFile packs a database.
func writeFormatFile(t *testing.T, s *Store) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(formatFile), 0o755); err != nil {
		t.Fatal(err)
	}
	file, err := os.Create(formatFile)
	if err != nil {
		t.Fatal(err)
	}
	packed := gzip.NewWriter(file)
	err = s.db.View(func(root *bbolt.Tx) error {
		_, err := root.WriteTo(packed)
		return err
	})
	if err := errors.Join(err, packed.Close(), file.Close()); err != nil {
		t.Fatal(err)
	}
}
