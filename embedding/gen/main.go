// Command gen writes the amd64 kernels of package embedding. It is a module of
// its own, so that the program does not depend on the assembler generator. In
// this folder:
//
//	go run . -out ../kernels_amd64.s -stubs ../kernels_stubs_amd64.go -pkg embedding
//
// What the kernels compute, and in which order, is said in kernels_plain.go.
package main

import . "github.com/mmcloughlin/avo/build"

func main() {
	ConstraintExpr("amd64")
	for _, t := range []target{avx2, avx512} {
		for rows := 1; rows <= t.rows; rows++ {
			if t.wide() {
				multiplyBytes(t, rows)
			}
			multiplyWords(t, rows)
			multiplyInt16(t, rows)
			multiplyFloat(t, rows)
		}
		if t.wide() {
			quantizeBytes(t)
		}
		quantizeWords(t)
		quantizeHeads(t)
		packKeys(t)
		quantizeColumns(t)
		softmax(t)
		gelu(t)
		addNorm(t)
	}
	Generate()
}
