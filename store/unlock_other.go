//go:build !unix || aix || solaris

package store

import "os"

// unlock leaves the lock to be dropped when the file is closed.
func unlock(*os.File) error { return nil }
