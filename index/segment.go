package index

import (
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"

	"waymark/store"
	"waymark/vector"
)

// segment reads an image: an immutable set of items with everything that is
// derived from them. Its slices lie in the image, so nobody writes to them.
type segment struct {
	kind         Kind
	version      uint64 // of the store
	rows, items  int
	dictionary   dictionary
	documents    []uint32
	postingsAt   []uint32
	postings     []byte
	frequencies  []Frequency
	bodyTimes    []uint32 // of each frequency
	lengths      [NumFields][]uint32
	forwardAt    []uint32
	forward      []byte
	rowItem      []uint32
	itemRow      []uint32
	ruleMeta     []RuleMeta
	documentMeta []DocumentMeta
	windows      []window // of the items that do not count on every day
	recordAt     []uint64 // records: see record.go
	records      []byte
	hasVector    Bitmap
	vectors      []float32
	codes        vector.Quantized
	scan         *vector.Scan // nil without vectors
	holders      []holder
	total        statistics
	image        []byte

	// Records that were asked for, by item. Most are asked for again.
	decodedRules     []atomic.Pointer[ruleRecord]
	decodedDocuments []atomic.Pointer[store.Document]

	name    string                       // of its file; empty in memory
	mapping *mapping                     // of its file; nil in memory
	graph   atomic.Pointer[vector.Graph] // nil: rows are scanned

	graphState atomic.Int32 // a graphState

	// users counts the snapshots and workers that hold the segment. The last
	// one to leave unmaps the file.
	users atomic.Int64
}

// newSegment reads an image. It returns errDamaged when the image is not what
// was written; that its sections have their checksums is checked before. The
// segment has one user.
func newSegment(image []byte, m *making) (*segment, error) {
	h, err := readHead(image, int64(len(image)))
	if err != nil {
		return nil, err
	}
	if err := h.checkSizes(); err != nil {
		return nil, err
	}
	section := func(s section) []byte {
		p := h.Table[s]
		return image[p.Offset : p.Offset+p.Length : p.Offset+p.Length]
	}
	if origin := string(section(sectionOrigin)); origin != m.origin || int(h.Dimension) != m.dimension || int(h.Bank) != len(m.bank) {
		return nil, fmt.Errorf("made with %s, want %s: %w", origin, m.origin, errDamaged)
	}
	s := &segment{kind: h.Kind, version: h.StoreVersion, rows: int(h.Rows), items: int(h.Items), image: image}
	s.dictionary = dictionary{terms: int(h.Terms), groups: numbersOf[uint32](section(sectionGroups)), data: section(sectionTerms)}
	s.documents = numbersOf[uint32](section(sectionDocuments))
	s.postingsAt = numbersOf[uint32](section(sectionPostingsAt))
	s.postings = section(sectionPostings)
	s.frequencies = numbersOf[Frequency](section(sectionFrequencies))
	lengths := numbersOf[uint32](section(sectionLengths))
	for f := range NumFields {
		s.lengths[f] = lengths[int(f)*s.rows : (int(f)+1)*s.rows]
	}
	s.forwardAt = numbersOf[uint32](section(sectionForwardAt))
	s.forward = section(sectionForward)
	s.rowItem = numbersOf[uint32](section(sectionRowItem))
	s.itemRow = numbersOf[uint32](section(sectionItemRow))
	s.recordAt = numbersOf[uint64](section(sectionRecordAt))
	s.records = section(sectionRecords)
	s.hasVector = numbersOf[uint64](section(sectionHasVector))
	s.vectors = numbersOf[float32](section(sectionVectors))
	s.codes = vector.Quantized{
		Dim: m.dimension, Codes: numbersOf[int8](section(sectionCodes)),
		Scale: numbersOf[float32](section(sectionScales)), Error: numbersOf[float32](section(sectionErrors)),
	}
	cosines, rows := numbersOf[float32](section(sectionBankCosine)), numbersOf[uint32](section(sectionBankRow))
	for i := range cosines {
		s.holders = append(s.holders, holder{cosines[i], rows[i]})
	}
	if err := s.check(); err != nil {
		return nil, err
	}
	if err := s.prepare(section(sectionMeta)); err != nil {
		return nil, err
	}
	s.users.Store(1)
	return s, nil
}

