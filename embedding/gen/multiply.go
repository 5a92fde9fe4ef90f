package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// tile is the block of sums that a multiply kernel keeps in registers: some
// rows, and the two vectors of a panel.
type tile [][2]reg.VecVirtual

func (t target) tile(n int) tile {
	sums := make(tile, n)
	for r := range sums {
		sums[r] = [2]reg.VecVirtual{t.zero(), t.zero()}
	}
	return sums
}

// multiplyBytes multiplies four inputs at once. The sums are of inputs with
// their zero point, which is taken off at the end.
func multiplyBytes(t target, n int) {
	name := fmt.Sprintf("multiplyBytes%sx%d", t.name, n)
	function(name, "func(dst []float32, dstStride int, a []uint8, aStride int, panels []int8, n, count int, finish, rowScale []float32, zero, columnSum []int32, outlier []float32, outliers int)")
	// n is a multiple of 32.
	loop := kernelLoop{unroll: 4, group: 4, inputs: 1, weights: t.bytes(), load: t.load}
	columnSum := base("columnSum")
	eachPanel(t, name, n, loop, func(sums tile, finish reg.GPVirtual) {
		zero := base("zero")
		w, x := t.vector(), t.vector()
		for h := range 2 {
			t.load(Mem{Base: columnSum, Disp: h * t.bytes()}, w)
			for r := range sums {
				VPBROADCASTD(Mem{Base: zero, Disp: 4 * r}, x)
				VPMULLD(w, x, x)
				VPSUBD(x, sums[r][h], sums[r][h])
			}
		}
		ADDQ(imm(2*t.bytes()), columnSum)
		scaleSums(t, sums, finish)
		addOutliers(t, name, sums, finish)
	})
}

// multiplyWords widens each pair of weights to int16 as it is loaded, and uses
// it for all rows.
func multiplyWords(t target, n int) {
	name := fmt.Sprintf("multiplyWords%sx%d", t.name, n)
	function(name, "func(dst []float32, dstStride int, a []int16, aStride int, panels []int8, n, count int, finish, rowScale, outlier []float32, outliers int)")
	// n is a multiple of 32.
	loop := kernelLoop{unroll: 4, group: 2, inputs: 2, weights: t.bytes() / 2,
		load: func(m Mem, v reg.VecVirtual) { VPMOVSXBW(m, v) }}
	eachPanel(t, name, n, loop, func(sums tile, finish reg.GPVirtual) {
		scaleSums(t, sums, finish)
		addOutliers(t, name, sums, finish)
	})
}

func multiplyInt16(t target, n int) {
	name := fmt.Sprintf("multiplyInt16%sx%d", t.name, n)
	function(name, "func(dst []float32, dstStride int, a []int16, aStride int, panels []int16, n, count int, finish, rowScale []float32)")
	// n is a multiple of 4.
	loop := kernelLoop{unroll: 2, group: 2, inputs: 2, weights: t.bytes(), load: t.load}
	eachPanel(t, name, n, loop, func(sums tile, finish reg.GPVirtual) { scaleSums(t, sums, finish) })
}

// kernelLoop says what the inner loop of a multiply kernel reads. The inputs of
// a group are summed by one instruction, in 32 bits.
type kernelLoop struct {
	unroll  int // groups a round
	group   int // inputs of a group
	inputs  int // bytes of an input
	weights int // bytes of a vector of weights in memory
	load    func(Mem, reg.VecVirtual)
}

// eachPanel is the body of the integer kernels: for each panel it sums the
// products, has finishTile make floats of the sums and leave finish behind its
// panel's part, and writes them.
func eachPanel(t target, name string, n int, l kernelLoop, finishTile func(sums tile, finish reg.GPVirtual)) {
	panels, constants, dst, left := base("panels"), base("finish"), base("dst"), integer("count")
	Label(name + "_panel")
	sums := products(t, name, n, l, panels)
	finishTile(sums, constants)
	storeTile(t, sums, dst)
	ADDQ(imm(2*t.bytes()), dst)
	DECQ(left)
	JG(LabelRef(name + "_panel"))
	finish()
}

