package search

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
)

// A cursor names a place in one answer: the store version, the day it was
// computed for, the offset, and a checksum that binds them to the workspace, the
// tool and the arguments. It is 28 bytes in URL-safe base64:
//
//	version  8 bytes, big endian
//	day      4 bytes, big endian
//	offset   4 bytes, big endian
//	checksum 12 bytes of SHA-256
type cursor struct {
	version uint64
	day     Day
	offset  int
}

const cursorSize = 28

// cursorScope is what a cursor is bound to. Arguments are those of the query
// without limit, cursor and explain, which may change from page to page.
func cursorScope(workspace, tool string, arguments any) ([]byte, error) {
	text, err := json.Marshal(arguments)
	if err != nil {
		return nil, fmt.Errorf("write the scope of a cursor: %w", err)
	}
	h := sha256.New()
	for _, part := range [][]byte{[]byte(workspace), []byte(tool), text} {
		var size [8]byte
		binary.BigEndian.PutUint64(size[:], uint64(len(part)))
		h.Write(size[:])
		h.Write(part)
	}
	return h.Sum(nil), nil
}

func (c cursor) seal(scope []byte) string {
	b := make([]byte, 16, cursorSize)
	binary.BigEndian.PutUint64(b, c.version)
	binary.BigEndian.PutUint32(b[8:], uint32(c.day))
	binary.BigEndian.PutUint32(b[12:], uint32(c.offset))
	sum := sha256.Sum256(append(append([]byte("waymark cursor"), scope...), b...))
	return base64.RawURLEncoding.EncodeToString(append(b, sum[:12]...))
}

// openCursor reads a cursor and refuses one that is damaged, belongs to other
// arguments, or to a store version that is gone.
func openCursor(text string, scope []byte, version uint64) (cursor, error) {
	b, err := base64.RawURLEncoding.DecodeString(text)
	if err == nil && len(b) == cursorSize {
		c := cursor{binary.BigEndian.Uint64(b), Day(int32(binary.BigEndian.Uint32(b[8:]))), int(binary.BigEndian.Uint32(b[12:]))}
		if c.seal(scope) == text {
			if c.version != version {
				return cursor{}, Errorf(CodeStaleCursor, "Repeat the search without cursor.",
					"The cursor is from store version %d; the store is at version %d now.", c.version, version)
			}
			return c, nil
		}
	}
	return cursor{}, Errorf(CodeInvalidArgument, "Send next_cursor of an answer to the same arguments, or leave cursor out.",
		"The argument \"cursor\" is not a cursor of this search.")
}
