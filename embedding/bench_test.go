package embedding

import (
	"context"
	"fmt"
	"strings"
	"testing"
)

// sentence is cut to make texts of a known number of tokens.
const sentence = "the manager of each department must approve every bill before it is paid to a supplier and keep the record for seven years in the archive of the company unless the contract says otherwise "

// textOf returns a text of so many tokens, frame included: every word of
// sentence is one piece.
func textOf(tokens int) string {
	words := strings.Fields(strings.Repeat(sentence, 1+tokens/20))
	return strings.Join(words[:tokens-2], " ")
}

func BenchmarkNew(b *testing.B) {
	for b.Loop() {
		if _, err := New(Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkTokens(b *testing.B) {
	e := newTestEncoder(b, Options{})
	text := strings.Repeat(sentence, 100)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		e.Tokens(text)
	}
}

func BenchmarkEmbedQuery(b *testing.B) {
	for _, kernels := range Kernels() {
		e := newTestEncoder(b, Options{Kernels: kernels})
		for _, tokens := range []int{8, 16, 32, 64, 128, 256} {
			text := textOf(tokens)
			if n := e.CountTokens(text) + 2; n != tokens {
				b.Fatalf("%d tokens, want %d", n, tokens)
			}
			b.Run(fmt.Sprintf("%s/tokens=%d", kernels, tokens), func(b *testing.B) {
				for b.Loop() {
					if _, err := e.EmbedQuery(context.Background(), text); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// BenchmarkEmbedPassages embeds texts whose lengths vary by half to both sides
// of the mean, on as many cores as there are.
func BenchmarkEmbedPassages(b *testing.B) {
	e := newTestEncoder(b, Options{})
	for _, mean := range []int{30, 120, 240} {
		texts := make([]string, 240)
		for i := range texts {
			texts[i] = textOf(mean/2 + i*mean/len(texts))
		}
		b.Run(fmt.Sprintf("tokens=%d", mean), func(b *testing.B) {
			for b.Loop() {
				if _, err := e.EmbedPassages(context.Background(), texts); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.N*len(texts))/b.Elapsed().Seconds(), "texts/s")
		})
	}
}
