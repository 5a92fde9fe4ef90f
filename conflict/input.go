package conflict

// Limits on what is analysed. They bound time and memory for any text; rules of
// companies have 10 to 80 words, and the longest sentence of our corpora that
// states a rule has 140.
const (
	// MaxText is how many bytes of a rule's text are read.
	MaxText = 4096

	// MaxTokens is how many words, numbers and marks are read.
	MaxTokens = 512

	// MaxClauses is how many clauses of a rule are compared.
	MaxClauses = 12

	// maxWord is the longest word that is stemmed.
	maxWord = 40
)

// Input is a rule as this package needs it. Only Text is required; the rest says
// for whom and where the rule stands.
type Input struct {
	Text  string
	Title string

	// Trail, Domain and Cluster are the names of where the rule stands.
	Trail, Domain, Cluster string

	Tags        []string
	AppliesWhen []string

	// Vector is the embedding of the rule, of length one, or nil.
	Vector []float32
}
