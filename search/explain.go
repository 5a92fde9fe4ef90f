package search

// explainQuery shows what the search counted and computed for the query. Each
// number is the one that scored.
func (s *Service) explainQuery(e *evidence, q *question, gate GateExplain) *QueryExplain {
	x := &QueryExplain{Readings: q.readings, Embeddings: 0, Lookups: e.lookups, Terms: []TermExplain{},
		MaxScore: e.maxScore, OOV: e.oov, Weight: e.weight, Items: e.view.N(), Gate: gate}
	if e.raw != nil {
		x.Embeddings = 1
	}
	for _, t := range q.terms {
		x.Terms = append(x.Terms, TermExplain{Term: t.Term, Count: t.Count, Frequency: e.view.DF(t.Term), IDF: e.view.IDF(t.Term)})
	}
	return x
}

// explainHit shows the parts of one hit's score.
func explainHit(f Fusion, hit scored) *HitExplain {
	return &HitExplain{BM25: hit.bm25, Coverage: hit.coverage, Lex: f.Lex(hit.coverage), Cosine: hit.cosine, Sem: max(0, hit.cosine),
		Standing: hit.standing, Named: hit.bonus, Score: hit.score}
}
