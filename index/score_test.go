package index

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"waymark/store"
)

// TestScoreByHand pins the formula with numbers worked out on paper.
func TestScoreByHand(t *testing.T) {
	f := newFakeStore()
	for _, r := range []store.Rule{
		{ID: "a", Text: "invoice invoice hotel"},
		{ID: "b", Text: "invoice laptop badge visitor payroll", Title: "Invoice"},
		{ID: "c", Text: "hotel"},
	} {
		r.Version = 1
		f.putRule(r)
	}
	v := acquire(t, openTest(t, f, Options{})).Rules.View(0)

	// N = 3. "invoice" is in a and b: idf = ln(1 + 1.5/2.5) = ln 1.6. The bodies have
	// 3, 5 and 1 words, the mean is 3; the only title has 1 word, which is the mean
	// of the titles that are there.
	idf := math.Log(1.6)
	// a: 2 in the body of the mean length: x = 2/(.25 + .75) = 2; 2/(1.2 + 2).
	a := idf * 2 / 3.2
	// b: 1 in a body of 5/3 of the mean: 1/(.25 + .75·5/3) = 1/1.5, and 1 in a title
	// of the mean length: 1. x = 5/3; (5/3)/(1.2 + 5/3).
	b := idf * (5.0 / 3) / (1.2 + 5.0/3)
	// "hotel" is in a and c, once in bodies of 3 and 1 words: x = 1 and
	// 1/(.25 + .75/3) = 2.
	hotel := [2]float64{math.Log(1.6) / 2.2, math.Log(1.6) * 2 / 3.2}
	for _, test := range []struct {
		terms []QueryTerm
		want  map[string]float64
	}{
		{[]QueryTerm{{"stem:invoic", 1}}, map[string]float64{"a": a, "b": b, "c": 0}},
		{[]QueryTerm{{"stem:invoic", 2}}, map[string]float64{"a": 2 * a, "b": 2 * b, "c": 0}},
		{[]QueryTerm{{"stem:invoic", 1}, {"stem:hotel", 1}}, map[string]float64{"a": a + hotel[0], "b": b, "c": hotel[1]}},
		{[]QueryTerm{{"stem:nobody", 3}}, map[string]float64{"a": 0, "b": 0, "c": 0}},
		{nil, map[string]float64{"a": 0, "b": 0, "c": 0}},
	} {
		scores, held := make([]float64, v.Rows()), make([]float64, v.Rows())
		v.Score(test.terms, scores, held)
		for id, want := range test.want {
			row, _ := v.RowsOf(v.Find(id))
			if got := scores[row]; math.Abs(got-want) > 1e-15 {
				t.Errorf("Score(%v) of %s = %v, want %v", test.terms, id, got, want)
			}
		}
	}
	if v.N() != 3 || v.DF("stem:invoic") != 2 || v.DF("stem:nobody") != 0 {
		t.Errorf("N, DF = %d, %d, %d, want 3, 2, 0", v.N(), v.DF("stem:invoic"), v.DF("stem:nobody"))
	}
	if got, want := v.IDF("stem:nobody"), math.Log(1+3.5/.5); got != want {
		t.Errorf("IDF of an unknown term = %v, want %v", got, want)
	}
}

// linear is the plain scan that scores are compared with: it counts the words of
// every row anew.
type linear struct {
	rows    []map[string]Frequency
	lengths [][NumFields]int
	ids     []string
	scoring Scoring
	average [NumFields]float64
	df      map[string]float64
}

func newLinear(entries []*entry, scoring Scoring) *linear {
	l := &linear{scoring: scoring, df: map[string]float64{}}
	for _, e := range entries {
		for _, row := range e.rows {
			counts, lengths := map[string]Frequency{}, [NumFields]int{}
			for f, text := range row.fields {
				for _, token := range testAnalyzer.Analyze(text) {
					if token.Term == "" {
						continue
					}
					if token.Counted() {
						lengths[f]++
					}
					times := counts[token.Term]
					times[f]++
					counts[token.Term] = times
				}
			}
			l.rows, l.lengths, l.ids = append(l.rows, counts), append(l.lengths, lengths), append(l.ids, e.id)
			for term := range counts {
				l.df[term]++
			}
		}
	}
	for f := range NumFields {
		filled := 0.0
		for _, lengths := range l.lengths {
			if lengths[f] > 0 {
				l.average[f] += float64(lengths[f])
				filled++
			}
		}
		l.average[f] /= max(filled, 1)
	}
	return l
}

func (l *linear) score(row int, terms []QueryTerm) float64 {
	sum := 0.0
	for _, q := range terms {
		x := 0.0
		for f, times := range l.rows[row][q.Term] {
			if times > 0 {
				b := l.scoring.B[f]
				x += float64(times) * l.scoring.Weight[f] / (1 - b + b*float64(l.lengths[row][f])/l.average[f])
			}
		}
		n, df := float64(len(l.rows)), l.df[q.Term]
		sum += float64(q.Count) * math.Log(1+(n-df+.5)/(df+.5)) * x / (l.scoring.K1 + x)
	}
	return sum
}

