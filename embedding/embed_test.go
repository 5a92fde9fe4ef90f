package embedding

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestSameTextSameBytes embeds texts alone, together, in other orders, with
// other numbers of workers and from many goroutines.
func TestSameTextSameBytes(t *testing.T) {
	ctx := context.Background()
	e := newTestEncoder(t, Options{Workers: 1})
	var texts []string
	for i, r := range references(t) {
		if len(r.MiniLM.IDs) < 120 || i%3 == 0 {
			texts = append(texts, r.Text)
		}
	}
	want := make([][]float32, len(texts))
	for i, text := range texts {
		v, err := e.EmbedQuery(ctx, text)
		if err != nil {
			t.Fatal(err)
		}
		want[i] = v
	}
	r := rand.New(rand.NewPCG(9, 10))
	for _, workers := range []int{1, 2, 5} {
		e := newTestEncoder(t, Options{Workers: workers})
		order := r.Perm(len(texts))
		some := make([]string, len(texts))
		for i, j := range order {
			some[i] = texts[j]
		}
		got, err := e.EmbedPassages(ctx, some)
		if err != nil {
			t.Fatal(err)
		}
		for i, j := range order {
			if !equalBits(got[i], want[j]) {
				t.Errorf("%d workers: the vector of %.60q depends on its batch", workers, texts[j])
			}
		}
	}
	var group sync.WaitGroup
	for g := range 4 {
		group.Go(func() {
			for i := g; i < len(texts); i += 4 {
				got, err := e.EmbedPassages(ctx, texts[i:min(i+3, len(texts))])
				if err != nil || !equalBits(got[0], want[i]) {
					t.Errorf("the vector of %.60q depends on what runs beside it (error %v)", texts[i], err)
				}
			}
		})
	}
	group.Wait()
}

// TestFloat32DoesNotDependOnBatch checks the same for the float format with one
// kernel set.
func TestFloat32DoesNotDependOnBatch(t *testing.T) {
	ctx := context.Background()
	e := newTestEncoder(t, Options{Format: FormatFloat32})
	texts := []string{"one", "two words", textOf(20), textOf(33), ""}
	got, err := e.EmbedPassages(ctx, texts)
	if err != nil {
		t.Fatal(err)
	}
	for i, text := range texts {
		want, err := e.EmbedQuery(ctx, text)
		if err != nil || !equalBits(got[i], want) {
			t.Errorf("the vector of %q depends on its batch (error %v)", text, err)
		}
	}
}

func TestOddTexts(t *testing.T) {
	ctx := context.Background()
	e := newTestEncoder(t, Options{})
	empty, err := e.EmbedQuery(ctx, "")
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{
		"", " \n", "\x00", "\x00\x00\x00", "\xff\xfe\xfd", "\xed\xa0\x80", "\u200b", "\ufffd",
	} {
		if got, err := e.EmbedQuery(ctx, text); err != nil || !slices.Equal(got, empty) {
			t.Errorf("EmbedQuery(%q) is not the vector of the empty text (error %v)", text, err)
		}
	}
	clean, err := e.EmbedQuery(ctx, "refund policy")
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"refund\xff policy", "re\x00fund policy", "REFUND\u00a0 policy", "réfund policy"} {
		if got, err := e.EmbedQuery(ctx, text); err != nil || !slices.Equal(got, clean) {
			t.Errorf("EmbedQuery(%q) is not the vector of %q (error %v)", text, "refund policy", err)
		}
	}
	for _, text := range []string{
		strings.Repeat(sentence, 1<<20/len(sentence)),
		strings.Repeat("a", 1<<20),
		strings.Repeat("中", 1<<18),
		strings.Repeat("\u0301", 1<<18),
		strings.Repeat("\xff", 1<<20),
		strings.Repeat("a\u0301\u0323\x00", 1<<17),
	} {
		got, err := e.EmbedPassages(ctx, []string{text})
		if err != nil || len(got) != 1 || len(got[0]) != e.Dimension() || math.Abs(length(got[0])-1) > 1e-6 {
			t.Errorf("EmbedPassages of %d bytes of %.8q: length %v, error %v", len(text), text, length(got[0]), err)
		}
	}
}

