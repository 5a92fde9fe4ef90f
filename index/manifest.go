package index

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/fxamacker/cbor/v2"

	"waymark/store"
)

// # Files of a workspace
//
//	manifest       which segments make up the workspace, and which rows of them
//	               are dead. It takes the place of the one before in one rename,
//	               when all that it names is on disk.
//	<n>.seg        a segment: see format.go
//	<n>.graph      the graph of its vectors: see vector.OpenGraph
//
// The manifest is the magic, the CRC-32C of the rest, and the CBOR of manifest.
// Format 1 is the first; the magic has the number.
const (
	manifestName  = "manifest"
	manifestMagic = "WAYMARK INDEX 1\n"
	segmentSuffix = ".seg"
	graphSuffix   = ".graph"
)

// manifest is one state of the files.
type manifest struct {
	// Version is the version of the store that the files show, and Change tells
	// that version from the one of the same number in another store: in one that
	// was restored from a copy and went another way.
	Version  uint64            `cbor:"1,keyasint"`
	Change   []byte            `cbor:"2,keyasint"`
	Segments []manifestSegment `cbor:"3,keyasint"`
}

// manifestSegment is a segment file with its dead rows, a bit each, the first
// in the lowest bit of the first byte; no bytes for none.
type manifestSegment struct {
	Name string `cbor:"1,keyasint"`
	Dead []byte `cbor:"2,keyasint"`
}

func segmentName(number int64) string { return strconv.FormatInt(number, 10) + segmentSuffix }

func graphName(segment string) string {
	return strings.TrimSuffix(segment, segmentSuffix) + graphSuffix
}

// encode returns the bytes of a manifest.
func (f *manifest) encode() ([]byte, error) {
	body, err := encodeRecord(f)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	out.WriteString(manifestMagic)
	sum := crc32.Checksum(body, castagnoli)
	out.Write([]byte{byte(sum), byte(sum >> 8), byte(sum >> 16), byte(sum >> 24)})
	out.Write(body)
	return out.Bytes(), nil
}

// decodeManifest reads the bytes of a manifest.
func decodeManifest(data []byte) (*manifest, error) {
	rest, ok := bytes.CutPrefix(data, []byte(manifestMagic))
	if !ok || len(rest) < 4 {
		return nil, fmt.Errorf("the manifest does not begin like one: %w", errDamaged)
	}
	body := rest[4:]
	sum := crc32.Checksum(body, castagnoli)
	if !bytes.Equal(rest[:4], []byte{byte(sum), byte(sum >> 8), byte(sum >> 16), byte(sum >> 24)}) {
		return nil, fmt.Errorf("the manifest fails its checksum: %w", errDamaged)
	}
	f := &manifest{}
	if err := cbor.Unmarshal(body, f); err != nil {
		return nil, fmt.Errorf("the manifest: %w: %w", err, errDamaged)
	}
	return f, nil
}

// packRows returns a set of rows as bytes.
func packRows(rows Bitmap) []byte {
	var out []byte
	for _, word := range rows {
		for shift := 0; shift < 64; shift += 8 {
			out = append(out, byte(word>>shift))
		}
	}
	return bytes.TrimRight(out, "\x00")
}

// unpackRows returns the numbers of a set of rows; false when one is not below
// rows.
func unpackRows(packed []byte, rows int) ([]int, bool) {
	var all []int
	for i, b := range packed {
		for bit := range 8 {
			if b>>bit&1 != 0 {
				all = append(all, 8*i+bit)
			}
		}
	}
	return all, len(all) == 0 || all[len(all)-1] < rows
}

// changeDigest tells a version of a workspace from any other of that number; it
// is empty for version 0.
func changeDigest(tx Reader, version uint64) ([]byte, error) {
	if version == 0 {
		return nil, nil
	}
	log, err := tx.Changes(version-1, 1)
	if err != nil {
		return nil, err
	}
	if len(log) == 0 || log[0].Version != version {
		return nil, nil
	}
	record, err := encodeRecord([]any{log[0].At.UnixNano(), log[0].Trails, log[0].Rules, log[0].Documents, log[0].Agents})
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(record)
	return sum[:], nil
}

// load opens the files of a workspace; nil when it has none. The error is
// errDamaged when they cannot be used, or one of the store.
func (m *Manager) load(w *workspace) (*state, error) {
	folder, ok := m.folder(w.id)
	if !ok {
		return nil, nil
	}
	w.file.Store(lastSegment(folder))
	data, err := os.ReadFile(filepath.Join(folder, manifestName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", err, errDamaged)
	}
	f, err := decodeManifest(data)
	if err != nil {
		return nil, err
	}
	trails, err := m.sameStore(w.id, f)
	if err != nil {
		return nil, err
	}
	parts := map[Kind][]*part{}
	defer func() {
		for _, kind := range []Kind{Rules, Documents} {
			for _, p := range parts[kind] {
				m.let(p.segment)
			}
		}
	}()
	for _, file := range f.Segments {
		if file.Name != filepath.Base(file.Name) {
			return nil, fmt.Errorf("the manifest names %q: %w", file.Name, errDamaged)
		}
		s, err := openSegment(filepath.Join(folder, file.Name), m.made)
		if err != nil {
			return nil, err
		}
		p := &part{segment: s, dead: emptyMask(s)}
		parts[s.kind] = append(parts[s.kind], p)
		rows, ok := unpackRows(file.Dead, s.rows)
		if !ok {
			return nil, fmt.Errorf("the dead rows of %q do not fit: %w", file.Name, errDamaged)
		}
		p.dead = p.dead.with(s, rows)
	}
	w.saved = f
	rules, documents := newCollection(Rules, parts[Rules], m.made), newCollection(Documents, parts[Documents], m.made)
	return newState(f.Version, trails, rules, documents, m.unmapFailed), nil
}

// sameStore returns errDamaged unless the store once was what the files show.
// When it still is, it returns the Trails; when it is not, nobody knows their
// names of then, and so every touched one counts as renamed.
func (m *Manager) sameStore(id string, f *manifest) ([]store.Trail, error) {
	var trails []store.Trail
	err := m.view(id, func(tx Reader) error {
		version, err := tx.Version()
		if err != nil {
			return err
		}
		if f.Version > version {
			return fmt.Errorf("the files show version %d, the store has %d: %w", f.Version, version, errDamaged)
		}
		digest, err := changeDigest(tx, f.Version)
		if err != nil {
			return err
		}
		if !bytes.Equal(digest, f.Change) {
			return fmt.Errorf("the files show another version %d than the store had: %w", f.Version, errDamaged)
		}
		if f.Version == version {
			trails, err = tx.Trails()
		}
		return err
	})
	return trails, err
}

// segmentNumber returns the number in the name of a segment's file or graph; 0
// in other names.
func segmentNumber(name string) int64 {
	number, suffix, _ := strings.Cut(name, ".")
	n, err := strconv.ParseInt(number, 10, 32)
	if err != nil || "."+suffix != segmentSuffix && "."+suffix != graphSuffix {
		return 0
	}
	return n
}

// lastSegment returns the highest number of a file in a folder, 0 when there is
// none.
func lastSegment(folder string) int64 {
	// A folder that cannot be read has no segments; writing to it will fail.
	files, _ := os.ReadDir(folder)
	last := int64(0)
	for _, f := range files {
		last = max(last, segmentNumber(f.Name()))
	}
	return last
}

// names returns the files that a manifest needs.
func (f *manifest) names() map[string]bool {
	names := map[string]bool{manifestName: true}
	for _, s := range f.Segments {
		names[s.Name], names[graphName(s.Name)] = true, true
	}
	return names
}
