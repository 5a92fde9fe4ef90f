package store

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"io"

	"github.com/oklog/ulid/v2"
)

// An id that the store gives out is a ULID: 48 bits of milliseconds and 80 more
// bits. The id of a workspace takes those from Options.Entropy. Inside a
// workspace they are 40 bits of version, 24 bits of how many ids the
// transaction had given out, and 16 bits of a hash that tells workspaces apart.
// So an id is unique in its workspace whatever the clock does, ids sort in the
// order in which they were given out while the clock stands still, and no
// workspace can see in its ids what happens in another.

// newWorkspaceID returns an id for a workspace.
func (s *Store) newWorkspaceID() (string, error) {
	id, err := ulid.New(ulid.Timestamp(s.clock()), s.entropy)
	if err != nil {
		return "", fmt.Errorf("make an id: %w", err)
	}
	return id.String(), nil
}

// newID returns an id for a record of the workspace.
func (tx *Tx) newID() (string, error) {
	var tail [10]byte
	binary.BigEndian.PutUint64(tail[:8], tx.version<<24|uint64(tx.ids&(1<<24-1)))
	seed := sha256.Sum256(append([]byte(tx.workspace), tail[:8]...))
	copy(tail[8:], seed[:])
	tx.ids++
	var id ulid.ULID
	if err := id.SetTime(ulid.Timestamp(tx.now)); err != nil {
		return "", fmt.Errorf("make an id: %w", err)
	}
	if err := id.SetEntropy(tail[:]); err != nil {
		return "", fmt.Errorf("make an id: %w", err)
	}
	return id.String(), nil
}

// secret returns 32 random bytes.
func (s *Store) secret() ([]byte, error) {
	random := make([]byte, 32)
	if _, err := io.ReadFull(s.entropy, random); err != nil {
		return nil, fmt.Errorf("read entropy: %w", err)
	}
	return random, nil
}
