#include "textflag.h"

// Both functions below follow the lane order of dot.go: group g of sixteen
// lanes is Zg, or Y(2g) and Y(2g+1). Products are rounded before they are added
// (VMULPS, VADDPS; no fused instruction). length is a multiple of 16.

// func dotAVX512(a, b *float32, length int) float32
TEXT ·dotAVX512(SB), NOSPLIT, $0-28
	MOVQ   a+0(FP), SI
	MOVQ   b+8(FP), DI
	MOVQ   length+16(FP), CX
	VPXORD Z0, Z0, Z0
	VPXORD Z1, Z1, Z1
	VPXORD Z2, Z2, Z2
	VPXORD Z3, Z3, Z3

whole:
	CMPQ    CX, $64
	JLT     rest
	VMOVUPS (SI), Z4
	VMOVUPS 64(SI), Z5
	VMOVUPS 128(SI), Z6
	VMOVUPS 192(SI), Z7
	VMULPS  (DI), Z4, Z4
	VMULPS  64(DI), Z5, Z5
	VMULPS  128(DI), Z6, Z6
	VMULPS  192(DI), Z7, Z7
	VADDPS  Z4, Z0, Z0
	VADDPS  Z5, Z1, Z1
	VADDPS  Z6, Z2, Z2
	VADDPS  Z7, Z3, Z3
	ADDQ    $256, SI
	ADDQ    $256, DI
	SUBQ    $64, CX
	JMP     whole

rest:
	// 0, 16, 32 or 48 products are left for the first groups.
	CMPQ    CX, $16
	JLT     reduce
	VMOVUPS (SI), Z4
	VMULPS  (DI), Z4, Z4
	VADDPS  Z4, Z0, Z0
	CMPQ    CX, $32
	JLT     reduce
	VMOVUPS 64(SI), Z5
	VMULPS  64(DI), Z5, Z5
	VADDPS  Z5, Z1, Z1
	CMPQ    CX, $48
	JLT     reduce
	VMOVUPS 128(SI), Z6
	VMULPS  128(DI), Z6, Z6
	VADDPS  Z6, Z2, Z2

reduce:
	VADDPS        Z1, Z0, Z0
	VADDPS        Z3, Z2, Z2
	VADDPS        Z2, Z0, Z0
	VEXTRACTF64X4 $1, Z0, Y1
	VADDPS        Y1, Y0, Y0
	VEXTRACTF128  $1, Y0, X1
	VADDPS        X1, X0, X0
	VMOVHLPS      X0, X0, X1
	VADDPS        X1, X0, X0
	VMOVSHDUP     X0, X1
	VADDSS        X1, X0, X0
	VMOVSS        X0, ret+24(FP)
	VZEROUPPER
	RET

// func dotAVX2(a, b *float32, length int) float32
TEXT ·dotAVX2(SB), NOSPLIT, $0-28
	MOVQ   a+0(FP), SI
	MOVQ   b+8(FP), DI
	MOVQ   length+16(FP), CX
	VXORPS Y0, Y0, Y0
	VXORPS Y1, Y1, Y1
	VXORPS Y2, Y2, Y2
	VXORPS Y3, Y3, Y3
	VXORPS Y4, Y4, Y4
	VXORPS Y5, Y5, Y5
	VXORPS Y6, Y6, Y6
	VXORPS Y7, Y7, Y7

whole:
	CMPQ    CX, $64
	JLT     rest
	VMOVUPS (SI), Y8
	VMOVUPS 32(SI), Y9
	VMOVUPS 64(SI), Y10
	VMOVUPS 96(SI), Y11
	VMOVUPS 128(SI), Y12
	VMOVUPS 160(SI), Y13
	VMOVUPS 192(SI), Y14
	VMOVUPS 224(SI), Y15
	VMULPS  (DI), Y8, Y8
	VMULPS  32(DI), Y9, Y9
	VMULPS  64(DI), Y10, Y10
	VMULPS  96(DI), Y11, Y11
	VMULPS  128(DI), Y12, Y12
	VMULPS  160(DI), Y13, Y13
	VMULPS  192(DI), Y14, Y14
	VMULPS  224(DI), Y15, Y15
	VADDPS  Y8, Y0, Y0
	VADDPS  Y9, Y1, Y1
	VADDPS  Y10, Y2, Y2
	VADDPS  Y11, Y3, Y3
	VADDPS  Y12, Y4, Y4
	VADDPS  Y13, Y5, Y5
	VADDPS  Y14, Y6, Y6
	VADDPS  Y15, Y7, Y7
	ADDQ    $256, SI
	ADDQ    $256, DI
	SUBQ    $64, CX
	JMP     whole

rest:
	// 0, 16, 32 or 48 products are left for the first groups.
	CMPQ    CX, $16
	JLT     reduce
	VMOVUPS (SI), Y8
	VMOVUPS 32(SI), Y9
	VMULPS  (DI), Y8, Y8
	VMULPS  32(DI), Y9, Y9
	VADDPS  Y8, Y0, Y0
	VADDPS  Y9, Y1, Y1
	CMPQ    CX, $32
	JLT     reduce
	VMOVUPS 64(SI), Y10
	VMOVUPS 96(SI), Y11
	VMULPS  64(DI), Y10, Y10
	VMULPS  96(DI), Y11, Y11
	VADDPS  Y10, Y2, Y2
	VADDPS  Y11, Y3, Y3
	CMPQ    CX, $48
	JLT     reduce
	VMOVUPS 128(SI), Y12
	VMOVUPS 160(SI), Y13
	VMULPS  128(DI), Y12, Y12
	VMULPS  160(DI), Y13, Y13
	VADDPS  Y12, Y4, Y4
	VADDPS  Y13, Y5, Y5

reduce:
	VADDPS       Y2, Y0, Y0
	VADDPS       Y3, Y1, Y1
	VADDPS       Y6, Y4, Y4
	VADDPS       Y7, Y5, Y5
	VADDPS       Y4, Y0, Y0
	VADDPS       Y5, Y1, Y1
	VADDPS       Y1, Y0, Y0
	VEXTRACTF128 $1, Y0, X1
	VADDPS       X1, X0, X0
	VMOVHLPS     X0, X0, X1
	VADDPS       X1, X0, X0
	VMOVSHDUP    X0, X1
	VADDSS       X1, X0, X0
	VMOVSS       X0, ret+24(FP)
	VZEROUPPER
	RET
