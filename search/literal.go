package search

import (
	"strings"

	"waymark/analysis"
	"waymark/index"
)

// literalFilter tells which items satisfy the query's own phrases and
// exclusions: an item needs every quoted phrase in one of its fields, and is
// left out when any of them holds an excluded word or phrase.
func (s *Service) literalFilter(view *index.View, q *question) func(item int) bool {
	phrases, excluded := q.parsed.Phrases, q.parsed.Excluded
	if len(phrases) == 0 && len(excluded) == 0 {
		return func(int) bool { return true }
	}
	verdicts := map[int]bool{}
	return func(item int) bool {
		if v, known := verdicts[item]; known {
			return v
		}
		v := s.literal(view, item, phrases, excluded)
		verdicts[item] = v
		return v
	}
}

func (s *Service) literal(view *index.View, item int, phrases []analysis.Phrase, excluded []analysis.Exclusion) bool {
	var fields [][]analysis.Token
	for _, text := range itemTexts(view, item) {
		fields = append(fields, s.options.Analyzer.Analyze(text))
	}
	holds := func(p *analysis.Phrase) bool {
		for _, tokens := range fields {
			if _, _, ok := p.Find(tokens); ok {
				return true
			}
		}
		return false
	}
	for i := range phrases {
		if !holds(&phrases[i]) {
			return false
		}
	}
	for i := range excluded {
		if holds(&excluded[i].Phrase) || excluded[i].Term != "" && hasTerm(fields, excluded[i].Term) {
			return false
		}
	}
	return true
}

func hasTerm(fields [][]analysis.Token, term string) bool {
	for _, tokens := range fields {
		for i := range tokens {
			if tokens[i].Term == term {
				return true
			}
		}
	}
	return false
}

// itemTexts lists what is searched of an item: every field of a rule, and of a
// document with all its passages.
func itemTexts(view *index.View, item int) []string {
	first, end := view.RowsOf(item)
	if r := view.RuleOrNil(item); r != nil {
		return []string{r.Text, r.Title, strings.Join(r.Tags, "\n"), strings.Join(r.AppliesWhen, "\n"), r.Domain, r.Cluster}
	}
	d := view.Document(item)
	texts := []string{d.Title, d.Description, strings.Join(d.Tags, "\n"), strings.Join(d.AppliesWhen, "\n")}
	for row := first; row < end; row++ {
		p := view.Passage(row)
		texts = append(texts, p.Text, strings.Join(p.Headings, "\n"))
	}
	return texts
}
