package embedding

import "fmt"

// Limits of the arithmetic. A sum of products is kept in an int32, so the
// largest input times the largest weight times their number must fit.
const (
	byteSteps      = 255  // from the least to the largest activation of a row
	wordSteps      = 4095 // the same for models that need it finer
	maxQueryKey    = 4095 // 13 bits with the sign
	maxProbability = 1<<15 - 1
	maxValue       = 1<<15 - 1

	maxInner     = 1 << 12 // inputs of a dense layer: 4095·128·2¹² < 2³¹
	maxHead      = 128     // components of a head: 4095²·128 < 2³¹
	maxPositions = 1 << 15 // probabilities of a row sum to at most 32767 + positions/2

	widestPanel  = 32    // outputs of the widest panel of any kernel set
	softmaxLanes = 16    // rows of scores are padded to a multiple of this
	wholeColumn  = 0     // a kernelSet.group
	tiny         = 1e-20 // the least range that a row is scaled by
	masked       = -1e30 // score of a padding column
)

// multiplyBytes computes some rows of count panels of outputs:
//
//	dst[r·dstStride+c] = sum·(rowScale[r]·scale[c]) + bias[c] + Σⱼ outlier[r·outliers+j]·value[j][c]
//
// where sum is the exact product of column c of the panels with row r of a less
// zero[r]. A row has n inputs and starts at r·aStride; columnSum are the sums of
// the columns; finish holds, for each panel, scale, bias and the outlier values,
// each of the panel's width. n is a multiple of 32.
type multiplyBytes func(dst []float32, dstStride int, a []uint8, aStride int, panels []int8, n, count int, finish, rowScale []float32, zero, columnSum []int32, outlier []float32, outliers int)

// multiplyWords is the same for inputs that are less their zero point already.
type multiplyWords func(dst []float32, dstStride int, a []int16, aStride int, panels []int8, n, count int, finish, rowScale, outlier []float32, outliers int)

// multiplyInt16 is multiplyWords for int16 weights in the layout that packKeys
// and quantizeColumns give them, without outliers; n is a multiple of 4.
type multiplyInt16 func(dst []float32, dstStride int, a []int16, aStride int, panels []int16, n, count int, finish, rowScale []float32)

// multiplyFloat computes bias + a·panels for float32 weights, [count][n][width];
// n may be any number.
type multiplyFloat func(dst []float32, dstStride int, a []float32, aStride int, panels []float32, n, count int, bias []float32)

// kernelSet is one implementation of the arithmetic. All sets of a process give
// the same bits for the int8 format; the float format agrees to rounding.
type kernelSet struct {
	name  string
	width int // outputs of a panel

	// A panel of int8 weights is [n/4][width][4] for multiplyBytes and
	// [n/group][width][group] for multiplyWords; wholeColumn stands for all n.
	group int

	// Index m multiplies m rows; element 0 is nil. multiplyBytes and
	// quantizeBytes are nil in a set that is no faster on bytes.
	multiplyBytes []multiplyBytes
	multiplyWords []multiplyWords
	multiplyInt16 []multiplyInt16
	multiplyFloat []multiplyFloat

	// quantizeBytes maps each of count rows of n floats to 0..byteSteps, so that
	// 0 becomes zero[r] and a step is worth scale[r]. n is a multiple of 32.
	quantizeBytes func(dst []uint8, scale []float32, zero []int32, x []float32, count, n int)

	// quantizeWords maps them to 0..steps and takes the zero point off.
	quantizeWords func(dst []int16, scale, x []float32, steps float32, count, n int)

	// quantizeHeads maps each row to -maxQueryKey..maxQueryKey.
	quantizeHeads func(dst []int16, scale, x []float32, count, n int)

	// packKeys lays out keys, which are stride apart and have head components, as
	// panels whose outputs are the tokens. It may read and write as many as the
	// next multiple of softmaxLanes.
	packKeys func(panels, keys []int16, stride, head, tokens int)

	// quantizeColumns maps each column of the rows×width block at x, whose rows
	// are stride apart, to -maxValue..maxValue, as a panel of n inputs. What it
	// leaves in the inputs from rows to n is of no account.
	quantizeColumns func(dst []int16, scale, x []float32, stride, rows, n int)

	// softmax turns a row of scores, logarithms to base 2, into probabilities in
	// steps of 1/maxProbability; its length is a multiple of softmaxLanes. x is
	// overwritten.
	softmax func(dst []int16, x []float32)

	// gelu applies x·Φ(x) to each element; their number is a multiple of 16.
	gelu func(x []float32)

	// addNorm adds residual to x and normalises the row; a multiple of 16.
	addNorm func(x, residual, gain, bias []float32, epsilon float32)
}

// rows is the most rows that one call multiplies.
func (k *kernelSet) rows() int { return len(k.multiplyInt16) - 1 }

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
