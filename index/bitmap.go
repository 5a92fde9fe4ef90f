package index

import "math/bits"

// Bitmap is a set of small numbers: number n is bit n mod 64 of word n / 64.
type Bitmap []uint64

// NewBitmap returns an empty set for the numbers 0 to n−1.
func NewBitmap(n int) Bitmap { return make(Bitmap, (n+63)/64) }

// Set adds a number.
func (b Bitmap) Set(n int) { b[n>>6] |= 1 << (n & 63) }

// Contains reports whether the set holds a number.
func (b Bitmap) Contains(n int) bool { return n>>6 < len(b) && b[n>>6]>>(n&63)&1 != 0 }

// Count is how many numbers the set holds.
func (b Bitmap) Count() int {
	n := 0
	for _, word := range b {
		n += bits.OnesCount64(word)
	}
	return n
}

// Each calls f for the numbers of the set, ascending.
func (b Bitmap) Each(f func(n int)) {
	for i, word := range b {
		for ; word != 0; word &= word - 1 {
			f(i<<6 + bits.TrailingZeros64(word))
		}
	}
}
