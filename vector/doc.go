// Package vector finds the nearest rows of a matrix of float32 vectors by dot
// product, which is the cosine when rows and query have unit length.
//
// There are two searchers behind one interface. Scan is exact by proof: it
// ranks every row by its int8 code, whose error is bounded, and scores again in
// float32 each row that the bound cannot exclude. Graph walks an HNSW graph
// that this package builds itself and coder/hnsw searches; it is approximate,
// and hands the call to its Scan whenever that is cheaper or safer.
//
// A score is the same float32, bit for bit, on every machine: Dot and the int8
// products have a fixed order of operations that the AVX-512, AVX2 and plain Go
// kernels share.
//
// The package imports nothing else of this module, opens no file, reads no
// clock and starts no goroutine that outlives a call. Rows may lie in memory
// that is mapped from a file: nothing here writes to them.
package vector
