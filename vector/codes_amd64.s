#include "textflag.h"

// Both functions below take four rows of codes at a time, so that one load of
// for the first cache lines of the next four rows while they work: rows picked
// by a filter are not next to each other. count is a multiple of 4 and above 0,
// dimension a multiple of 16 and above 0. All sums are exact modulo 2^32.

// FOURROWS points R8, R9, R10 and R11 at the four rows whose numbers lie at DI.
#define FOURROWS \
	MOVQ  codes+0(FP), R13 \
	MOVL  (DI), R8         \
	MOVL  4(DI), R9        \
	MOVL  8(DI), R10       \
	MOVL  12(DI), R11      \
	IMULQ CX, R8           \
	IMULQ CX, R9           \
	IMULQ CX, R10          \
	IMULQ CX, R11          \
	ADDQ  R13, R8          \
	ADDQ  R13, R9          \
	ADDQ  R13, R10         \
	ADDQ  R13, R11

// SUMFOUR leaves the sums of the four dwords of X0, X1, X2 and X3 in X0.
#define SUMFOUR \
	VPHADDD X1, X0, X0 \
	VPHADDD X3, X2, X2 \
	VPHADDD X2, X0, X0

// HALVE adds the upper half of a 256-bit register to its lower half.
#define HALVE(Y, X) \
	VEXTRACTI128 $1, Y, X5 \
	VPADDD       X5, X, X

// QUARTER adds the four quarters of a 512-bit register into the lowest one.
#define QUARTER(Z, Y, X) \
	VEXTRACTI64X4 $1, Z, Y5 \
	VPADDD        Y5, Y, Y  \
	HALVE(Y, X)

// PAIR adds the products of 64 codes in Z10 with the two digits of the query in
// Z8 (high) and Z9 (low). Z31 turns a code into code+128, which is unsigned as
// VPDPBUSD wants it.
#define PAIR(high, low) \
	VPXORD   Z31, Z10, Z10  \
	VPDPBUSD Z8, Z10, high \
	VPDPBUSD Z9, Z10, low

// func dotCodesAVX512(codes *int8, dimension int, rows *uint32, count int, digits *int8, offset int32, products *int32)
//
// digits holds, for every 64 columns, 64 high digits and then 64 low ones, with
// zeros beyond the dimension; query code = 128·high + low. offset is 128 times
// the sum of all query codes: what adding 128 to each code adds to a product.
TEXT ·dotCodesAVX512(SB), NOSPLIT, $0-56
	MOVQ         dimension+8(FP), CX
	MOVQ         rows+16(FP), DI
	MOVQ         count+24(FP), BX
	MOVQ         digits+32(FP), R12
	MOVQ         products+48(FP), DX
	MOVL         $0x80808080, AX
	VPBROADCASTD AX, Z31
	MOVL         offset+40(FP), AX
	VPBROADCASTD AX, X30

	// K1 masks the last, partial block of columns.
	MOVQ  CX, AX
	ANDQ  $63, AX
	MOVQ  $-1, R13
	SHLXQ AX, R13, R13
	NOTQ  R13
	KMOVQ R13, K1

group:
	FOURROWS
	VPXORD Z0, Z0, Z0
	VPXORD Z1, Z1, Z1
	VPXORD Z2, Z2, Z2
	VPXORD Z3, Z3, Z3
	VPXORD Z16, Z16, Z16
	VPXORD Z17, Z17, Z17
	VPXORD Z18, Z18, Z18
	VPXORD Z19, Z19, Z19
	MOVQ   R12, SI
	MOVQ   CX, AX

block:
	CMPQ      AX, $64
	JLT       partial
	VMOVDQU64 (SI), Z8
	VMOVDQU64 64(SI), Z9
	VMOVDQU64 (R8), Z10
	PAIR(Z16, Z0)
	VMOVDQU64 (R9), Z10
	PAIR(Z17, Z1)
	VMOVDQU64 (R10), Z10
	PAIR(Z18, Z2)
	VMOVDQU64 (R11), Z10
	PAIR(Z19, Z3)
	ADDQ      $128, SI
	ADDQ      $64, R8
	ADDQ      $64, R9
	ADDQ      $64, R10
	ADDQ      $64, R11
	SUBQ      $64, AX
	JMP       block

partial:
	TESTQ       AX, AX
	JEQ         reduce
	VMOVDQU64   (SI), Z8
	VMOVDQU64   64(SI), Z9
	VMOVDQU8.Z  (R8), K1, Z10
	PAIR(Z16, Z0)
	VMOVDQU8.Z  (R9), K1, Z10
	PAIR(Z17, Z1)
	VMOVDQU8.Z  (R10), K1, Z10
	PAIR(Z18, Z2)
	VMOVDQU8.Z  (R11), K1, Z10
	PAIR(Z19, Z3)

reduce:
	VPSLLD $7, Z16, Z16
	VPSLLD $7, Z17, Z17
	VPSLLD $7, Z18, Z18
	VPSLLD $7, Z19, Z19
	VPADDD Z16, Z0, Z0
	VPADDD Z17, Z1, Z1
	VPADDD Z18, Z2, Z2
	VPADDD Z19, Z3, Z3
	QUARTER(Z0, Y0, X0)
	QUARTER(Z1, Y1, X1)
	QUARTER(Z2, Y2, X2)
	QUARTER(Z3, Y3, X3)
	SUMFOUR
	VPSUBD  X30, X0, X0
	VMOVDQU X0, (DX)
	ADDQ    $16, DX
	ADDQ    $16, DI
	SUBQ    $4, BX
	JNE     group
	VZEROUPPER
	RET

// func dotCodesAVX2(codes *int8, dimension int, rows *uint32, count int, query *int16, products *int32)
TEXT ·dotCodesAVX2(SB), NOSPLIT, $0-48
	MOVQ dimension+8(FP), CX
	MOVQ rows+16(FP), DI
	MOVQ count+24(FP), BX
	MOVQ query+32(FP), R12
	MOVQ products+40(FP), DX

group:
	FOURROWS
	VPXOR Y0, Y0, Y0
	VPXOR Y1, Y1, Y1
	VPXOR Y2, Y2, Y2
	VPXOR Y3, Y3, Y3
	XORQ  AX, AX

block:
	VMOVDQU   (R12)(AX*2), Y8
	VPMOVSXBW (R8)(AX*1), Y10
	VPMOVSXBW (R9)(AX*1), Y11
	VPMOVSXBW (R10)(AX*1), Y12
	VPMOVSXBW (R11)(AX*1), Y13
	VPMADDWD  Y8, Y10, Y10
	VPMADDWD  Y8, Y11, Y11
	VPMADDWD  Y8, Y12, Y12
	VPMADDWD  Y8, Y13, Y13
	VPADDD    Y10, Y0, Y0
	VPADDD    Y11, Y1, Y1
	VPADDD    Y12, Y2, Y2
	VPADDD    Y13, Y3, Y3
	ADDQ      $16, AX
	CMPQ      AX, CX
	JLT       block

	HALVE(Y0, X0)
	HALVE(Y1, X1)
	HALVE(Y2, X2)
	HALVE(Y3, X3)
	SUMFOUR
	VMOVDQU X0, (DX)
	ADDQ    $16, DX
	ADDQ    $16, DI
	SUBQ    $4, BX
	JNE     group
	VZEROUPPER
	RET
