package search

// Matched says what in the query a hit matched.
type Matched struct {
	// Terms are the query's words with the word of the hit that each met.
	Terms []MatchedTerm `json:"terms"`
	// Codes are the query's codes and amounts that stand in the hit exactly, as
	// the hit writes them.
	Codes []string `json:"codes"`
	// Meaning is the cosine of query and hit, from 0 to 1.
	Meaning float64 `json:"meaning"`
	// Passage is the sentence of the hit that carried the match.
	Passage string `json:"passage"`
}

// MatchedTerm is one word of the query and the word it met.
type MatchedTerm struct {
	Query string `json:"query"`
	Text  string `json:"text"`
	Field string `json:"field"`
}

// withID notes, of a hit that the query names, that its id is what matched.
func (m Matched) withID(hit scored, id string) Matched {
	if hit.bonus > 0 {
		m.Terms = append([]MatchedTerm{{Query: id, Text: id, Field: "id"}}, m.Terms...)
	}
	return m
}

// HitExplain is the parts of one hit's score, standing · (w·sem + (1 − w)·lex) +
// named, with the weight w of the query's explanation.
type HitExplain struct {
	BM25     float64 `json:"bm25"`
	Coverage float64 `json:"coverage"`
	Lex      float64 `json:"lex"`
	Cosine   float64 `json:"cosine"`
	Sem      float64 `json:"sem"`
	Standing float64 `json:"standing"`
	// Named is what an item has more because the query is its id.
	Named float64 `json:"named,omitempty"`
	Score float64 `json:"score"`
}

// QueryExplain is what a search counted and computed for the query as a whole.
// Readings, Embeddings and Lookups are 1 however many Trails the scope has.
type QueryExplain struct {
	Readings   int           `json:"readings"`
	Embeddings int           `json:"embeddings"`
	Lookups    int           `json:"lookups"`
	Terms      []TermExplain `json:"terms"`
	MaxScore   float64       `json:"max_score"`
	OOV        float64       `json:"oov"`
	Weight     float64       `json:"weight"`
	Items      int           `json:"items"`
	InScope    int           `json:"in_scope"`
	Gate       GateExplain   `json:"gate"`
}

// TermExplain is one scoring term of the query.
type TermExplain struct {
	Term      string  `json:"term"`
	Count     int     `json:"count"`
	Frequency int     `json:"document_frequency"`
	IDF       float64 `json:"idf"`
}

// GateExplain is what the no-match gate saw.
type GateExplain struct {
	Cosine    float64 `json:"best_cosine"`
	Coverage  float64 `json:"best_coverage"`
	Null      float64 `json:"null_median"`
	G         float64 `json:"g"`
	Threshold float64 `json:"threshold"`
	// Code says that a code of the query stands in the workspace.
	Code bool `json:"code"`
	Open bool `json:"open"`
	// SignalShare is, of a search of documents, the largest share of the query's
	// idf mass that title, tags and applies_when of a document hold.
	SignalShare float64 `json:"signal_share,omitempty"`
}
