package ingest

import (
	"os"
	"path/filepath"
	"testing"

	"waymark/embedding/embeddingtest"
	"waymark/store"
)

// testCutter cuts as the Writer does, with the words of the stand-in encoder.
func testCutter() Cutter { return Cutter{Tokenizer: embeddingtest.New(), Sentences: sentences} }

// parse reads a document that must be readable.
func parse(t testing.TB, path, text string, o DocumentOptions) store.Document {
	t.Helper()
	o.Passages = testCutter()
	d, err := ParseDocument(path, []byte(text), o)
	if err != nil {
		t.Fatalf("ParseDocument(%q) = %v, want no error", path, err)
	}
	return d
}

// corpora returns the folder of the public corpora, or skips the test.
func corpora(t testing.TB) string { return shared(t, "data", "corpora") }

// shared returns a folder of the data that is kept beside the repository, or
// skips the test.
func shared(t testing.TB, parts ...string) string {
	t.Helper()
	root := os.Getenv("WAYMARK_SHARED")
	if root == "" {
		root = filepath.Join("..", "..", "shared")
	}
	dir := filepath.Join(append([]string{root}, parts...)...)
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("the shared data is not here: %v", err)
	}
	return dir
}

// lines makes a text of lines.
func lines(all ...string) string {
	text := ""
	for _, l := range all {
		text += l + "\n"
	}
	return text
}
