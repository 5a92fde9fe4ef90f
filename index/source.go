package index

import (
	"iter"

	"waymark/store"
)

// Source is the store as far as the index reads it. *store.Store is one, of
// *store.ReadTx.
type Source[R Reader] interface {
	// View calls read with one consistent state of a workspace. Its errors are
	// those of the store and of read.
	View(workspace string, read func(R) error) error
}

// Reader is one consistent state of a workspace. *store.ReadTx is one.
type Reader interface {
	Version() (uint64, error)
	Changes(after uint64, limit int) ([]store.Change, error)
	Trails() ([]store.Trail, error)
	Rules(filter store.RuleFilter) iter.Seq2[store.Rule, error]
	RuleHead(id string) (store.RuleHead, error)
	RuleVersion(id string, version int) (store.Rule, error)
	Documents(parts store.DocumentParts) iter.Seq2[store.Document, error]
	Document(id string, parts store.DocumentParts) (store.Document, error)
	GetVectors(model string, hashes []store.Hash) ([][]float32, error)
}

var _ Source[*store.ReadTx] = (*store.Store)(nil)
