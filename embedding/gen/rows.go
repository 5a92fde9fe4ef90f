package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Constants of kernels_plain.go and kernels.go; a test compares the kernels.
const (
	byteSteps      = 255
	maxQueryKey    = 4095
	maxProbability = 1<<15 - 1
	maxValue       = 1<<15 - 1
	tiny           = 1e-20
	expLeast       = -126
	geluEdge       = 4.75
)

var (
	expCoefficients = []float64{0.9999992847442627, 0.6931217908859253, 0.240247443318367, 0.05591785907745361, 0.009570102207362652}
	geluP           = []float64{0.39891117811203003, 0.028207698836922646, 0.003793992567807436, 3.1810566724743694e-05}
	geluQ           = []float64{1, 0.23722945153713226, 0.02412540279328823, 0.0011336719617247581}
)

// quantizeBytes takes two passes over each row: the range, the steps.
func quantizeBytes(t target) {
	name := "quantizeBytes" + t.name
	function(name, "func(dst []uint8, scale []float32, zero []int32, x []float32, count, n int)")
	zero := base("zero")
	quantizeRange(t, name, 1, t.constant(byteSteps),
		func(least reg.VecVirtual) { // the zero point is -least
			z := t.zero()
			VPSUBD(least, z, least)
			VMOVD(least.(reg.Vec).AsX(), Mem{Base: zero})
			ADDQ(imm(4), zero)
		},
		func(v []reg.VecVirtual, zero reg.VecVirtual, m Mem) {
			y := XMM()
			VPADDD(zero, v[0], v[0])
			VPMOVUSDB(v[0], y)
			VMOVDQU(y, m)
		})
}

// quantizeWords is the same for steps without their zero point.
func quantizeWords(t target) {
	name := "quantizeWords" + t.name
	function(name, "func(dst []int16, scale, x []float32, steps float32, count, n int)")
	steps, whole := t.vector(), t.vector()
	VBROADCASTSS(float("steps"), steps)
	VCVTPS2DQ(steps, whole)
	quantizeRange(t, name, 2, steps,
		func(least reg.VecVirtual) { VPADDD(whole, least, least) },
		func(v []reg.VecVirtual, limit reg.VecVirtual, m Mem) {
			for _, x := range v {
				VPMINSD(limit, x, x)
			}
			t.narrow(v, m)
		})
}

// quantizeRange is the body of both. found gets the least value in steps and
// may change it; write gets it back with the rounded steps of 16 lanes.
func quantizeRange(t target, name string, size int, limit reg.VecVirtual, found func(reg.VecVirtual), write func([]reg.VecVirtual, reg.VecVirtual, Mem)) {
	dst, scale, x := base("dst"), base("scale"), base("x")
	count, n := integer("count"), integer("n")
	narrowest := t.constant(tiny)

	Label(name + "_row")
	at, left := GP64(), GP64()
	MOVQ(x, at)
	MOVQ(n, left)
	least, largest, v := t.zero(), t.zero(), t.vector()
	Label(name + "_range")
	for i := 0; i < 32; i += t.lanes {
		VMOVUPS(Mem{Base: at, Disp: 4 * i}, v)
		VMINPS(v, least, least)
		VMAXPS(v, largest, largest)
	}
	ADDQ(imm(128), at)
	SUBQ(imm(32), left)
	JG(LabelRef(name + "_range"))
	least = t.reduce(minimum, least, nil)
	span := t.reduce(maximum, largest, nil)
	VSUBPS(least, span, span)
	VMAXPS(narrowest, span, span)
	step := t.vector()
	VDIVPS(span, limit, step)
	VDIVPS(limit, span, span)
	VMOVSS(span.(reg.Vec).AsX(), Mem{Base: scale})
	ADDQ(imm(4), scale)
	VMULPS(step, least, least)
	VCVTPS2DQ(least, least)
	found(least)

	MOVQ(n, left)
	Label(name + "_step")
	for i := 0; i < 32; i += 16 {
		vs := t.steps(x, 4*i, step)
		write(vs, least, Mem{Base: dst, Disp: size * i})
	}
	ADDQ(imm(128), x)
	ADDQ(imm(32*size), dst)
	SUBQ(imm(32), left)
	JG(LabelRef(name + "_step"))
	DECQ(count)
	JG(LabelRef(name + "_row"))
	finish()
}

