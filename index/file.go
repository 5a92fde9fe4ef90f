package index

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"runtime"
	"slices"
	"unsafe"

	"github.com/fxamacker/cbor/v2"
	"golang.org/x/sys/unix"
)

// A segment file is
//
//	16 bytes   magic
//	 4 bytes   length of the header, little endian
//	 4 bytes   CRC-32C of the header
//	header     CBOR: what the segment was made with, and the table of sections
//	sections   each at a multiple of 64 bytes, with its own CRC-32C in the table
//
// Numbers in sections are little endian, as the machines we run on keep them, so
// a mapped section is used in place. Rules, documents and passages are CBOR and
// are decoded when the file is opened.
//
// Format 1: the first.
const segmentMagic = "WAYMARK SEGMENT\n"

const segmentFormat = 1

// errDamaged is returned when a segment file cannot be what was written. The
// manager then rebuilds the workspace from the store.
var errDamaged = errors.New("damaged index file")

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

type segmentHeader struct {
	Format    int           `cbor:"1,keyasint"`
	Origin    string        `cbor:"2,keyasint"` // see Manager.origin
	Dimension int           `cbor:"3,keyasint"`
	Sections  []fileSection `cbor:"4,keyasint"`
}

type fileSection struct {
	Name   string `cbor:"1,keyasint"`
	Offset uint64 `cbor:"2,keyasint"`
	Length uint64 `cbor:"3,keyasint"`
	CRC    uint32 `cbor:"4,keyasint"`
}

// number is what a section of numbers may hold.
type number interface {
	~uint8 | ~int8 | ~uint32 | ~float32 | ~uint64
}

func bytesOf[T number](s []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), len(s)*int(unsafe.Sizeof(*new(T))))
}

// numbersOf views bytes as numbers; sections are aligned, so this is in place.
func numbersOf[T number](b []byte) ([]T, error) {
	size := int(unsafe.Sizeof(*new(T)))
	if len(b)%size != 0 {
		return nil, fmt.Errorf("%w: a section of %d bytes does not hold whole numbers of %d", errDamaged, len(b), size)
	}
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/size), nil
}

// encode writes a segment as a file holds it.
func (s *segment) encode(origin string) ([]byte, error) {
	var body []byte
	header := segmentHeader{Format: segmentFormat, Origin: origin, Dimension: s.codes.Dim}
	put := func(name string, b []byte) {
		for len(body)%64 != 0 {
			body = append(body, 0)
		}
		header.Sections = append(header.Sections, fileSection{name, uint64(len(body)), uint64(len(b)), crc32.Checksum(b, castagnoli)})
		body = append(body, b...)
	}
	for _, c := range s.columns() {
		put(c.name, c.bytes())
	}
	for _, r := range []struct {
		name   string
		values any
	}{{"rules", s.rules}, {"documents", s.documents}, {"passages", s.passages}} {
		b, err := cbor.Marshal(r.values)
		if err != nil {
			return nil, fmt.Errorf("encode %s: %w", r.name, err)
		}
		put(r.name, b)
	}
	head, err := cbor.Marshal(header)
	if err != nil {
		return nil, fmt.Errorf("encode a segment's header: %w", err)
	}
	file := append([]byte(segmentMagic), 0, 0, 0, 0, 0, 0, 0, 0)
	binary.LittleEndian.PutUint32(file[16:], uint32(len(head)))
	binary.LittleEndian.PutUint32(file[20:], crc32.Checksum(head, castagnoli))
	file = append(file, head...)
	for len(file)%64 != 0 {
		file = append(file, 0)
	}
	return append(file, body...), nil
}

// column binds the name of a section to a slice of the segment.
type column struct {
	name  string
	bytes func() []byte
	take  func([]byte) error
}

func columnOf[T number, S ~[]T](name string, s *S) column {
	return column{name, func() []byte { return bytesOf(*s) }, func(b []byte) error {
		v, err := numbersOf[T](b)
		*s = v
		return err
	}}
}

func (s *segment) columns() []column {
	return []column{
		columnOf("row.item", &s.rowItem), columnOf("item.row", &s.itemRow), columnOf("row.lengths", &s.lengths),
		columnOf("forward.start", &s.forwardStart), columnOf("forward.term", &s.forwardTerm), columnOf("forward.freq", &s.forwardFreq),
		columnOf("term.start", &s.termStart), columnOf("term.bytes", &s.termBytes),
		columnOf("post.start", &s.postStart), columnOf("post.row", &s.postRow), columnOf("post.freq", &s.postFreq),
		columnOf("vector.has", &s.hasVector), columnOf("vector.rows", &s.vectors),
		columnOf("code.rows", &s.codes.Codes), columnOf("code.scale", &s.codes.Scale), columnOf("code.error", &s.codes.Error),
		columnOf("bank.cosine", &s.bankCosine), columnOf("bank.row", &s.bankRow),
	}
}

