package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// The lock itself is bbolt's lock on the database file, which the kernel drops
// when its holder ends, however it ends. The lock file beside it only says who
// the holder is, in one line to be shown: its process number, a space, and what
// Options.Holder said.

// holderPath returns the name of the lock file: waymark.lock for waymark.db.
func holderPath(path string) string {
	if filepath.Ext(path) == ".lock" {
		return path + ".lock"
	}
	return strings.TrimSuffix(path, filepath.Ext(path)) + ".lock"
}

// writeHolder tells other processes that this one holds the lock.
func writeHolder(path, holder string) error {
	line := fmt.Sprintf("%d %s\n", os.Getpid(), strings.Join(strings.Fields(holder), " "))
	return os.WriteFile(holderPath(path), []byte(line), fileMode)
}

// readHolder describes the process that holds the lock.
func readHolder(path string) string {
	const unknown = "another process"
	line, err := os.ReadFile(holderPath(path))
	if err != nil {
		return unknown
	}
	var pid int
	if _, err := fmt.Sscan(string(line), &pid); err != nil || !alive(pid) {
		return unknown
	}
	_, holder, _ := strings.Cut(strings.TrimSpace(string(line)), " ")
	if holder == "" {
		return fmt.Sprintf("process %d", pid)
	}
	return fmt.Sprintf("process %d (%s)", pid, holder)
}

// alive reports whether a process of that number exists.
func alive(pid int) bool {
	process, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	err = process.Signal(syscall.Signal(0))
	return err == nil || errors.Is(err, os.ErrPermission)
}

// removeHolder takes the lock file away before the lock is dropped.
func removeHolder(path string) {
	os.Remove(holderPath(path))
}
