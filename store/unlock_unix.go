//go:build unix && !aix && !solaris

package store

import (
	"os"
	"syscall"
)

// unlock drops the lock on a file. Closing it is not enough while it is mapped.
func unlock(file *os.File) error {
	return syscall.Flock(int(file.Fd()), syscall.LOCK_UN)
}
