//go:build cosines

package conflict

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"waymark/embedding"
)

// TestCosines writes testdata/cosines.tsv: the cosine of the two texts of every pair
// that is trained on or evaluated. Run it when pairs were added:
//
//	go test -tags cosines ./conflict -run TestCosines
func TestCosines(t *testing.T) {
	encoder, err := embedding.New(embedding.Options{})
	if err != nil {
		t.Fatal(err)
	}
	pairs := allPairs(t)
	pairs = append(pairs, neighbourPairs(t, 4, 4)...)
	conflicts, none := normPairs(t, -1)
	pairs = append(pairs, append(conflicts, none...)...)
	_, company := readCompany(t)
	pairs = append(pairs, company...)
	index := map[string]int{}
	var texts []string
	for _, p := range pairs {
		for _, s := range []string{p.A, p.B} {
			if _, ok := index[s]; !ok {
				index[s] = len(texts)
				texts = append(texts, s)
			}
		}
	}
	vectors, err := encoder.EmbedPassages(context.Background(), texts)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, p := range pairs {
		lines = append(lines, fmt.Sprintf("%016x\t%.3f\n", cosineKey(p.A, p.B), cosine(vectors[index[p.A]], vectors[index[p.B]])))
	}
	slices.Sort(lines)
	lines = slices.Compact(lines)
	if err := os.WriteFile(filepath.Join("testdata", "cosines.tsv"), []byte(strings.Join(lines, "")), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestCompanyNoise prints the noise of the sample company with vectors.
func TestCompanyNoise(t *testing.T) {
	encoder, err := embedding.New(embedding.Options{})
	if err != nil {
		t.Fatal(err)
	}
	fmt.Println(companyNoise(t, func(texts []string) [][]float32 {
		vectors, err := encoder.EmbedPassages(context.Background(), texts)
		if err != nil {
			t.Fatal(err)
		}
		return vectors
	}))
}
