package search

import (
	"math"
	"slices"

	"waymark/index"
)

// Gate holds the constants that tell an answer from the least bad item.
//
// A fixed threshold on a cosine does not travel: the best of N unrelated cosines
// grows with the workspace and with how general its texts are. So a fixed bank
// of everyday questions that no company rule answers is compared with the
// workspace: null is the median of their best cosines, and a query must stand
// out from it.
//
//	signal(cosine, coverage) = cosine + CoverageWeight·coverage² − null
//	g = the signal of the best cosine and the best coverage in the unfiltered workspace
//	g < Threshold: nothing matches. An item whose own signal is below 0 is dropped.
type Gate struct {
	CoverageWeight float64
	Threshold      float64
	// DocumentThreshold is the signal from which a document is one that the
	// abstaining kb_search may answer with; see documentSignal.
	DocumentThreshold float64
	// WholeShare is the share of a query's idf mass that makes a passage a match
	// whatever its meaning: it holds nearly every word that was asked for.
	WholeShare float64
	// DirectSignal is the signal from which a hit is called direct.
	DirectSignal float64
}

// DefaultGate is measured on held-out rules and handbooks: 5 % of answerable
// questions refused, 2.7 % of far questions answered.
var DefaultGate = Gate{CoverageWeight: .2, Threshold: .134, WholeShare: .75, DocumentThreshold: .254, DirectSignal: .30}

// Signal tells how far a match stands out from what unrelated questions reach.
func (g Gate) Signal(cosine, coverage, null float64) float64 {
	return cosine + g.CoverageWeight*coverage*coverage - null
}

// documentSignal adds to cosine − null what the words say: the share of the
// query's idf mass that title, tags and applies_when of the document hold, in
// full, and the coverage of the passage, by half. The factors and the threshold
// are tuned on olympus-bench's governance questions.
func (g Gate) documentSignal(cosine, coverage, share, null float64) float64 {
	return cosine - null + share + coverage/2
}

// Median is the middle of a set of numbers, the mean of the two middle ones when
// their count is even, and 0 when there are none.
func Median(numbers []float32) float64 {
	if len(numbers) == 0 {
		return 0
	}
	sorted := slices.Clone(numbers)
	slices.Sort(sorted)
	half := len(sorted) / 2
	if len(sorted)%2 == 1 {
		return float64(sorted[half])
	}
	return (float64(sorted[half-1]) + float64(sorted[half])) / 2
}

// openGate judges the query against the whole workspace: the best cosine and
// coverage of any passage that counts, whatever the filter. A code of the query
// that stands in a passage, or an item that the query names, opens it at once; a
// query of codes alone, none of which is stored, keeps it shut.
func (s *Service) openGate(e *evidence, q *question, codeRows func(row int) bool, named bool) GateExplain {
	g := GateExplain{Threshold: s.options.Gate.Threshold, Null: finite(Median(e.view.BankMaxima()))}
	g.Cosine, g.Coverage = e.best()
	g.G = s.options.Gate.Signal(g.Cosine, g.Coverage, g.Null)
	hasCode, whole := false, false
	for row := range e.bm25 {
		if e.view.Counts(row) {
			hasCode = hasCode || codeRows(row)
			whole = whole || e.share(row) >= s.options.Gate.WholeShare
		}
	}
	g.Code = hasCode
	switch {
	case e.view.N() == 0:
	case named || hasCode:
		g.Open = true
	case q.onlyCodes:
	case e.approx == nil:
		// Without the meaning of the query its words alone decide.
		g.Open = g.Coverage > 0
	default:
		g.Open = whole || g.G >= g.Threshold
	}
	return g
}

// finite turns the minus infinity of a workspace without vectors into 0.
func finite(x float64) float64 {
	if math.IsInf(x, 0) {
		return 0
	}
	return x
}

// strength calls a hit direct when its signal is as clear as that of the hits
// that answered on the tuning sets. A hit that lacks the codes that the query
// names is no direct answer, however near its subject.
func (g Gate) strength(hit scored, q *question, codeRows func(row int) bool) Strength {
	if hit.signal >= g.DirectSignal && (len(q.codes) == 0 || codeRows(hit.row)) {
		return Direct
	}
	return Related
}

// noMatchReason says in words why the gate stayed shut.
func noMatchReason(e *evidence, q *question, view *index.View) string {
	switch {
	case view.N() == 0:
		return "The workspace has no approved rule in force."
	case q.onlyCodes:
		return "No approved rule holds the code that was asked for."
	case len(q.terms) > 0 && e.oov == 1:
		return "No approved rule holds a word of the query, and none comes near its meaning."
	}
	return "No approved rule stands out from what any question would match."
}