// quantizeHeads takes two passes over each row: the largest magnitude, the
// steps.
func quantizeHeads(t target) {
	name := "quantizeHeads" + t.name
	function(name, "func(dst []int16, scale, x []float32, count, n int)")
	dst, scale, x := base("dst"), base("scale"), base("x")
	count, n := integer("count"), integer("n")
	magnitude, least, limit := t.magnitude(), t.constant(tiny), t.constant(maxQueryKey)

	Label(name + "_row")
	at, left := GP64(), GP64()
	MOVQ(x, at)
	MOVQ(n, left)
	largest, v := t.vector(), t.vector()
	VMOVAPS(least, largest)
	Label(name + "_largest")
	for i := 0; i < 32; i += t.lanes {
		t.and(Mem{Base: at, Disp: 4 * i}, magnitude, v)
		VMAXPS(v, largest, largest)
	}
	ADDQ(imm(128), at)
	SUBQ(imm(32), left)
	JG(LabelRef(name + "_largest"))
	all := t.reduce(maximum, largest, nil)
	step := t.vector()
	VDIVPS(all, limit, step)
	VDIVPS(limit, all, all)
	VMOVSS(all.(reg.Vec).AsX(), Mem{Base: scale})
	ADDQ(imm(4), scale)

	MOVQ(n, left)
	Label(name + "_step")
	for i := 0; i < 32; i += 16 {
		t.narrow(t.steps(x, 4*i, step), Mem{Base: dst, Disp: 2 * i})
	}
	ADDQ(imm(128), x)
	ADDQ(imm(64), dst)
	SUBQ(imm(32), left)
	JG(LabelRef(name + "_step"))
	DECQ(count)
	JG(LabelRef(name + "_row"))
	finish()
}

// packKeys transposes pairs of components, as many tokens at a time as a vector
// has lanes; two such blocks of tokens make a panel.
func packKeys(t target) {
	name := "packKeys" + t.name
	function(name, "func(panels, keys []int16, stride, head, tokens int)")
	panels, keys, stride, tokens := base("panels"), base("keys"), integer("stride"), integer("tokens")
	SHLQ(Imm(1), stride)
	// From the first block of a panel to the second, and on to the next panel.
	step, other := GP64(), integer("head")
	MOVQ(U32(t.bytes()), step)
	IMULQ(step, other)
	SUBQ(step, other)

	Label(name + "_block")
	from, to, left := GP64(), GP64(), integer("head")
	MOVQ(keys, from)
	MOVQ(panels, to)
	Label(name + "_pairs")
	row := GP64()
	MOVQ(from, row)
	m := make([]reg.VecVirtual, t.lanes)
	for i := range m {
		m[i] = t.vector()
		VMOVUPS(Mem{Base: row}, m[i])
		if i+1 < len(m) {
			ADDQ(stride, row)
		}
	}
	for i, v := range t.transpose(m) {
		VMOVUPS(v, Mem{Base: to, Disp: 2 * i * t.bytes()})
	}
	ADDQ(imm(t.bytes()), from)
	ADDQ(imm(2*t.lanes*t.bytes()), to)
	SUBQ(imm(2*t.lanes), left)
	JG(LabelRef(name + "_pairs"))
	ADDQ(step, panels)
	XCHGQ(step, other)
	for range t.lanes {
		ADDQ(stride, keys)
	}
	SUBQ(imm(t.lanes), tokens)
	JG(LabelRef(name + "_block"))
	finish()
}

