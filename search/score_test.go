package search_test

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"waymark/embedding/embeddingtest"
	"waymark/ingest"
	"waymark/search"
	"waymark/search/searchtest"
)

// chosen is an embedder of four dimensions whose vectors are written down: that
// of the first line whose words the text holds, else that of the gate's questions.
type chosen struct {
	*embeddingtest.Embedder
	lines []struct {
		words  string
		vector []float32
	}
	other []float32
}

func (c *chosen) EmbedQuery(_ context.Context, text string) ([]float32, error) {
	for _, l := range c.lines {
		if strings.Contains(text, l.words) {
			return l.vector, nil
		}
	}
	return c.other, nil
}

func (c *chosen) EmbedPassages(ctx context.Context, texts []string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	for i, text := range texts {
		out[i], _ = c.EmbedQuery(ctx, text)
	}
	return out, nil
}

// near compares a number with one that was computed by hand to six digits.
func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1.5e-6 {
		t.Errorf("%s = %.7f, want %.6f", what, got, want)
	}
}

// TestScoreByHand follows one query through every part of its score. Three rules,
// all in the Trail "Trip":
//
//	a  Hotel approval.                        2 words
//	b  Train approval needs approval forms.   5 words
//	c  Boat.                                  1 word     average 8/3
//
// The query is "hotel approval spaceship". By hand, with N = 3:
//
//	idf(hotel)     = ln(1 + 2.5/1.5) = .980829    df 1
//	idf(approval)  = ln(1 + 1.5/2.5) = .470004    df 2
//	idf(spaceship) = ln(1 + 3.5/.5)  = 2.079442   df 0
//	sum            = 3.530275
//	oov            = 2.079442/3.530275 = .589031
//	w              = .30 + .40·.589031 = .535612
//
//	a: 1 − .75 + .75·2/(8/3) = .8125    x = 1/.8125 = 1.230769    x/(1.2+x) = .506329
//	   bm25 = .506329·(.980829 + .470004) = .734599   coverage = .208085   lex = .094920
//	   cosine .6    score = .535612·.6 + .464388·.094920 = .365447
//	b: 1 − .75 + .75·5/(8/3) = 1.65625  x = 2/1.65625 = 1.207547  x/(1.2+x) = .501567
//	   bm25 = .501567·.470004 = .235739               coverage = .066776   lex = .017256
//	   cosine .28   score = .535612·.28 + .464388·.017256 = .157985
//	c: cosine −.6, no word: its signal is below 0
//
//	null = the median of 100 cosines that are all .96·.28 = .2688
//	g    = .6 + .2·.208085² − .2688 = .339860 ≥ .134
//	signal of b = .28 + .2·.066776² − .2688 = .012092 ≥ 0
func TestScoreByHand(t *testing.T) {
	e := &chosen{Embedder: embeddingtest.New(embeddingtest.WithDimension(4), embeddingtest.WithModelID("by hand")), other: []float32{0, 0, .28, .96}}
	e.lines = append(e.lines, []struct {
		words  string
		vector []float32
	}{
		{"spaceship", []float32{1, 0, 0, 0}},
		{"submarine", []float32{.3, -.4, .866025, 0}},
		{"Hotel", []float32{.6, .8, 0, 0}},
		{"Train", []float32{.28, 0, .96, 0}},
		{"Boat", []float32{-.6, .8, 0, 0}},
	}...)
	s := searchtest.Open(t, searchtest.Options{Embedder: e}).Space("w")
	s.AddRules(
		ingest.RuleInput{ID: "a", Trail: "Trip", Text: "Hotel approval."},
		ingest.RuleInput{ID: "b", Trail: "Trip", Text: "Train approval needs approval forms."},
		ingest.RuleInput{ID: "c", Trail: "Trip", Text: "Boat."})
	a := s.Rules(search.RuleQuery{Query: "hotel approval spaceship", Explain: true})
	if got, want := searchtest.RuleIDs(a), []string{"a", "b"}; !slices.Equal(got, want) || a.Total != 2 {
		t.Fatalf("rules %v of %d, want %v", got, a.Total, want)
	}
	x := a.Explain
	for i, want := range []search.TermExplain{{Term: "stem:hotel", Count: 1, Frequency: 1, IDF: .980829}, {Term: "stem:approv", Count: 1, Frequency: 2, IDF: .470004},
		{Term: "stem:spaceship", Count: 1, Frequency: 0, IDF: 2.079442}} {
		got := x.Terms[i]
		near(t, "idf of "+want.Term, got.IDF, want.IDF)
		if got.IDF = want.IDF; got != want {
			t.Errorf("term %d is %+v, want %+v", i, got, want)
		}
	}
	near(t, "the sum of the idf", x.MaxScore, 3.530275)
	near(t, "oov", x.OOV, .589031)
	near(t, "w", x.Weight, .535612)
	near(t, "null", x.Gate.Null, .2688)
	near(t, "the best cosine", x.Gate.Cosine, .6)
	near(t, "the best coverage", x.Gate.Coverage, .208085)
	near(t, "g", x.Gate.G, .339860)
	if !x.Gate.Open || x.Items != 3 || x.InScope != 3 {
		t.Errorf("gate open %v, items %d, in scope %d; want true, 3 and 3", x.Gate.Open, x.Items, x.InScope)
	}
	for i, want := range []search.HitExplain{
		{BM25: .734599, Coverage: .208085, Lex: .094920, Cosine: .6, Sem: .6, Standing: 1, Score: .365447},
		{BM25: .235739, Coverage: .066776, Lex: .017256, Cosine: .28, Sem: .28, Standing: 1, Score: .157985},
	} {
		got, id := a.Results[i].Explain, a.Results[i].ID
		near(t, "bm25 of "+id, got.BM25, want.BM25)
		near(t, "coverage of "+id, got.Coverage, want.Coverage)
		near(t, "lex of "+id, got.Lex, want.Lex)
		near(t, "cosine of "+id, got.Cosine, want.Cosine)
		near(t, "sem of "+id, got.Sem, want.Sem)
		near(t, "standing of "+id, got.Standing, want.Standing)
		near(t, "score of "+id, got.Score, want.Score)
	}

	// "submarine": no stored word, so oov is 1 and w .7. Its cosines are −.14 with a,
	// .915384 with b and −.5 with c: g = .915384 − .2688 = .646584.
	a = s.Rules(search.RuleQuery{Query: "submarine", Explain: true})
	if got := searchtest.RuleIDs(a); len(got) != 1 || got[0] != "b" {
		t.Fatalf("submarine: %v, want b", got)
	}
	near(t, "g of submarine", a.Explain.Gate.G, .646584)
	near(t, "score of b for submarine", a.Results[0].Explain.Score, .7*.915384)

	// An everyday question reaches .2688, which is null itself: g = 0.
	a = s.Rules(search.RuleQuery{Query: "xyzzy", Explain: true})
	near(t, "g of a question like the bank's", a.Explain.Gate.G, 0)
	if a.State != search.StateNoMatch || a.Explain.Gate.Open || len(a.Results) != 0 || a.Total != 0 || a.Reason == "" {
		t.Errorf("a question like the bank's: %q with %d rules, want no_match with a reason", a.State, len(a.Results))
	}
}

