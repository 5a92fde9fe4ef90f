package index

import (
	"crypto/sha256"
	"fmt"
	"log/slog"
	"math"

	"waymark/analysis"
	"waymark/vector"
)

// Defaults of Options.
const (
	// DefaultGraphRows is where walking a graph becomes cheaper than scanning
	// all codes: at 100,000 rows a scan costs 2.5 ms of one core, a walk of
	// coder/hnsw 1 ms.
	DefaultGraphRows = 150_000

	// DefaultFlushRows is how many rows lie in memory only before they are
	// written: reading them again from the store at the next start costs some
	// 50 ms.
	DefaultFlushRows = 1000
)

// Options say how the index is made. None may change while it is open.
type Options struct {
	// Directory holds the files, one folder a workspace. It is made when it does
	// not exist. Empty: nothing is written, and every start reads the store anew.
	Directory string

	// Model is the id of the embedding model whose vectors are read, Dimension
	// the length of its vectors. A dimension of 0 means no vectors.
	Model     string
	Dimension int

	// Bank are vectors of the gate's questions, of unit length and the
	// dimension. Default none.
	Bank [][]float32

	// Scoring has the constants of the words' score. Default (zero value):
	// DefaultScoring.
	Scoring Scoring

	// Split cuts the text of a rule that is too long for one row: it returns
	// parts of the text in their order, one for a short rule. The same text must
	// give the same parts as long as Model is the same. Default (nil): a rule is
	// one row.
	Split func(text string) []string

	// GraphRows is the size from which a segment gets a graph of its vectors.
	// Default (zero): DefaultGraphRows. Less than zero: never.
	GraphRows int

	// FlushRows is how many rows may lie in memory only. Default (zero):
	// DefaultFlushRows.
	FlushRows int

	// Log is told of what happens in the background, and of a workspace that had
	// to be rebuilt. Default (nil): nobody is.
	Log *slog.Logger
}

// withDefaults returns the options with their zeros replaced, or ErrOptions.
func (o Options) withDefaults() (Options, error) {
	if o.Scoring == (Scoring{}) {
		o.Scoring = DefaultScoring
	}
	if err := o.Scoring.check(); err != nil {
		return o, err
	}
	if o.Dimension < 0 || o.Dimension > vector.MaxDimension {
		return o, fmt.Errorf("dimension %d, want 0 to %d: %w", o.Dimension, vector.MaxDimension, ErrOptions)
	}
	for i, v := range o.Bank {
		if len(v) != o.Dimension {
			return o, fmt.Errorf("vector %d of the bank has %d values, want %d: %w", i, len(v), o.Dimension, ErrOptions)
		}
	}
	switch {
	case o.GraphRows == 0:
		o.GraphRows = DefaultGraphRows
	case o.GraphRows < 0:
		o.GraphRows = math.MaxInt
	}
	if o.FlushRows <= 0 {
		o.FlushRows = DefaultFlushRows
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return o, nil
}

// newMaking returns what the segments are made with. The origin names all that
// decides what is in them: files of another origin are of no use.
func newMaking(analyzer Analyzer, o Options) (*making, error) {
	m := &making{analyzer: analyzer, dimension: o.Dimension, bank: o.Bank, scoring: o.Scoring}
	sum := sha256.New()
	for i, v := range o.Bank {
		q, err := vector.NewQuery(v)
		if err != nil {
			return nil, fmt.Errorf("vector %d of the bank: %w: %w", i, err, ErrOptions)
		}
		m.queries = append(m.queries, q)
		sum.Write(bytesOf(v))
	}
	m.origin = fmt.Sprintf("analysis %d, model %q, dimension %d, bank %d %x, fields %d",
		analysis.Version, o.Model, o.Dimension, len(o.Bank), sum.Sum(nil)[:8], NumFields)
	return m, nil
}
