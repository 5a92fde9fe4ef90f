// Package search is the read path: one query pipeline of nine stages that
// answers search_trail_rules, get_brain_context and kb_search from one pinned
// index snapshot, and the plain readers of documents and Trails beside it.
//
// Each stage has its own file and is a function of the stage before:
//
//	query     query.go     the question, read once
//	embed     embed.go     its vector, made once
//	scope     scope.go     names and filters become one bitmap of items
//	lookup    lookup.go    words and vectors of every passage, looked up once
//	fuse      fuse.go      one score from both
//	gate      gate.go      nothing is nothing
//	match     match.go     what in the query each hit matched
//	conflict  conflict.go  pairs on the page that cannot both be obeyed
//	shape     shape.go     the answer a caller sees
//
// The package never writes: it may not import ingest or any transport.
package search