// TestScoreIsThatOfAScan compares with the plain scan, over several segments
// with dead rows, and with TermScore, which is the same to the last bit.
func TestScoreIsThatOfAScan(t *testing.T) {
	a := newAuthor(31, 900)
	o := testOptions("")
	o.Scoring = DefaultScoring
	o.Scoring.K1, o.Scoring.Weight[Title], o.Scoring.B[Body], o.Scoring.Weight[Context] = .9, 2, .4, 0
	m := openTest(t, a.store, o)
	refresh(t, m)
	for range 4 {
		for range 350 {
			a.store.putRule(a.rule(a.id("rule")))
			a.store.putDocument(a.document(a.id("document")))
		}
		refresh(t, m)
	}
	entries := entriesOf(t, m)
	s := acquire(t, m)
	for _, c := range []*Collection{s.Rules, s.Documents} {
		if len(c.parts) < 2 {
			t.Fatalf("%s: %d segments, want several", c.kind, len(c.parts))
		}
		// A view on which every row counts, as in the scan.
		for i := range c.parts {
			c.parts[i].segment.windows = nil
		}
		v := newView(c, 0)
		scan := newLinear(entries[c.kind], o.Scoring)
		for try := range 8 {
			var terms []QueryTerm
			for _, token := range testAnalyzer.Analyze(a.words(8) + " unknown") {
				if token.Term != "" {
					terms = append(terms, QueryTerm{token.Term, 1 + a.rng.IntN(2)})
				}
			}
			scores, held := make([]float64, v.Rows()), make([]float64, v.Rows())
			v.Score(terms, scores, held)
			for n, row := 0, 0; n < len(scan.rows); n++ {
				if n == 0 || scan.ids[n] != scan.ids[n-1] {
					row, _ = v.RowsOf(v.Find(scan.ids[n]))
				} else {
					row++
				}
				if want := scan.score(n, terms); math.Abs(scores[row]-want) > 1e-12*max(1, want) {
					t.Fatalf("%s: Score(%v) of %q = %v, want %v", c.kind, terms, scan.ids[n], scores[row], want)
				}
				if (try+n)%20 > 0 {
					continue // what follows looks for one row at a time
				}
				sum, weights := 0.0, 0.0
				for _, q := range terms {
					frequency, score := v.TermScore(q.Term, row)
					if frequency != scan.rows[n][q.Term] {
						t.Fatalf("%s: TermScore(%q) in %q = %v, want %v", c.kind, q.Term, scan.ids[n], frequency, scan.rows[n][q.Term])
					}
					if v.RowsWith(q.Term).Contains(row) != (frequency != Frequency{}) {
						t.Fatalf("%s: RowsWith(%q) is wrong about %q", c.kind, q.Term, scan.ids[n])
					}
					if frequency != (Frequency{}) {
						weights += float64(q.Count) * v.IDF(q.Term)
					}
					if q.Count == 1 {
						sum += score
					}
				}
				if held[row] != weights {
					t.Fatalf("%s: %q holds %v, want %v", c.kind, scan.ids[n], held[row], weights)
				}
				if len(terms) == 1 && terms[0].Count == 1 && sum != scores[row] {
					t.Fatalf("%s: Score %v and TermScore %v of %q differ", c.kind, scores[row], sum, scan.ids[n])
				}
			}
		}
	}
}

// TestLongRowsAndFrequentWords reaches what the tables of a view do not hold.
func TestLongRowsAndFrequentWords(t *testing.T) {
	f := newFakeStore()
	rng := rand.New(rand.NewPCG(1, 5))
	for i := range 40 {
		text := ""
		for range rng.IntN(900) {
			text += testWords[rng.IntN(12)] + " "
		}
		f.putRule(store.Rule{ID: fmt.Sprintf("r%02d", i), Version: 1, Text: "rule " + text})
	}
	o := testOptions("")
	o.Split = nil
	m := openTest(t, f, o)
	v := acquire(t, m).Rules.View(0)
	scan := newLinear(entriesOf(t, m)[Rules], DefaultScoring)
	terms := []QueryTerm{{"stem:invoic", 1}, {"stem:hotel", 1}, {"stem:rule", 1}, {"num:1000", 1}, {"code:po1234", 1}}
	scores := make([]float64, v.Rows())
	v.Score(terms, scores, nil)
	for row, id := range scan.ids {
		at, _ := v.RowsOf(v.Find(id))
		if want := scan.score(row, terms); math.Abs(scores[at]-want) > 1e-12 {
			t.Errorf("Score() of %q = %v, want %v", id, scores[at], want)
		}
	}
}
