package embedding

import "math"

// The arithmetic of the int8 format, and the kernels of every processor without
// ones of its own. The other sets must do the same operations:
//
//   - sums of products of integers are exact, so their order is free;
//   - a product of floats is rounded before it is added, never fused (the
//     conversions float32(x·y) below say so to the compiler);
//   - a sum over a row of floats has softmaxLanes partial sums, lane l adding
//     elements l, l+16, l+32, …, which are then added in halves: l and l+8, l and
//     l+4, l and l+2, l and l+1;
//   - floats become integers by rounding to nearest, halves to even.

const (
	plainTile  = 4 // rows that the plain kernels multiply at once
	plainWidth = 2 // outputs of a panel
)

func plainKernels() *kernelSet {
	k := &kernelSet{
		name:            "plain",
		width:           plainWidth,
		group:           wholeColumn,
		multiplyWords:   make([]multiplyWords, plainTile+1),
		multiplyInt16:   make([]multiplyInt16, plainTile+1),
		multiplyFloat:   make([]multiplyFloat, plainTile+1),
		quantizeWords:   plainQuantizeWords,
		quantizeHeads:   plainQuantizeHeads,
		packKeys:        plainPackKeys,
		quantizeColumns: plainQuantizeColumns,
		softmax:         plainSoftmax,
		gelu:            plainGELU,
		addNorm:         plainAddNorm,
	}
	for m := 1; m <= plainTile; m++ {
		k.multiplyWords[m] = func(dst []float32, dstStride int, a []int16, aStride int, panels []int8, n, count int, finish, rowScale, outlier []float32, outliers int) {
			for p := range count {
				sums := plainProducts(a, aStride, m, panels[p*plainWidth*n:], n)
				finish := finish[p*plainWidth*(2+outliers):]
				for r, sum := range sums[:m] {
					for c := range sum {
						y := float32(float32(sum[c])*float32(rowScale[r]*finish[c])) + finish[plainWidth+c]
						for j, v := range outlier[r*outliers : (r+1)*outliers] {
							y += float32(v * finish[(2+j)*plainWidth+c])
						}
						dst[r*dstStride+p*plainWidth+c] = y
					}
				}
			}
		}
		k.multiplyInt16[m] = func(dst []float32, dstStride int, a []int16, aStride int, panels []int16, n, count int, finish, rowScale []float32) {
			for p := range count {
				sums := plainProducts(a, aStride, m, panels[p*plainWidth*n:], n)
				finish := finish[p*plainWidth*2:]
				for r, sum := range sums[:m] {
					for c := range sum {
						dst[r*dstStride+p*plainWidth+c] = float32(float32(sum[c])*float32(rowScale[r]*finish[c])) + finish[plainWidth+c]
					}
				}
			}
		}
		k.multiplyFloat[m] = func(dst []float32, dstStride int, a []float32, aStride int, panels []float32, n, count int, bias []float32) {
			for p := range count {
				sums := plainProductsFloat(a, aStride, m, panels[p*plainWidth*n:], n, bias[p*plainWidth:])
				for r, sum := range sums[:m] {
					copy(dst[r*dstStride+p*plainWidth:], sum[:])
				}
			}
		}
	}
	return k
}

// plainProducts multiplies m rows of a with the two columns of a panel, one
// behind the other. Both columns share one 64-bit product: the second one lies
// 32 bits higher, and since both sums fit an int32, they can be told apart at
// the end. A tile of fewer rows computes its last row again.
func plainProducts[T int8 | int16](a []int16, aStride, m int, panel []T, n int) (sums [plainTile][plainWidth]int32) {
	row := func(r int) []int16 {
		r = min(r, m-1)
		return a[r*aStride : r*aStride+n]
	}
	a0, a1, a2, a3 := row(0), row(1), row(2), row(3)
	w0, w1 := panel[:n], panel[n:2*n]
	a1, a2, a3, w0, w1 = a1[:len(a0)], a2[:len(a0)], a3[:len(a0)], w0[:len(a0)], w1[:len(a0)] // no bounds to check below
	var s0, s1, s2, s3 int64
	for i, x := range a0 {
		w := int64(w0[i]) + int64(w1[i])<<32
		s0 += w * int64(x)
		s1 += w * int64(a1[i])
		s2 += w * int64(a2[i])
		s3 += w * int64(a3[i])
	}
	for r, s := range [plainTile]int64{s0, s1, s2, s3} {
		low := int32(s)
		sums[r] = [plainWidth]int32{low, int32((s - int64(low)) >> 32)}
	}
	return sums
}

// plainProductsFloat is the same in float32, started from bias.
func plainProductsFloat(a []float32, aStride, m int, panel []float32, n int, bias []float32) [plainTile][plainWidth]float32 {
	row := func(r int) []float32 {
		r = min(r, m-1)
		return a[r*aStride : r*aStride+n]
	}
	a0, a1, a2, a3 := row(0), row(1), row(2), row(3)
	w := panel[:2*n]
	a1, a2, a3 = a1[:len(a0)], a2[:len(a0)], a3[:len(a0)]
	b0, b1 := bias[0], bias[1]
	s00, s10, s20, s30 := b0, b0, b0, b0
	s01, s11, s21, s31 := b1, b1, b1, b1
	for i, x := range a0 {
		w0, w1 := w[2*i], w[2*i+1]
		s00 += x * w0
		s01 += x * w1
		s10 += a1[i] * w0
		s11 += a1[i] * w1
		s20 += a2[i] * w0
		s21 += a2[i] * w1
		s30 += a3[i] * w0
		s31 += a3[i] * w1
	}
	return [plainTile][plainWidth]float32{{s00, s01}, {s10, s11}, {s20, s21}, {s30, s31}}
}

