package index

import (
	"fmt"
	"hash/crc32"
	"slices"
	"unsafe"
)

// # Segment, format 1
//
// A segment is one immutable image of bytes, in memory or in a mapped file:
//
//	header     64 bytes: see header
//	table      for each section its offset, its length in bytes and its CRC-32C
//	sections   in the order below, each at a multiple of 64 bytes
//
// Numbers are as the machine keeps them, so that a section is used in place;
// the magic number tells the byte order, and a machine of the other one builds
// its index anew. Rows and items are in the order of the items' ids, the rows
// of an item side by side in the order of its passages.
//
//	origin          what the segment was made with, as text: see Options.origin
//	groups, terms   the dictionary: see dictionary.go
//	documents       uint32 a term: how many rows hold it
//	postingsAt      uint32 a term: where its postings begin; and their end
//	postings        see postings.go; 8 bytes of nothing at the end
//	frequencies     Frequency each: the table that postings refer to
//	lengths         uint32 a row for each field, field after field
//	forwardAt       uint32 a row: where its list of terms begins; and the end
//	forward         the numbers of each row's terms, ascending, as uvarints of
//	                the gaps: what a dead or masked row subtracts
//	rowItem         uint32 a row: its item
//	itemRow         uint32 an item: its first row; and the number of rows
//	meta            what filters read of the items: see meta.go
//	recordAt        uint64 an item, then a row: where its record begins; and
//	                the end
//	records         the stored records: see record.go
//	hasVector       a bit a row: whether it has a vector
//	vectors         float32, dimension a row; zeros where there is none
//	codes           int8, dimension a row: their int8 codes
//	scales, errors  float32 a row: see vector.Quantized
//	bankCosine      float32 a vector of the bank: the highest cosine of a row
//	bankRow         uint32 a vector of the bank: the first row that has it
//
// Formats: 1 is the first.

const (
	segmentMagic  = 0x5741594d41524b53 // "WAYMARKS", in the byte order of the machine
	segmentFormat = 1
	sectionAlign  = 64
)

// section names a section of a segment.
type section int

const (
	sectionOrigin section = iota
	sectionGroups
	sectionTerms
	sectionDocuments
	sectionPostingsAt
	sectionPostings
	sectionFrequencies
	sectionLengths
	sectionForwardAt
	sectionForward
	sectionRowItem
	sectionItemRow
	sectionMeta
	sectionRecordAt
	sectionRecords
	sectionHasVector
	sectionVectors
	sectionCodes
	sectionScales
	sectionErrors
	sectionBankCosine
	sectionBankRow
	sectionCount
)

// header is the beginning of an image. Its checksum covers itself, without the
// checksum, and the table.
type header struct {
	Magic        uint64
	StoreVersion uint64 // the version of the store that the segment was made from
	Length       uint64 // of the image
	Format       uint32
	Checksum     uint32
	Kind         Kind
	Rows         uint32
	Items        uint32
	Terms        uint32
	Dimension    uint32
	Bank         uint32 // how many vectors the bank has
	_            [8]byte
}

// place is where a section lies in the image.
type place struct {
	Offset   uint64
	Length   uint64
	Checksum uint32
	_        uint32
}

// head is the fixed part of an image.
type head struct {
	header
	Table [sectionCount]place
}

const headSize = int(unsafe.Sizeof(head{}))

// Kind says which collection a segment belongs to.
type Kind uint32

// The two kinds of collections.
const (
	Rules Kind = iota + 1
	Documents
)

// String is "rules" or "documents".
func (k Kind) String() string {
	if k == Rules {
		return "rules"
	}
	return "documents"
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// sum is the checksum of the head.
func (h *head) sum() uint32 {
	blank := *h
	blank.Checksum = 0
	return crc32.Checksum(asBytes(&blank), castagnoli)
}

// asBytes views a head as its bytes.
func asBytes(h *head) []byte { return unsafe.Slice((*byte)(unsafe.Pointer(h)), headSize) }

// readHead reads and checks the fixed part of an image of a length.
func readHead(image []byte, length int64) (*head, error) {
	if len(image) < headSize {
		return nil, fmt.Errorf("%d bytes are no segment: %w", len(image), errDamaged)
	}
	h := &head{}
	copy(asBytes(h), image)
	switch {
	case h.Magic != segmentMagic:
		return nil, fmt.Errorf("it does not begin like a segment: %w", errDamaged)
	case h.Format != segmentFormat:
		return nil, fmt.Errorf("format %d, want %d: %w", h.Format, segmentFormat, errDamaged)
	case h.Checksum != h.sum():
		return nil, fmt.Errorf("its head fails the checksum: %w", errDamaged)
	case h.Length != uint64(length):
		return nil, fmt.Errorf("%d bytes, want %d: %w", length, h.Length, errDamaged)
	case h.Kind != Rules && h.Kind != Documents:
		return nil, fmt.Errorf("kind %d: %w", h.Kind, errDamaged)
	}
	for s, p := range h.Table {
		if p.Offset%sectionAlign != 0 || p.Offset > h.Length || p.Length > h.Length-p.Offset {
			return nil, fmt.Errorf("section %d lies outside: %w", s, errDamaged)
		}
	}
	return h, nil
}

// sizes returns the length that each section with a fixed number of values has;
// −1 for the others.
func (h *head) sizes() [sectionCount]int64 {
	var want [sectionCount]int64
	for s := range want {
		want[s] = -1
	}
	rows, items, terms, values := int64(h.Rows), int64(h.Items), int64(h.Terms), int64(h.Rows)*int64(h.Dimension)
	want[sectionGroups] = 4 * ((terms+groupSize-1)/groupSize + 1)
	want[sectionDocuments] = 4 * terms
	want[sectionPostingsAt] = 4 * (terms + 1)
	want[sectionLengths] = 4 * rows * int64(NumFields)
	want[sectionForwardAt] = 4 * (rows + 1)
	want[sectionRowItem] = 4 * rows
	want[sectionItemRow] = 4 * (items + 1)
	want[sectionRecordAt] = 8 * (items + rows + 1)
	want[sectionHasVector] = 8 * ((rows + 63) / 64)
	want[sectionVectors] = 4 * values
	want[sectionCodes] = values
	want[sectionScales], want[sectionErrors] = 4*rows, 4*rows
	want[sectionBankCosine], want[sectionBankRow] = 4*int64(h.Bank), 4*int64(h.Bank)
	return want
}

// checkSizes returns errDamaged when a section has another length than the
// numbers in the head ask for.
func (h *head) checkSizes() error {
	for s, want := range h.sizes() {
		if got := int64(h.Table[s].Length); want >= 0 && got != want {
			return fmt.Errorf("section %d has %d bytes, want %d: %w", s, got, want, errDamaged)
		}
	}
	if h.Table[sectionFrequencies].Length%uint64(unsafe.Sizeof(Frequency{})) != 0 || h.Table[sectionPostings].Length < packSlack {
		return fmt.Errorf("sections end within a value: %w", errDamaged)
	}
	return nil
}

// startsFit reports whether a list of ascending starts ends at end.
func startsFit[T uint32 | uint64](starts []T, end int) bool {
	return len(starts) > 0 && starts[0] == 0 && uint64(starts[len(starts)-1]) == uint64(end) && slices.IsSorted(starts)
}
