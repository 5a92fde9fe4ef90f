package vector

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
)

// The graph as a stream
//
// The stream is what coder/hnsw v0.6.1 exports and imports. Whole numbers are
// zigzag varints, floats little-endian:
//
//	version 1, M, Ml (float64), EfSearch, length and bytes of the distance's name,
//	number of layers, then each layer, the lowest first:
//	  number of nodes, then each node:
//	    key, length 1 of its value, the value (one float32),
//	    number of neighbors, the key of each
//
// coder/hnsw starts a search at any node of the top layer and goes down at the
// best node of each layer. It would take a thousand slow steps to find the best
// of a thousand pivots, so a walk finds it beforehand (graph.go), and the upper
// layers are a way of two steps to any pivot, which the walk's scores point out:
//
//	layer 0  all rows that are no copies, with their neighbors
//	layer 1  the pivots. Pivot i below the fan-out f is the head of the pivots
//	         i+f, i+2f, …, which are its neighbors and have none
//	layer 2  the heads. The first one, the hub, has the others as neighbors
//	layer 3  the hub alone
//
// A node's key is its row number. So is its value, since coder/hnsw hands a
// distance function values and no keys: the row number as the bits of a
// float32. In the layers above 0 the value has the signpost bit as well, which
// tells a walk that the node shows the way and is not to be counted as a hit,
// for it comes again in layer 0.

const (
	streamVersion  = 1
	streamLayers   = 4
	streamDistance = "cosine" // any name that coder/hnsw knows; each walk brings its own distance
	streamMl       = 0.25     // coder/hnsw's default; only its Add reads it
	streamEfSearch = 20       // likewise; each walk sets its own

	// signpost is above every row number, and with it the bits of a value stay
	// below those of infinity.
	signpost = 1 << 30
)

// nodeValue returns the value of a row's node.
func nodeValue(row uint32, layer int) float32 {
	if layer > 0 {
		row |= signpost
	}
	return math.Float32frombits(row)
}

// nodeRow undoes nodeValue; counts reports whether the node can be a hit.
func nodeRow(value float32) (row uint32, counts bool) {
	bits := math.Float32bits(value)
	return bits &^ signpost, bits&signpost == 0
}

// appendStream appends the stream of the built graph.
func (b *builder) appendStream(out []byte) []byte {
	out = appendNumber(out, streamVersion)
	out = appendNumber(out, 2*b.Links)
	out = binary.LittleEndian.AppendUint64(out, math.Float64bits(streamMl))
	out = appendNumber(out, streamEfSearch)
	out = appendNumber(out, len(streamDistance))
	out = append(out, streamDistance...)
	out = appendNumber(out, streamLayers)
	out = appendNumber(out, len(b.order))
	for _, row := range b.order {
		out = appendNode(out, row, 0, b.neighbors(row), b.extra[row])
	}
	return appendUpperLayers(out, b.pivots())
}

// appendUpperLayers appends layers 1 to 3 of the graph with these pivots.
func appendUpperLayers(out []byte, pivots []uint32) []byte {
	heads := pivots[:fanOut(len(pivots))]
	out = appendNumber(out, len(pivots))
	for i, row := range pivots {
		var followers []uint32
		if i < len(heads) {
			for j := i + len(heads); j < len(pivots); j += len(heads) {
				followers = append(followers, pivots[j])
			}
		}
		out = appendNode(out, row, 1, followers)
	}
	out = appendNumber(out, len(heads))
	out = appendNode(out, heads[0], 2, heads[1:])
	for _, row := range heads[1:] {
		out = appendNode(out, row, 2)
	}
	out = appendNumber(out, 1)
	return appendNode(out, heads[0], 3)
}

// appendNode appends a node whose neighbors are in the lists.
func appendNode(out []byte, row uint32, layer int, lists ...[]uint32) []byte {
	out = appendNumber(out, int(row))
	out = appendNumber(out, 1)
	out = binary.LittleEndian.AppendUint32(out, math.Float32bits(nodeValue(row, layer)))
	neighbors := slices.Concat(lists...)
	out = appendNumber(out, len(neighbors))
	for _, neighbor := range neighbors {
		out = appendNumber(out, int(neighbor))
	}
	return out
}

