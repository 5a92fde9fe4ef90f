package embedding

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// reference is one line of testdata/reference.jsonl: a text and what float32
// models make of it in ONNX Runtime, without prefixes.
type reference struct {
	Text   string          `json:"text"`
	MiniLM referenceVector `json:"all-minilm-l6-v2"`
	BGE    referenceVector `json:"bge-small-en-v1.5"` // IDs nil: those of MiniLM
}

type referenceVector struct {
	IDs    []int32   `json:"ids"`
	Vector []float32 `json:"vector"` // 6 decimals
}

func references(t testing.TB) []reference {
	t.Helper()
	f, err := os.Open("testdata/reference.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var all []reference
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var r reference
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		all = append(all, r)
	}
	if err := lines.Err(); err != nil || len(all) != 119 {
		t.Fatalf("%d references (error %v), want 119", len(all), err)
	}
	return all
}

// thorough says whether slow tests run on all their data.
func thorough() bool { return os.Getenv("WAYMARK_THOROUGH") != "" }

func newTestEncoder(t testing.TB, o Options) *Encoder {
	t.Helper()
	e, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func cosine(a, b []float32) float64 {
	var ab, aa, bb float64
	for i := range a {
		ab += float64(a[i]) * float64(b[i])
		aa += float64(a[i]) * float64(a[i])
		bb += float64(b[i]) * float64(b[i])
	}
	return ab / math.Sqrt(aa*bb)
}

func TestTokensEqualReference(t *testing.T) {
	e := newTestEncoder(t, Options{})
	for _, r := range references(t) {
		if diff := cmp.Diff(r.MiniLM.IDs, e.tokenizer.encode(r.Text)); diff != "" {
			t.Errorf("encode(%.80q) differs from the reference (-want +got):\n%s", r.Text, diff)
		}
	}
}

// TestCosineWithReference checks the served format with every kernel set on
// every line. Plain Go, which is slow, skips long lines unless thorough; that
// it gives the same bits as the others is checked in kernels_test.go.
func TestCosineWithReference(t *testing.T) {
	for _, kernels := range Kernels() {
		t.Run(kernels, func(t *testing.T) {
			t.Parallel()
			e := newTestEncoder(t, Options{Kernels: kernels})
			compareWithReference(t, e, 0.998, func(i int, r reference) ([]int32, []float32) {
				if kernels == "plain" && len(r.MiniLM.IDs) > 6 && i%20 != 0 && !thorough() {
					return nil, nil
				}
				return r.MiniLM.IDs, r.MiniLM.Vector
			})
		})
	}
}

// TestFloat32CosineWithReference checks the reference format on the float32
// weights, which convert.py --float makes.
func TestFloat32CosineWithReference(t *testing.T) {
	path := os.Getenv("WAYMARK_FLOAT_PACK")
	if path == "" {
		t.Skip("WAYMARK_FLOAT_PACK names no pack; see models/README.md")
	}
	for _, kernels := range Kernels() {
		t.Run(kernels, func(t *testing.T) {
			e, err := Open(path, Options{Kernels: kernels})
			if err != nil {
				t.Fatal(err)
			}
			if e.Format() != FormatFloat32 {
				t.Fatalf("Open(%q).Format() = %q, want %q", path, e.Format(), FormatFloat32)
			}
			compareWithReference(t, e, 0.99999, func(i int, r reference) ([]int32, []float32) {
				if kernels == "plain" && len(r.MiniLM.IDs) > 6 && i%20 != 0 && !thorough() {
					return nil, nil
				}
				return r.MiniLM.IDs, r.MiniLM.Vector
			})
		})
	}
}

// TestSecondModel checks a model with first-token pooling, 12 layers and a query
// prefix, when its pack lies beside the repository.
func TestSecondModel(t *testing.T) {
	e, err := Open(filepath.Join(shared(), "model", "bge-small-en-v1.5.int8.wmodel"), Options{})
	if os.IsNotExist(err) {
		t.Skip("no second model beside the repository")
	}
	if err != nil {
		t.Fatal(err)
	}
	if got, want := e.ModelID(), "bge-small-en-v1.5/int8.1/"; got[:len(want)] != want {
		t.Errorf("ModelID() = %q, want it to start with %q", got, want)
	}
	compareWithReference(t, e, 0.998, func(_ int, r reference) ([]int32, []float32) {
		ids := r.BGE.IDs
		if ids == nil {
			ids = r.MiniLM.IDs
		}
		return ids, r.BGE.Vector
	})
	ctx := context.Background()
	const question = "who approves invoices"
	query, err := e.EmbedQuery(ctx, question)
	if err != nil {
		t.Fatal(err)
	}
	passages, err := e.EmbedPassages(ctx, []string{question, e.header.QueryPrefix + question})
	if err != nil {
		t.Fatal(err)
	}
	if slices.Equal(query, passages[0]) || !slices.Equal(query, passages[1]) {
		t.Errorf("EmbedQuery(%q) must be the vector of the question with its prefix %q", question, e.header.QueryPrefix)
	}
}

// shared is the folder of public data beside the repository.
func shared() string {
	if path := os.Getenv("WAYMARK_SHARED"); path != "" {
		return path
	}
	return filepath.Join("..", "..", "shared")
}

// compareWithReference embeds what choose names, one text at a time, checks the
// token ids and that no cosine is below least, and logs least and mean.
func compareWithReference(t *testing.T, e *Encoder, least float64, choose func(int, reference) ([]int32, []float32)) {
	t.Helper()
	lowest, sum, n := 1.0, 0.0, 0
	for i, r := range references(t) {
		ids, want := choose(i, r)
		if ids == nil {
			continue
		}
		if got := e.tokenizer.encode(r.Text); !slices.Equal(got, ids) {
			t.Errorf("encode(%.80q) = %v, want %v", r.Text, got, ids)
		}
		got := make([][]float32, 1)
		e.encode(got, [][]int32{ids})
		c := cosine(got[0], want)
		if !(c >= least) {
			t.Errorf("line %d, %.80q: cosine with the reference %.6f, want at least %v", i+1, r.Text, c, least)
		}
		lowest, sum, n = min(lowest, c), sum+c, n+1
	}
	t.Log(e.ModelID(), e.Kernels(), fmt.Sprintf("%d texts: cosine least %.7f, mean %.7f", n, lowest, sum/float64(n)))
}
