package vector

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand"
	"slices"
	"testing"

	"github.com/coder/hnsw"
)

// smallGraph returns a scan with twins among its rows and the bytes of a graph over it.
func smallGraph(t testing.TB) (*Scan, []byte) {
	r := rand.New(rand.NewSource(1))
	rows := newMixture(r, 5, 16, .4).draw(r, 60)
	// 40 is a copy of 3, 20 and 55 of 7, and 21 to 29 of 8 to 16.
	copy(rows[40*16:41*16], rows[3*16:])
	copy(rows[20*16:30*16], rows[7*16:])
	copy(rows[55*16:56*16], rows[7*16:])
	scan := mustScan(t, rows, 16)
	return scan, mustBuild(t, scan, BuildOptions{Links: 3, Pivots: 9})
}

// resum replaces the checksum by the right one.
func resum(data []byte) []byte {
	body := data[:max(0, len(data)-sha256.Size)]
	sum := sha256.Sum256(body)
	return append(bytes.Clone(body), sum[:]...)
}

// isGraphError reports whether err is one that OpenGraph documents.
func isGraphError(err error) bool {
	return errors.Is(err, ErrGraphFormat) || errors.Is(err, ErrGraphCorrupt) || errors.Is(err, ErrGraphMismatch)
}

func TestOpenGraphRefusesDamage(t *testing.T) {
	scan, data := smallGraph(t)
	if _, err := OpenGraph(data, scan); err != nil {
		t.Fatal(err)
	}
	for length := range len(data) {
		if _, err := OpenGraph(data[:length], scan); !isGraphError(err) {
			t.Fatalf("OpenGraph of the first %d bytes = %v", length, err)
		}
	}
	if _, err := OpenGraph(append(bytes.Clone(data), 0), scan); !isGraphError(err) {
		t.Errorf("OpenGraph with a byte too many = %v", err)
	}
	for i := range data {
		for _, flip := range []byte{1, 0x80, 0xff} {
			damaged := bytes.Clone(data)
			damaged[i] ^= flip
			if _, err := OpenGraph(damaged, scan); !isGraphError(err) {
				t.Fatalf("OpenGraph with byte %d changed by %#x = %v", i, flip, err)
			}
		}
	}
}

// With a checksum made to fit, a change is either refused or leaves a graph that
// can be walked: other links are not as good, but they are links.
func TestOpenGraphSurvivesForgery(t *testing.T) {
	scan, data := smallGraph(t)
	q := mustQuery(t, scan.row(3))
	accepted := 0
	try := func(forged []byte, what string) {
		g, err := OpenGraph(resum(forged), scan)
		if err != nil {
			if !isGraphError(err) {
				t.Fatalf("%s: %v", what, err)
			}
			return
		}
		accepted++
		if _, _, err := g.walk(q, 10, 60, nil); err != nil {
			t.Fatalf("%s: accepted, but %v", what, err)
		}
	}
	for i := range len(data) - sha256.Size {
		for _, flip := range []byte{1, 2, 0x80, 0xff} {
			forged := bytes.Clone(data)
			forged[i] ^= flip
			try(forged, fmt.Sprintf("byte %d changed by %#x", i, flip))
		}
		try(data[:i+sha256.Size], fmt.Sprintf("cut to %d bytes", i))
	}
	if accepted == 0 {
		t.Error("no forgery was accepted, so the walk was not tried")
	}
}

// builtSmall returns the builder of smallGraph before it encodes.
func builtSmall(t *testing.T) (*Scan, *builder) {
	scan, _ := smallGraph(t)
	options, err := BuildOptions{Links: 3, Pivots: 9}.withDefaults()
	if err != nil {
		t.Fatal(err)
	}
	b := newBuilder(scan, options)
	if err := b.insertAll(t.Context()); err != nil {
		t.Fatal(err)
	}
	return scan, b
}

// Graphs that are wrong in a way no single changed byte makes them.
func TestOpenGraphRefusesWrongGraphs(t *testing.T) {
	for name, spoil := range map[string]func(b *builder){
		"a row twice":                func(b *builder) { b.order[30] = b.order[31] },
		"a copy as a row":            func(b *builder) { b.order[30] = 40 },
		"a link to a copy":           func(b *builder) { b.setNeighbors(b.order[30], []uint32{40}) },
		"a link to no row":           func(b *builder) { b.setNeighbors(b.order[30], []uint32{60}) },
		"too few rows":               func(b *builder) { b.order = b.order[:30] },
		"copies that differ":         func(b *builder) { b.twins.copies[7][0] = 19 },
		"copies out of order":        func(b *builder) { slices.Reverse(b.twins.copies[7]) },
		"a copy twice":               func(b *builder) { c := b.twins.copies[7]; c[1] = c[0] },
		"a copy of itself":           func(b *builder) { b.twins.copies[7][0] = 7 },
		"a copy of two rows":         func(b *builder) { b.twins.copies[7], b.twins.copies[20] = []uint32{55}, []uint32{55} },
		"a copy with copies":         func(b *builder) { b.twins.copies[7], b.twins.copies[20] = []uint32{20}, []uint32{55} },
		"a copy beyond the rows":     func(b *builder) { b.twins.copies[7] = append(b.twins.copies[7], 60) },
		"copies of a row beyond all": func(b *builder) { b.twins.copies[60] = []uint32{61} },
	} {
		scan, b := builtSmall(t)
		spoil(b)
		if _, err := OpenGraph(b.encode(), scan); !errors.Is(err, ErrGraphCorrupt) {
			t.Errorf("OpenGraph of a graph with %s = %v, want %v", name, err, ErrGraphCorrupt)
		}
	}
}

