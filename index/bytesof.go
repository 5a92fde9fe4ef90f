package index

import "unsafe"

// number is what a section of numbers may hold.
type number interface {
	~int8 | ~uint8 | ~uint32 | ~float32 | ~uint64 | Frequency
}

// bytesOf views numbers as the bytes that they are in memory.
func bytesOf[T number](s []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), len(s)*int(unsafe.Sizeof(*new(T))))
}

// numbersOf views bytes as numbers. The bytes are aligned and of a whole number
// of numbers, which the reader of a segment has checked.
func numbersOf[T number](b []byte) []T {
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/int(unsafe.Sizeof(*new(T))))
}

// aligned returns n zero bytes whose address is a multiple of 64: a line of the
// cache, and the widest vector register.
func aligned(n int) []byte {
	b := make([]byte, n+sectionAlign-1)
	skip := -uintptr(unsafe.Pointer(unsafe.SliceData(b))) % sectionAlign
	return b[skip : skip+uintptr(n) : skip+uintptr(n)]
}
