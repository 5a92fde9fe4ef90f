package store

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"go.etcd.io/bbolt"
	berrors "go.etcd.io/bbolt/errors"
)

// DefaultLockTimeout is how long Open waits for another process to let go of
// the file: long enough for a daemon that is shutting down, short enough to
// notice.
const DefaultLockTimeout = time.Second

// fileMode lets nobody but the owner read what a company wrote down.
const fileMode = 0o600

const (
	// initialMap is the address space that is mapped at once, in bytes. While
	// the file fits, a writer never has to wait for readers to map it anew.
	// It costs addresses, not memory.
	initialMap = 1 << 30

	// growthStep is how much the file grows at a time, in bytes. Each step
	// costs one more sync; the space is sparse until it is used.
	growthStep = 4 << 20
)

// Options say how to open a store. None may change while it is open.
type Options struct {
	// Path names the database file. It is created, with mode 0600, when it does
	// not exist and ReadOnly is not set. Its directory must exist.
	Path string

	// Now is the clock. Default time.Now. It is read once per transaction.
	Now func() time.Time

	// Entropy is where ids of workspaces and tokens of agents come from.
	// Default crypto/rand.Reader.
	Entropy io.Reader

	// LockTimeout is how long to wait for the lock on the file. Zero means
	// DefaultLockTimeout.
	LockTimeout time.Duration

	// Holder is what other processes are told about this one while it holds the
	// lock, beside its process number: for a daemon, its socket. Default none.
	Holder string

	// ReadOnly opens an existing file for reading. Several processes may do so
	// at once, but none beside a writer.
	ReadOnly bool

	// NoSync leaves out the syncs: a crash of the machine may then lose or
	// damage the file. For tests.
	NoSync bool
}

// Store is an open database. Its methods may be called by any number of
// goroutines at once.
type Store struct {
	db      *bbolt.DB
	file    *os.File
	path    string
	now     func() time.Time
	entropy io.Reader
	options Options

	// waiting counts the writers that are about to lock writing. The writer
	// that leaves writing and sees none commits for all who went before.
	waiting atomic.Int64

	// writing serialises writers and guards group, closed and broken.
	writing sync.Mutex
	group   *group
	closed  bool
	broken  error
}

// Open opens the database file, makes it when it does not exist, and brings an
// older format up to date after copying the file aside. It returns ErrLocked,
// ErrNewerFormat, ErrNotDatabase or ErrCorrupt, or an error of the file system.
func Open(options Options) (*Store, error) {
	store, err := open(options, currentFormat, migrations)
	if err != nil {
		return nil, fmt.Errorf("open store %q: %w", options.Path, err)
	}
	return store, nil
}

// open is Open for a given format.
func open(options Options, format uint32, migrations map[uint32]migration) (*Store, error) {
	if options.Now == nil {
		options.Now = time.Now
	}
	if options.Entropy == nil {
		options.Entropy = rand.Reader
	}
	if options.LockTimeout <= 0 {
		options.LockTimeout = DefaultLockTimeout
	}
	s := &Store{path: options.Path, now: options.Now, entropy: options.Entropy, options: options}
	_, err := os.Stat(options.Path)
	isNew := errors.Is(err, fs.ErrNotExist)
	if err := s.openFile(); err != nil {
		return nil, err
	}
	if err := guard(func() error { return s.prepare(format, migrations) }); err != nil {
		s.abandon()
		return nil, err
	}
	if options.ReadOnly {
		return s, nil
	}
	if isNew && !options.NoSync {
		if err := syncDirectory(filepath.Dir(options.Path)); err != nil {
			s.abandon()
			return nil, err
		}
	}
	if err := writeHolder(options.Path, options.Holder); err != nil {
		s.abandon()
		return nil, err
	}
	return s, nil
}

// openFile has bbolt open, lock and map the file.
func (s *Store) openFile() error {
	options := &bbolt.Options{
		Timeout:      s.options.LockTimeout,
		ReadOnly:     s.options.ReadOnly,
		NoSync:       s.options.NoSync,
		FreelistType: bbolt.FreelistMapType,
		NoStatistics: true, // they are behind a lock that all readers take
		OpenFile: func(name string, flag int, mode os.FileMode) (*os.File, error) {
			file, err := os.OpenFile(name, flag, mode)
			s.file = file
			return file, err
		},
	}
	if strconv.IntSize == 64 {
		options.InitialMmapSize = initialMap
	}
	err := guard(func() (err error) {
		s.db, err = bbolt.Open(s.path, fileMode, options)
		return err
	})
	if err == nil {
		s.db.AllocSize = growthStep
		return nil
	}
	var fault *faultError
	if errors.As(err, &fault) {
		s.letGo()
	}
	switch {
	case errors.Is(err, berrors.ErrTimeout):
		return fmt.Errorf("%w by %s", ErrLocked, readHolder(s.path))
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrPermission), s.file == nil:
		return err
	}
	return diagnose(s.path, err)
}

// prepare checks what bbolt did not, then makes, migrates or accepts the
// database.
func (s *Store) prepare(format uint32, migrations map[uint32]migration) error {
	if err := checkFile(s.file); err != nil {
		return err
	}
	found, err := s.readFormat()
	switch {
	case err != nil:
		return err
	case found == 0 && s.options.ReadOnly:
		return fmt.Errorf("%w: it is empty", ErrNotDatabase)
	case found == 0:
		return s.db.Update(func(root *bbolt.Tx) error { return s.create(root, format) })
	case found > format:
		return fmt.Errorf("%w: it has format %d, this program knows up to %d", ErrNewerFormat, found, format)
	case found < format:
		return s.migrate(found, format, migrations)
	}
	return nil
}

// create writes the top buckets of a new database.
func (s *Store) create(root *bbolt.Tx, format uint32) error {
	for _, name := range [][]byte{topMeta, topNames, topTokens, topWorkspaces} {
		if _, err := root.CreateBucket(name); err != nil {
			return err
		}
	}
	meta := root.Bucket(topMeta)
	if err := writeFormat(meta, format); err != nil {
		return err
	}
	value, err := encodeRecord(keyCreated, s.clock())
	if err != nil {
		return err
	}
	return meta.Put(keyCreated, value)
}

// clock returns the time as it is stored: in UTC and whole milliseconds.
func (s *Store) clock() time.Time {
	return s.now().UTC().Truncate(time.Millisecond)
}

// Path returns the name of the database file.
func (s *Store) Path() string { return s.path }

// Close commits what is under way, waits for readers to end and closes the
// file. A second Close does nothing.
func (s *Store) Close() error {
	s.writing.Lock()
	defer s.writing.Unlock()
	if s.closed {
		return nil
	}
	s.closed = true
	if s.group != nil {
		s.commit()
	}
	if s.broken != nil {
		return s.letGo()
	}
	if !s.options.ReadOnly {
		removeHolder(s.path)
	}
	if err := guard(s.db.Close); err != nil {
		return fmt.Errorf("close store %q: %w", s.path, err)
	}
	return nil
}

// abandon closes a database that could not be opened for good.
func (s *Store) abandon() {
	s.closed = true
	if guard(s.db.Close) != nil {
		s.letGo()
	}
}

// letGo unlocks and closes the file where bbolt cannot be asked to: after a
// panic it may hold its own locks for ever. The file stays mapped.
func (s *Store) letGo() error {
	return errors.Join(unlock(s.file), s.file.Close())
}

// syncDirectory makes the name of a new file as durable as its content.
func syncDirectory(name string) error {
	directory, err := os.Open(name)
	if err != nil {
		return err
	}
	defer directory.Close()
	return directory.Sync()
}
