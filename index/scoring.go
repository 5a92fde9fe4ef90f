package index

import (
	"fmt"
	"math"
)

// Scoring holds the constants of BM25F (Robertson, Zaragoza and Taylor, 2004).
// A term's frequencies are normalised field by field, added, and saturated
// once:
//
//	x          = Σ_f tf_f · Weight_f / (1 − B_f + B_f · len_f / avglen_f)
//	score(t,r) = idf(t) · x / (K1 + x)
//	idf(t)     = ln(1 + (N − df + .5) / (df + .5))
//
// N counts the rows, df those that hold t in any field, len_f the words that
// carry weight in the field of the row, at least 1 when any term stands there,
// and avglen_f is the mean of len_f over the rows in which it is not 0, as in
// Lucene: a field that few rows have does not weigh less for that. No term adds
// more than its idf, and with one field this is BM25 in Lucene's form.
type Scoring struct {
	K1     float64            // above 0
	B      [NumFields]float64 // 0 to 1
	Weight [NumFields]float64 // 0 or more
}

// DefaultScoring has Lucene's k1 and b for running text, and b = .5 for short
// fields, whose lengths say less.
var DefaultScoring = Scoring{
	K1:     1.2,
	B:      [NumFields]float64{Body: .75, Title: .5, Tags: .5, AppliesWhen: .5, Context: .5},
	Weight: [NumFields]float64{Body: 1, Title: 1, Tags: 1, AppliesWhen: 1, Context: 1},
}

// check returns ErrOptions when a constant makes no score.
func (s *Scoring) check() error {
	if !(s.K1 > 0) || math.IsInf(s.K1, 0) {
		return fmt.Errorf("k1 %v, want a number above 0: %w", s.K1, ErrOptions)
	}
	for f := range NumFields {
		if !(s.B[f] >= 0 && s.B[f] <= 1) || !(s.Weight[f] >= 0) || math.IsInf(s.Weight[f], 0) {
			return fmt.Errorf("b %v and weight %v of field %q, want 0 to 1 and a number from 0: %w", s.B[f], s.Weight[f], f, ErrOptions)
		}
	}
	return nil
}

// inverseFrequency is idf of the formula. A term that no row holds has the
// weight that a document frequency of 0 gives.
func inverseFrequency(n, df int) float64 {
	return math.Log(1 + (float64(n)-float64(df)+.5)/(float64(df)+.5))
}

// normTable is how many lengths have their norms worked out in advance: more
// than a passage of 230 word pieces has words.
const normTable = 256

// norms turn frequencies into x of the formula. Every row goes through the same
// operations in the same order, whether a table or norm answers, so equal rows
// have equal scores. The conversions forbid fused operations, so the bits do
// not depend on the machine either.
type norms struct {
	scoring *Scoring
	average [NumFields]float64
	table   [NumFields][normTable]float64
	// body[t−1][n] is x/(K1+x) of a term that stands t times in a body of n
	// words and nowhere else.
	body [bodyTable][normTable]float64
}

// bodyTable is up to how many times in the body a score is worked out in
// advance. Of the postings of ObliQA under one Trail, 93 % are of so many times.
const bodyTable = 4

// newNorms works out the tables for the statistics of a view.
func newNorms(scoring *Scoring, total statistics) *norms {
	n := &norms{scoring: scoring}
	for f := range NumFields {
		if total.filled[f] > 0 {
			n.average[f] = float64(total.words[f]) / float64(total.filled[f])
		}
		for length := range normTable {
			n.table[f][length] = n.norm(f, uint32(length))
		}
	}
	for t := range bodyTable {
		for length := range normTable {
			n.body[t][length] = n.saturate(float64(float64(t+1) * n.table[Body][length]))
		}
	}
	return n
}

// norm is Weight / (1 − B + B·length/average).
func (n *norms) norm(f Field, length uint32) float64 {
	b := n.scoring.B[f]
	share := 0.0
	if n.average[f] > 0 {
		share = float64(b * float64(float64(length)/n.average[f]))
	}
	return n.scoring.Weight[f] / float64(float64(1-b)+share)
}

// of is the norm of a field of a row.
func (n *norms) of(f Field, length uint32) float64 {
	if length < normTable {
		return n.table[f][length]
	}
	return n.norm(f, length)
}

// sum is x of the formula.
func (n *norms) sum(frequency *Frequency, lengths *[NumFields][]uint32, row uint32) float64 {
	x := 0.0
	for f := range NumFields {
		if tf := frequency[f]; tf > 0 {
			x += float64(float64(tf) * n.of(f, lengths[f][row]))
		}
	}
	return x
}

// saturate is x/(K1+x).
func (n *norms) saturate(x float64) float64 { return x / float64(n.scoring.K1+x) }
