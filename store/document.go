package store

import (
	"bytes"
	"fmt"
	"iter"
	"strings"
	"unicode/utf8"
)

// DocumentParts says what to read of a document beside its front matter.
type DocumentParts uint8

// The parts of a document that are kept apart, because most readers want
// neither. Add them to want both.
const (
	WithPassages DocumentParts = 1 << iota
	WithRaw

	DocumentOnly  DocumentParts = 0
	WholeDocument               = WithPassages | WithRaw
)

// PutDocument stores a document under its ID, in place of the one that was
// there, and returns it as stored. Imported is set to the time of the
// transaction unless the caller sets it; a document that is otherwise the same
// as the stored one keeps its time, and nothing is written.
//
// Several documents may have the same Path: two folders were imported, say.
func (s *Store) PutDocument(workspace string, document Document) (Document, error) {
	return update(s, workspace, func(tx *Tx) (Document, error) { return tx.PutDocument(document) })
}

// PutDocument is [Store.PutDocument] within the transaction.
func (tx *Tx) PutDocument(document Document) (Document, error) {
	err := tx.atomically(func() error {
		if err := checkDocument(document); err != nil {
			return err
		}
		document.Imported = document.Imported.UTC()
		key := kindKey(kindDocument, document.ID)
		had, found, err := find[Document](&tx.ReadTx, bucketDocuments, key)
		if err != nil {
			return err
		}
		if document.Imported.IsZero() {
			document.Imported = tx.now
			same, err := tx.sameDocument(document, had, found)
			if err != nil {
				return err
			}
			if same {
				document.Imported = had.Imported
			}
		}
		if found && had.Path != document.Path {
			if err := tx.delete(bucketDocuments, pairKey(kindPath, had.Path, had.ID)); err != nil {
				return err
			}
		}
		return tx.putDocument(document)
	})
	if err != nil {
		return Document{}, fmt.Errorf("put document: %w", err)
	}
	return document, nil
}

// putDocument writes the keys of a checked document.
func (tx *Tx) putDocument(document Document) error {
	head := document
	head.Passages, head.Raw = nil, nil
	if err := tx.putRecord(bucketDocuments, kindKey(kindDocument, document.ID), head); err != nil {
		return err
	}
	if err := tx.putMark(bucketDocuments, pairKey(kindPath, document.Path, document.ID)); err != nil {
		return err
	}
	if err := tx.putRecord(bucketDocuments, kindKey(kindPassages, document.ID), document.Passages); err != nil {
		return err
	}
	key := kindKey(kindRaw, document.ID)
	return tx.put(bucketDocuments, key, seal(codecBytes, key, document.Raw))
}

// sameDocument reports whether a document is the stored one but for the time of
// import.
func (tx *ReadTx) sameDocument(document, had Document, found bool) (bool, error) {
	if !found {
		return false, nil
	}
	had, err := tx.Document(had.ID, WholeDocument)
	if err != nil {
		return false, err
	}
	had.Imported = document.Imported
	a, err := encodeRecord(nil, document)
	if err != nil {
		return false, err
	}
	b, err := encodeRecord(nil, had)
	if err != nil {
		return false, err
	}
	return bytes.Equal(a, b), nil
}

// DeleteDocument deletes a document. The error is a *NotFoundError when there
// is none with that id.
func (s *Store) DeleteDocument(workspace, id string) error {
	return s.Update(workspace, func(tx *Tx) error { return tx.DeleteDocument(id) })
}

