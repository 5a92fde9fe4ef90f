package conflict

import (
	"math"
	"path/filepath"
	"strings"
	"testing"
)

// ownPairs are the pairs in the repository.
func ownPairs(t testing.TB) []*labelledPair {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", "pairs", "*.jsonl"))
	if err != nil || len(files) == 0 {
		t.Fatal("no pairs in testdata")
	}
	var pairs []*labelledPair
	for _, f := range files {
		pairs = append(pairs, readPairs(t, f)...)
	}
	return pairs
}

func TestCompareIsSymmetric(t *testing.T) {
	for _, p := range ownPairs(t) {
		p.analyze()
		ab, ba := CompareCosine(p.a, p.b, p.cosine), CompareCosine(p.b, p.a, p.cosine)
		if math.Abs(ab.Score-ba.Score) > 1e-9 || ab.Tier != ba.Tier || ab.Kind != ba.Kind {
			t.Errorf("%s: Compare(a, b) = %s %s %.4f, Compare(b, a) = %s %s %.4f", p.ID, ab.Tier, ab.Kind, ab.Score, ba.Tier, ba.Kind, ba.Score)
		}
		if ab.Tier != TierNone {
			x, rest, _ := strings.Cut(ab.Point, " against ")
			if !strings.HasPrefix(ba.Point[strings.Index(ba.Point, " against ")+len(" against "):], x) {
				t.Errorf("%s: Point is %q one way and %q the other", p.ID, ab.Point, ba.Point)
			}
			_ = rest
		}
	}
}

func TestCompareSurvivesStorage(t *testing.T) {
	for _, p := range ownPairs(t) {
		p.analyze()
		a, err := Decode(p.a.Encode())
		if err != nil {
			t.Fatal(err)
		}
		b, err := Decode(p.b.Encode())
		if err != nil {
			t.Fatal(err)
		}
		want, got := CompareCosine(p.a, p.b, p.cosine), CompareCosine(a, b, p.cosine)
		if got.Score != want.Score || got.Point != want.Point {
			t.Errorf("%s: Compare of decoded analyses = %.4f %q, want %.4f %q", p.ID, got.Score, got.Point, want.Score, want.Point)
		}
	}
}
