package embedding

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// otherKernels are the sets that must give the bits of plain.
func otherKernels(t *testing.T) []*kernelSet {
	t.Helper()
	sets := availableKernels()
	if len(sets) == 1 {
		t.Skip("this processor runs plain kernels only")
	}
	return sets[:len(sets)-1]
}

func randomFloats(r *rand.Rand, n int, scale float64) []float32 {
	x := make([]float32, n)
	for i := range x {
		x[i] = float32(r.NormFloat64() * scale)
	}
	return x
}

// randomMatrix makes int8 weights with some outlier columns, the extreme values
// among them.
func randomMatrix(r *rand.Rand, in, out int, outliers []int) matrix {
	m := matrix{
		in: in, out: out, outliers: outliers,
		bias: randomFloats(r, out, 1), scale: randomFloats(r, out, 0.01),
		outlierValues: randomFloats(r, out*len(outliers), 1),
		rows:          make([]byte, in*out),
	}
	for i := range m.rows {
		m.rows[i] = byte(r.IntN(256))
		if slices.Contains(outliers, i%in) {
			m.rows[i] = 0
		}
	}
	return m
}

func equalBits(a, b []float32) bool {
	return slices.EqualFunc(a, b, func(x, y float32) bool { return math.Float32bits(x) == math.Float32bits(y) })
}

// TestKernelsAgreeOnDense compares dense layers to the bit, for all numbers of
// rows that a kernel takes at once, and with the sum in float64.
func TestKernelsAgreeOnDense(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	plain := plainKernels()
	for _, steps := range []float32{byteSteps, wordSteps} {
		for _, outliers := range [][]int{nil, {5}, {0, 7, 30, 95}} {
			parts := []matrix{randomMatrix(r, 96, 64, outliers), randomMatrix(r, 96, 160, outliers)}
			for rows := 1; rows <= 26; rows++ {
				x := randomFloats(r, rows*96, 3)
				before := slices.Clone(x)
				want := multiplyDense(t, plain, steps, parts, x, rows)
				if rows < 4 {
					checkDense(t, steps, parts, x, rows, want)
				}
				for _, k := range otherKernels(t) {
					if got := multiplyDense(t, k, steps, parts, x, rows); !equalBits(got, want) {
						t.Errorf("%s: dense layer of %d rows, %d outliers, %v steps differs from plain", k.name, rows, len(outliers), steps)
					}
				}
				if !slices.Equal(x, before) {
					t.Fatal("a dense layer changed its input")
				}
			}
		}
	}
}

func multiplyDense(t *testing.T, k *kernelSet, steps float32, parts []matrix, x []float32, rows int) []float32 {
	t.Helper()
	d, err := packDense(k, steps, parts...)
	if err != nil {
		t.Fatal(err)
	}
	var a activations
	a.quantize(k, x, rows, &d)
	dst := make([]float32, rows*d.out)
	d.multiply(k, dst, &a)
	return dst
}

// checkDense compares with the products of the float inputs: a step of an input
// is its row's range over steps, and it is off by half a step at most.
func checkDense(t *testing.T, steps float32, parts []matrix, x []float32, rows int, got []float32) {
	t.Helper()
	out := 0
	for _, m := range parts {
		out += m.out
	}
	first := 0
	for _, m := range parts {
		for row := range rows {
			x := x[row*m.in : (row+1)*m.in]
			inner := slices.Clone(x)
			for _, i := range m.outliers {
				inner[i] = 0
			}
			step := float64(max(slices.Max(inner), 0)-min(slices.Min(inner), 0)) / float64(steps)
			for o := range m.out {
				want, magnitude := float64(m.bias[o]), 0.0
				for i, v := range x {
					w := float64(m.scale[o]) * float64(int8(m.rows[o*m.in+i]))
					want += w * float64(v)
					magnitude += math.Abs(w)
				}
				for j, i := range m.outliers {
					want += float64(m.outlierValues[j*m.out+o]) * float64(x[i])
				}
				if y := float64(got[row*out+first+o]); !(math.Abs(y-want) <= 0.51*step*magnitude+1e-4) {
					t.Fatalf("dense layer, row %d output %d: %v, want %v", row, first+o, y, want)
				}
			}
		}
		first += m.out
	}
}

