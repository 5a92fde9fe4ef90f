package index

import (
	"encoding/binary"
	"strings"

	"waymark/store"
)

// entry is one item on its way into a segment: what is stored and filtered of
// it, and its rows.
type entry struct {
	id       string
	rule     *RuleMeta     // of a rule
	document *DocumentMeta // of a document
	record   []byte
	rows     []entryRow
}

// entryRow is one passage on its way into a segment.
type entryRow struct {
	fields [NumFields]string
	record []byte
	text   string    // that the vector was made from
	vector []float32 // nil: none
}

// piece is a part of a rule's text that is a row of its own.
type piece struct{ begin, end int }

// of returns the piece of a text.
func (p piece) of(text string) string { return text[p.begin:p.end] }

// cutRule cuts the text of a rule. What split returns must be parts of the text
// in their order; if they are not, or split is nil, the text is one piece.
func cutRule(text string, split func(text string) []string) []piece {
	whole := []piece{{0, len(text)}}
	if split == nil {
		return whole
	}
	var found []piece
	at := 0
	for _, part := range split(text) {
		begin := strings.Index(text[at:], part)
		if begin < 0 || part == "" {
			return whole
		}
		found = append(found, piece{at + begin, at + begin + len(part)})
		at += begin + len(part)
	}
	if len(found) < 2 {
		return whole
	}
	return found
}

// newRuleEntry returns the entry of a rule of a Trail, without vectors.
func newRuleEntry(trailName string, r store.Rule, split func(text string) []string) (*entry, error) {
	record, err := encodeRecord(ruleRecord{TrailName: trailName, Rule: r})
	if err != nil {
		return nil, err
	}
	e := &entry{id: r.ID, record: record, rule: &RuleMeta{
		ID: r.ID, Place: newPlace(r.TrailID, trailName, r.Domain, r.Cluster), Class: r.Class, Tags: r.Tags,
		EffectiveFrom: parseDay(r.EffectiveFrom), EffectiveUntil: parseDay(r.EffectiveUntil),
	}}
	fields := ruleFields(trailName, &r)
	pieces := cutRule(r.Text, split)
	for _, p := range pieces {
		row := entryRow{fields: fields, text: p.embeddingText(trailName, r)}
		row.fields[Body] = p.of(r.Text)
		if len(pieces) > 1 {
			row.record = binary.AppendUvarint(binary.AppendUvarint(nil, uint64(p.begin)), uint64(p.end))
		}
		e.rows = append(e.rows, row)
	}
	return e, nil
}

// newDocumentEntry returns the entry of a document, without vectors. Its
// description is searched as the beginning of its first passage. A document
// without passages has one empty one.
func newDocumentEntry(d store.Document) (*entry, error) {
	passages := d.Passages
	if len(passages) == 0 {
		passages = []store.Passage{{StartLine: 1, EndLine: 1}}
	}
	d.Passages, d.Raw = nil, nil
	record, err := encodeRecord(d)
	if err != nil {
		return nil, err
	}
	e := &entry{id: d.ID, record: record, document: newDocumentMeta(&d)}
	for i, p := range passages {
		row := entryRow{fields: passageFields(&d, &p, i == 0), text: PassageEmbeddingText(d, p)}
		if row.record, err = encodeRecord(p); err != nil {
			return nil, err
		}
		e.rows = append(e.rows, row)
	}
	return e, nil
}

// ruleFields returns the fields that all rows of a rule share.
func ruleFields(trailName string, r *store.Rule) [NumFields]string {
	return [NumFields]string{
		Title: r.Title, Tags: strings.Join(r.Tags, "\n"), AppliesWhen: strings.Join(r.AppliesWhen, "\n"),
		Context: joinPresent("\n", trailName, r.Domain, r.Cluster),
	}
}

// passageFields returns the fields of a row of a document.
func passageFields(d *store.Document, p *store.Passage, first bool) [NumFields]string {
	body := p.Text
	if first {
		body = joinPresent("\n", d.Description, body)
	}
	return [NumFields]string{
		Body: body, Title: d.Title, Tags: strings.Join(d.Tags, "\n"), AppliesWhen: strings.Join(d.AppliesWhen, "\n"),
		Context: strings.Join(p.Headings, "\n"),
	}
}
