package search

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"waymark/analysis"
	"waymark/index"
)

// question is a query, read once.
type question struct {
	parsed    *analysis.Query
	terms     []index.QueryTerm // what is scored, in the order of the query
	optional  map[string]bool   // terms that count for nothing when no item holds them
	codes     []string          // terms of the codes that the query names
	onlyCodes bool
	id        string // the query as an id
	readings  int    // how often the query was analysed
}

// readQuestion analyses a query. Blank text is query_missing; text that is too
// long is too_large.
func readQuestion(analyzer *analysis.Analyzer, text string) (*question, error) {
	if strings.TrimSpace(text) == "" {
		return nil, Errorf(CodeQueryMissing, "Send query as what you want to know, in plain words.", "The query is missing.")
	}
	if n := utf8.RuneCountInString(text); n > MaxQueryLength {
		return nil, Errorf(CodeTooLarge, fmt.Sprintf("Shorten the query to %d characters or less.", MaxQueryLength), "The query has %d characters.", n)
	}
	q := &question{parsed: analyzer.ParseQuery(text), optional: map[string]bool{}, id: strings.TrimSpace(text)}
	q.readings++
	q.onlyCodes = q.parsed.OnlyCodes
	for _, t := range q.parsed.Terms {
		q.terms = append(q.terms, index.QueryTerm{Term: t.Term, Count: t.Count})
		if t.Optional {
			q.optional[t.Term] = true
		}
	}
	for _, c := range q.parsed.Codes {
		q.codes = append(q.codes, c.Term)
	}
	return q, nil
}
