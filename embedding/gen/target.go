package main

import (
	"fmt"
	"math"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/ir"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// target is an instruction set that kernels are written for.
type target struct {
	name  string
	lanes int // 32-bit lanes of a vector; a panel is two vectors wide
	rows  int // most rows of a multiply kernel, as many as the registers hold
}

var (
	avx2   = target{name: "AVX2", lanes: 8, rows: 6}
	avx512 = target{name: "AVX512", lanes: 16, rows: 12} // with VNNI
)

func (t target) wide() bool { return t.lanes == 16 }

// bytes is the size of a vector.
func (t target) bytes() int { return 4 * t.lanes }

// vector returns a fresh vector register.
func (t target) vector() reg.VecVirtual {
	if t.wide() {
		return ZMM()
	}
	return YMM()
}

// zero returns a vector of zeros.
func (t target) zero() reg.VecVirtual {
	v := t.vector()
	if t.wide() {
		VPXORD(v, v, v)
	} else {
		VPXOR(v, v, v)
	}
	return v
}

// load reads a vector of integers.
func (t target) load(m Mem, v reg.VecVirtual) {
	if t.wide() {
		VMOVDQU32(m, v)
	} else {
		VMOVDQU(m, v)
	}
}

// store writes a vector of integers.
func (t target) store(v reg.VecVirtual, m Mem) {
	if t.wide() {
		VMOVDQU32(v, m)
	} else {
		VMOVDQU(v, m)
	}
}

// and computes a AND b into a vector.
func (t target) and(a Op, b, to reg.VecVirtual) {
	if t.wide() {
		VPANDD(a, b, to)
	} else {
		VPAND(a, b, to)
	}
}

// ones returns a vector with every bit set.
func (t target) ones() reg.VecVirtual {
	v := t.vector()
	if t.wide() {
		VPTERNLOGD(Imm(0xff), v, v, v)
	} else {
		VPCMPEQD(v, v, v)
	}
	return v
}

// magnitude returns the mask that clears the sign of a float.
func (t target) magnitude() reg.VecVirtual {
	v := t.ones()
	VPSRLD(Imm(1), v, v)
	return v
}

var constants = map[uint32]Mem{}

// constant returns x in every lane.
func (t target) constant(x float64) reg.VecVirtual {
	v := t.vector()
	VBROADCASTSS(word(x), v)
	return v
}

// word returns the memory that holds x as a float32.
func word(x float64) Mem {
	bits := math.Float32bits(float32(x))
	m, ok := constants[bits]
	if !ok {
		m = GLOBL(fmt.Sprintf("word%08x", bits), 8|16) // RODATA, NOPTR
		DATA(0, U32(bits))
		constants[bits] = m
	}
	return m
}

// reduce folds a vector in halves, as kernels_plain.go says, and returns the
// result in every lane. second is added to v first if it is not nil.
func (t target) reduce(op func(a, b, to Op), v, second reg.VecVirtual) reg.VecVirtual {
	half, other := YMM(), YMM()
	if t.wide() {
		VEXTRACTF64X4(Imm(1), v, other)
		VEXTRACTF64X4(Imm(0), v, half)
		op(other, half, half)
	} else if second != nil {
		op(second, v, half)
	} else {
		VMOVAPS(v, half)
	}
	VPERM2F128(Imm(0x01), half, half, other)
	op(other, half, half)
	VPERMILPS(Imm(0x4e), half, other)
	op(other, half, half)
	VPERMILPS(Imm(0xb1), half, other)
	op(other, half, half)
	if !t.wide() {
		return half
	}
	all := ZMM()
	VBROADCASTSS(half.AsX(), all)
	return all
}

func add(a, b, to Op)     { VADDPS(a, b, to) }
func minimum(a, b, to Op) { VMINPS(a, b, to) }
func maximum(a, b, to Op) { VMAXPS(a, b, to) }

// round rounds the floats of v to integers that are floats.
func (t target) round(v, to reg.VecVirtual) {
	const nearestEven = 8
	if t.wide() {
		VRNDSCALEPS(Imm(nearestEven), v, to)
	} else {
		VROUNDPS(Imm(nearestEven), v, to)
	}
}

// transpose returns the columns of a square of 32-bit elements.
func (t target) transpose(rows []reg.VecVirtual) []reg.VecVirtual {
	combine := func(op func(b, a, to Op), a, b reg.VecVirtual) reg.VecVirtual {
		to := t.vector()
		op(b, a, to)
		return to
	}
	low32 := func(b, a, to Op) { VUNPCKLPS(b, a, to) }
	high32 := func(b, a, to Op) { VUNPCKHPS(b, a, to) }
	low64 := func(b, a, to Op) { VUNPCKLPD(b, a, to) }
	high64 := func(b, a, to Op) { VUNPCKHPD(b, a, to) }

	// After this, 128-bit lane l of four[j][g] holds column 4l+j of rows 4g to 4g+3.
	groups := t.lanes / 4
	var four [4][]reg.VecVirtual
	for g := range groups {
		r := rows[4*g:]
		l01, l23 := combine(low32, r[0], r[1]), combine(low32, r[2], r[3])
		h01, h23 := combine(high32, r[0], r[1]), combine(high32, r[2], r[3])
		four[0] = append(four[0], combine(low64, l01, l23))
		four[1] = append(four[1], combine(high64, l01, l23))
		four[2] = append(four[2], combine(low64, h01, h23))
		four[3] = append(four[3], combine(high64, h01, h23))
	}
	columns := make([]reg.VecVirtual, t.lanes)
	for j, q := range four {
		if !t.wide() {
			columns[j] = combine(func(b, a, to Op) { VPERM2F128(Imm(0x20), b, a, to) }, q[0], q[1])
			columns[4+j] = combine(func(b, a, to Op) { VPERM2F128(Imm(0x31), b, a, to) }, q[0], q[1])
			continue
		}
		even := func(b, a, to Op) { VSHUFF32X4(Imm(0x88), b, a, to) }
		odd := func(b, a, to Op) { VSHUFF32X4(Imm(0xdd), b, a, to) }
		e01, e23 := combine(even, q[0], q[1]), combine(even, q[2], q[3])
		o01, o23 := combine(odd, q[0], q[1]), combine(odd, q[2], q[3])
		columns[j], columns[8+j] = combine(even, e01, e23), combine(odd, e01, e23)
		columns[4+j], columns[12+j] = combine(even, o01, o23), combine(odd, o01, o23)
	}
	return columns
}

// steps multiplies 16 floats with step and rounds them to integers. They are in
// one vector, or in two when vectors have 8 lanes.
func (t target) steps(x reg.GPVirtual, offset int, step reg.VecVirtual) []reg.VecVirtual {
	vs := make([]reg.VecVirtual, t.sixteen())
	for i := range vs {
		vs[i] = t.vector()
		VMULPS(Mem{Base: x, Disp: offset + i*t.bytes()}, step, vs[i])
		VCVTPS2DQ(vs[i], vs[i])
	}
	return vs
}

// narrow writes what steps returned as int16.
func (t target) narrow(v []reg.VecVirtual, m Mem) {
	y := YMM()
	if t.wide() {
		VPMOVDW(v[0], y)
	} else {
		VPACKSSDW(v[1], v[0], v[0])
		VPERMQ(Imm(0xd8), v[0], y)
	}
	VMOVDQU(y, m)
}

// sixteen is how many vectors hold 16 lanes.
func (t target) sixteen() int { return 16 / t.lanes }

// dot adds the products of a group of inputs x, two int16 or four uint8, with
// weights w to the int32 lanes of sum. Where that takes two instructions, the
// product is kept in spare. The generator does not know the instructions of
// AVX512-VNNI.
func (t target) dot(group int, w, x, sum, spare reg.VecVirtual) {
	if !t.wide() {
		VPMADDWD(w, x, spare)
		VPADDD(spare, sum, sum)
		return
	}
	Instruction(&ir.Instruction{
		Opcode:   map[int]string{2: "VPDPWSSD", 4: "VPDPBUSD"}[group],
		Operands: []Op{w, x, sum},
		Inputs:   []Op{w, x, sum},
		Outputs:  []Op{sum},
		ISA:      []string{"AVX512_VNNI"},
	})
}

// rows addresses rows that are a stride apart, three from each base register.
type rows struct {
	bases  []reg.GPVirtual
	stride reg.GPVirtual // in bytes
}

func newRows(first, stride reg.GPVirtual, n int) rows {
	r := rows{bases: []reg.GPVirtual{first}, stride: stride}
	for len(r.bases)*3 < n {
		last, next := r.bases[len(r.bases)-1], GP64()
		LEAQ(Mem{Base: last, Index: stride, Scale: 2}, next)
		ADDQ(stride, next)
		r.bases = append(r.bases, next)
	}
	return r
}

// at returns the memory at an offset in a row.
func (r rows) at(row, offset int) Mem {
	m := Mem{Base: r.bases[row/3], Disp: offset}
	if row%3 > 0 {
		m.Index, m.Scale = r.stride, uint8(row%3)
	}
	return m
}

// advance moves all rows by n bytes.
func (r rows) advance(n int) {
	for _, b := range r.bases {
		ADDQ(imm(n), b)
	}
}

// imm is the shortest immediate operand for n.
func imm(n int) Op {
	if n < 128 {
		return U8(n)
	}
	return U32(n)
}

// function starts a function and loads nothing yet.
func function(name, signature string) {
	TEXT(name, NOSPLIT, signature)
	Pragma("noescape")
}

// base loads the address of the first element of a slice parameter.
func base(name string) reg.GPVirtual { return Load(Param(name).Base(), GP64()).(reg.GPVirtual) }

// length loads the length of a slice parameter.
func length(name string) reg.GPVirtual { return Load(Param(name).Len(), GP64()).(reg.GPVirtual) }

// integer loads an int parameter.
func integer(name string) reg.GPVirtual { return Load(Param(name), GP64()).(reg.GPVirtual) }

// float returns the memory of a float32 parameter.
func float(name string) Mem {
	parameter, err := Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	return parameter.Addr
}

// finish ends a function.
func finish() {
	VZEROUPPER()
	RET()
}
