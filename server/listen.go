package server

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"syscall"
	"time"
)

// Modes of the socket and of the directory that Listen makes for it: the group
// may connect, others may not. Who may do what is decided by peer credentials.
const (
	socketMode    = 0o660
	directoryMode = 0o750
)

// maxSocketPath is the longest path the kernel's sockaddr_un holds, without the
// closing zero byte.
func maxSocketPath() int {
	if runtime.GOOS == "linux" {
		return 107
	}
	return 103
}

// Listen opens the socket. Call it only while holding the database lock: then a
// socket that nobody answers is a leftover and is replaced. A path that is not a
// socket, or one that somebody holds, is refused and left alone. group names the
// group, by name or number, that the socket is given to; empty: the process's
// own.
func Listen(path, group string) (*net.UnixListener, error) {
	if len(path) > maxSocketPath() {
		return nil, fmt.Errorf("listen on %q: %w: it has %d bytes, at most %d fit", path, ErrSocketPathTooLong, len(path), maxSocketPath())
	}
	if err := os.MkdirAll(filepath.Dir(path), directoryMode); err != nil {
		return nil, fmt.Errorf("make the directory of the socket %q: %w", path, err)
	}
	if err := removeLeftover(path); err != nil {
		return nil, err
	}
	// The umask makes the socket's mode right from its first moment: there is no
	// window in which others could connect.
	old := syscall.Umask(0o777 &^ socketMode)
	listener, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	syscall.Umask(old)
	if err != nil {
		return nil, fmt.Errorf("listen on %q: %w", path, err)
	}
	if group != "" {
		id, err := groupID(group)
		if err == nil {
			err = os.Chown(path, -1, id)
		}
		if err != nil {
			listener.Close()
			return nil, fmt.Errorf("give the socket %q to the group %q: %w", path, group, err)
		}
	}
	return listener, nil
}

func removeLeftover(path string) error {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("look at the socket path %q: %w", path, err)
	}
	if info.Mode()&fs.ModeSocket == 0 {
		return fmt.Errorf("listen on %q: %w", path, ErrNotASocket)
	}
	const patience = time.Second
	conn, err := net.DialTimeout("unix", path, patience)
	if err == nil {
		holder := "a process that does not say who it is"
		if c, err := peerCredentials(conn.(*net.UnixConn)); err == nil {
			holder = "the process " + strconv.Itoa(c.PID)
		}
		conn.Close()
		return fmt.Errorf("listen on %q: %w: %s answers there", path, ErrSocketInUse, holder)
	}
	if !errors.Is(err, syscall.ECONNREFUSED) && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("listen on %q: %w: whether somebody listens is unclear (%w)", path, ErrSocketInUse, err)
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove the leftover socket %q: %w", path, err)
	}
	return nil
}
