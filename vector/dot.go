package vector

// The lanes of a dot product. Product i is added to lane i mod 64, in ascending
// order of i. Then, for j < 16, lane j becomes (j + j+16) + (j+32 + j+48), and
// the sixteen that remain are halved four times: lane j takes lane j+8, then
// j+4, j+2 and j+1. Sixteen float32 fill one AVX-512 register, and four
// registers hide the latency of an addition.
const (
	lanes      = 64
	laneGroup  = 16
	plainLanes = 8 // sums that the plain kernel keeps in registers at a time
)

// Dot returns the dot product of two rows of equal length. Every kernel
// multiplies, rounds, then adds, without fused operations, in the lane order
// above, so the result has the same bits on every machine. Lengths that are a
// multiple of 16 are fast. It panics when the lengths differ.
func Dot(a, b []float32) float32 {
	if len(a) != len(b) {
		panic("vector: Dot of rows of different lengths")
	}
	return dot(a, b)
}

// dotPlain is Dot without assembly. The conversion around each product keeps
// the compiler from fusing it with the addition.
func dotPlain(a, b []float32) float32 {
	var sum [lanes]float32
	whole := len(a) - len(a)%lanes
	for lane := 0; lane < lanes; lane += plainLanes {
		var s0, s1, s2, s3, s4, s5, s6, s7 float32
		for i := lane; i < whole; i += lanes {
			x, y := a[i:i+plainLanes:i+plainLanes], b[i:i+plainLanes:i+plainLanes]
			s0 += float32(x[0] * y[0])
			s1 += float32(x[1] * y[1])
			s2 += float32(x[2] * y[2])
			s3 += float32(x[3] * y[3])
			s4 += float32(x[4] * y[4])
			s5 += float32(x[5] * y[5])
			s6 += float32(x[6] * y[6])
			s7 += float32(x[7] * y[7])
		}
		sum[lane], sum[lane+1], sum[lane+2], sum[lane+3] = s0, s1, s2, s3
		sum[lane+4], sum[lane+5], sum[lane+6], sum[lane+7] = s4, s5, s6, s7
	}
	for i := whole; i < len(a); i++ {
		sum[i-whole] += float32(a[i] * b[i])
	}
	for j := range laneGroup {
		sum[j] = (sum[j] + sum[j+laneGroup]) + (sum[j+2*laneGroup] + sum[j+3*laneGroup])
	}
	for half := laneGroup / 2; half > 0; half /= 2 {
		for j := range half {
			sum[j] += sum[j+half]
		}
	}
	return sum[0]
}
