package store

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// handbook is a document with every field set.
func handbook() Document {
	return Document{
		ID: "universal-travel", Path: "universal/travel.md", Title: "Travel", Description: "Who may travel.",
		Type: "policy", Status: "active", Tier: "T1", Category: "travel",
		Tags: []string{"travel", "cost"}, AppliesWhen: []string{"booking a hotel"}, Owner: "HR", Timestamp: "2026-01-01T10:00:00Z",
		Supersedes: []string{"old"}, SupersededBy: []string{"new"}, Contradicts: []string{"other"},
		ValidFrom: "2026-01-01", ValidUntil: "2026-12-31", LastVerified: "2026-01-02", RecheckBy: "2026-06-30",
		VerificationSource: "legal", Template: true,
		Problems: []Problem{{Line: 3, Field: "valid_from", Reason: "is not a day", Fatal: true}},
		Hash:     "abc", Imported: time.Date(2026, 1, 1, 10, 0, 0, 123456789, time.UTC),
		Passages: []Passage{{Headings: []string{"Travel", "Hotels"}, StartLine: 5, EndLine: 9, Text: "Hotels above 300 dollars.\n"}, {StartLine: 10, EndLine: 10, Text: "End."}},
		Raw:      []byte("\xef\xbb\xbf# Travel\r\n\xff\x00"),
	}
}

func TestDocumentRoundTrip(t *testing.T) {
	s, w, _, _ := filled(t, testOptions(t))
	want := handbook()
	put, err := s.PutDocument(w, want)
	if diff := cmp.Diff(want, put); diff != "" || err != nil {
		t.Errorf("PutDocument() (-want +got), %v:\n%s", err, diff)
	}
	for _, c := range []struct {
		parts         DocumentParts
		passages, raw bool
	}{{DocumentOnly, false, false}, {WithPassages, true, false}, {WithRaw, false, true}, {WholeDocument, true, true}} {
		want := handbook()
		if !c.passages {
			want.Passages = nil
		}
		if !c.raw {
			want.Raw = nil
		}
		got, err := s.Document(w, want.ID, c.parts)
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("Document(%v) (-want +got), %v:\n%s", c.parts, err, diff)
		}
		all, err := s.Documents(w, c.parts)
		if diff := cmp.Diff([]Document{want}, all); diff != "" || err != nil {
			t.Errorf("Documents(%v) (-want +got), %v:\n%s", c.parts, err, diff)
		}
	}
	if err := s.DeleteDocument(w, want.ID); err != nil {
		t.Fatal(err)
	}
	if left := bucketBytes(t, s, w, func(b bucket) bool { return b == bucketDocuments }); len(left) != 0 {
		t.Errorf("DeleteDocument() left %d keys", len(left))
	}
	var missing *NotFoundError
	if err := s.DeleteDocument(w, want.ID); !errors.As(err, &missing) || missing.Kind != "document" {
		t.Errorf("DeleteDocument() of none = %v, want a NotFoundError", err)
	}
}

func TestImportedIsKept(t *testing.T) {
	options := testOptions(t)
	options.Now = days()
	s, w, _, _ := filled(t, options)
	document := handbook()
	document.Imported = time.Time{}
	first, err := s.PutDocument(w, document)
	if err != nil || first.Imported.IsZero() {
		t.Fatalf("PutDocument() = %v, %v, want the time set", first.Imported, err)
	}
	again, err := s.PutDocument(w, document)
	if err != nil || !again.Imported.Equal(first.Imported) {
		t.Errorf("PutDocument() of the same = imported %v, %v, want %v", again.Imported, err, first.Imported)
	}
	document.Title = "Travel and hotels"
	changed, err := s.PutDocument(w, document)
	if err != nil || !changed.Imported.After(first.Imported) {
		t.Errorf("PutDocument() of a change = imported %v, %v, want a later time than %v", changed.Imported, err, first.Imported)
	}
}

func TestSimilarPathsAreApart(t *testing.T) {
	s, w, _, _ := filled(t, testOptions(t))
	paths := []string{"Travel Policy.md", "travel-policy.md", "Travel_Policy.md", "README.md", "readme.md"}
	for _, path := range paths {
		if _, err := s.PutDocument(w, Document{ID: strings.TrimSuffix(path, ".md"), Path: path, Tier: "meta"}); err != nil {
			t.Fatal(err)
		}
	}
	if all, err := s.Documents(w, DocumentOnly); err != nil || len(all) != len(paths) {
		t.Errorf("Documents() = %d, %v, want %d", len(all), err, len(paths))
	}
	for _, path := range paths {
		if found, err := s.DocumentsByPath(w, path); err != nil || len(found) != 1 || found[0].Path != path {
			t.Errorf("DocumentsByPath(%q) = %v, %v, want the one", path, found, err)
		}
	}
	for _, path := range []string{"", "README", strings.Repeat("x", MaxPathBytes+1), strings.Repeat("x", 70_000)} {
		if found, err := s.DocumentsByPath(w, path); err != nil || len(found) != 0 {
			t.Errorf("DocumentsByPath(%.20q) = %v, %v, want none", path, found, err)
		}
	}
}

func TestInvalidDocuments(t *testing.T) {
	s, w, _, _ := filled(t, testOptions(t))
	for _, c := range []struct {
		field  string
		change func(*Document)
	}{
		{"id", func(d *Document) { d.ID = "" }},
		{"path", func(d *Document) { d.Path = "" }},
		{"path", func(d *Document) { d.Path = "a\nb.md" }},
		{"title", func(d *Document) { d.Title = "\xff" }},
		{"type", func(d *Document) { d.Type = "\xff" }},
		{"hash", func(d *Document) { d.Hash = "\xff" }},
		{"tags[0]", func(d *Document) { d.Tags = []string{"\xff"} }},
		{"contradicts[1]", func(d *Document) { d.Contradicts = []string{"a", "\xff"} }},
		{"valid_until", func(d *Document) { d.ValidUntil = "soon" }},
		{"recheck_by", func(d *Document) { d.RecheckBy = "2026-02-29" }},
		{"problems[0]", func(d *Document) { d.Problems[0].Reason = "\xff" }},
		{"passages[1]", func(d *Document) { d.Passages[1].Text = "\xff" }},
		{"passages[0]", func(d *Document) { d.Passages[0].Headings = []string{"\xff"} }},
		{"raw", func(d *Document) { d.Raw = make([]byte, MaxDocumentBytes+1) }},
	} {
		document := handbook()
		c.change(&document)
		_, err := s.PutDocument(w, document)
		wantField(t, "PutDocument", err, "document", c.field)
	}
}
