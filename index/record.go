package index

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"runtime"
	"sync/atomic"

	"github.com/fxamacker/cbor/v2"

	"waymark/store"
)

// The records of a segment are first those of its items, then those of its
// rows.
//
//	rule       CBOR of ruleRecord
//	its rows   nothing, when the rule is one row; else where the row's piece
//	           begins and ends in the text, as two uvarints
//	document   CBOR of store.Document without passages and raw bytes
//	its rows   CBOR of store.Passage
//
// Encoding is deterministic: an item whose records are the bytes that are there
// already did not change.

// ruleRecord is a rule with the name of its Trail, which is part of what is
// searched.
type ruleRecord struct {
	_         struct{} `cbor:",toarray"`
	TrailName string
	Rule      store.Rule
}

var recordMode = mustRecordMode()

func mustRecordMode() cbor.EncMode {
	options := cbor.CoreDetEncOptions()
	options.Time = cbor.TimeRFC3339NanoUTC
	mode, err := options.EncMode()
	if err != nil {
		panic(err)
	}
	return mode
}

// encodeRecord returns the CBOR of a record.
func encodeRecord(record any) ([]byte, error) {
	data, err := recordMode.Marshal(record)
	if err != nil {
		return nil, fmt.Errorf("encode %T: %w", record, err)
	}
	return data, nil
}

// record returns a record of a segment: of item n, or of row n − items.
func (s *segment) record(n int) []byte { return s.records[s.recordAt[n]:s.recordAt[n+1]] }

// decode reads a record. The bytes have passed their checksum and were written
// by the same release, or the segment would not be open, so this cannot fail; a
// record that could not be read all the same stays empty.
func decode[T any](data []byte) *T {
	record := new(T)
	if err := cbor.Unmarshal(data, record); err != nil {
		return new(T)
	}
	return record
}

// rule returns the stored rule of an item.
func (s *segment) rule(item int) *ruleRecord {
	return kept(s, &s.decodedRules[item], item)
}

// document returns the stored document of an item.
func (s *segment) document(item int) *store.Document {
	return kept(s, &s.decodedDocuments[item], item)
}

// kept returns the record of an item that was decoded before, or decodes it and
// keeps it.
func kept[T any](s *segment, place *atomic.Pointer[T], item int) *T {
	if known := place.Load(); known != nil {
		return known
	}
	record := decode[T](s.record(item))
	runtime.KeepAlive(s)
	place.Store(record)
	return record
}

// passage returns the passage of a row.
func (s *segment) passage(row int) *store.Passage {
	data := s.record(s.items + row)
	if s.kind == Documents {
		passage := decode[store.Passage](data)
		runtime.KeepAlive(s)
		return passage
	}
	text := s.rule(int(s.rowItem[row])).Rule.Text
	if len(data) == 0 {
		return &store.Passage{Text: text}
	}
	begin, size := binary.Uvarint(data)
	end, _ := binary.Uvarint(data[max(size, 0):])
	end = min(end, uint64(len(text)))
	return &store.Passage{Text: text[min(begin, end):end]}
}

// holds reports whether an item has the records of an entry, and a vector
// wherever the entry has one.
func (s *segment) holds(item int, e *entry) bool {
	first, end := int(s.itemRow[item]), int(s.itemRow[item+1])
	if end-first != len(e.rows) || !bytes.Equal(s.record(item), e.record) {
		return false
	}
	for i := range e.rows {
		row := &e.rows[i]
		if !bytes.Equal(s.record(s.items+first+i), row.record) || s.hasVector.Contains(first+i) != (row.vector != nil) {
			return false
		}
	}
	return true
}
