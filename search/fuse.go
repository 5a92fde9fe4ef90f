package search

import "math"

// Fusion holds the constants of the one score: a weighted sum of meaning and
// words, both functions of query, item and workspace only, so that no filter,
// limit or page can move it.
//
//	coverage = bm25 / Σ n·idf over the query's terms           0 to 1
//	lex      = coverage ^ Exponent                              a few small words count little
//	sem      = max(0, cosine)
//	oov      = share of the query's idf mass in terms that the workspace does not hold
//	w        = Meaning + MeaningOOV·oov
//	score    = w·sem + (1 − w)·lex
type Fusion struct {
	Meaning    float64
	MeaningOOV float64
	Exponent   float64
}

// DefaultFusion is tuned on SciFact train, ObliQA dev and rules of our own; the
// plateau around it is flat (weights .2 to .4, exponents 1 to 1.5).
var DefaultFusion = Fusion{Meaning: .30, MeaningOOV: .40, Exponent: 1.5}

// Weight is w for a query with the given share of unknown words.
func (f Fusion) Weight(oov float64) float64 { return f.Meaning + f.MeaningOOV*oov }

// Lex turns a coverage into the score of the words.
func (f Fusion) Lex(coverage float64) float64 {
	if f.Exponent == 1.5 {
		return coverage * math.Sqrt(coverage)
	}
	return math.Pow(coverage, f.Exponent)
}

// Score is the fused score of an item. It grows with both arguments, so bounds
// on them bound it.
func (f Fusion) Score(w, cosine, coverage float64) float64 {
	return w*max(0, cosine) + (1-w)*f.Lex(coverage)
}