// TestKernelsAgreeOnAttention compares attention to the bit, and with the
// formula in float64.
func TestKernelsAgreeOnAttention(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	const heads = 2
	for _, head := range []int{32, 64, 128} {
		for _, tokens := range []int{1, 2, 3, 4, 5, 11, 12, 13, 15, 16, 17, 31, 32, 33, 40, 47, 64, 65, 97} {
			qkv := randomFloats(r, tokens*3*heads*head, 1)
			want := attendAll(plainKernels(), qkv, tokens, heads, head)
			checkAttention(t, qkv, tokens, heads, head, want)
			for _, k := range otherKernels(t) {
				if got := attendAll(k, qkv, tokens, heads, head); !equalBits(got, want) {
					t.Errorf("%s: attention of %d tokens, heads of %d differs from plain", k.name, tokens, head)
				}
			}
		}
	}
}

func attendAll(k *kernelSet, qkv []float32, tokens, heads, head int) []float32 {
	// The memory of a longer text must not show.
	var a attention
	longer := make([]float32, 3*heads*head*(tokens+40))
	for i := range longer {
		longer[i] = float32(i%13) - 3
	}
	a.attend(k, make([]float32, len(longer)), longer, tokens+40, heads, head)
	dst := make([]float32, tokens*heads*head)
	a.attend(k, dst, qkv, tokens, heads, head)
	return dst
}

func checkAttention(t *testing.T, qkv []float32, tokens, heads, head int, got []float32) {
	t.Helper()
	at := func(token, part, h, i int) float64 {
		return float64(qkv[((token*3+part)*heads+h)*head+i])
	}
	for h := range heads {
		for q := range tokens {
			weights, sum := make([]float64, tokens), 0.0
			for k := range weights {
				score := 0.0
				for i := range head {
					score += at(q, 0, h, i) * at(k, 1, h, i)
				}
				weights[k] = math.Exp(score / math.Sqrt(float64(head)))
				sum += weights[k]
			}
			for i := range head {
				want := 0.0
				for k, w := range weights {
					want += w / sum * at(k, 2, h, i)
				}
				if y := float64(got[(q*heads+h)*head+i]); !(math.Abs(y-want) < 4e-3) {
					t.Fatalf("attention of %d tokens, head %d of %d, token %d, component %d: %v, want %v", tokens, h, head, q, i, y, want)
				}
			}
		}
	}
}

