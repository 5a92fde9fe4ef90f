//go:build unix

package index

import (
	"os"

	"golang.org/x/sys/unix"
)

// mapFile maps a file of a length for reading. The file may be closed and
// removed while it is mapped.
func mapFile(f *os.File, length int64) (image []byte, unmap func() error, err error) {
	image, err = unix.Mmap(int(f.Fd()), 0, int(length), unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		return nil, nil, os.NewSyscallError("mmap", err)
	}
	return image, func() error { return os.NewSyscallError("munmap", unix.Munmap(image)) }, nil
}
