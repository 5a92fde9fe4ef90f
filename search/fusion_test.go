package search_test

import (
	"bufio"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"testing"

	"waymark/embedding"
	"waymark/search"
)

// sharedFile finds a file of the shared data beside the repository, or skips.
func sharedFile(t *testing.T, name string) string {
	t.Helper()
	root := os.Getenv("WAYMARK_SHARED")
	if root == "" {
		root = filepath.Join("..", "..", "shared")
	}
	path := filepath.Join(root, name)
	if _, err := os.Stat(path); err != nil {
		t.Skipf("no shared data: %v", err)
	}
	return path
}

func eachLine(t *testing.T, path string, read func([]byte)) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		read(lines.Bytes())
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
}

// TestFusionExpected reproduces the reference from its lexical columns, which the
// index reproduces, and the served encoder: weight, lex and gate to the digits
// given, cosine and score within the error of the served number format. Every
// third document is embedded; all of them with WAYMARK_LONG set.
func TestFusionExpected(t *testing.T) {
	if testing.Short() {
		t.Skip("embeds a hundred abstracts")
	}
	type document struct {
		Doc      string  `json:"doc"`
		Coverage float64 `json:"coverage"`
		Lex      float64 `json:"lex"`
		Dense    float64 `json:"dense"`
		Score    float64 `json:"score"`
	}
	type expected struct {
		Query string  `json:"query"`
		OOV   float64 `json:"oov"`
		W     float64 `json:"w"`
		Gate  struct {
			Cosine   float64 `json:"cos_best"`
			Coverage float64 `json:"coverage_best"`
			Null     float64 `json:"null_median"`
			G        float64 `json:"g"`
		} `json:"gate"`
		Top []document `json:"top"`
	}
	var queries []expected
	texts := map[string]string{}
	eachLine(t, sharedFile(t, "data/fusion-expected.jsonl"), func(line []byte) {
		var q expected
		if err := json.Unmarshal(line, &q); err != nil {
			t.Fatal(err)
		}
		if os.Getenv("WAYMARK_LONG") == "" {
			q.Top = []document{q.Top[0], q.Top[3], q.Top[6], q.Top[9]}
		}
		queries = append(queries, q)
		for _, d := range q.Top {
			texts[d.Doc] = ""
		}
	})
	eachLine(t, sharedFile(t, "data/scifact/corpus.jsonl"), func(line []byte) {
		var d struct{ ID, Title, Text string }
		if err := json.Unmarshal(line, &d); err != nil {
			t.Fatal(err)
		}
		if _, wanted := texts[d.ID]; wanted {
			texts[d.ID] = d.Title + " " + d.Text
		}
	})
	encoder, err := embedding.New(embedding.Options{})
	if err != nil {
		t.Fatal(err)
	}
	within := func(what string, got, want, tolerance float64) {
		t.Helper()
		if math.Abs(got-want) > tolerance {
			t.Errorf("%s = %.4f, want %.4f within %g", what, got, want, tolerance)
		}
	}
	// Columns are rounded to four digits, and so are the numbers they are made of.
	const digits, served = .00011, .01
	for _, q := range queries {
		query, err := encoder.EmbedQuery(t.Context(), q.Query)
		if err != nil {
			t.Fatal(err)
		}
		within("w of "+q.Query, search.DefaultFusion.Weight(q.OOV), q.W, digits)
		within("g of "+q.Query, search.DefaultGate.Signal(q.Gate.Cosine, q.Gate.Coverage, q.Gate.Null), q.Gate.G, digits)
		var passages []string
		for _, d := range q.Top {
			passages = append(passages, texts[d.Doc])
		}
		vectors, err := encoder.EmbedPassages(t.Context(), passages)
		if err != nil {
			t.Fatal(err)
		}
		for i, d := range q.Top {
			cosine := 0.0
			for k, x := range vectors[i] {
				cosine += float64(x) * float64(query[k])
			}
			within("dense of "+d.Doc, cosine, d.Dense, served)
			within("lex of "+d.Doc, search.DefaultFusion.Lex(d.Coverage), d.Lex, digits)
			within("score of "+d.Doc+" from the columns", search.DefaultFusion.Score(q.W, d.Dense, d.Coverage), d.Score, digits)
			within("score of "+d.Doc, search.DefaultFusion.Score(q.W, cosine, d.Coverage), d.Score, served)
		}
	}
	if len(queries) != 10 || len(texts) < 35 {
		t.Errorf("%d queries and %d documents, want ten with four documents each", len(queries), len(texts))
	}
}
