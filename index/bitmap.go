package index

import "math/bits"

// Bitmap is a set of small numbers: number n is bit n mod 64 of word n / 64.
// The nil Bitmap is the empty set.
//
// Plain words were measured against roaring bitmaps, in one run on a random tenth
// of 100,000 numbers: Contains 4 ns against 31, reading all 8.5 µs against 58, an
// intersection 7 µs against 23, 12.5 kB against 21. Of a random hundredth,
// roaring intersects in 5 µs instead of 9 and takes 2 kB; nothing else is better.
type Bitmap []uint64

// NewBitmap returns an empty set with room for the numbers 0 to n−1.
func NewBitmap(n int) Bitmap { return make(Bitmap, wordsFor(n)) }

// wordsFor is how many words have a bit for each of n numbers.
func wordsFor(n int) int { return (n + 63) / 64 }

// Set adds a number for which there is room.
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

// And keeps the numbers that are in other as well.
func (b Bitmap) And(other Bitmap) {
	for i := range b {
		if i < len(other) {
			b[i] &= other[i]
		} else {
			b[i] = 0
		}
	}
}

// AndNot takes out the numbers that are in other.
func (b Bitmap) AndNot(other Bitmap) {
	for i := range min(len(b), len(other)) {
		b[i] &^= other[i]
	}
}

// Or adds the numbers of other for which there is room.
func (b Bitmap) Or(other Bitmap) {
	for i := range min(len(b), len(other)) {
		b[i] |= other[i]
	}
}

// setBelow adds the numbers 0 to n−1.
func (b Bitmap) setBelow(n int) {
	for i := range n / 64 {
		b[i] = ^uint64(0)
	}
	if rest := n % 64; rest > 0 {
		b[n/64] |= 1<<rest - 1
	}
}