// TestKernelsAgreeOnRows compares what works on rows, extreme values included.
func TestKernelsAgreeOnRows(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	plain := plainKernels()
	inputs := [][]float32{make([]float32, 64), make([]float32, 64)}
	for i := range inputs[1] {
		inputs[1][i] = -3e-30 // below the least range
	}
	for _, n := range []int{32, 64, 384, 1536} {
		for _, scale := range []float64{1e-12, 0.1, 1, 30, 1e6} {
			inputs = append(inputs, randomFloats(r, n, scale))
		}
	}
	for _, k := range otherKernels(t) {
		for _, x := range inputs {
			n := len(x)
			name := fmt.Sprintf("%s, %d values from %g", k.name, n, x[0])

			want, got := slices.Clone(x), slices.Clone(x)
			plain.gelu(want)
			k.gelu(got)
			if !equalBits(got, want) {
				t.Errorf("%s: gelu differs from plain", name)
			}

			residual, gain, bias := randomFloats(r, n, 1), randomFloats(r, n, 1), randomFloats(r, n, 1)
			copy(want, x)
			copy(got, x)
			plain.addNorm(want, residual, gain, bias, 1e-12)
			k.addNorm(got, residual, gain, bias, 1e-12)
			if !equalBits(got, want) {
				t.Errorf("%s: addNorm differs from plain", name)
			}

			copy(want, x)
			copy(got, x)
			wantSteps, gotSteps := make([]int16, n), make([]int16, n)
			plain.softmax(wantSteps, want)
			k.softmax(gotSteps, got)
			if !slices.Equal(gotSteps, wantSteps) {
				t.Errorf("%s: softmax differs from plain", name)
			}

			wantScale, gotScale := make([]float32, n/32), make([]float32, n/32)
			plain.quantizeHeads(wantSteps, wantScale, x, n/32, 32)
			k.quantizeHeads(gotSteps, gotScale, x, n/32, 32)
			if !slices.Equal(gotSteps, wantSteps) || !equalBits(gotScale, wantScale) {
				t.Errorf("%s: quantizeHeads differs from plain", name)
			}

			for _, steps := range []float32{wordSteps, byteSteps} {
				plain.quantizeWords(wantSteps, wantScale, x, steps, 1, n)
				k.quantizeWords(gotSteps, gotScale, x, steps, 1, n)
				if !slices.Equal(gotSteps, wantSteps) || !equalBits(gotScale[:1], wantScale[:1]) {
					t.Errorf("%s: quantizeWords to %v steps differs from plain", name, steps)
				}
			}
			if k.quantizeBytes != nil {
				bytes, zero := make([]uint8, n), make([]int32, 1)
				k.quantizeBytes(bytes, gotScale, zero, x, 1, n)
				for i, b := range bytes {
					gotSteps[i] = int16(int32(b) - zero[0])
				}
				if !slices.Equal(gotSteps, wantSteps) || !equalBits(gotScale[:1], wantScale[:1]) {
					t.Errorf("%s: quantizeBytes differs from plain", name)
				}
			}
		}
	}
}

// TestLargestActivation makes sums of the largest products that the limits
// allow, which must not overflow.
func TestLargestActivation(t *testing.T) {
	const in, out = maxInner, widestPanel
	m := matrix{in: in, out: out, bias: make([]float32, out), scale: make([]float32, out), rows: make([]byte, in*out)}
	for o := range out {
		m.scale[o] = 1
	}
	weight := int8(-128)
	for i := range m.rows {
		m.rows[i] = byte(weight)
	}
	x := make([]float32, in)
	for i := range x {
		x[i] = 255
	}
	for _, steps := range []float32{byteSteps, wordSteps} {
		for _, k := range availableKernels() {
			got := multiplyDense(t, k, steps, []matrix{m}, x, 1)
			if want := float32(in * 255 * -128); math.Abs(float64(got[0]/want-1)) > 1e-6 {
				t.Errorf("%s, %v steps: largest sum %v, want %v", k.name, steps, got[0], want)
			}
		}
	}
}

func TestGELU(t *testing.T) {
	x := make([]float32, 0, 1<<16)
	for v := float32(-12); v < 12; v += 1.0 / 1024 {
		x = append(x, v)
	}
	got := slices.Clone(x)
	plainGELU(got)
	for i, v := range x {
		want := float64(v) * (1 + math.Erf(float64(v)/math.Sqrt2)) / 2
		if !(math.Abs(float64(got[i])-want) < 6e-6) {
			t.Fatalf("gelu(%v) = %v, want %v", v, got[i], want)
		}
	}
}

func TestPower(t *testing.T) {
	for x := float32(-126); x <= 0; x += 1.0 / 1024 {
		want := math.Exp2(float64(x))
		if got := power(x); !(math.Abs(float64(got)/want-1) < 3e-6) {
			t.Fatalf("power(%v) = %v, want %v", x, got, want)
		}
	}
	if got := power(masked); got > 1.2e-38 {
		t.Errorf("power of a masked score = %v, want next to nothing", got)
	}
}

func TestFindKernels(t *testing.T) {
	names := Kernels()
	if names[len(names)-1] != "plain" {
		t.Errorf("Kernels() = %q, want plain last", names)
	}
	for _, name := range names {
		if k, err := findKernels(name); err != nil || k.name != name {
			t.Errorf("findKernels(%q) = %v, %v", name, k, err)
		}
	}
	if k, err := findKernels(""); err != nil || k.name != names[0] {
		t.Errorf(`findKernels("") is not %q, error %v`, names[0], err)
	}
}