// TestDocumentScoreByHand: a document has the score of its best passage, times 1
// when it governs, .9 when it is open and .5 when it was replaced or has expired.
func TestDocumentScoreByHand(t *testing.T) {
	e := &chosen{Embedder: embeddingtest.New(embeddingtest.WithDimension(4), embeddingtest.WithModelID("by hand, documents")), other: []float32{0, 0, 0, 1}}
	e.lines = append(e.lines, []struct {
		words  string
		vector []float32
	}{
		{"submarine", []float32{1, 0, 0, 0}},
		{"Weak", []float32{.28, .96, 0, 0}},
		{"Strong", []float32{.6, .8, 0, 0}},
	}...)
	s := searchtest.Open(t, searchtest.Options{Embedder: e}).Space("w")
	files := map[string]string{}
	for id, fields := range map[string]string{"governs": "status: active", "draft": "status: draft", "upcoming": "status: active\nvalid_from: 2027-01-01",
		"deprecated": "status: deprecated", "expired": "status: active\nvalid_until: 2026-01-01"} {
		files["universal/"+id+".md"] = "---\nid: " + id + "\ntitle: Harbour\n" + fields + "\n---\n# Weak\n\nOne.\n\n# Strong\n\nTwo.\n\n# Weak\n\nThree.\n"
	}
	s.AddDocuments(files)
	a := s.Documents(search.DocumentQuery{Query: "submarine", IncludeExpired: true, Verbose: true, Explain: true})
	want := map[string]float64{"governs": .42, "draft": .9 * .42, "upcoming": .9 * .42, "deprecated": .5 * .42, "expired": .5 * .42}
	if len(a.Hits) != len(want) {
		t.Fatalf("hits %v, want %d", searchtest.DocumentIDs(a), len(want))
	}
	for _, h := range a.Hits {
		near(t, "score of "+h.ID, *h.Score, want[h.ID]) // .7·.6, since no word is stored
		if *h.Section != "Strong" {
			t.Errorf("%s: passage %q, want its best one", h.ID, *h.Section)
		}
	}
}
