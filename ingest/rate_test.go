package ingest

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"waymark/embedding"
	"waymark/store"
)

// obliqa makes a file of rules of the first passages of the rulebooks, those
// that are longer than a rule may be left out.
func obliqa(t testing.TB, most int) File {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(shared(t, "data", "obliqa"), "corpus.jsonl"))
	if err != nil {
		t.Skip(err)
	}
	var rows []string
	for row := range strings.Lines(string(data)) {
		var p struct{ ID, Ref, Text string }
		if err := json.Unmarshal([]byte(row), &p); err != nil {
			t.Fatal(err)
		}
		if len(p.Text) > store.MaxTextLength || len(rows) >= most {
			continue
		}
		b, err := json.Marshal(map[string]string{"id": p.ID, "trail": "Rulebook", "text": p.Text, "source": p.Ref})
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, string(b))
	}
	return file("obliqa.jsonl", rows...)
}

// TestImportRate holds an import, with the encoder and the conflict check as
// served and a store that syncs, to 60 % of the rate at which the encoder embeds
// the same texts at once. It takes a minute on an idle machine, and means nothing
// on a busy one: WAYMARK_LONG=1 runs it.
func TestImportRate(t *testing.T) {
	if os.Getenv("WAYMARK_LONG") == "" {
		t.Skip("WAYMARK_LONG is not set")
	}
	encoder, err := embedding.New(embedding.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s, err := store.Open(store.Options{Path: filepath.Join(t.TempDir(), "rate.db")})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	workspace, err := s.CreateWorkspace("rate")
	if err != nil {
		t.Fatal(err)
	}
	rules := obliqa(t, 3000)
	w := NewWriter(Options{Store: s, Embedder: encoder, Conflicts: RuleChecker{}})
	start := time.Now()
	r, err := w.Import(context.Background(), Request{Workspace: workspace.ID, Files: []File{rules}, ConfirmConflicts: true})
	imported := time.Since(start)
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	err = s.View(workspace.ID, func(tx *store.ReadTx) error {
		for text, err := range w.storedTexts(tx) {
			if err != nil {
				return err
			}
			texts = append(texts, text)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	start = time.Now()
	if _, err := encoder.EmbedPassages(context.Background(), texts); err != nil {
		t.Fatal(err)
	}
	bulk := time.Since(start)
	t.Logf("%d rules of one Trail, %d embedded, %d conflicts and %d pairs to compare: imported in %v, embedded alone in %v, ratio %.2f",
		r.Counts[Added], r.Embedded, r.CertainConflicts, r.PairsToCompare, imported, bulk, bulk.Seconds()/imported.Seconds())
	if bulk.Seconds() < 0.6*imported.Seconds() {
		t.Errorf("import ran at %.2f of the encoder's rate, want at least 0.60", bulk.Seconds()/imported.Seconds())
	}
}