// A graph that leaves out a row as the copy of one that it does not equal.
func TestOpenGraphRefusesFalseTwins(t *testing.T) {
	scan, _ := smallGraph(t)
	options, err := BuildOptions{}.withDefaults()
	if err != nil {
		t.Fatal(err)
	}
	b := newBuilder(scan, options)
	b.twins.add(8, []uint32{19, 21})
	b.order = slices.DeleteFunc(b.order, func(row uint32) bool { return row == 19 })
	if err := b.insertAll(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenGraph(b.encode(), scan); !errors.Is(err, ErrGraphCorrupt) {
		t.Errorf("OpenGraph = %v, want %v", err, ErrGraphCorrupt)
	}
}

func TestCheckStreamRefusesWrongUpperLayers(t *testing.T) {
	scan, b := builtSmall(t)
	stream, pivots := b.appendStream(nil), b.pivots()
	base := stream[:len(stream)-len(appendUpperLayers(nil, pivots))]
	check := func(pivots []uint32, rest ...byte) error {
		_, err := checkStream(append(appendUpperLayers(bytes.Clone(base), pivots), rest...), scan.Len(), b.twins)
		return err
	}
	if err := check(pivots[:4]); err != nil {
		t.Errorf("checkStream with other pivots = %v", err)
	}
	for name, err := range map[string]error{
		"a pivot twice":     check([]uint32{pivots[0], pivots[1], pivots[0]}),
		"a copy as pivot":   check([]uint32{pivots[0], 40}),
		"a byte too many":   check(pivots, 0),
		"no upper layers":   func() error { _, err := checkStream(base, scan.Len(), b.twins); return err }(),
		"nothing":           func() error { _, err := checkStream(nil, scan.Len(), b.twins); return err }(),
		"a pivot not there": check([]uint32{pivots[0], 60}),
	} {
		if !errors.Is(err, ErrGraphCorrupt) {
			t.Errorf("checkStream with %s = %v, want %v", name, err, ErrGraphCorrupt)
		}
	}
}

func TestOpenGraphRefusesOthers(t *testing.T) {
	scan, data := smallGraph(t)
	newer := bytes.Clone(data)
	binary.LittleEndian.PutUint32(newer[8:], graphFormat+1)
	if _, err := OpenGraph(resum(newer), scan); !errors.Is(err, ErrGraphFormat) {
		t.Errorf("OpenGraph of a newer format = %v, want %v", err, ErrGraphFormat)
	}
	if _, err := OpenGraph(nil, scan); !errors.Is(err, ErrGraphFormat) {
		t.Errorf("OpenGraph of nothing = %v, want %v", err, ErrGraphFormat)
	}
	rows := slices.Clone(scan.rows)
	rows[17] += .01
	for name, other := range map[string]*Scan{
		"other values":    mustScan(t, rows, 16),
		"fewer rows":      mustScan(t, rows[:59*16], 16),
		"other dimension": mustScan(t, rows, 8),
		"no rows":         mustScan(t, nil, 16),
	} {
		if _, err := OpenGraph(data, other); !errors.Is(err, ErrGraphMismatch) {
			t.Errorf("OpenGraph over %s = %v, want %v", name, err, ErrGraphMismatch)
		}
	}
}

// The stream is coder/hnsw's own: what it imports, it exports with the same parts.
func TestStreamIsTheLibrarys(t *testing.T) {
	scan, data := smallGraph(t)
	parts, err := decodeGraph(data, scan)
	if err != nil {
		t.Fatal(err)
	}
	graph := hnsw.NewGraph[int]()
	if err := graph.Import(bytes.NewReader(parts.stream)); err != nil {
		t.Fatal(err)
	}
	if got, want := graph.Len(), scan.Len()-len(parts.twins.first); got != want {
		t.Errorf("imported %d nodes, want %d", got, want)
	}
	for row := range uint32(scan.Len()) {
		value, found := graph.Lookup(int(row))
		if found == parts.twins.isCopy(row) {
			t.Errorf("row %d: found %v, copy %v", row, found, parts.twins.isCopy(row))
		}
		if !found {
			continue
		}
		if got, counts := nodeRow(value[0]); got != row || !counts {
			t.Errorf("row %d has the value of %d, counts: %v", row, got, counts)
		}
	}
	var exported bytes.Buffer
	if err := graph.Export(&exported); err != nil {
		t.Fatal(err)
	}
	if exported.Len() != len(parts.stream) {
		t.Errorf("exported %d bytes, imported %d", exported.Len(), len(parts.stream))
	}
}

func FuzzOpenGraph(f *testing.F) {
	scan, data := smallGraph(f)
	f.Add(data)
	f.Add(data[:headerLength+sha256.Size])
	q := mustQuery(f, scan.row(3))
	f.Fuzz(func(t *testing.T, data []byte) {
		g, err := OpenGraph(resum(data), scan)
		if err != nil {
			return
		}
		if _, _, err := g.walk(q, 10, 60, nil); err != nil {
			t.Errorf("accepted, but %v", err)
		}
	})
}
