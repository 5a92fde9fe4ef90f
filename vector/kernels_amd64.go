package vector

import "golang.org/x/sys/cpu"

// bestKernels returns the widest set that processor and operating system have.
func bestKernels() kernelSet {
	x := &cpu.X86
	switch {
	case x.HasAVX512F && x.HasAVX512BW && x.HasAVX512DQ && x.HasAVX512VL && x.HasAVX512VNNI && x.HasBMI2:
		return kernelsAVX512
	case x.HasAVX2:
		return kernelsAVX2
	}
	return kernelsPlain
}

// dot is Dot of rows whose lengths were checked.
func dot(a, b []float32) float32 {
	if len(a)%laneGroup == 0 && len(a) > 0 {
		switch kernels {
		case kernelsAVX512:
			return dotAVX512(&a[0], &b[0], len(a))
		case kernelsAVX2:
			return dotAVX2(&a[0], &b[0], len(a))
		}
	}
	return dotPlain(a, b)
}

// dotCodes writes the products of the query's codes with those of the listed
// rows. rows and products have the same length, a multiple of rowGroup.
func dotCodes(codes []int8, dimension int, rows []uint32, q *Query, products []int32) {
	if dimension%laneGroup == 0 && len(rows) > 0 {
		switch kernels {
		case kernelsAVX512:
			dotCodesAVX512(&codes[0], dimension, &rows[0], len(rows), &q.digits[0], q.offset, &products[0])
			return
		case kernelsAVX2:
			dotCodesAVX2(&codes[0], dimension, &rows[0], len(rows), &q.codes[0], &products[0])
			return
		}
	}
	dotCodesPlain(codes, dimension, rows, q.codes, products)
}

//go:noescape
func dotAVX512(a, b *float32, length int) float32

//go:noescape
func dotAVX2(a, b *float32, length int) float32

//go:noescape
func dotCodesAVX512(codes *int8, dimension int, rows *uint32, count int, digits *int8, offset int32, products *int32)

//go:noescape
func dotCodesAVX2(codes *int8, dimension int, rows *uint32, count int, query *int16, products *int32)
