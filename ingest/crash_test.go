package ingest

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"waymark/embedding/embeddingtest"
	"waymark/store"
)

// crashRows are the rules of the import that is killed.
func crashRows() File {
	var rows []string
	for i := range 1500 {
		rows = append(rows, fmt.Sprintf(`{"trail": "Travel", "id": "R-%04d", "text": "Rule number %d says what to do in case %d."}`, i, i, i))
	}
	return file("rules.jsonl", rows...)
}

// TestMain lets the test binary be the process that is killed.
func TestMain(m *testing.M) {
	if path := os.Getenv("WAYMARK_CRASH_STORE"); path != "" {
		if err := importForCrash(path, os.Getenv("WAYMARK_CRASH_WORKSPACE")); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// importForCrash imports and writes, after each batch, how many rows are stored.
func importForCrash(path, workspace string) error {
	s, err := store.Open(store.Options{Path: path})
	if err != nil {
		return err
	}
	defer s.Close()
	w := NewWriter(Options{Store: s, Embedder: embeddingtest.New(), BatchSize: 50})
	_, err = w.Import(context.Background(), Request{Workspace: workspace, Files: []File{crashRows()},
		Progress: func(p Progress) { fmt.Println(p.Done) }})
	return err
}

// TestKillDuringImport kills an importing process without warning: the store
// opens clean, every row that was reported is there with its vector, none is half
// there, and the same import finishes the work.
func TestKillDuringImport(t *testing.T) {
	path := filepath.Join(t.TempDir(), "crash.db")
	s, err := store.Open(store.Options{Path: path})
	if err != nil {
		t.Fatal(err)
	}
	workspace, err := s.CreateWorkspace("crash")
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	for _, killAt := range []int{50, 400} {
		child := exec.Command(os.Args[0])
		child.Env = append(os.Environ(), "WAYMARK_CRASH_STORE="+path, "WAYMARK_CRASH_WORKSPACE="+workspace.ID)
		child.Stderr = os.Stderr
		out, err := child.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := child.Start(); err != nil {
			t.Fatal(err)
		}
		// Rows that an earlier child stored are not counted again.
		reported, killed := 0, false
		for scan := bufio.NewScanner(out); scan.Scan(); {
			if _, err := fmt.Sscan(scan.Text(), &reported); err != nil {
				t.Fatal(err)
			}
			if reported >= killAt && !killed {
				killed = true
				if err := child.Process.Kill(); err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := child.Wait(); err == nil || !killed {
			t.Fatalf("the import was not killed: %v", err)
		}
		if s, err = store.Open(store.Options{Path: path}); err != nil {
			t.Fatalf("open after the kill: %v", err)
		}
		rules, err := s.Rules(workspace.ID, store.RuleFilter{})
		if err != nil || len(rules) < reported || len(rules) >= 1500 {
			t.Errorf("killed after %d reported rows: %d are stored, %v", reported, len(rules), err)
		}
		w := NewWriter(Options{Store: s, Embedder: embeddingtest.New()})
		if n, err := w.EnsureVectors(context.Background(), workspace.ID, nil); n != 0 || err != nil {
			t.Errorf("%d stored rows had no vector, %v", n, err)
		}
		if killAt == 400 {
			r, err := w.Import(context.Background(), Request{Workspace: workspace.ID, Files: []File{crashRows()}})
			if err != nil || r.Counts[Added]+r.Counts[Unchanged] != 1500 || r.Counts[Unchanged] != len(rules) {
				t.Errorf("the import after the kill: %v, %v, want %d unchanged and the rest added", r.Counts, err, len(rules))
			}
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