// DeleteDocument is [Store.DeleteDocument] within the transaction.
func (tx *Tx) DeleteDocument(id string) error {
	err := tx.atomically(func() error {
		document, err := tx.Document(id, DocumentOnly)
		if err != nil {
			return err
		}
		for _, key := range [][]byte{
			kindKey(kindDocument, id),
			pairKey(kindPath, document.Path, id),
			kindKey(kindPassages, id),
			kindKey(kindRaw, id),
		} {
			if err := tx.delete(bucketDocuments, key); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("delete document: %w", err)
	}
	return nil
}

// Document returns the document with that id, or a *NotFoundError.
func (s *Store) Document(workspace, id string, parts DocumentParts) (Document, error) {
	return view(s, workspace, func(tx *ReadTx) (Document, error) { return tx.Document(id, parts) })
}

// Document is [Store.Document] within the transaction.
func (tx *ReadTx) Document(id string, parts DocumentParts) (Document, error) {
	document, ok, err := find[Document](tx, bucketDocuments, kindKey(kindDocument, id))
	if err == nil && !ok {
		err = &NotFoundError{Kind: "document", ID: id}
	}
	if err != nil {
		return Document{}, err
	}
	return tx.withParts(document, parts)
}

// withParts reads the parts of a document that are kept apart.
func (tx *ReadTx) withParts(document Document, parts DocumentParts) (Document, error) {
	if parts&WithPassages != 0 {
		passages, ok, err := find[[]Passage](tx, bucketDocuments, kindKey(kindPassages, document.ID))
		if err == nil && !ok {
			err = corruptf("document %q has no passages", document.ID)
		}
		if err != nil {
			return Document{}, err
		}
		document.Passages = passages
	}
	if parts&WithRaw != 0 {
		key := kindKey(kindRaw, document.ID)
		value, err := tx.get(bucketDocuments, key)
		if err != nil {
			return Document{}, err
		}
		raw, err := unseal(codecBytes, key, value)
		if err != nil {
			return Document{}, fmt.Errorf("raw bytes of document %q: %w", document.ID, err)
		}
		document.Raw = clone(raw)
	}
	return document, nil
}

// Documents returns all documents of a workspace in order of id.
// [ReadTx.Documents] does the same without holding all of them in memory.
func (s *Store) Documents(workspace string, parts DocumentParts) ([]Document, error) {
	return view(s, workspace, func(tx *ReadTx) ([]Document, error) { return collect(tx.Documents(parts)) })
}

// Documents yields all documents in order of id. It ends after the first error.
func (tx *ReadTx) Documents(parts DocumentParts) iter.Seq2[Document, error] {
	return func(yield func(Document, error) bool) {
		for document, err := range records[Document](tx, bucketDocuments, []byte{kindDocument}) {
			if err == nil {
				document, err = tx.withParts(document, parts)
			}
			if !yield(document, err) || err != nil {
				return
			}
		}
	}
}

// DocumentsByPath returns the documents that came from a path, in order of id,
// without passages and raw bytes.
func (s *Store) DocumentsByPath(workspace, path string) ([]Document, error) {
	return view(s, workspace, func(tx *ReadTx) ([]Document, error) { return tx.DocumentsByPath(path) })
}

// DocumentsByPath is [Store.DocumentsByPath] within the transaction.
func (tx *ReadTx) DocumentsByPath(path string) ([]Document, error) {
	ids, err := tx.suffixes(bucketDocuments, pairKey(kindPath, path, ""))
	if err != nil {
		return nil, err
	}
	var all []Document
	for _, id := range ids {
		document, err := tx.Document(id, DocumentOnly)
		if err != nil {
			return nil, err
		}
		all = append(all, document)
	}
	return all, nil
}

// checkDocument returns what is wrong with a document. The content of front
// matter is for its reader to judge; here it only must be text.
func checkDocument(document Document) error {
	check := &problems{kind: "document"}
	check.id("id", document.ID)
	switch {
	case document.Path == "":
		check.add("path", "is missing")
	case len(document.Path) > MaxPathBytes:
		check.add("path", "has %d bytes, at most %d are allowed", len(document.Path), MaxPathBytes)
	}
	check.line("path", document.Path, MaxPathBytes)
	check.text("title", document.Title, MaxTextLength)
	check.text("description", document.Description, MaxTextLength)
	for _, field := range []struct{ name, value string }{
		{"type", document.Type},
		{"status", document.Status},
		{"tier", document.Tier},
		{"category", document.Category},
		{"owner", document.Owner},
		{"timestamp", document.Timestamp},
		{"verification_source", document.VerificationSource},
		{"hash", document.Hash},
	} {
		check.text(field.name, field.value, MaxTextLength)
	}
	for _, field := range []struct {
		name   string
		values []string
	}{
		{"tags", document.Tags},
		{"applies_when", document.AppliesWhen},
		{"supersedes", document.Supersedes},
		{"superseded_by", document.SupersededBy},
		{"contradicts", document.Contradicts},
	} {
		check.list(field.name, field.values, func(name, value string) { check.text(name, value, MaxTextLength) })
	}
	check.day("valid_from", document.ValidFrom)
	check.day("valid_until", document.ValidUntil)
	check.day("last_verified", document.LastVerified)
	check.day("recheck_by", document.RecheckBy)
	for i, problem := range document.Problems {
		if !utf8.ValidString(problem.Field) || !utf8.ValidString(problem.Reason) {
			check.add(fmt.Sprintf("problems[%d]", i), "is not valid UTF-8")
		}
	}
	for i, passage := range document.Passages {
		if !utf8.ValidString(passage.Text) || !utf8.ValidString(strings.Join(passage.Headings, "")) {
			check.add(fmt.Sprintf("passages[%d]", i), "is not valid UTF-8")
		}
	}
	if len(document.Raw) > MaxDocumentBytes {
		check.add("raw", "has %d bytes, at most %d are allowed", len(document.Raw), MaxDocumentBytes)
	}
	return check.err()
}
