package store

import (
	"bytes"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestRecordsKeepTheirKeys(t *testing.T) {
	// The bytes that format 1 gives these records. They must be readable for
	// ever; a change here is a new format.
	key := []byte("k")
	for _, c := range []struct {
		record any
		want   string
	}{
		{Workspace{ID: "w", Name: "Acme", Created: still()}, "\x01\xac\xc8\x92\xa1\xa3\x01aw\x02dAcme\x03t2026-05-04T12:00:00Z"},
		{RuleHead{ID: "r", TrailID: "t", InForce: 1, Latest: 24}, "\x01\xca\x0e\xdd\x58\xa4\x01ar\x02at\x03\x01\x05\x18\x18"},
		{tokenOwner{"w", "a"}, "\x01\xe1\x54\x21\xe0\xa2\x01aw\x02aa"},
		{logPart{At: still(), Entries: []logEntry{{Bucket: bucketTrails, Key: key, Value: []byte("v")}, {Bucket: bucketAgents, Key: key}}, Last: true},
			"\x01\xf5\xe7\xe4\xe2\xa3\x01t2026-05-04T12:00:00Z\x02\x82\x83\x01AkAv\x83\x06Ak\xf6\x03\xf5"},
	} {
		got, err := encodeRecord(key, c.record)
		if string(got) != c.want || err != nil {
			t.Errorf("encodeRecord(%+v) = %q, %v, want %q", c.record, got, err, c.want)
		}
	}
}

func TestUnsealFindsEveryFlippedBit(t *testing.T) {
	key := []byte("key")
	value := seal(codecBytes, key, []byte("body"))
	for i := range value {
		for bit := range 8 {
			damaged := clone(value)
			damaged[i] ^= 1 << bit
			if body, err := unseal(codecBytes, key, damaged); !errors.Is(err, ErrCorrupt) {
				t.Errorf("unseal() with bit %d of byte %d flipped = %q, %v, want ErrCorrupt", bit, i, body, err)
			}
		}
	}
	if _, err := unseal(codecBytes, []byte("yek"), value); !errors.Is(err, ErrCorrupt) {
		t.Errorf("unseal() under another key = %v, want ErrCorrupt", err)
	}
	for n := range len(value) {
		if _, err := unseal(codecBytes, key, value[:n]); !errors.Is(err, ErrCorrupt) {
			t.Errorf("unseal() of %d bytes = %v, want ErrCorrupt", n, err)
		}
	}
}

func TestFloats(t *testing.T) {
	key := []byte("key")
	for _, vector := range [][]float32{{}, {1}, {-0.5, 3e38, 1e-45}} {
		got, err := decodeFloats(key, encodeFloats(key, vector))
		if diff := cmp.Diff(vector, got); diff != "" || err != nil {
			t.Errorf("decodeFloats(encodeFloats(%v)) = %v, %v", vector, got, err)
		}
	}
	if _, err := decodeFloats(key, seal(codecFloats, key, []byte{1, 2, 3})); !errors.Is(err, ErrCorrupt) {
		t.Errorf("decodeFloats() of 3 bytes = %v, want ErrCorrupt", err)
	}
}

// FuzzDecode feeds any body to every decoder: none may panic, and what is
// decoded must come out the same when it is stored and read again.
func FuzzDecode(f *testing.F) {
	for _, record := range []any{Trail{ID: "t", Name: "n"}, Rule{ID: "r", Tags: []string{"a"}}, RuleHead{ID: "r"}, handbook(), Agent{ID: "a"}, minute("t", 1), logPart{Entries: []logEntry{{Bucket: 1, Key: []byte("k")}}}} {
		value, err := encodeRecord(nil, record)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(value[headerSize:])
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		value := seal(codecCBOR, nil, body)
		decodeAgain[Workspace](t, value)
		decodeAgain[Trail](t, value)
		decodeAgain[Rule](t, value)
		decodeAgain[RuleHead](t, value)
		decodeAgain[RuleEvent](t, value)
		decodeAgain[Document](t, value)
		decodeAgain[[]Passage](t, value)
		decodeAgain[Agent](t, value)
		decodeAgain[Activity](t, value)
		decodeAgain[logPart](t, value)
		if vector, err := decodeFloats(nil, seal(codecFloats, nil, body)); err == nil && !bytes.Equal(encodeFloats(nil, vector)[headerSize:], body) {
			t.Errorf("vector %v does not come out the same", vector)
		}
	})
}

func decodeAgain[T any](t *testing.T, value []byte) {
	t.Helper()
	record, err := decodeRecord[T](nil, value)
	if err != nil {
		return
	}
	first, err := encodeRecord(nil, record)
	if err != nil {
		return
	}
	again, err := decodeRecord[T](nil, first)
	if err != nil {
		t.Errorf("%+v cannot be read again: %v", record, err)
		return
	}
	second, err := encodeRecord(nil, again)
	if err != nil || !bytes.Equal(first, second) {
		t.Errorf("%+v is stored as %q, and then as %q (%v)", record, first, second, err)
	}
}

// FuzzKeys takes keys apart that were put together, and any others without a
// panic.
func FuzzKeys(f *testing.F) {
	f.Add("trail", "rule", 1, []byte("\x00\x05trailrule"))
	f.Add("", "x", 0, []byte{0xff, 0xff})
	f.Fuzz(func(t *testing.T, first, second string, number int, other []byte) {
		number &= 1<<31 - 1
		if len(first) <= MaxPathBytes && second != "" {
			if a, b, ok := splitPair(pairKey('x', first, second)); a != first || b != second || !ok {
				t.Errorf("splitPair(pairKey(%q, %q)) = %q, %q, %v", first, second, a, b, ok)
			}
			if id, n, ok := splitNumbered(numberedKey(first, number)); id != first || n != number || !ok {
				t.Errorf("splitNumbered(numberedKey(%q, %d)) = %q, %d, %v", first, number, id, n, ok)
			}
			if version, part, ok := splitChange(changeKey(uint64(number)<<20, number)); version != uint64(number)<<20 || part != number || !ok {
				t.Errorf("splitChange(changeKey(%d, %d)) = %d, %d, %v", number<<20, number, version, part, ok)
			}
		}
		splitPair(other)
		splitPrefixed(other)
		splitNumbered(other)
		splitChange(other)
		var change Change
		for b := range bucketEnd + 2 {
			if err := change.touch(logEntry{Bucket: b, Key: other}); err != nil && !errors.Is(err, ErrCorrupt) {
				t.Errorf("touch(%s, %q) = %v", b, other, err)
			}
		}
	})
}
