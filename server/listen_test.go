package server_test

import (
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"waymark/server"
)

// socketPath is a path in a new directory that leaves room in a socket's address.
func socketPath(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "wm")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return filepath.Join(dir, "s")
}

func listen(t *testing.T, path string) *net.UnixListener {
	t.Helper()
	l, err := server.Listen(path, "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

func TestListenMakesItsDirectory(t *testing.T) {
	// Another umask must not show in the modes.
	for _, umask := range []int{0o022, 0o002, 0} {
		old := syscall.Umask(umask)
		path := filepath.Join(filepath.Dir(socketPath(t)), "run", "s")
		l, err := server.Listen(path, "")
		after := syscall.Umask(old)
		if err != nil {
			t.Fatal(err)
		}
		if after != umask {
			t.Errorf("Listen leaves the umask at %o, want %o", after, umask)
		}
		for name, want := range map[string]os.FileMode{path: os.ModeSocket | 0o660, filepath.Dir(path): os.ModeDir | 0o750} {
			info, err := os.Stat(name)
			if err != nil || info.Mode() != want {
				t.Errorf("umask %o: mode of %s is %v, %v; want %v", umask, filepath.Base(name), info.Mode(), err, want)
			}
		}
		if err := l.Close(); err != nil {
			t.Error(err)
		}
		if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("after Close the socket is still there: %v", err)
		}
	}
}

func TestListenLeavesADirectoryAsItIs(t *testing.T) {
	path := socketPath(t)
	if err := os.Chmod(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	listen(t, path)
	if info, err := os.Stat(filepath.Dir(path)); err != nil || info.Mode().Perm() != 0o755 {
		t.Errorf("mode %v, %v; want it as it was", info.Mode(), err)
	}
}

func TestListenOnAPathThatIsTooLong(t *testing.T) {
	dir := filepath.Dir(socketPath(t))
	fits := filepath.Join(dir, strings.Repeat("x", 107-len(dir)-1))
	listen(t, fits)
	_, err := server.Listen(fits+"x", "")
	if !errors.Is(err, server.ErrSocketPathTooLong) || !strings.Contains(err.Error(), "108 bytes") {
		t.Errorf("Listen on 108 bytes: %v, want ErrSocketPathTooLong with the length", err)
	}
}

// TestListenOnWhatIsNoSocket: a file, a directory and a symbolic link stay as they
// are.
func TestListenOnWhatIsNoSocket(t *testing.T) {
	for name, put := range map[string]func(path string) error{
		"a file":      func(path string) error { return os.WriteFile(path, []byte("precious"), 0o600) },
		"a directory": func(path string) error { return os.Mkdir(path, 0o700) },
		"a link":      func(path string) error { return os.Symlink("/dev/null", path) },
		"a broken link": func(path string) error {
			return os.Symlink(filepath.Join(filepath.Dir(path), "nowhere"), path)
		},
	} {
		path := socketPath(t)
		if err := put(path); err != nil {
			t.Fatal(err)
		}
		before, err := os.Lstat(path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := server.Listen(path, ""); !errors.Is(err, server.ErrNotASocket) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v, want ErrNotASocket with the path", name, err)
		}
		after, err := os.Lstat(path)
		if err != nil || !os.SameFile(before, after) || before.Mode() != after.Mode() {
			t.Errorf("%s: %v, %v; want it left alone", name, after, err)
		}
	}
}

func TestListenReplacesALeftover(t *testing.T) {
	path := socketPath(t)
	dead := listen(t, path)
	dead.SetUnlinkOnClose(false)
	if err := dead.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Lstat(path); err != nil {
		t.Fatalf("no leftover to replace: %v", err)
	}
	l := listen(t, path)
	accepted := make(chan error, 1)
	go func() {
		c, err := l.Accept()
		if err == nil {
			err = c.Close()
		}
		accepted <- err
	}()
	c, err := net.Dial("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	c.Close()
	if err := <-accepted; err != nil {
		t.Error(err)
	}
}

// TestASecondListenerIsRefused names the process that answers, and leaves its
// socket alone.
func TestASecondListenerIsRefused(t *testing.T) {
	path := socketPath(t)
	first := listen(t, path)
	_, err := server.Listen(path, "")
	if !errors.Is(err, server.ErrSocketInUse) || !strings.Contains(err.Error(), fmt.Sprint("process ", os.Getpid())) {
		t.Errorf("a second Listen: %v, want ErrSocketInUse naming process %d", err, os.Getpid())
	}
	go func() {
		if c, err := net.Dial("unix", path); err == nil {
			c.Close()
		}
	}()
	if err := first.SetDeadline(time.Now().Add(5 * time.Second)); err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second listener's question, and ours
		if c, err := first.Accept(); err != nil {
			t.Errorf("the first listener: %v", err)
		} else {
			c.Close()
		}
	}
}

// TestABusyListenerIsNotReplaced: somebody listens, and is too busy to take one
// more connection; whether he lives is unclear.
func TestABusyListenerIsNotReplaced(t *testing.T) {
	path := socketPath(t)
	fd, err := syscall.Socket(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Close(fd)
	if err := syscall.Bind(fd, &syscall.SockaddrUnix{Name: path}); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Listen(fd, 0); err != nil {
		t.Fatal(err)
	}
	for range 4 {
		waiting, err := syscall.Socket(syscall.AF_UNIX, syscall.SOCK_STREAM|syscall.SOCK_NONBLOCK, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer syscall.Close(waiting)
		if err := syscall.Connect(waiting, &syscall.SockaddrUnix{Name: path}); err != nil {
			break
		}
	}
	began := time.Now()
	_, err = server.Listen(path, "")
	if !errors.Is(err, server.ErrSocketInUse) || time.Since(began) > 2*time.Second {
		t.Errorf("Listen beside a busy one: %v after %v, want ErrSocketInUse within 2 s", err, time.Since(began))
	}
	if _, err := os.Lstat(path); err != nil {
		t.Errorf("the busy one's socket: %v", err)
	}
}

func TestListenForAGroup(t *testing.T) {
	path := socketPath(t)
	l, err := server.Listen(path, strconv.Itoa(os.Getgid()))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	info, err := os.Stat(path)
	if err != nil || info.Sys().(*syscall.Stat_t).Gid != uint32(os.Getgid()) || info.Mode().Perm() != 0o660 {
		t.Errorf("%v, %v; want mode 0660 and the group", info, err)
	}
	other := socketPath(t)
	if l, err := server.Listen(other, "no-such-group-here"); err == nil {
		l.Close()
		t.Error("a group that does not exist is taken")
	}
	if _, err := os.Lstat(other); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a socket is left after a failure: %v", err)
	}
	if _, err := server.NewOperators(0, "no-such-group-here"); err == nil {
		t.Error("operators of a group that does not exist are taken")
	}
}

func TestOperators(t *testing.T) {
	group := server.Operators{UID: 1000, Group: 77}
	alone := server.Operators{UID: 1000, Group: -1}
	for _, c := range []struct {
		o    server.Operators
		who  server.Credentials
		want bool
	}{
		{alone, server.Credentials{UID: 1000, GID: 5}, true},
		{alone, server.Credentials{UID: 0}, true},
		{alone, server.Credentials{UID: 1001, GID: 77}, false},
		{group, server.Credentials{UID: 1001, GID: 77}, true},
		{group, server.Credentials{UID: 4_000_000, GID: 78}, false},
	} {
		if got := c.o.Allow(c.who); got != c.want {
			t.Errorf("%+v.Allow(%+v) = %v, want %v", c.o, c.who, got, c.want)
		}
	}
}