// check returns errDamaged unless the lists of starts fit what they point into.
func (s *segment) check() error {
	switch {
	case !startsFit(s.dictionary.groups, len(s.dictionary.data)):
		return fmt.Errorf("the dictionary does not fit: %w", errDamaged)
	case !startsFit(s.postingsAt, len(s.postings)-packSlack):
		return fmt.Errorf("the postings do not fit: %w", errDamaged)
	case !startsFit(s.forwardAt, len(s.forward)):
		return fmt.Errorf("the lists of terms do not fit: %w", errDamaged)
	case !startsFit(s.itemRow, s.rows):
		return fmt.Errorf("the items do not fit their rows: %w", errDamaged)
	case !startsFit(s.recordAt, len(s.records)):
		return fmt.Errorf("the records do not fit: %w", errDamaged)
	}
	for _, item := range s.rowItem {
		if int(item) >= s.items {
			return fmt.Errorf("a row is of item %d of %d: %w", item, s.items, errDamaged)
		}
	}
	return nil
}

// prepare derives what is not in the image.
func (s *segment) prepare(meta []byte) (err error) {
	r := newMetaReader(meta)
	if s.kind == Rules {
		s.ruleMeta, err = r.rules(s.items)
		s.decodedRules = make([]atomic.Pointer[ruleRecord], s.items)
	} else {
		s.documentMeta, err = r.documents(s.items)
		s.decodedDocuments = make([]atomic.Pointer[store.Document], s.items)
	}
	if err != nil {
		return err
	}
	for item := range s.items {
		from, until := NoDay, NoDay
		if s.kind == Rules {
			from, until = s.ruleMeta[item].window()
		} else {
			from, until = s.documentMeta[item].window()
		}
		if from != NoDay || until != NoDay {
			s.windows = append(s.windows, window{item, from, until})
		}
	}
	if s.codes.Dim > 0 {
		if s.scan, err = vector.NewScan(s.vectors, &s.codes); err != nil {
			return fmt.Errorf("%w: %w", err, errDamaged)
		}
	}
	s.bodyTimes = make([]uint32, len(s.frequencies))
	for i := range s.frequencies {
		s.bodyTimes[i] = s.frequencies[i].bodyTimes()
	}
	s.total.rows, s.total.vectors = s.rows, s.hasVector.Count()
	for f := range NumFields {
		for _, length := range s.lengths[f] {
			s.total.add(f, length)
		}
	}
	return nil
}

// openSegment maps a segment file after checking every byte of it.
func openSegment(path string, m *making) (*segment, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", err, errDamaged)
	}
	defer f.Close()
	h, err := checkFile(f)
	if err != nil {
		return nil, fmt.Errorf("segment %q: %w", path, err)
	}
	image, unmap, err := mapFile(f, int64(h.Length))
	if err != nil {
		return nil, fmt.Errorf("segment %q: %w", path, err)
	}
	s, err := newSegment(image, m)
	if err != nil {
		// Nothing refers to the mapping yet.
		_ = unmap()
		return nil, fmt.Errorf("segment %q: %w", path, err)
	}
	s.name = filepath.Base(path)
	s.keepMapped(unmap)
	return s, nil
}

// id returns the id of an item.
func (s *segment) id(item int) string {
	if s.kind == Rules {
		return s.ruleMeta[item].ID
	}
	return s.documentMeta[item].ID
}

// find returns the item with an id, −1 when there is none.
func (s *segment) find(id string) int {
	low, high := 0, s.items
	for low < high {
		middle := int(uint(low+high) >> 1)
		if s.id(middle) < id {
			low = middle + 1
		} else {
			high = middle
		}
	}
	if low < s.items && s.id(low) == id {
		return low
	}
	return -1
}

// vector returns the vector of a row, zeros when it has none.
func (s *segment) vector(row int) []float32 {
	at := row * s.codes.Dim
	return s.vectors[at : at+s.codes.Dim : at+s.codes.Dim]
}

// openPostings begins to read the postings of a term.
func (s *segment) openPostings(p *postings, term int) {
	p.open(s.postings[s.postingsAt[term]:], int(s.documents[term]))
}

// statistics are the numbers that scores depend on, over some rows.
type statistics struct {
	rows    int
	vectors int               // rows that have one
	words   [NumFields]uint64 // lengths added up
	filled  [NumFields]int    // rows in which the field has a length
}

// add counts the length of a field of a row.
func (t *statistics) add(f Field, length uint32) {
	t.words[f] += uint64(length)
	if length > 0 {
		t.filled[f]++
	}
}

// plus adds the statistics of other rows.
func (t *statistics) plus(other *statistics) {
	t.rows += other.rows
	t.vectors += other.vectors
	for f := range NumFields {
		t.words[f] += other.words[f]
		t.filled[f] += other.filled[f]
	}
}