func length(v []float32) float64 {
	square := 0.0
	for _, x := range v {
		square += float64(x) * float64(x)
	}
	return math.Sqrt(square)
}

func TestEmbedPassagesOfNothing(t *testing.T) {
	e := newTestEncoder(t, Options{})
	if got, err := e.EmbedPassages(context.Background(), nil); err != nil || len(got) != 0 {
		t.Errorf("EmbedPassages of no texts = %v, %v", got, err)
	}
}

func TestCancel(t *testing.T) {
	e := newTestEncoder(t, Options{Workers: 2})
	ctx, cancel := context.WithCancel(context.Background())
	texts := slices.Repeat([]string{textOf(200)}, 5000)
	start := time.Now()
	time.AfterFunc(100*time.Millisecond, cancel)
	if got, err := e.EmbedPassages(ctx, texts); got != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("EmbedPassages after cancel: %d vectors, error %v, want none and %v", len(got), err, context.Canceled)
	}
	// The whole takes minutes; what is under way takes a moment.
	if took := time.Since(start); took > 5*time.Second {
		t.Errorf("EmbedPassages went on for %v after cancel", took)
	}
	if got, err := e.EmbedQuery(ctx, "a"); got != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("EmbedQuery after cancel = %v, %v, want none and %v", got, err, context.Canceled)
	}
}

// TestMeaning checks that vectors tell related texts from others.
func TestMeaning(t *testing.T) {
	ctx := context.Background()
	e := newTestEncoder(t, Options{})
	query, err := e.EmbedQuery(ctx, "who signs off a bill before we pay it")
	if err != nil {
		t.Fatal(err)
	}
	passages := []string{
		"Every invoice needs the approval of the department's manager.",
		"Employees may carry over five days of leave.",
		"The kitchen is cleaned on Fridays.",
	}
	vectors, err := e.EmbedPassages(ctx, passages)
	if err != nil {
		t.Fatal(err)
	}
	for i := 1; i < len(passages); i++ {
		if near, far := cosine(query, vectors[0]), cosine(query, vectors[i]); near < far+0.1 {
			t.Errorf("cosine %.3f with %q, %.3f with %q, want the first well above", near, passages[0], far, passages[i])
		}
	}
}

// TestBatch checks that every text is in one batch, and no batch is too long.
func TestBatch(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for range 50 {
		ids := make([][]int32, r.IntN(40))
		for i := range ids {
			ids[i] = make([]int32, 2+r.IntN(255))
		}
		seen := make([]bool, len(ids))
		longest := math.MaxInt
		for _, b := range batch(ids) {
			tokens := 0
			for _, i := range b {
				if seen[i] {
					t.Fatalf("text %d is in two batches", i)
				}
				seen[i] = true
				tokens += len(ids[i])
			}
			if len(b) == 0 || len(b) > 1 && tokens > batchTokens {
				t.Errorf("a batch of %d texts and %d tokens, want at most %d", len(b), tokens, batchTokens)
			}
			if len(ids[b[0]]) > longest {
				t.Errorf("a batch starts with %d tokens after one of %d", len(ids[b[0]]), longest)
			}
			longest = len(ids[b[0]])
		}
		if slices.Contains(seen, false) {
			t.Errorf("a text is in no batch: %v", seen)
		}
	}
}

func TestEncoderSaysWhatItIs(t *testing.T) {
	for _, kernels := range Kernels() {
		e := newTestEncoder(t, Options{Kernels: kernels})
		got := fmt.Sprint(e.ModelID(), e.Dimension(), e.MaxTokens(), e.Format(), e.Kernels())
		if want := fmt.Sprint("all-minilm-l6-v2/int8.1/ddb5489dc75e", 384, 256, FormatInt8, kernels); got != want {
			t.Errorf("encoder says %q, want %q", got, want)
		}
	}
	e := newTestEncoder(t, Options{Format: FormatFloat32})
	if got, want := e.ModelID(), "all-minilm-l6-v2/float32/ddb5489dc75e"; got != want {
		t.Errorf("ModelID() = %q, want %q", got, want)
	}
}
