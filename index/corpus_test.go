package index

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"waymark/store"
)

// text is a line of a corpus or of its queries.
type corpusLine struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	Text  string `json:"text"`
}

// sharedFile returns a file of the public corpora, or skips the test where it
// is not there: a fresh clone has none.
func sharedFile(t testing.TB, names ...string) string {
	t.Helper()
	shared := os.Getenv("WAYMARK_SHARED")
	if shared == "" {
		shared = filepath.Join("..", "..", "shared")
	}
	path := filepath.Join(append([]string{shared, "data"}, names...)...)
	if _, err := os.Stat(path); err != nil {
		t.Skip("no corpora beside the repository")
	}
	return path
}

// readLines reads a file of JSON lines.
func readLines[T any](t testing.TB, path string) []T {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var all []T
	scanner := bufio.NewScanner(f)
	scanner.Buffer(nil, 1<<22)
	for scanner.Scan() {
		var line T
		if err := json.Unmarshal(scanner.Bytes(), &line); err != nil {
			t.Fatal(err)
		}
		all = append(all, line)
	}
	return all
}

// corpusStore holds the passages of a corpus as rules of one Trail.
func corpusStore(t testing.TB, lines []corpusLine) *fakeStore {
	t.Helper()
	f := newFakeStore()
	f.trails["t"] = store.Trail{ID: "t", Name: "Corpus"}
	for _, line := range lines {
		f.rules[line.ID] = store.Rule{ID: line.ID, TrailID: "t", Version: 1, Status: store.StatusApproved, Title: line.Title, Text: line.Text}
	}
	f.change(func() store.Change { return store.Change{} })
	return f
}
