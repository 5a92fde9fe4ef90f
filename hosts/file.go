package hosts

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// Read returns the file, or nil when there is none.
func Read(path string) ([]byte, error) {
	file, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return file, err
}

// Replace writes a file whole or not at all, and keeps the one that was there
// beside it: its path is returned, empty when there was none. Mode and owner
// stay, and a symbolic link stays one: what it points to is replaced.
func Replace(path string, text []byte, now time.Time) (backup string, err error) {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	old, err := Read(path)
	if err != nil {
		return "", fmt.Errorf("read %q: %w", path, err)
	}
	mode := fs.FileMode(0o600)
	if old != nil {
		info, err := os.Stat(path)
		if err != nil {
			return "", fmt.Errorf("look at %q: %w", path, err)
		}
		mode = info.Mode().Perm()
		backup = path + ".before-" + now.UTC().Format("20060102-150405")
		if err := os.WriteFile(backup, old, mode); err != nil {
			return "", fmt.Errorf("keep the old %q: %w", path, err)
		}
	} else if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return "", fmt.Errorf("make the directory of %q: %w", path, err)
	}
	temporary, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*")
	if err != nil {
		return backup, fmt.Errorf("write beside %q: %w", path, err)
	}
	defer os.Remove(temporary.Name()) // gone already when all went well
	_, err = temporary.Write(text)
	err = errors.Join(err, temporary.Chmod(mode), temporary.Sync(), temporary.Close())
	if err == nil {
		err = os.Rename(temporary.Name(), path)
	}
	if err != nil {
		return backup, fmt.Errorf("write %q: %w", path, err)
	}
	return backup, nil
}
