package embeddingtest_test

import (
	"context"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"waymark/embedding/embeddingtest"
)

func dot(a, b []float32) (sum float64) {
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}

func TestVectors(t *testing.T) {
	ctx := context.Background()
	e := embeddingtest.New()
	texts := []string{
		"Invoices over 5,000 need the approval of the manager.",
		"The manager approves invoices over 5,000.",
		"Cats sleep most of their day",
		"", "\x00", "\xff\xfe",
	}
	vectors, err := e.EmbedPassages(ctx, texts)
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range vectors {
		if len(v) != embeddingtest.DefaultDimension || math.Abs(dot(v, v)-1) > 1e-5 {
			t.Errorf("EmbedPassages(%q): %d components, square %v, want %d and 1", texts[i], len(v), dot(v, v), embeddingtest.DefaultDimension)
		}
		q, err := e.EmbedQuery(ctx, texts[i])
		if diff := cmp.Diff(v, q); err != nil || diff != "" {
			t.Errorf("EmbedQuery(%q) differs from EmbedPassages (error %v): %s", texts[i], err, diff)
		}
	}
	if near, far := dot(vectors[0], vectors[1]), dot(vectors[0], vectors[2]); near < .6 || math.Abs(far) > .3 {
		t.Errorf("cosines %.2f for shared words and %.2f for none, want above .6 and near 0", near, far)
	}
	other, err := embeddingtest.New(embeddingtest.WithSeed(1)).EmbedQuery(ctx, texts[0])
	if err != nil || math.Abs(dot(other, vectors[0])) > .3 {
		t.Errorf("cosine between seeds %.2f (error %v), want near 0", dot(other, vectors[0]), err)
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	e := embeddingtest.New(embeddingtest.WithDimension(8))
	if v, err := e.EmbedQuery(ctx, "a"); v != nil || err != context.Canceled {
		t.Errorf("EmbedQuery after cancel = %v, %v, want nil, %v", v, err, context.Canceled)
	}
	if v, err := e.EmbedPassages(ctx, []string{"a"}); v != nil || err != context.Canceled {
		t.Errorf("EmbedPassages after cancel = %v, %v, want nil, %v", v, err, context.Canceled)
	}
}

func TestCut(t *testing.T) {
	e := embeddingtest.New()
	const text = "one two, three."
	if got := e.CountTokens(text); got != 3 {
		t.Errorf("CountTokens(%q) = %d, want 3", text, got)
	}
	for pieces, want := range []int{3, 3, 7, 15, 15} {
		if got := e.Cut(text, pieces); got != want {
			t.Errorf("Cut(%q, %d) = %d, want %d", text, pieces, got, want)
		}
	}
}
