// Package store is the truth of Waymark: one bbolt file that holds workspaces,
// Trails, rules with their versions and history, documents with their parsed
// front matter and passages, embedding vectors, agents and activity, and the
// change log from which everything derived is rebuilt.
//
// It imports nothing else of ours. It knows nothing of search, ranking or
// transports, and every exported method is one transaction.
package store