func appendNumber(out []byte, n int) []byte { return binary.AppendVarint(out, int64(n)) }

// fanOut returns the number of heads of so many pivots: the square root.
func fanOut(pivots int) int { return int(math.Ceil(math.Sqrt(float64(pivots)))) }

// checkStream returns the pivots, or ErrGraphCorrupt unless the stream
// describes a graph of the layout above in which exactly the rows of the matrix
// that are no copies are nodes. coder/hnsw would crash on a neighbor that is
// missing, and reserve memory for any number of nodes that it is told.
func checkStream(stream []byte, rows int, copies twins) (pivots []uint32, err error) {
	in := streamReader{rest: stream}
	in.expect(streamVersion, "version")
	in.number(2, 2*maxLinks, "M")
	in.bytes(8)
	in.number(1, MaxRows, "EfSearch")
	in.expect(len(streamDistance), "length of a name")
	if name := in.bytes(len(streamDistance)); string(name) != streamDistance {
		in.fail("distance %q", name)
	}
	in.expect(streamLayers, "layers")

	// Every row that is no copy is one node of layer 0.
	nodes := rows - len(copies.first)
	in.expect(nodes, "nodes of layer 0")
	met := make([]bool, rows)
	for range nodes {
		row := in.node(rows, 0)
		if in.err != nil {
			return nil, in.err
		}
		if met[row] || copies.isCopy(row) {
			in.fail("row %d again", row)
		}
		met[row] = true
		for range in.number(0, rows, "number of neighbors") {
			neighbor := in.number(0, rows-1, "neighbor")
			if in.err != nil {
				return nil, in.err
			}
			if copies.isCopy(uint32(neighbor)) {
				in.fail("neighbor %d is a copy", neighbor)
			}
		}
	}

	// The pivots are any of them; all else in the upper layers follows.
	upper := in.rest
	for range in.number(1, nodes, "nodes of layer 1") {
		row := in.node(rows, 1)
		for range in.number(0, rows, "number of followers") {
			in.number(0, rows-1, "follower")
		}
		if in.err != nil {
			return nil, in.err
		}
		if !met[row] {
			in.fail("pivot %d is a copy or comes again", row)
		}
		met[row] = false
		pivots = append(pivots, row)
	}
	if in.err == nil && !slices.Equal(upper, appendUpperLayers(nil, pivots)) {
		in.fail("upper layers do not follow from the pivots")
	}
	return pivots, in.err
}

// streamReader reads a stream. After the first error, which stays, it reads
// nothing but zeros.
type streamReader struct {
	rest []byte
	err  error
}

// fail records an error.
func (in *streamReader) fail(format string, args ...any) {
	if in.err == nil {
		in.err = fmt.Errorf("%w: %s", ErrGraphCorrupt, fmt.Sprintf(format, args...))
		in.rest = nil
	}
}

// bytes reads that many bytes.
func (in *streamReader) bytes(count int) []byte {
	if len(in.rest) < count {
		in.fail("ends early")
		return make([]byte, count)
	}
	taken := in.rest[:count]
	in.rest = in.rest[count:]
	return taken
}

// number reads a number from lo to hi; 0 after an error.
func (in *streamReader) number(lo, hi int, what string) int {
	n, size := binary.Varint(in.rest)
	if size <= 0 || n < int64(lo) || n > int64(hi) {
		in.fail("%s is %d, want %d to %d", what, n, lo, hi)
		return 0
	}
	in.rest = in.rest[size:]
	return int(n)
}

// expect reads a number that must be the given one.
func (in *streamReader) expect(want int, what string) { in.number(want, want, what) }

// node reads the key and value of a node and returns its row.
func (in *streamReader) node(rows, layer int) uint32 {
	row := uint32(in.number(0, rows-1, "key"))
	in.expect(1, "length of a value")
	if value := binary.LittleEndian.Uint32(in.bytes(4)); value != math.Float32bits(nodeValue(row, layer)) {
		in.fail("row %d of layer %d has the value %#x", row, layer, value)
	}
	return row
}
