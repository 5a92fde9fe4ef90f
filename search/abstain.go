package search

import (
	"slices"
	"sync"

	"waymark/analysis"
	"waymark/index"
	"waymark/store"
)

// abstainSentence says each reason in words.
var abstainSentence = map[AbstainReason]string{
	NoTerms:       "The query has no word that carries meaning.",
	NoSignalMatch: "No document's title, tags or applies_when speak to the query, and none comes near its meaning.",
	OutOfScope:    "Documents match, but none of the tier, category, status or type that was asked for.",
	NotInForce:    "Documents match, but none of them governs on this day.",
}

// abstain applies the signal gate of kb_search: a document has a signal when its
// title, tags or applies_when hold informative words or a code of the query, when
// it comes near the query's meaning, or when both together say so. Without a document that has one the
// search returns nothing and says why.
func (s *Service) abstain(e *evidence, q *question, gate GateExplain, named int, literal, inScope, allowed func(int) bool) (bool, AbstainReason) {
	switch {
	case len(q.terms) == 0 && !gate.Open:
		return true, NoTerms
	case q.onlyCodes && !gate.Open:
		return true, NoSignalMatch
	}
	signals := s.signalling(e, q, gate, named)
	any, scope := false, false
	for item, has := range signals {
		if !has || !literal(item) {
			continue // the query's own phrases and exclusions leave it out
		}
		any = true
		if allowed(item) {
			return false, ""
		}
		scope = scope || inScope(item)
	}
	switch {
	case !any:
		return true, NoSignalMatch
	case !scope:
		return true, OutOfScope
	}
	return true, NotInForce
}

// shares is, by item, the share of the query's idf mass that its title, tags and
// applies_when hold; and the items of which they hold a code of the query.
func (s *Service) shares(e *evidence, q *question) (share map[int]float64, coded map[int]bool) {
	share, coded = map[int]float64{}, map[int]bool{}
	if e.maxScore == 0 {
		return share, coded
	}
	for _, t := range q.terms {
		weight := float64(t.Count) * e.view.IDF(t.Term)
		seen := map[int]bool{}
		e.view.RowsWith(t.Term).Each(func(row int) {
			item := e.view.ItemOf(row)
			if item < 0 || seen[item] {
				return
			}
			seen[item] = true
			if s.signals.holds(e.view.Document(item), t.Term) {
				share[item] += weight / e.maxScore
				coded[item] = coded[item] || slices.Contains(q.codes, t.Term)
			}
		})
	}
	return share, coded
}

// signalling is the set of items that have a signal: those whose own passages
// stand out once their share is counted in, those that hold a code of the query,
// and the one that the query names.
func (s *Service) signalling(e *evidence, q *question, gate GateExplain, named int) map[int]bool {
	share, items := s.shares(e, q)
	if named >= 0 {
		items[named] = true
	}
	for row := range e.bm25 {
		item := e.view.ItemOf(row)
		if item < 0 || items[item] {
			continue
		}
		_, high := e.cosineBounds(row)
		signal := func(cosine float64) bool {
			return s.options.Gate.documentSignal(cosine, e.coverage(row), share[item], gate.Null) >= s.options.Gate.DocumentThreshold
		}
		if signal(high) && signal(e.cosine(row)) {
			items[item] = true
		}
	}
	return items
}

// signalCache keeps the terms of title, tags and applies_when of documents, by
// the documents' content.
type signalCache struct {
	analyzer *analysis.Analyzer
	mu       sync.Mutex
	terms    map[string]map[string]bool // by content hash
}

// keptSignals is how many documents' terms are kept, a few hundred bytes each.
const keptSignals = 50_000

func newSignalCache(a *analysis.Analyzer) *signalCache {
	return &signalCache{analyzer: a, terms: map[string]map[string]bool{}}
}

func (c *signalCache) holds(d *store.Document, term string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	key := d.Hash + "\n" + d.Title
	terms, ok := c.terms[key]
	if !ok {
		if len(c.terms) >= keptSignals {
			clear(c.terms)
		}
		terms = map[string]bool{}
		for _, text := range slices.Concat([]string{d.Title}, d.Tags, d.AppliesWhen) {
			for _, t := range c.analyzer.Analyze(text) {
				if t.Term != "" {
					terms[t.Term] = true
				}
			}
		}
		c.terms[key] = terms
	}
	return terms[term]
}

// itemNamed is the item whose id the query is, −1 when there is none.
func itemNamed(c *index.Collection, q *question) int {
	if q.id == "" {
		return -1
	}
	for item := range c.Items() {
		if c.Live(item) && c.ID(item) == q.id {
			return item
		}
	}
	return -1
}

// namedBonus lifts the item that the query names by its id above all others:
// no fused score exceeds 1.
func namedBonus(named int) func(item int) float64 {
	return func(item int) float64 {
		if item == named {
			return 1
		}
		return 0
	}
}