// quantizeColumns takes two passes down the two vectors of a panel.
func quantizeColumns(t target) {
	name := "quantizeColumns" + t.name
	function(name, "func(dst []int16, scale, x []float32, stride, rows, n int)")
	dst, scale, x := base("dst"), base("scale"), base("x")
	stride, n := integer("stride"), integer("rows")
	SHLQ(Imm(2), stride)
	magnitude, limit := t.magnitude(), t.constant(maxValue)
	steps := [2]reg.VecVirtual{t.constant(tiny), t.constant(tiny)}
	a, b := [2]reg.VecVirtual{t.vector(), t.vector()}, t.vector()

	at, left := GP64(), GP64()
	MOVQ(x, at)
	MOVQ(n, left)
	Label(name + "_largest")
	for h := range 2 {
		t.and(Mem{Base: at, Disp: h * t.bytes()}, magnitude, b)
		VMAXPS(b, steps[h], steps[h])
	}
	ADDQ(stride, at)
	DECQ(left)
	JG(LabelRef(name + "_largest"))
	for h := range 2 {
		VDIVPS(limit, steps[h], b)
		VMOVUPS(b, Mem{Base: scale, Disp: h * t.bytes()})
		VDIVPS(steps[h], limit, steps[h])
	}

	// Of two rows, the first goes to the low half of each lane.
	low := t.ones()
	VPSRLD(Imm(16), low, low)
	first := func() {
		for h := range 2 {
			VMULPS(Mem{Base: x, Disp: h * t.bytes()}, steps[h], a[h])
			VCVTPS2DQ(a[h], a[h])
			t.and(low, a[h], a[h])
		}
	}
	write := func() {
		for h := range 2 {
			t.store(a[h], Mem{Base: dst, Disp: h * t.bytes()})
		}
	}
	SUBQ(imm(2), n)
	JLT(LabelRef(name + "_odd"))
	Label(name + "_pair")
	first()
	for h := range 2 {
		VMULPS(Mem{Base: x, Index: stride, Scale: 1, Disp: h * t.bytes()}, steps[h], b)
		VCVTPS2DQ(b, b)
		VPSLLD(Imm(16), b, b)
		if t.wide() {
			VPORD(b, a[h], a[h])
		} else {
			VPOR(b, a[h], a[h])
		}
	}
	write()
	LEAQ(Mem{Base: x, Index: stride, Scale: 2}, x)
	ADDQ(imm(2*t.bytes()), dst)
	SUBQ(imm(2), n)
	JGE(LabelRef(name + "_pair"))
	Label(name + "_odd")
	ADDQ(imm(2), n)
	JZ(LabelRef(name + "_end"))
	first()
	write()
	Label(name + "_end")
	finish()
}

// softmax takes three passes over the row: the largest score, the exponentials
// with their sum, the steps.
func softmax(t target) {
	name := "softmax" + t.name
	function(name, "func(dst []int16, x []float32)")
	dst, x, n := base("dst"), base("x"), length("x")
	at, left := GP64(), GP64()

	largest := t.vector()
	VMOVUPS(Mem{Base: x}, largest)
	MOVQ(x, at)
	MOVQ(n, left)
	Label(name + "_largest")
	for i := range t.sixteen() {
		VMAXPS(Mem{Base: at, Disp: i * t.bytes()}, largest, largest)
	}
	ADDQ(imm(64), at)
	SUBQ(imm(16), left)
	JG(LabelRef(name + "_largest"))
	all := t.reduce(maximum, largest, nil)

	least := t.constant(expLeast)
	var c []reg.VecVirtual
	for _, x := range expCoefficients {
		c = append(c, t.constant(x))
	}
	sums := []reg.VecVirtual{t.zero(), nil}
	if !t.wide() {
		sums[1] = t.zero()
	}
	v, whole, p := t.vector(), t.vector(), t.vector()
	MOVQ(x, at)
	MOVQ(n, left)
	Label(name + "_exp")
	for i := range t.sixteen() {
		VMOVUPS(Mem{Base: at, Disp: i * t.bytes()}, v)
		VSUBPS(all, v, v)
		VMAXPS(least, v, v)
		t.round(v, whole)
		VSUBPS(whole, v, v)
		VMULPS(c[4], v, p)
		for d := 3; d > 0; d-- {
			VADDPS(c[d], p, p)
			VMULPS(v, p, p)
		}
		VADDPS(c[0], p, p)
		if t.wide() {
			VSCALEFPS(whole, p, p)
		} else {
			VCVTPS2DQ(whole, whole)
			VPSLLD(Imm(23), whole, whole)
			VPADDD(whole, p, p)
		}
		VMOVUPS(p, Mem{Base: at, Disp: i * t.bytes()})
		VADDPS(p, sums[i], sums[i])
	}
	ADDQ(imm(64), at)
	SUBQ(imm(16), left)
	JG(LabelRef(name + "_exp"))

	step := t.constant(maxProbability)
	VDIVPS(t.reduce(add, sums[0], sums[1]), step, step)
	Label(name + "_step")
	t.narrow(t.steps(x, 0, step), Mem{Base: dst})
	ADDQ(imm(64), x)
	ADDQ(imm(32), dst)
	SUBQ(imm(16), n)
	JG(LabelRef(name + "_step"))
	finish()
}

