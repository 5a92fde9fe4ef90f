//go:build !unix

package index

import "os"

// mapFile reads a file of a length into memory.
func mapFile(f *os.File, length int64) (image []byte, unmap func() error, err error) {
	image = aligned(int(length))
	if _, err := f.ReadAt(image, 0); err != nil {
		return nil, nil, err
	}
	return image, func() error { return nil }, nil
}
