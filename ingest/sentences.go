package ingest

import "waymark/analysis"

// sentences returns the end of every sentence of a text as a byte offset.
func sentences(text string) []int {
	spans := analysis.Sentences(text)
	ends := make([]int, len(spans))
	for i, s := range spans {
		ends[i] = s.End
	}
	return ends
}
