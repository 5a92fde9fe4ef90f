package search

import (
	"math"
	"slices"
	"strings"

	"waymark/analysis"
	"waymark/index"
	"waymark/store"
)

// matcher says what of one query the hits of a page matched.
type matcher struct {
	analyzer *analysis.Analyzer
	words    *analysis.Matcher
}

// fieldText is one field of a hit as it is stored.
type fieldText struct {
	field index.Field
	text  string
}

func newMatcher(a *analysis.Analyzer, q *question) *matcher { return &matcher{a, q.parsed.Matcher()} }

// maxMatchedTerms keeps an answer small: a long query meets a long rule in more
// words than anybody reads.
const maxMatchedTerms = 12

// match compares the query with every field of a hit. The sentence shown as the
// passage is the one of the first field that holds most of the query's words;
// the first sentence when none holds any.
func (m *matcher) match(hit scored, fields []fieldText) Matched {
	out := Matched{Terms: []MatchedTerm{}, Codes: []string{}, Meaning: roundTo(max(0, hit.cosine), 4)}
	seen := map[MatchedTerm]bool{}
	for _, f := range fields {
		for _, found := range analysis.Distinct(m.words.Match(f.text)) {
			if found.Kind == analysis.MatchPart {
				continue
			}
			if (found.Kind == analysis.MatchCode || found.Kind == analysis.MatchNumber) && found.Exact {
				if !slices.Contains(out.Codes, found.Text) {
					out.Codes = append(out.Codes, found.Text)
				}
				continue
			}
			t := MatchedTerm{Query: found.Query, Text: found.Text, Field: f.field.String()}
			key := MatchedTerm{strings.ToLower(t.Query), strings.ToLower(t.Text), ""}
			if !seen[key] && len(out.Terms) < maxMatchedTerms {
				seen[key] = true
				out.Terms = append(out.Terms, t)
			}
		}
	}
	out.Passage = m.sentence(fields[0].text)
	return out
}

// sentence is the sentence of a text that holds most of the query's words.
func (m *matcher) sentence(text string) string {
	sentences := analysis.Sentences(text)
	if len(sentences) == 0 {
		return ""
	}
	matches := m.words.Match(text)
	best, most := sentences[0], -1
	for _, s := range sentences {
		n := 0
		for _, found := range matches {
			if found.Start >= s.Start && found.End <= s.End {
				n++
			}
		}
		if n > most {
			best, most = s, n
		}
	}
	return strings.TrimSpace(text[best.Start:best.End])
}

// snippetLength is how long a snippet is at most, in characters.
const snippetLength = 160

// snippet shows where a document matched: from the passage, or from the title,
// tags or applies_when when only those hold a word of the query, or from the
// description when the passage has no text.
func (m *matcher) snippet(d *store.Document, p *store.Passage) string {
	candidates := []string{p.Text, d.Description, strings.Join(d.AppliesWhen, "; "), strings.Join(d.Tags, ", ")}
	for _, text := range candidates {
		if ranges := m.ranges(text); len(ranges) > 0 {
			cut, _ := analysis.Snippet(text, ranges, snippetLength)
			return cut
		}
	}
	for _, text := range candidates {
		if strings.TrimSpace(text) != "" {
			cut, _ := analysis.Snippet(text, nil, snippetLength)
			return cut
		}
	}
	return ""
}

func (m *matcher) ranges(text string) []analysis.Span {
	var ranges []analysis.Span
	for _, found := range m.words.Match(text) {
		ranges = append(ranges, analysis.Span{Start: found.Start, End: found.End})
	}
	return ranges
}

// roundTo rounds to a number of decimals, so that an answer shows no more digits
// than mean something.
func roundTo(x float64, decimals int) float64 {
	scale := math.Pow10(decimals)
	return math.Round(x*scale) / scale
}
