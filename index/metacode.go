package index

import (
	"encoding/binary"
	"fmt"

	"waymark/store"
)

// The meta section, all numbers uvarints
//
//	strings   how many, the length of each, and all of them: each text that
//	          occurs in what follows, once, and referred to by its number
//	places    of a segment of rules: how many, and for each Trail id, Trail
//	          name, domain and cluster
//	items     rules: id, place, class, tags, the two days
//	          documents: id, path, title, type, status, tier, category, tags,
//	          supersedes, superseded by, contradicts, the four days, flags
//
// A list is its length and its texts. A day is 0 for none, else one more than
// its zigzag form. The flags are 1 for a template and 2 for unreadable.

// metaWriter writes the meta section of a segment.
type metaWriter struct {
	numbers map[string]uint64
	strings []string
	places  map[Place]uint64
	placed  []byte
	items   []byte
}

func newMetaWriter() *metaWriter {
	return &metaWriter{numbers: map[string]uint64{}, places: map[Place]uint64{}}
}

func (w *metaWriter) text(dst []byte, s string) []byte {
	number, seen := w.numbers[s]
	if !seen {
		number = uint64(len(w.strings))
		w.numbers[s] = number
		w.strings = append(w.strings, s)
	}
	return binary.AppendUvarint(dst, number)
}

func (w *metaWriter) list(dst []byte, texts []string) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(texts)))
	for _, s := range texts {
		dst = w.text(dst, s)
	}
	return dst
}

func appendDay(dst []byte, day int32) []byte {
	if day == NoDay {
		return append(dst, 0)
	}
	return binary.AppendUvarint(dst, 1+uint64(uint32(day)<<1^uint32(day>>31)))
}

// rule adds the next item of a segment of rules.
func (w *metaWriter) rule(m *RuleMeta) {
	place, seen := w.places[*m.Place]
	if !seen {
		place = uint64(len(w.places))
		w.places[*m.Place] = place
		for _, s := range []string{m.Place.TrailID, m.Place.TrailName, m.Place.Domain, m.Place.Cluster} {
			w.placed = w.text(w.placed, s)
		}
	}
	w.items = w.text(w.items, m.ID)
	w.items = binary.AppendUvarint(w.items, place)
	w.items = w.text(w.items, string(m.Class))
	w.items = w.list(w.items, m.Tags)
	w.items = appendDay(w.items, m.EffectiveFrom)
	w.items = appendDay(w.items, m.EffectiveUntil)
}

// document adds the next item of a segment of documents.
func (w *metaWriter) document(m *DocumentMeta) {
	for _, s := range []string{m.ID, m.Path, m.Title, m.Type, m.Status, m.Tier, m.Category} {
		w.items = w.text(w.items, s)
	}
	for _, l := range [][]string{m.Tags, m.Supersedes, m.SupersededBy, m.Contradicts} {
		w.items = w.list(w.items, l)
	}
	for _, d := range []int32{m.ValidFrom, m.ValidUntil, m.LastVerified, m.RecheckBy} {
		w.items = appendDay(w.items, d)
	}
	flags := byte(0)
	if m.Template {
		flags |= 1
	}
	if m.Unreadable {
		flags |= 2
	}
	w.items = append(w.items, flags)
}

// bytes returns the section.
func (w *metaWriter) bytes(kind Kind) []byte {
	dst := binary.AppendUvarint(nil, uint64(len(w.strings)))
	for _, s := range w.strings {
		dst = binary.AppendUvarint(dst, uint64(len(s)))
	}
	for _, s := range w.strings {
		dst = append(dst, s...)
	}
	if kind == Rules {
		dst = binary.AppendUvarint(dst, uint64(len(w.places)))
		dst = append(dst, w.placed...)
	}
	return append(dst, w.items...)
}

// metaReader reads the section. After the first number that cannot be there, it
// reads nothing but zeros and says so in the end.
type metaReader struct {
	data    []byte
	strings []string
	damaged bool
}

// newMetaReader reads the texts. They are copied out of the section once, so
// that they outlive the mapping.
func newMetaReader(data []byte) *metaReader {
	r := &metaReader{data: data}
	lengths := make([]int, r.count())
	total := 0
	for i := range lengths {
		lengths[i] = int(min(r.uvarint(), uint64(len(data))))
		total += lengths[i]
		if total > len(r.data) {
			r.damaged = true
			return r
		}
	}
	all := string(r.data[:total])
	r.data = r.data[total:]
	r.strings = make([]string, len(lengths))
	for i, n := range lengths {
		r.strings[i], all = all[:n], all[n:]
	}
	return r
}

func (r *metaReader) uvarint() uint64 {
	n, size := binary.Uvarint(r.data)
	if size <= 0 {
		r.damaged, r.data = true, nil
		return 0
	}
	r.data = r.data[size:]
	return n
}

// count reads how many of something follow, each of at least one byte.
func (r *metaReader) count() int {
	n := r.uvarint()
	if n > uint64(len(r.data)) {
		r.damaged = true
		return 0
	}
	return int(n)
}

func (r *metaReader) text() string {
	n := r.uvarint()
	if n >= uint64(len(r.strings)) {
		r.damaged = true
		return ""
	}
	return r.strings[n]
}

func (r *metaReader) list() []string {
	n := r.count()
	if n == 0 {
		return nil
	}
	texts := make([]string, n)
	for i := range texts {
		texts[i] = r.text()
	}
	return texts
}

func (r *metaReader) day() int32 {
	n := r.uvarint()
	if n == 0 {
		return NoDay
	}
	zigzag := uint32(n - 1)
	return int32(zigzag>>1) ^ -int32(zigzag&1)
}

// rules reads the items of a segment of rules.
func (r *metaReader) rules(items int) ([]RuleMeta, error) {
	places := make([]*Place, r.count())
	for i := range places {
		places[i] = newPlace(r.text(), r.text(), r.text(), r.text())
	}
	all := make([]RuleMeta, items)
	for i := range all {
		all[i].ID = r.text()
		if place := r.uvarint(); place < uint64(len(places)) {
			all[i].Place = places[place]
		} else {
			r.damaged = true
		}
		all[i].Class = store.Class(r.text())
		all[i].Tags = r.list()
		all[i].EffectiveFrom, all[i].EffectiveUntil = r.day(), r.day()
	}
	return all, r.err()
}

// documents reads the items of a segment of documents.
func (r *metaReader) documents(items int) ([]DocumentMeta, error) {
	all := make([]DocumentMeta, items)
	for i := range all {
		m := &all[i]
		for _, s := range []*string{&m.ID, &m.Path, &m.Title, &m.Type, &m.Status, &m.Tier, &m.Category} {
			*s = r.text()
		}
		for _, l := range []*[]string{&m.Tags, &m.Supersedes, &m.SupersededBy, &m.Contradicts} {
			*l = r.list()
		}
		for _, d := range []*int32{&m.ValidFrom, &m.ValidUntil, &m.LastVerified, &m.RecheckBy} {
			*d = r.day()
		}
		flags := r.uvarint()
		m.Template, m.Unreadable = flags&1 != 0, flags&2 != 0
	}
	return all, r.err()
}

// err tells whether the section held what was asked for, and nothing more.
func (r *metaReader) err() error {
	if r.damaged || len(r.data) > 0 {
		return fmt.Errorf("the meta section is not what was written: %w", errDamaged)
	}
	return nil
}
