package search

import "slices"

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
	// DirectSignal is the signal from which a hit is called direct.
	DirectSignal float64
}

// DefaultGate is measured on held-out rules and handbooks: 5 % of answerable
// questions refused, 2.7 % of far questions answered.
var DefaultGate = Gate{CoverageWeight: .2, Threshold: .134, DirectSignal: .30}

// Signal tells how far a match stands out from what unrelated questions reach.
func (g Gate) Signal(cosine, coverage, null float64) float64 {
	return cosine + g.CoverageWeight*coverage*coverage - null
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
