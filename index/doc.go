// Package index holds what is derived from the store for searching: a stemmed
// BM25F inverted index and the vectors of all passages, in immutable segments
// that a snapshot pins. Its files may be deleted at any time; they are made
// again from the store.
//
// The law of this package is that it is exact and independent of history: for
// equal stored content every number it gives is the same to the last bit,
// whether the content was loaded at once, edited for a year, merged, restarted
// or rebuilt. So document frequencies and lengths count live, searchable
// passages only.
//
// # Words
//
// A row is a passage. An item is a rule or a document with one or more rows. A
// workspace has two collections: the rules that are in force, and the
// documents. Rows and items are numbered within one collection of one snapshot;
// their numbers mean nothing outside it. A row is dead when its item was
// changed or removed after its segment was made. A live row is masked in the
// view of a day on which it does not count: a rule outside its effective days,
// a document past its validity.
//
// # Reading
//
// Manager.Acquire pins the current Snapshot of a workspace, Snapshot.Release
// lets it go. All that an answer needs lies in the snapshot, stored records
// included, so an answer is of one version of the store. What a snapshot
// returns stays valid after Release, except vectors and the snapshot's own
// methods.
//
// The package reads the store and never writes it; it knows nothing of queries,
// of scores fused from several signals, or of transports.
package index
