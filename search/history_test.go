package search_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"waymark/search/searchtest"
)

// TestRestartAnswersTheSameBytes: after random edits the answers stay the same
// through a restart with the index kept, deleted and damaged in every file, and
// through a rebuild.
func TestRestartAnswersTheSameBytes(t *testing.T) {
	for seed := range uint64(rounds(3)) {
		w := searchtest.Open(t, searchtest.Options{Directory: t.TempDir()})
		s := w.Space("w")
		r := searchtest.NewRandom(s, seed+100)
		r.Fill(30, 25)
		for range 15 {
			r.Step()
		}
		calls := r.Calls(rounds(50))
		want := s.Transcript(calls)
		check := func(what string) {
			t.Helper()
			if d := cmp.Diff(want, s.Transcript(calls)); d != "" {
				t.Fatalf("seed %d, %s (-before +after):\n%s", seed, what, d)
			}
		}
		files := func() []string {
			t.Helper()
			names, err := filepath.Glob(filepath.Join(w.IndexFolder(s.ID), "*"))
			if err != nil || len(names) < 2 {
				t.Fatalf("index files %v, %v", names, err)
			}
			return names
		}
		w.Restart()
		check("restart")
		if h, err := w.Index.Health(s.ID); err != nil || h.Rebuilt != "" {
			t.Fatalf("Health = %+v, %v; want files that could be used", h, err)
		}
		if err := w.Index.Rebuild(s.ID); err != nil {
			t.Fatal(err)
		}
		check("rebuild")
		w.Close()
		if err := os.RemoveAll(w.IndexFolder(s.ID)); err != nil {
			t.Fatal(err)
		}
		w.Restart()
		check("index deleted")
		w.Close()
		for i := range files() {
			w.Restart()
			check("index written anew")
			w.Close()
			name := files()[i]
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			at := r.IntN(len(data))
			if i%2 == 0 {
				data[at] ^= 0x20
			} else {
				data = data[:at]
			}
			if err := os.WriteFile(name, data, 0o600); err != nil {
				t.Fatal(err)
			}
			w.Restart()
			check("damaged " + filepath.Base(name))
			w.Close()
		}
		w.Restart()
		check("the end")
	}
}

// TestOrderOfLoadingDoesNotShow: the same content loaded at once, one by one, or
// one by one with an older version of each before, answers alike.
func TestOrderOfLoadingDoesNotShow(t *testing.T) {
	whole, step := searchtest.Open(t, searchtest.Options{}).Space("w"), searchtest.Open(t, searchtest.Options{}).Space("w")
	docs := map[string]string{}
	for id, title := range map[string]string{"a": "Hotel approval", "b": "Travel approval", "c": "Retention of invoices", "d": "Hotel nights"} {
		docs["universal/"+id+".md"] = "---\nstatus: active\ntitle: " + title + "\n---\n# " + title + "\n\nManagers approve hotel nights.\n"
	}
	whole.AddDocuments(docs)
	for _, id := range []string{"c", "b", "d", "a"} {
		path := "universal/" + id + ".md"
		step.AddDocuments(map[string]string{path: "---\nstatus: draft\ntitle: Old\n---\nBadge rotation for visitors.\n"})
		step.AddDocuments(map[string]string{path: docs[path]})
	}
	for _, query := range []string{"hotel approval", "who approves nights", "invoice retention", "badge rotation"} {
		a, b := whole.Documents(allOf(query)), step.Documents(allOf(query))
		a.StoreVersion, b.StoreVersion = 0, 0
		if d := cmp.Diff(a, b); d != "" {
			t.Errorf("%q (-at once +one by one):\n%s", query, d)
		}
	}
}
