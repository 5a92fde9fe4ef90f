package vector

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"
	"unsafe"
)

// The bytes of a graph, little-endian
//
//	 0  8   magic
//	 8  4   format number
//	12  4   dimension
//	16  8   rows
//	24  32  SHA-256 of the quantized rows that it was built over
//	56  8   length of the twins
//	64      twins: for each first row, ascending, its number, how many copies it
//	        has and their numbers, all as uvarints
//	        the stream (stream.go)
//	-32 32  SHA-256 of all bytes before
//
// Format 1 is the first. A change that a reader of format 1 would misread gets
// the next number; a graph of another number is refused and built again.

const (
	graphMagic   = "WAYGRAPH"
	graphFormat  = 1
	headerLength = 64
)

// encode returns the bytes of the built graph.
func (b *builder) encode() []byte {
	var copies []byte
	for _, first := range b.twins.firsts() {
		rows := b.twins.copies[first]
		copies = binary.AppendUvarint(copies, uint64(first))
		copies = binary.AppendUvarint(copies, uint64(len(rows)))
		for _, row := range rows {
			copies = binary.AppendUvarint(copies, uint64(row))
		}
	}
	out := []byte(graphMagic)
	out = binary.LittleEndian.AppendUint32(out, graphFormat)
	out = binary.LittleEndian.AppendUint32(out, uint32(b.codes.Dim))
	out = binary.LittleEndian.AppendUint64(out, uint64(b.codes.Len()))
	out = append(out, b.codes.fingerprint()...)
	out = binary.LittleEndian.AppendUint64(out, uint64(len(copies)))
	out = append(out, copies...)
	out = b.appendStream(out)
	sum := sha256.Sum256(out)
	return append(out, sum[:]...)
}

// graphParts is what the bytes of a graph hold.
type graphParts struct {
	twins  twins
	pivots []uint32
	stream []byte
}

// decodeGraph takes the bytes of a graph over the rows of a scan apart and
// checks every part.
func decodeGraph(data []byte, scan *Scan) (graphParts, error) {
	var none graphParts
	if len(data) < headerLength+sha256.Size || string(data[:8]) != graphMagic {
		return none, fmt.Errorf("%d bytes without its header: %w", len(data), ErrGraphFormat)
	}
	if format := binary.LittleEndian.Uint32(data[8:]); format != graphFormat {
		return none, fmt.Errorf("format %d, want %d: %w", format, graphFormat, ErrGraphFormat)
	}
	body := data[:len(data)-sha256.Size]
	if sum := sha256.Sum256(body); !slices.Equal(sum[:], data[len(body):]) {
		return none, fmt.Errorf("checksum differs: %w", ErrGraphCorrupt)
	}
	dimension, rows := binary.LittleEndian.Uint32(data[12:]), binary.LittleEndian.Uint64(data[16:])
	if int(dimension) != scan.Dimension() || rows != uint64(scan.Len()) {
		return none, fmt.Errorf("graph of %d rows of %d, matrix of %d rows of %d: %w", rows, dimension, scan.Len(), scan.Dimension(), ErrGraphMismatch)
	}
	if !slices.Equal(data[24:56], scan.codes.fingerprint()) {
		return none, fmt.Errorf("rows have other values: %w", ErrGraphMismatch)
	}
	length := binary.LittleEndian.Uint64(data[56:])
	body = body[headerLength:]
	if length > uint64(len(body)) {
		return none, fmt.Errorf("twins of %d bytes: %w", length, ErrGraphCorrupt)
	}
	copies, err := decodeTwins(body[:length], scan)
	if err != nil {
		return none, err
	}
	parts := graphParts{twins: copies, stream: body[length:]}
	parts.pivots, err = checkStream(parts.stream, scan.Len(), copies)
	return parts, err
}

// decodeTwins reads the twins and checks that each copy equals its first row.
func decodeTwins(data []byte, scan *Scan) (twins, error) {
	var t twins
	number := func() uint64 {
		n, size := binary.Uvarint(data)
		if size <= 0 {
			data = nil
			return uint64(scan.Len())
		}
		data = data[size:]
		return n
	}
	for len(data) > 0 {
		first, count := number(), number()
		if first >= uint64(scan.Len()) || count >= uint64(scan.Len()) || t.isCopy(uint32(first)) {
			return t, fmt.Errorf("row %d with %d copies: %w", first, count, ErrGraphCorrupt)
		}
		rows := make([]uint32, count)
		previous := first
		for i := range rows {
			row := number()
			if row <= previous || row >= uint64(scan.Len()) || t.isCopy(uint32(row)) ||
				!slices.Equal(scan.row(uint32(first)), scan.row(uint32(row))) {
				return t, fmt.Errorf("row %d is no copy of %d: %w", row, first, ErrGraphCorrupt)
			}
			rows[i], previous = uint32(row), row
		}
		t.add(uint32(first), rows)
	}
	return t, nil
}

// fingerprint returns the SHA-256 of the dimension, codes, scales and errors.
// Rows with equal codes, scales and errors are the same as far as a graph goes.
func (z *Quantized) fingerprint() []byte {
	hash := sha256.New()
	fixed := binary.LittleEndian.AppendUint32(nil, uint32(z.Dim))
	hash.Write(fixed)
	if len(z.Codes) > 0 {
		hash.Write(unsafe.Slice((*byte)(unsafe.Pointer(&z.Codes[0])), len(z.Codes)))
	}
	for _, list := range [][]float32{z.Scale, z.Error} {
		// A hash takes any value and returns no error.
		_ = binary.Write(hash, binary.LittleEndian, list)
	}
	return hash.Sum(nil)
}