// products sums the products of all inputs and leaves panel behind its end.
func products(t target, name string, n int, l kernelLoop, panel reg.GPVirtual) tile {
	a, stride, left := base("a"), integer("aStride"), integer("n")
	if l.inputs == 2 {
		SHLQ(Imm(1), stride)
	}
	in := newRows(a, stride, n)
	sums := t.tile(n)
	w0, w1, x := t.vector(), t.vector(), t.vector()
	spare := x
	if !t.wide() {
		spare = t.vector()
	}
	Label(name + "_groups")
	for u := range l.unroll {
		l.load(Mem{Base: panel, Disp: (2*u + 0) * l.weights}, w0)
		l.load(Mem{Base: panel, Disp: (2*u + 1) * l.weights}, w1)
		for r := range n {
			VPBROADCASTD(in.at(r, 4*u), x)
			t.dot(l.group, w0, x, sums[r][0], spare)
			t.dot(l.group, w1, x, sums[r][1], x)
		}
	}
	in.advance(4 * l.unroll)
	ADDQ(imm(2*l.unroll*l.weights), panel)
	SUBQ(imm(l.unroll*l.group), left)
	JG(LabelRef(name + "_groups"))
	return sums
}

// scaleSums turns the sums into floats: sum·(rowScale·scale) + bias.
func scaleSums(t target, sums tile, finish reg.GPVirtual) {
	rowScale := base("rowScale")
	scale, bias, x := t.vector(), t.vector(), t.vector()
	for h := range 2 {
		VMOVUPS(Mem{Base: finish, Disp: h * t.bytes()}, scale)
		VMOVUPS(Mem{Base: finish, Disp: (2 + h) * t.bytes()}, bias)
		for r := range sums {
			VCVTDQ2PS(sums[r][h], sums[r][h])
			VBROADCASTSS(Mem{Base: rowScale, Disp: 4 * r}, x)
			VMULPS(scale, x, x)
			VMULPS(x, sums[r][h], sums[r][h])
			VADDPS(bias, sums[r][h], sums[r][h])
		}
	}
	ADDQ(imm(4*t.bytes()), finish)
}

// addOutliers adds the input columns that stay in float32, one by one.
func addOutliers(t target, name string, sums tile, finish reg.GPVirtual) {
	left := integer("outliers")
	TESTQ(left, left)
	JZ(LabelRef(name + "_store"))
	stride := GP64()
	MOVQ(left, stride)
	SHLQ(Imm(2), stride)
	values := newRows(base("outlier"), stride, len(sums))
	w, x := t.vector(), t.vector()
	Label(name + "_outlier")
	for h := range 2 {
		VMOVUPS(Mem{Base: finish, Disp: h * t.bytes()}, w)
		for r := range sums {
			VBROADCASTSS(values.at(r, 0), x)
			VMULPS(w, x, x)
			VADDPS(x, sums[r][h], sums[r][h])
		}
	}
	values.advance(4)
	ADDQ(imm(2*t.bytes()), finish)
	DECQ(left)
	JG(LabelRef(name + "_outlier"))
	Label(name + "_store")
}

// storeTile writes the tile whose first row is at dst.
func storeTile(t target, sums tile, dst reg.GPVirtual) {
	stride := integer("dstStride")
	SHLQ(Imm(2), stride)
	out := newRows(dst, stride, len(sums))
	for r := range sums {
		VMOVUPS(sums[r][0], out.at(r, 0))
		VMOVUPS(sums[r][1], out.at(r, t.bytes()))
	}
}

// multiplyFloat fuses product and sum: the float format is not exact.
func multiplyFloat(t target, n int) {
	name := fmt.Sprintf("multiplyFloat%sx%d", t.name, n)
	function(name, "func(dst []float32, dstStride int, a []float32, aStride int, panels []float32, n, count int, bias []float32)")
	panel, bias, dst, left := base("panels"), base("bias"), base("dst"), integer("count")
	Label(name + "_panel")
	sums := make(tile, n)
	for r := range sums {
		for h := range 2 {
			sums[r][h] = t.vector()
			VMOVUPS(Mem{Base: bias, Disp: h * t.bytes()}, sums[r][h])
		}
	}
	a, stride, inputs := base("a"), integer("aStride"), integer("n")
	SHLQ(Imm(2), stride)
	in := newRows(a, stride, n)
	w0, w1, x := t.vector(), t.vector(), t.vector()
	Label(name + "_inputs")
	VMOVUPS(Mem{Base: panel}, w0)
	VMOVUPS(Mem{Base: panel, Disp: t.bytes()}, w1)
	for r := range n {
		VBROADCASTSS(in.at(r, 0), x)
		VFMADD231PS(w0, x, sums[r][0])
		VFMADD231PS(w1, x, sums[r][1])
	}
	in.advance(4)
	ADDQ(imm(2*t.bytes()), panel)
	DECQ(inputs)
	JG(LabelRef(name + "_inputs"))
	storeTile(t, sums, dst)
	ADDQ(imm(2*t.bytes()), dst)
	ADDQ(imm(2*t.bytes()), bias)
	DECQ(left)
	JG(LabelRef(name + "_panel"))
	finish()
}
