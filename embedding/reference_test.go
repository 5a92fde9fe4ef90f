package embedding

import (
	"bufio"
	"encoding/json"
	"math"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// reference is one line of testdata/reference.jsonl: what the float32 model
// gives in ONNX Runtime, without prefixes.
type reference struct {
	Text   string          `json:"text"`
	MiniLM referenceVector `json:"all-minilm-l6-v2"`
	BGE    referenceVector `json:"bge-small-en-v1.5"` // IDs nil: those of MiniLM
}

type referenceVector struct {
	IDs    []int32   `json:"ids"`
	Vector []float32 `json:"vector"`
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
	lines.Buffer(nil, 1<<24)
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

func newTestEncoder(t testing.TB, o Options) *Encoder {
	t.Helper()
	e, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return e
}
