package ingest

import "waymark/analysis"

// How long a rule may be in one row, and how long the pieces of a longer one
// are, in word pieces. The encoder reads 256 of them, of which the place of the
// rule (Trail, domain, cluster, tags) takes some twenty.
const (
	wholeRule = 230
	rulePiece = 200

	// A character makes at most one word piece, so shorter texts need no
	// counting.
	surelyWhole = wholeRule
)

// RuleSplitter returns the function that cuts the text of a rule which is longer
// than the encoder reads into pieces, at ends of sentences; nil for a shorter
// one. Index and writer have to be given the same.
func RuleSplitter(t Tokenizer) func(text string) []string {
	return func(text string) []string {
		if len(text) <= surelyWhole || t.CountTokens(text) <= wholeRule {
			return nil
		}
		var pieces []string
		start, end, size := -1, 0, 0
		for _, s := range analysis.Sentences(text) {
			n := t.CountTokens(text[s.Start:s.End])
			if start >= 0 && size+n > rulePiece {
				pieces = append(pieces, text[start:end])
				start = -1
			}
			if start < 0 {
				start, size = s.Start, 0
			}
			end, size = s.End, size+n
		}
		if start >= 0 {
			pieces = append(pieces, text[start:end])
		}
		return pieces
	}
}
