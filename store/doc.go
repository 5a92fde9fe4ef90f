// Package store is the truth of Waymark: one bbolt file that holds workspaces,
// Trails, rules with their versions and history, documents with their parsed
// front matter and passages, embedding vectors, agents and activity, and the
// change log from which everything derived is rebuilt.
//
// It imports nothing else of ours. It knows nothing of search, ranking or
// transports.
//
// # Transactions
//
// Every exported method of [Store] is one transaction. [Store.Update] and
// [Store.View] run many steps as one: their function gets a [Tx] or a [ReadTx]
// that is bound to one workspace and has no way to name a key of another. The
// methods of Store are the same steps, one at a time.
//
// A write that has returned is on disk. Writers that come together share a
// commit, so many small writes at once cost few syncs. A method that returns an
// error has changed nothing, inside Update as well.
//
// Do not call a writing method of Store from inside Update or View: writers are
// serial, and a reader can hold up the growth of the file.
//
// # Store version and change log
//
// Each workspace counts its own committed changes; a counter for the whole file
// would tell one workspace when another is busy. Everything but vectors and
// activity is content: a change of it takes the next version and is written to
// the workspace's change log with its bucket, key and value, in the same
// transaction. Replaying the log gives the same bytes.
package store
