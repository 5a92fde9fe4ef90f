package embedding

import "context"

// Embedder turns texts into vectors whose dot product is their cosine
// similarity. Implementations are safe for concurrent use and deterministic:
// the same text has the same vector, byte for byte, whatever it was embedded
// beside.
type Embedder interface {
	// ModelID names the vectors: two embedders with the same ModelID give the
	// same vector for the same text, so a stored vector may be compared with a
	// new one exactly when their ids are equal.
	ModelID() string

	// Dimension returns the number of components of every vector.
	Dimension() int

	// MaxTokens returns how many tokens of a text are read, the two that frame
	// it included; what lies beyond is ignored. A text of at most MaxTokens()-2
	// word pieces (prefixes of the model included) is read whole.
	MaxTokens() int

	// EmbedQuery returns the unit vector of a question.
	EmbedQuery(ctx context.Context, text string) ([]float32, error)

	// EmbedPassages returns the unit vectors of texts to be found, in the order
	// of texts. When ctx ends before the work does, it returns the error of ctx
	// and no vectors.
	EmbedPassages(ctx context.Context, texts []string) ([][]float32, error)

	// CountTokens returns the number of word pieces of the whole text, without
	// the frame and without regard to MaxTokens.
	CountTokens(text string) int

	// Tokens returns the word pieces that CountTokens counts.
	Tokens(text string) []int32

	// Cut returns the length in bytes of the longest part at the start of text
	// that ends with a word and has at most pieces word pieces. It is at least
	// one word long, even if that word alone has more pieces, and len(text)
	// when all of text fits.
	Cut(text string, pieces int) int
}
