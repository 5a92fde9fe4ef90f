package store

import (
	"encoding/binary"
	"fmt"
	"time"
)

// # Layout of the file, format 1
//
// Numbers in keys are fixed-width and big-endian, so that byte order is number
// order. An id at the end of a key is written as it is; an id before something
// else is led by its length in two bytes (written <id>), so that no id can be
// the beginning of another. A letter in quotes is one byte and tells apart the
// kinds of key that share a bucket.
//
//	meta                          the file as a whole
//	    "format"                  format number, 4 bytes
//	    "created"                 RFC 3339 time
//	names                         folded workspace name → workspace id
//	tokens                        SHA-256 of an agent's token, 32 bytes → owner
//	workspaces
//	    workspace id              one bucket, with all that follows
//	        info
//	            "workspace"       Workspace
//	        trails
//	            trail id          Trail
//	        rules
//	            'h' rule id             RuleHead
//	            't' <trail id> rule id  mark: the rule is in the Trail
//	            's' <old id> rule id    mark: the rule's last approved version
//	                                    supersedes the old rule
//	        versions
//	            <rule id> version, 4 bytes   Rule
//	        history
//	            <rule id> number, 4 bytes    RuleEvent
//	        documents
//	            'd' document id           Document without passages and raw bytes
//	            'f' <path> document id    mark: the document came from the path
//	            'p' document id           its passages
//	            'r' document id           its raw bytes
//	        agents
//	            agent id          Agent
//	        vectors
//	            <model id> SHA-256 of the embedded text, 32 bytes   vector
//	        activity
//	            <trail id> time, 8 bytes, number, 8 bytes           Activity
//	        changes
//	            version, 8 bytes, part, 4 bytes                     logPart
//
// A time in a key counts milliseconds since 1970 with the sign bit flipped, so
// that earlier times come first. Values are described in codec.go.

// The top buckets and the keys of meta and info.
var (
	topMeta       = []byte("meta")
	topNames      = []byte("names")
	topTokens     = []byte("tokens")
	topWorkspaces = []byte("workspaces")

	keyFormat    = []byte("format")
	keyCreated   = []byte("created")
	keyWorkspace = []byte("workspace")
)

// bucket is one bucket of a workspace. The numbers are written to the change
// log and never change.
type bucket uint8

// The buckets of a workspace. Those up to lastLogged are content, and every
// change of them is in the change log.
const (
	bucketTrails bucket = 1 + iota
	bucketRules
	bucketVersions
	bucketHistory
	bucketDocuments
	bucketAgents
	bucketInfo
	bucketVectors
	bucketActivity
	bucketChanges

	bucketEnd
	lastLogged = bucketAgents
)

var bucketNames = [bucketEnd]string{
	bucketTrails:    "trails",
	bucketRules:     "rules",
	bucketVersions:  "versions",
	bucketHistory:   "history",
	bucketDocuments: "documents",
	bucketAgents:    "agents",
	bucketInfo:      "info",
	bucketVectors:   "vectors",
	bucketActivity:  "activity",
	bucketChanges:   "changes",
}

// logged reports whether changes of the bucket go to the change log.
func (b bucket) logged() bool { return b >= bucketTrails && b <= lastLogged }

// String returns the bucket's name in the file.
func (b bucket) String() string {
	if b == 0 || b >= bucketEnd {
		return fmt.Sprintf("bucket %d", uint8(b))
	}
	return bucketNames[b]
}

// The kinds of key in the buckets rules and documents.
const (
	kindRuleHead   = 'h'
	kindTrailRule  = 't'
	kindSupersedes = 's'

	kindDocument = 'd'
	kindPath     = 'f'
	kindPassages = 'p'
	kindRaw      = 'r'
)

// kindKey returns kind followed by id.
func kindKey(kind byte, id string) []byte {
	key := make([]byte, 0, 1+len(id))
	key = append(key, kind)
	return append(key, id...)
}

// pairKey returns kind, <first>, second.
func pairKey(kind byte, first, second string) []byte {
	key := make([]byte, 0, 3+len(first)+len(second))
	key = append(key, kind)
	key = appendPrefixed(key, first)
	return append(key, second...)
}

// numberedKey returns <id> and a number.
func numberedKey(id string, number int) []byte {
	key := make([]byte, 0, 6+len(id))
	key = appendPrefixed(key, id)
	return binary.BigEndian.AppendUint32(key, uint32(number))
}

// prefixKey returns <id>, which all keys that begin with that id share.
func prefixKey(id string) []byte {
	return appendPrefixed(make([]byte, 0, 2+len(id)), id)
}

// vectorKey returns <model> and the hash.
func vectorKey(model string, hash Hash) []byte {
	key := make([]byte, 0, 2+len(model)+len(hash))
	key = appendPrefixed(key, model)
	return append(key, hash[:]...)
}

// activityKey returns <trail>, the time and a number.
func activityKey(trail string, at time.Time, number uint64) []byte {
	key := make([]byte, 0, 18+len(trail))
	key = appendPrefixed(key, trail)
	key = binary.BigEndian.AppendUint64(key, sortableTime(at))
	return binary.BigEndian.AppendUint64(key, number)
}

// timeOfActivity returns the sortable time in a key of activityKey.
func timeOfActivity(key []byte) uint64 {
	return binary.BigEndian.Uint64(key[len(key)-16:])
}

// changeKey returns a version and the number of a part.
func changeKey(version uint64, part int) []byte {
	key := make([]byte, 0, 12)
	key = binary.BigEndian.AppendUint64(key, version)
	return binary.BigEndian.AppendUint32(key, uint32(part))
}

// sortableTime returns a number that orders as the time does.
func sortableTime(at time.Time) uint64 {
	return uint64(at.UnixMilli()) ^ 1<<63
}

// appendPrefixed appends the length of id in two bytes and id. An id that is
// stored is shorter than 64 KB; the key of a longer one is no key of a stored
// one, since it has another length.
func appendPrefixed(key []byte, id string) []byte {
	key = binary.BigEndian.AppendUint16(key, uint16(len(id)))
	return append(key, id...)
}

// splitPrefixed takes <id> off the front of a key.
func splitPrefixed(key []byte) (id string, rest []byte, ok bool) {
	if len(key) < 2 {
		return "", nil, false
	}
	n := int(binary.BigEndian.Uint16(key))
	if len(key) < 2+n {
		return "", nil, false
	}
	return string(key[2 : 2+n]), key[2+n:], true
}

// splitPair takes apart a key of pairKey.
func splitPair(key []byte) (first, second string, ok bool) {
	if len(key) == 0 {
		return "", "", false
	}
	first, rest, ok := splitPrefixed(key[1:])
	return first, string(rest), ok && len(rest) > 0
}

// splitNumbered takes apart a key of numberedKey.
func splitNumbered(key []byte) (id string, number int, ok bool) {
	id, rest, ok := splitPrefixed(key)
	if !ok || len(rest) != 4 {
		return "", 0, false
	}
	return id, int(binary.BigEndian.Uint32(rest)), true
}

// splitChange takes apart a key of changeKey.
func splitChange(key []byte) (version uint64, part int, ok bool) {
	if len(key) != 12 {
		return 0, 0, false
	}
	return binary.BigEndian.Uint64(key), int(binary.BigEndian.Uint32(key[8:])), true
}
