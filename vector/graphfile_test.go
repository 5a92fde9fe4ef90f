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
	copy(rows[40*16:50*16], rows[3*16:4*16])
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
