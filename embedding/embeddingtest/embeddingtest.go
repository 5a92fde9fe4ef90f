// Package embeddingtest has a fast, deterministic stand-in for the encoder, for
// tests of packages that need vectors but not their quality. It must not be
// imported by anything but tests.
package embeddingtest

import (
	"context"
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"waymark/embedding"
)

// DefaultDimension is the dimension of the default model.
const DefaultDimension = 384

// Embedder is an embedding.Embedder that hashes the stem of each word into a
// few dimensions: texts that share words are near, others nearly orthogonal.
// It knows no meaning beyond that.
type Embedder struct {
	id        string
	dimension int
	seed      uint64
}

var _ embedding.Embedder = (*Embedder)(nil)

// Option changes an Embedder that New makes.
type Option func(*Embedder)

// WithDimension sets the number of components, which must be positive; the
// default is DefaultDimension.
func WithDimension(n int) Option { return func(e *Embedder) { e.dimension = n } }

// WithSeed makes an embedder whose vectors have nothing in common with those of
// another seed; the default is 0. The seed is not part of the model id.
func WithSeed(seed uint64) Option { return func(e *Embedder) { e.seed = seed } }

// WithModelID sets the model id, to stand for a change of model; the default is
// "embeddingtest".
func WithModelID(id string) Option { return func(e *Embedder) { e.id = id } }

// New returns an embedder for tests.
func New(options ...Option) *Embedder {
	e := &Embedder{id: "embeddingtest", dimension: DefaultDimension}
	for _, o := range options {
		o(e)
	}
	return e
}

// ModelID implements embedding.Embedder.
func (e *Embedder) ModelID() string { return e.id }

// Dimension implements embedding.Embedder.
func (e *Embedder) Dimension() int { return e.dimension }

// MaxTokens implements embedding.Embedder; like the default model it reads 256
// tokens.
func (e *Embedder) MaxTokens() int { return 256 }

// EmbedQuery implements embedding.Embedder.
func (e *Embedder) EmbedQuery(ctx context.Context, text string) ([]float32, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return e.vector(text), nil
}

// EmbedPassages implements embedding.Embedder.
func (e *Embedder) EmbedPassages(ctx context.Context, texts []string) ([][]float32, error) {
	vectors := make([][]float32, len(texts))
	for i, text := range texts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		vectors[i] = e.vector(text)
	}
	return vectors, nil
}

// CountTokens implements embedding.Embedder; every word is one token.
func (e *Embedder) CountTokens(text string) int { return len(e.Tokens(text)) }

// Tokens implements embedding.Embedder.
func (e *Embedder) Tokens(text string) []int32 {
	var ids []int32
	eachWord(text, func(word string, _ int) bool {
		ids = append(ids, int32(hash(e.seed, strings.ToLower(word))&math.MaxInt32))
		return true
	})
	return ids
}

// Cut implements embedding.Embedder.
func (e *Embedder) Cut(text string, pieces int) int {
	at, words := len(text), 0
	previous := 0
	eachWord(text, func(_ string, end int) bool {
		words++
		if words > max(pieces, 1) {
			at = previous
			return false
		}
		previous = end
		return true
	})
	return at
}

// vector adds, for the stem of every word, a sign in each of eight dimensions.
// A text without words gets a direction of its own.
func (e *Embedder) vector(text string) []float32 {
	v := make([]float32, e.dimension)
	add := func(stem string) {
		h := hash(e.seed, stem)
		for range 8 {
			h = mix(h)
			sign := float32(1)
			if h>>63 == 1 {
				sign = -1
			}
			v[h%uint64(e.dimension)] += sign
		}
	}
	read := 0
	eachWord(text, func(word string, _ int) bool {
		add(stem(strings.ToLower(word)))
		read++
		return read < e.MaxTokens()-2
	})
	var norm float64
	for _, x := range v {
		norm += float64(x) * float64(x)
	}
	if norm == 0 {
		v[hash(e.seed, "")%uint64(e.dimension)] = 1
		return v
	}
	scale := float32(1 / math.Sqrt(norm))
	for i := range v {
		v[i] *= scale
	}
	return v
}

// eachWord calls f with every run of letters and digits of text and the offset
// of its end, until f returns false.
func eachWord(text string, f func(word string, end int) bool) {
	start := -1
	for i, r := range text {
		if r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r)) {
			if start < 0 {
				start = i
			}
			continue
		}
		if start >= 0 && !f(text[start:i], i) {
			return
		}
		start = -1
	}
	if start >= 0 {
		f(text[start:], len(text))
	}
}

// stem takes common English endings off words that stay at least four bytes
// long, so that "approve", "approves", "approved" and "approval" are one.
func stem(word string) string {
	for _, ending := range []string{"ations", "ation", "ings", "ing", "als", "al", "ers", "er", "ed", "es", "s", "e"} {
		if rest, ok := strings.CutSuffix(word, ending); ok && len(rest) >= 4 {
			return rest
		}
	}
	return word
}

// hash is FNV-1a over text, started from seed.
func hash(seed uint64, text string) uint64 {
	h := mix(seed ^ 14695981039346656037)
	for i := 0; i < len(text); i++ {
		h = (h ^ uint64(text[i])) * 1099511628211
	}
	return mix(h)
}

// mix is the finaliser of SplitMix64.
func mix(h uint64) uint64 {
	h += 0x9e3779b97f4a7c15
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	return h ^ h>>31
}
