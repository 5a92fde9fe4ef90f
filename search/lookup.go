package search

import (
	"math"

	"waymark/index"
	"waymark/vector"
)

// evidence is what one look-up found for every row (passage) of a collection on
// one day: the exact score of its words, and its cosine within a bound. It is
// the same whatever the filter, the limit or the page.
type evidence struct {
	view  *index.View
	query *vector.Query
	raw   []float32 // the same vector as it was embedded; nil when that failed
	bm25  []float64
	held  []float64 // Σ n·idf over the terms that the row holds
	// approx and its bound hold the cosine of each row between approx−bound and
	// approx+bound; nil when the meaning leg is off.
	approx   []float32
	maxScore float64 // Σ n·idf over the query's terms: what bm25 cannot exceed
	oov      float64 // share of maxScore in terms that the workspace does not hold
	lookups  int     // how often postings and vectors were read for the query
	weight   float64 // of the meaning in the fused score
}

// noVectors is why a search is degraded although the query has a vector.
const noVectors = "Nothing stored has a vector of the model yet, so only the words of the query were searched."

// lookUp reads the postings of every term once and the codes of every vector
// once. Without a vector of the query, or of any row, the meaning leg is off.
func lookUp(view *index.View, q *question, v *vector.Query, raw []float32, fusion Fusion) (*evidence, error) {
	e := &evidence{view: view, query: v, raw: raw, bm25: make([]float64, view.Rows()), held: make([]float64, view.Rows())}
	var unknown float64
	for _, t := range q.terms {
		held := view.DF(t.Term) > 0
		if !held && q.optional[t.Term] {
			continue
		}
		mass := float64(t.Count) * view.IDF(t.Term)
		e.maxScore += mass
		if !held {
			unknown += mass
		}
	}
	e.lookups++
	if e.maxScore > 0 {
		e.oov = unknown / e.maxScore
	}
	e.weight = fusion.Weight(e.oov)
	view.Score(q.terms, e.bm25, e.held)
	if v != nil && view.HasVectors() {
		e.approx = make([]float32, view.Rows())
		if err := view.Approximate(v, e.approx); err != nil {
			return nil, err
		}
	}
	return e, nil
}

// coverage is the share of the query's words that a row covers, from 0 to 1.
func (e *evidence) coverage(row int) float64 {
	if e.maxScore == 0 {
		return 0
	}
	return e.bm25[row] / e.maxScore
}

// share is the part of the query's idf mass that stands in a row at all, from 0
// to 1: coverage without its saturation, under which a row that holds every word
// once has less than half.
func (e *evidence) share(row int) float64 {
	if e.maxScore == 0 {
		return 0
	}
	return e.held[row] / e.maxScore
}

// wordsOnly reports whether a row is to be judged by its words alone: it holds
// some of the query's, and its meaning is not known.
func (e *evidence) wordsOnly(row int) bool {
	return e.bm25[row] > 0 && (e.approx == nil || !e.view.HasVector(row))
}

// cosineBounds holds the row's cosine between its two values.
func (e *evidence) cosineBounds(row int) (low, high float64) {
	if e.approx == nil || !e.view.HasVector(row) {
		return 0, 0
	}
	bound := float64(e.view.Bound(e.query, row))
	return float64(e.approx[row]) - bound, float64(e.approx[row]) + bound
}

// cosine is the row's exact cosine; 0 without a vector.
func (e *evidence) cosine(row int) float64 {
	if e.approx == nil || !e.view.HasVector(row) {
		return 0
	}
	return float64(e.view.Cosine(e.raw, row))
}

// best finds the exact highest cosine and coverage among the rows that count on
// the day: a row is scored exactly when its upper bound reaches the highest
// lower bound, so no other row can hold the maximum.
func (e *evidence) best() (cosine, coverage float64) {
	floor := math.Inf(-1)
	for row := range e.bm25 {
		if !e.view.Counts(row) {
			continue
		}
		coverage = max(coverage, e.coverage(row))
		low, _ := e.cosineBounds(row)
		floor = max(floor, low)
	}
	cosine = math.Inf(-1)
	for row := range e.bm25 {
		if !e.view.Counts(row) {
			continue
		}
		if _, high := e.cosineBounds(row); high >= floor {
			cosine = max(cosine, e.cosine(row))
		}
	}
	return max(cosine, 0), coverage
}
