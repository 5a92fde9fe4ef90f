// Package embedding turns text into unit vectors, inside the process: a BERT
// encoder with its weights in the binary, written in Go and Go assembly.
//
// It knows texts and vectors and nothing else: it opens no network connection,
// starts no process, reads no file but a pack that the caller names, keeps no
// answer for later, and imports nothing else of this module.
//
// The served arithmetic (FormatInt8) is defined down to the last bit: int8
// weights times rounded activations summed as integers, integer attention, and
// between them float32 steps whose operations and whose order of summation are
// written out in kernels_plain.go. The AVX2 and AVX512 kernels do the same
// operations in the same order, so a text has one vector, whatever the
// processor, the batch it came in, or the number of workers. DESIGN.md has the
// reasons and the figures.
package embedding
