package store

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"go.etcd.io/bbolt"
)

// currentFormat is the format that this release writes.
//
//	1  first format, laid out in keys.go
const currentFormat = 1

// migration turns the database of one format into the next within a
// transaction.
type migration func(root *bbolt.Tx) error

// migrations holds, for each older format, the step to the one after it.
var migrations = map[uint32]migration{}

// readFormat returns the format of the database, 0 when the file is new.
func (s *Store) readFormat() (format uint32, err error) {
	err = s.db.View(func(root *bbolt.Tx) error {
		meta := root.Bucket(topMeta)
		if meta == nil {
			if name, _ := root.Cursor().First(); name != nil {
				return fmt.Errorf("%w: it is a bbolt file of another program", ErrNotDatabase)
			}
			return nil
		}
		body, err := unseal(codecBytes, keyFormat, meta.Get(keyFormat))
		if err != nil {
			return fmt.Errorf("format number: %w", err)
		}
		if len(body) != 4 {
			return corruptf("format number of %d bytes", len(body))
		}
		format = binary.BigEndian.Uint32(body)
		if format == 0 {
			return corruptf("format number 0")
		}
		return nil
	})
	return format, err
}

// writeFormat sets the format number.
func writeFormat(meta *bbolt.Bucket, format uint32) error {
	return meta.Put(keyFormat, seal(codecBytes, keyFormat, binary.BigEndian.AppendUint32(nil, format)))
}

// migrate copies the file aside and takes every step from one format to the
// other in one transaction: either all of them are taken or the file stays as
// it was.
func (s *Store) migrate(from, to uint32, migrations map[uint32]migration) error {
	if s.options.ReadOnly {
		return fmt.Errorf("%w: its format %d must be brought to %d first", ErrReadOnly, from, to)
	}
	if err := s.copyAside(from); err != nil {
		return fmt.Errorf("copy the database of format %d aside: %w", from, err)
	}
	return s.db.Update(func(root *bbolt.Tx) error {
		for format := from; format < to; format++ {
			step, ok := migrations[format]
			if !ok {
				return fmt.Errorf("no way from format %d to %d", format, format+1)
			}
			if err := step(root); err != nil {
				return fmt.Errorf("migrate from format %d to %d: %w", format, format+1, err)
			}
		}
		return writeFormat(root.Bucket(topMeta), to)
	})
}

// copyAside writes a copy of the database beside it, named after its format and
// the time. An earlier copy is never overwritten.
func (s *Store) copyAside(format uint32) error {
	name := fmt.Sprintf("%s.format%d.%s", s.path, format, s.clock().Format("20060102T150405.000Z"))
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, fileMode)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%q is in the way", name)
	}
	if err != nil {
		return err
	}
	err = s.db.View(func(root *bbolt.Tx) error {
		_, err := root.WriteTo(file)
		return err
	})
	err = errors.Join(err, file.Sync(), file.Close())
	if err != nil {
		os.Remove(name)
		return err
	}
	return syncDirectory(filepath.Dir(name))
}