func gelu(t target) {
	name := "gelu" + t.name
	function(name, "func(x []float32)")
	x, n := base("x"), length("x")
	var p, q []reg.VecVirtual
	for i := range geluP {
		p, q = append(p, t.constant(geluP[i])), append(q, t.constant(geluQ[i]))
	}
	high, low, half := t.constant(geluEdge), t.constant(-geluEdge), t.constant(0.5)
	v, u, y, z := t.vector(), t.vector(), t.vector(), t.vector()
	Label(name + "_vector")
	VMAXPS(Mem{Base: x}, low, v)
	VMINPS(high, v, v)
	VMULPS(v, v, u)
	VMULPS(p[3], u, y)
	VMULPS(q[3], u, z)
	for d := 2; d >= 0; d-- {
		VADDPS(p[d], y, y)
		VADDPS(q[d], z, z)
		if d > 0 {
			VMULPS(u, y, y)
			VMULPS(u, z, z)
		}
	}
	VMULPS(v, y, y)
	VDIVPS(z, y, y)
	VADDPS(half, y, y)
	VMULPS(Mem{Base: x}, y, y)
	VMOVUPS(y, Mem{Base: x})
	ADDQ(imm(t.bytes()), x)
	SUBQ(imm(t.lanes), n)
	JG(LabelRef(name + "_vector"))
	finish()
}

// addNorm takes three passes over the row: the sum, the squares, the result.
func addNorm(t target) {
	name := "addNorm" + t.name
	function(name, "func(x, residual, gain, bias []float32, epsilon float32)")
	x, residual, n := base("x"), base("residual"), length("x")
	at, left := GP64(), GP64()
	one := t.constant(1)
	inverse := t.vector()
	count := XMM()
	VCVTSI2SSQ(n, one.(reg.Vec).AsX(), count)
	VBROADCASTSS(count, inverse)
	VDIVPS(inverse, one, inverse)
	sums := func() []reg.VecVirtual {
		s := []reg.VecVirtual{t.zero(), nil}
		if !t.wide() {
			s[1] = t.zero()
		}
		return s
	}
	v := t.vector()

	total := sums()
	MOVQ(x, at)
	MOVQ(n, left)
	Label(name + "_sum")
	for i := range t.sixteen() {
		VMOVUPS(Mem{Base: at, Disp: i * t.bytes()}, v)
		VADDPS(Mem{Base: residual, Disp: i * t.bytes()}, v, v)
		VADDPS(v, total[i], total[i])
		VMOVUPS(v, Mem{Base: at, Disp: i * t.bytes()})
	}
	ADDQ(imm(64), at)
	ADDQ(imm(64), residual)
	SUBQ(imm(16), left)
	JG(LabelRef(name + "_sum"))
	mean := t.reduce(add, total[0], total[1])
	VMULPS(inverse, mean, mean)

	squares := sums()
	MOVQ(x, at)
	MOVQ(n, left)
	Label(name + "_squares")
	for i := range t.sixteen() {
		VMOVUPS(Mem{Base: at, Disp: i * t.bytes()}, v)
		VSUBPS(mean, v, v)
		VMOVUPS(v, Mem{Base: at, Disp: i * t.bytes()})
		VMULPS(v, v, v)
		VADDPS(v, squares[i], squares[i])
	}
	ADDQ(imm(64), at)
	SUBQ(imm(16), left)
	JG(LabelRef(name + "_squares"))
	scale := t.reduce(add, squares[0], squares[1])
	epsilon := t.vector()
	VBROADCASTSS(float("epsilon"), epsilon)
	VMULPS(inverse, scale, scale)
	VADDPS(epsilon, scale, scale)
	VSQRTPS(scale, scale)
	VDIVPS(scale, one, scale)

	gain, bias := base("gain"), base("bias")
	Label(name + "_result")
	for i := range t.sixteen() {
		offset := i * t.bytes()
		VMULPS(Mem{Base: x, Disp: offset}, scale, v)
		VMULPS(Mem{Base: gain, Disp: offset}, v, v)
		VADDPS(Mem{Base: bias, Disp: offset}, v, v)
		VMOVUPS(v, Mem{Base: x, Disp: offset})
	}
	for _, p := range []reg.GPVirtual{x, gain, bias} {
		ADDQ(imm(64), p)
	}
	SUBQ(imm(16), n)
	JG(LabelRef(name + "_result"))
	finish()
}
