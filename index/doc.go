// Package index holds what is derived from the store for searching: a stemmed
// BM25F inverted index and the vectors of all passages, in immutable segments
// that a snapshot pins. It may be deleted at any time and is rebuilt from the
// store.
//
// The law of this package is that it is exact and independent of history: for
// equal stored content every number it gives is the same to the last bit,
// whether the content was loaded at once, edited for a year, merged, restarted
// or rebuilt. So document frequencies and lengths count live, searchable
// passages only.
//
// A row is a passage, an item a rule or a document with one or more rows. A
// workspace has two collections: the rules in force, and the documents.
//
// The package reads the store and never writes it; it knows nothing of queries,
// scores fused from several signals, or transports.
package index
