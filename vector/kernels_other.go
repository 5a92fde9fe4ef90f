//go:build !amd64

package vector

func bestKernels() kernelSet { return kernelsPlain }

func dot(a, b []float32) float32 { return dotPlain(a, b) }

func dotCodes(codes []int8, dimension int, rows []uint32, q *Query, products []int32) {
	dotCodesPlain(codes, dimension, rows, q.codes, products)
}