func plainQuantizeWords(dst []int16, scale, x []float32, steps float32, count, n int) {
	for r := range count {
		row := x[r*n : (r+1)*n]
		least, largest := float32(0), float32(0)
		for _, v := range row {
			least, largest = min(least, v), max(largest, v)
		}
		span := max(largest-least, tiny)
		scale[r] = span / steps
		step := steps / span
		// The least value becomes 0; the largest may round up to one too many.
		limit := int32(steps) + round(least*step)
		out := dst[r*n : (r+1)*n]
		for i, v := range row {
			out[i] = int16(min(round(v*step), limit))
		}
	}
}

func plainQuantizeHeads(dst []int16, scale, x []float32, count, n int) {
	for r := range count {
		row := x[r*n : (r+1)*n]
		largest := float32(tiny)
		for _, v := range row {
			largest = max(largest, v, -v)
		}
		scale[r] = largest / maxQueryKey
		step := maxQueryKey / largest
		out := dst[r*n : (r+1)*n]
		for i, v := range row {
			out[i] = int16(round(v * step))
		}
	}
}

func plainPackKeys(panels, keys []int16, stride, head, tokens int) {
	for t := range tokens {
		copy(panels[t*head:(t+1)*head], keys[t*stride:])
	}
}

func plainQuantizeColumns(dst []int16, scale, x []float32, stride, rows, n int) {
	for c := range plainWidth {
		largest := float32(tiny)
		for r := range rows {
			v := x[r*stride+c]
			largest = max(largest, v, -v)
		}
		scale[c] = largest / maxValue
		step := maxValue / largest
		for r := range rows {
			dst[c*n+r] = int16(round(x[r*stride+c] * step))
		}
	}
}

func plainSoftmax(dst []int16, x []float32) {
	largest := x[0]
	for _, v := range x {
		largest = max(largest, v)
	}
	var lanes [softmaxLanes]float32
	for i, v := range x {
		e := power(v - largest)
		x[i] = e
		lanes[i%softmaxLanes] += e
	}
	step := maxProbability / sum(&lanes)
	for i, e := range x {
		dst[i] = int16(round(e * step))
	}
}

// Coefficients of 2^f for f in [-½, ½]: the polynomial of degree 4 with the
// least largest relative error, 2.6e-6 (our fit), a tenth of a step of the
// largest probability.
const (
	exp0 = 0.9999992847442627
	exp1 = 0.6931217908859253
	exp2 = 0.240247443318367
	exp3 = 0.05591785907745361
	exp4 = 0.009570102207362652

	expLeast = -126 // 2^x is taken as 2^-126, about 1e-38, below this
)

// power returns 2^x for x ≤ 0.
func power(x float32) float32 {
	x = max(x, expLeast)
	n := round(x)
	f := x - float32(n)
	p := float32(exp4)
	p = float32(p*f) + exp3
	p = float32(p*f) + exp2
	p = float32(p*f) + exp1
	p = float32(p*f) + exp0
	return math.Float32frombits(math.Float32bits(p) + uint32(n)<<23)
}

// Coefficients of Φ(x) − ½ ≈ x·P(x²)/Q(x²) for |x| ≤ geluEdge: the rational
// function with the least largest error of x·Φ(x), 5e-6 (our fit), which is
// lost in the rounding of the activations that follow.
const (
	geluP0 = 0.39891117811203003
	geluP1 = 0.028207698836922646
	geluP2 = 0.003793992567807436
	geluP3 = 3.1810566724743694e-05
	geluQ1 = 0.23722945153713226
	geluQ2 = 0.02412540279328823
	geluQ3 = 0.0011336719617247581

	geluEdge = 4.75
)

func plainGELU(x []float32) {
	for i, v := range x {
		t := min(max(v, -geluEdge), geluEdge)
		u := float32(t * t)
		p := float32(u*geluP3) + geluP2
		p = float32(p*u) + geluP1
		p = float32(p*u) + geluP0
		q := float32(u*geluQ3) + geluQ2
		q = float32(q*u) + geluQ1
		q = float32(q*u) + 1
		x[i] = v * (float32(t*p)/q + 0.5)
	}
}

func plainAddNorm(x, residual, gain, bias []float32, epsilon float32) {
	inverse := 1 / float32(len(x))
	var lanes [softmaxLanes]float32
	for i := range x {
		x[i] += residual[i]
		lanes[i%softmaxLanes] += x[i]
	}
	mean := float32(sum(&lanes) * inverse)
	lanes = [softmaxLanes]float32{}
	for i := range x {
		d := x[i] - mean
		x[i] = d
		lanes[i%softmaxLanes] += float32(d * d)
	}
	variance := float32(sum(&lanes)*inverse) + epsilon
	scale := 1 / float32(math.Sqrt(float64(variance)))
	for i, d := range x {
		x[i] = float32(float32(d*scale)*gain[i]) + bias[i]
	}
}

// sum adds partial sums in halves and leaves them changed.
func sum(lanes *[softmaxLanes]float32) float32 {
	for half := softmaxLanes / 2; half > 0; half /= 2 {
		for l := range half {
			lanes[l] += lanes[l+half]
		}
	}
	return lanes[0]
}

// round returns the nearest integer, the even one of two.
func round(x float32) int32 { return int32(math.RoundToEven(float64(x))) }
