package index

import (
	"encoding/binary"
	"math/bits"
)

// packSlack is how many bytes must follow packed numbers, because unpack reads
// eight at a time.
const packSlack = 8

// packWidth is how many bits the largest of some numbers needs.
func packWidth(numbers []uint32) int {
	var all uint32
	for _, n := range numbers {
		all |= n
	}
	return bits.Len32(all)
}

// appendPacked appends numbers of width bits each, the first in the lowest
// bits, and fills up the last byte.
func appendPacked(dst []byte, numbers []uint32, width int) []byte {
	var bits uint64
	have := 0
	for _, n := range numbers {
		bits |= uint64(n) << have
		for have += width; have >= 8; have -= 8 {
			dst = append(dst, byte(bits))
			bits >>= 8
		}
	}
	if have > 0 {
		dst = append(dst, byte(bits))
	}
	return dst
}

// packedSize is how many bytes n numbers of width bits take.
func packedSize(n, width int) int { return (n*width + 7) / 8 }

// unpack reads numbers of width bits. Behind them src has packSlack more bytes.
// Eight numbers take width bytes, so each eight begin at a byte: up to 8 bits
// they are read at once, up to 15 in two halves.
func unpack(dst []uint32, src []byte, width int) {
	mask := uint64(1)<<width - 1
	step := uint(width)
	switch {
	case width == 0:
		clear(dst)
		return
	case width <= 8:
		for len(dst) >= 8 {
			unpackFour(dst, binary.LittleEndian.Uint64(src), step, mask)
			unpackFour(dst[4:], binary.LittleEndian.Uint64(src)>>(4*step&63), step, mask)
			dst, src = dst[8:], src[width:]
		}
	case width <= 15:
		for len(dst) >= 8 {
			unpackFour(dst, binary.LittleEndian.Uint64(src), step, mask)
			unpackFour(dst[4:], binary.LittleEndian.Uint64(src[width/2:])>>(4*step&7), step, mask)
			dst, src = dst[8:], src[width:]
		}
	}
	bit := 0
	for i := range dst {
		dst[i] = uint32(binary.LittleEndian.Uint64(src[bit>>3:]) >> (bit & 7) & mask)
		bit += width
	}
}

func unpackFour(dst []uint32, bits uint64, step uint, mask uint64) {
	_ = dst[3]
	dst[0] = uint32(bits & mask)
	dst[1] = uint32(bits >> (step & 63) & mask)
	dst[2] = uint32(bits >> (2 * step & 63) & mask)
	dst[3] = uint32(bits >> (3 * step & 63) & mask)
}