// decodeSegment reads a file that encode wrote. The segment refers to the bytes.
func decodeSegment(file []byte, origin string) (*segment, error) {
	if len(file) < 24 || string(file[:16]) != segmentMagic {
		return nil, fmt.Errorf("%w: it does not begin like a segment", errDamaged)
	}
	size := uint64(binary.LittleEndian.Uint32(file[16:]))
	if 24+size > uint64(len(file)) || crc32.Checksum(file[24:24+size], castagnoli) != binary.LittleEndian.Uint32(file[20:]) {
		return nil, fmt.Errorf("%w: its header fails the checksum", errDamaged)
	}
	var header segmentHeader
	if err := cbor.Unmarshal(file[24:24+size], &header); err != nil {
		return nil, fmt.Errorf("%w: its header: %w", errDamaged, err)
	}
	if header.Format != segmentFormat || header.Origin != origin {
		return nil, fmt.Errorf("%w: it was made by another version or model", errDamaged)
	}
	body := file[min((24+size+63)&^63, uint64(len(file))):]
	sections := map[string][]byte{}
	for _, c := range header.Sections {
		if c.Offset > uint64(len(body)) || c.Length > uint64(len(body))-c.Offset {
			return nil, fmt.Errorf("%w: section %s lies outside the file", errDamaged, c.Name)
		}
		b := body[c.Offset : c.Offset+c.Length]
		if crc32.Checksum(b, castagnoli) != c.CRC {
			return nil, fmt.Errorf("%w: section %s fails the checksum", errDamaged, c.Name)
		}
		sections[c.Name] = b
	}
	s := &segment{}
	s.codes.Dim = header.Dimension
	for _, c := range s.columns() {
		if err := c.take(sections[c.name]); err != nil {
			return nil, err
		}
	}
	for _, r := range []struct {
		name   string
		values any
	}{{"rules", &s.rules}, {"documents", &s.documents}, {"passages", &s.passages}} {
		if err := cbor.Unmarshal(sections[r.name], r.values); err != nil {
			return nil, fmt.Errorf("%w: section %s: %w", errDamaged, r.name, err)
		}
	}
	if err := s.validate(); err != nil {
		return nil, err
	}
	s.prepare()
	return s, nil
}

// validate checks that the parts of a decoded segment fit together, so that no
// number in it leads outside a slice.
func (s *segment) validate() error {
	rows, dim := len(s.rowItem), s.codes.Dim
	bad := func(what string) error { return fmt.Errorf("%w: %s", errDamaged, what) }
	switch {
	case len(s.itemRow) == 0 || len(s.termStart) == 0:
		return bad("a list of starts is empty")
	case len(s.rules)+len(s.documents) != s.items() || len(s.rules) > 0 && len(s.documents) > 0:
		return bad("the items do not fit")
	case len(s.lengths) != rows*int(NumFields) || len(s.passages) != rows || len(s.hasVector) != (rows+63)/64 ||
		len(s.vectors) != rows*dim || len(s.codes.Codes) != rows*dim || len(s.codes.Scale) != rows || len(s.codes.Error) != rows:
		return bad("the columns have different lengths")
	case len(s.forwardFreq) != len(s.forwardTerm) || len(s.postFreq) != len(s.postRow) || len(s.bankCosine) != len(s.bankRow):
		return bad("pairs of columns have different lengths")
	case !starts(s.itemRow, s.items(), rows) || !starts(s.forwardStart, rows, len(s.forwardTerm)) ||
		!starts(s.termStart, s.terms(), len(s.termBytes)) || !starts(s.postStart, s.terms(), len(s.postRow)):
		return bad("a list of starts does not fit")
	case !below(s.rowItem, s.items()) || !below(s.forwardTerm, s.terms()) || !below(s.postRow, rows):
		return bad("a number is out of range")
	}
	return nil
}

// starts reports whether a list holds n+1 ascending places that end at end.
func starts(list []uint32, n, end int) bool {
	return len(list) == n+1 && list[0] == 0 && int(list[n]) == end && slices.IsSorted(list)
}

func below(list []uint32, limit int) bool {
	return !slices.ContainsFunc(list, func(x uint32) bool { return int(x) >= limit })
}

// openSegment maps a segment file. The mapping ends when the segment is no
// longer reachable.
func openSegment(path, origin string) (*segment, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errDamaged, err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || info.Size() < 24 {
		return nil, fmt.Errorf("%w: %q is too short", errDamaged, path)
	}
	mapped, err := unix.Mmap(int(f.Fd()), 0, int(info.Size()), unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		return nil, fmt.Errorf("map %q: %w", path, err)
	}
	s, err := decodeSegment(mapped, origin)
	if err != nil {
		_ = unix.Munmap(mapped) // nothing refers to it
		return nil, fmt.Errorf("%q: %w", path, err)
	}
	runtime.AddCleanup(s, func(b []byte) { _ = unix.Munmap(b) }, mapped)
	return s, nil
}
