package index

import (
	"bufio"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// fileMode lets nobody but the owner read what a company wrote down.
const (
	fileMode   = 0o600
	folderMode = 0o700
)

// writeBuffer is how much is written, or read for its checksum, at a time.
const writeBuffer = 1 << 20

func newBuffered(w io.Writer) *bufio.Writer { return bufio.NewWriterSize(w, writeBuffer) }

// writeNewFile makes a file, has write fill it, and syncs it. A file that could
// not be finished is removed.
func writeNewFile(path string, write func(*os.File) error) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR|os.O_TRUNC, fileMode)
	if err != nil {
		return err
	}
	err = write(f)
	if err == nil {
		err = f.Sync()
	}
	if closing := f.Close(); err == nil {
		err = closing
	}
	if err != nil {
		// The file is of no use; that it may stay behind is told by err.
		_ = os.Remove(path)
		return fmt.Errorf("write %q: %w", path, err)
	}
	return nil
}

// replaceFile puts a file in the place of another in one step: after a crash
// there is the old one or the new one.
func replaceFile(path string, content []byte) error {
	temporary := path + ".new"
	err := writeNewFile(temporary, func(f *os.File) error {
		_, err := f.Write(content)
		return err
	})
	if err != nil {
		return err
	}
	if err := os.Rename(temporary, path); err != nil {
		return err
	}
	return syncFolder(filepath.Dir(path))
}

// makeFolder makes a folder, and those above it, unless they are there.
func makeFolder(name string) error { return os.MkdirAll(name, folderMode) }

// syncFolder makes names in a folder durable.
func syncFolder(name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	err = f.Sync()
	if closing := f.Close(); err == nil {
		err = closing
	}
	return err
}

// removeOthers deletes the files of a folder that are not to be kept, except for
// those of segments with numbers above last. A file that is still mapped lives on
// until it is unmapped.
func removeOthers(folder string, keep map[string]bool, last int64) error {
	files, err := os.ReadDir(folder)
	if err != nil {
		return err
	}
	var errs []error
	for _, f := range files {
		if keep[f.Name()] || segmentNumber(f.Name()) > last {
			continue
		}
		if err := os.RemoveAll(filepath.Join(folder, f.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// checkFile reads a segment file through and returns its head when every
// section has its checksum. It reads instead of mapping, so that the pages of
// vectors that nobody asks for do not count as memory of the process.
func checkFile(f *os.File) (*head, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	first := make([]byte, min(int64(headSize), info.Size()))
	if _, err := f.ReadAt(first, 0); err != nil {
		return nil, fmt.Errorf("%w: %w", err, errDamaged)
	}
	h, err := readHead(first, info.Size())
	if err != nil {
		return nil, err
	}
	buffer := make([]byte, writeBuffer)
	for s, p := range h.Table {
		sum := uint32(0)
		for at, end := int64(p.Offset), int64(p.Offset+p.Length); at < end; {
			n, err := f.ReadAt(buffer[:min(int64(len(buffer)), end-at)], at)
			if err != nil {
				return nil, fmt.Errorf("section %d: %w: %w", s, err, errDamaged)
			}
			sum = crc32.Update(sum, castagnoli, buffer[:n])
			at += int64(n)
		}
		if sum != p.Checksum {
			return nil, fmt.Errorf("section %d fails its checksum: %w", s, errDamaged)
		}
	}
	return h, nil
}
