package ingest

import (
	"context"
	"sync"

	"waymark/embedding"
	"waymark/store"
)

// Checker compares the rules of one Trail. It is safe for concurrent use.
type Checker interface {
	// Analyze takes a rule of a Trail of that name apart. The result is only
	// given to Compare.
	Analyze(trail string, r store.Rule) any

	// Compare tells whether two rules conflict, given what Analyze made of them
	// and the cosine of their vectors. Rules, Texts and Trail of the result are
	// filled in by the caller.
	Compare(a, b any, cosine float64) (Conflict, bool)
}

// Options are what a Writer needs. None may change while it is in use.
type Options struct {
	// Store is written to. Required.
	Store *store.Store

	// Embedder makes the vectors, and its tokens are what passages are cut by.
	// Required.
	Embedder embedding.Embedder

	// Conflicts compares the rules of a Trail. Default (nil): no rules conflict.
	Conflicts Checker

	// AfterCommit is called after every committed batch and edit, so that the
	// index can catch up; what it does counts as part of the change. Default
	// (nil): nothing is called.
	AfterCommit func(ctx context.Context, workspace string) error

	// BatchSize is how many texts are embedded and stored in one transaction.
	// Default (zero): DefaultBatchSize.
	BatchSize int
}

// DefaultBatchSize keeps the encoder busy on two cores and a transaction below
// a tenth of a second.
const DefaultBatchSize = 256

// Writer is the write path into one store. Its methods may be called by any
// number of goroutines at once; changes of rules in one workspace are checked
// and committed one after the other.
type Writer struct {
	options Options
	split   func(text string) []string // of long rules

	// mu guards turns. A turn is held from reading what a change of rules is
	// checked against until it is committed, never while texts are embedded.
	mu    sync.Mutex
	turns map[string]*sync.Mutex // by workspace
}

// NewWriter returns a Writer.
func NewWriter(o Options) *Writer {
	if o.BatchSize <= 0 {
		o.BatchSize = DefaultBatchSize
	}
	return &Writer{options: o, split: RuleSplitter(o.Embedder), turns: map[string]*sync.Mutex{}}
}

// turn waits for the turn of a workspace and returns what ends it.
func (w *Writer) turn(workspace string) func() {
	w.mu.Lock()
	t := w.turns[workspace]
	if t == nil {
		t = &sync.Mutex{}
		w.turns[workspace] = t
	}
	w.mu.Unlock()
	t.Lock()
	return t.Unlock
}

// committed tells the index.
func (w *Writer) committed(ctx context.Context, workspace string) error {
	if w.options.AfterCommit == nil {
		return nil
	}
	return w.options.AfterCommit(ctx, workspace)
}

// cutter returns how the bodies of documents are cut.
func (w *Writer) cutter() Cutter {
	return Cutter{Tokenizer: w.options.Embedder, Sentences: sentences}
}
