package embedding

import "fmt"

// Limits of the arithmetic. A sum of products is kept in an int32, so the
// largest input times the largest weight times their number must fit.
const (
	maxActivation  = 4095 // 13 bits with the sign
	maxInner       = 4096 // inputs of a dense layer: 4095·128·4096 < 2³¹
	maxHead        = 128  // components of a head: 4095²·128 < 2³¹
	maxProbability = 1<<15 - 1
	maxValue       = 1<<15 - 1
	maxPositions   = 1 << 15 // probabilities of a row sum to at most 32767 + positions/2

	widestPanel  = 32    // outputs of the widest panel of any kernel set
	softmaxLanes = 16    // rows of scores are padded to a multiple of this
	tiny         = 1e-20 // the least maximum that a row is scaled by
	masked       = -1e30 // score of a padding column
)

// multiplyInt8 computes some rows of one panel of outputs from int8 weights:
//
//	dst[r·dstStride+c] = sum·(rowScale[r]·scale[c]) + bias[c] + Σⱼ outlier[r·outliers+j]·value[j][c]
//
// where sum is the exact product of column c of the panel and row r of a, which
// has n inputs and starts at r·aStride, and finish holds scale, bias and the
// outlier values, each of the panel's width. n is a multiple of 4.
type multiplyInt8 func(dst []float32, dstStride int, a []int16, aStride int, panel []int8, n int, finish, rowScale, outlier []float32, outliers int)

// multiplyInt16 is the same for int16 weights, without outliers.
type multiplyInt16 func(dst []float32, dstStride int, a []int16, aStride int, panel []int16, n int, finish, rowScale []float32)

// multiplyFloat computes bias + a·panel; n may be any number.
type multiplyFloat func(dst []float32, dstStride int, a []float32, aStride int, panel []float32, n int, bias []float32)

// kernelSet is one implementation of the arithmetic. All sets of a process give
// the same bits for the int8 format; the float format agrees to rounding.
//
// Matrices that are multiplied with lie in panels of width outputs: int8 and
// int16 ones as [panel][in/2][width][2], float ones as [panel][in][width].
type kernelSet struct {
	name  string
	width int // outputs of a panel

	// Index m multiplies m rows; element 0 is nil.
	multiplyInt8  []multiplyInt8
	multiplyInt16 []multiplyInt16
	multiplyFloat []multiplyFloat

	// quantize scales count rows of n floats to ±maxActivation and returns what
	// one step is worth in scale. n is a multiple of 32.
	quantize func(dst []int16, scale, x []float32, count, n int)

	// quantizeColumns scales each column of the rows×width block at x (rows are
	// stride apart) to ±maxValue, in the layout of an int16 panel. An odd last
	// row is paired with zeros.
	quantizeColumns func(dst []int16, scale, x []float32, stride, rows int)

	// softmax turns a row of scores into probabilities in steps of
	// 1/maxProbability; its length is a multiple of softmaxLanes. x is overwritten.
	softmax func(dst []int16, x []float32)

	// gelu applies x·Φ(x) to each element; their number is a multiple of 16.
	gelu func(x []float32)

	// addNorm adds residual to x and normalises the row; a multiple of 16.
	addNorm func(x, residual, gain, bias []float32, epsilon float32)
}

// rows is the most rows that one call multiplies.
func (k *kernelSet) rows() int { return len(k.multiplyInt8) - 1 }

// Kernels returns the names of the kernel sets that this processor can run,
// fastest first. The last one, "plain", runs anywhere.
func Kernels() []string {
	var names []string
	for _, k := range availableKernels() {
		names = append(names, k.name)
	}
	return names
}

// findKernels returns the set of that name, or the fastest one for "".
func findKernels(name string) (*kernelSet, error) {
	sets := availableKernels()
	for _, k := range sets {
		if name == "" || k.name == name {
			return k, nil
		}
	}
	return nil, fmt.Errorf("%w: %q, this processor runs %q", ErrUnsupportedKernels, name, Kernels())
}
