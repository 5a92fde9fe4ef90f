package ingest

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path"
	"slices"
	"strings"

	"waymark/store"
)

// MaxDocumentBytes is the largest document that is read. The longest page of the
// public corpora has 200 KiB; what is larger than this is a dump, not a page.
const MaxDocumentBytes = 8 << 20

// MaxPassages is how many passages one document may have: twice what the largest
// one of plain prose has.
const MaxPassages = 20_000

// DocumentOptions says how documents are read.
type DocumentOptions struct {
	// ADRStatus takes what the front matter of a document does not give from its
	// body, as architecture decision records write it: see adr.go. Default: no.
	ADRStatus bool

	// PEP reads .rst files with the headers of Python Enhancement Proposals: see
	// pep.go. Default: no, .rst files are refused.
	PEP bool

	// Passages cuts the body. Required.
	Passages Cutter
}

// ParseDocument reads one file of the knowledge base. relative is its path below
// the folder that is imported. The document keeps the bytes as they are in Raw;
// what could not be read of its front matter is in Problems, in the order of
// lines. It returns an *InputError that wraps ErrTooLarge, ErrNotUTF8, ErrBadFile
// or ErrOutside for a file that is no document at all. Imported is left zero.
func ParseDocument(relative string, data []byte, o DocumentOptions) (store.Document, error) {
	relative, err := cleanPath(relative)
	if err != nil {
		return store.Document{}, err
	}
	if len(data) > MaxDocumentBytes {
		return store.Document{}, &InputError{File: relative, Err: ErrTooLarge,
			Reason: fmt.Sprintf("the file has %d bytes; at most %d are read", len(data), MaxDocumentBytes)}
	}
	text, err := decodeText(relative, data)
	if err != nil {
		return store.Document{}, err
	}
	sum := sha256.Sum256(data)
	d := store.Document{Path: relative, Raw: data, Hash: hex.EncodeToString(sum[:])}
	body := page{}
	switch rst := strings.EqualFold(path.Ext(relative), ".rst"); {
	case rst && !o.PEP:
		return store.Document{}, &InputError{File: relative, Err: ErrBadFile,
			Reason: "reStructuredText is read only as a Python Enhancement Proposal, and that was not asked for"}
	case rst:
		body, err = readPEP(&d, text)
	default:
		body, err = readPage(&d, text, o.ADRStatus)
	}
	if err != nil {
		return store.Document{}, err
	}
	body.bodyLine = min(body.bodyLine, 1+strings.Count(strings.TrimSuffix(text, "\n"), "\n"))
	complete(&d, body)
	d.Passages = o.Passages.cut(body, d.Title)
	if len(d.Passages) > MaxPassages {
		return store.Document{}, &InputError{File: relative, Err: ErrTooLarge,
			Reason: fmt.Sprintf("the document has %d passages; at most %d are read", len(d.Passages), MaxPassages)}
	}
	slices.SortStableFunc(d.Problems, func(a, b store.Problem) int { return cmp.Compare(a.Line, b.Line) })
	return d, nil
}

// readPage fills the fields of a markdown document from its front matter and
// returns its body.
func readPage(d *store.Document, text string, adr bool) (page, error) {
	f := readFrontMatter(text)
	d.ID = f.text("id")
	d.Title = f.text("title")
	d.Description = f.text("description")
	d.Type = f.text("type")
	d.Status = strings.ToLower(f.text("status"))
	d.Tier = f.tier()
	d.Category = f.text("category")
	d.Tags = f.list("tags")
	d.AppliesWhen = f.list("applies_when")
	d.Owner = f.text("owner")
	d.Timestamp = f.text("timestamp")
	d.Supersedes = f.list("supersedes")
	d.SupersededBy = f.list("superseded_by")
	d.Contradicts = f.list("contradicts")
	d.ValidFrom = f.day("valid_from")
	d.ValidUntil = f.day("valid_until")
	d.LastVerified = f.day("last_verified")
	d.RecheckBy = f.day("recheck_by")
	d.VerificationSource = f.text("verification_source")
	d.Template = isTrue(f.text("template"))
	if d.ValidFrom != "" && d.ValidUntil != "" && d.ValidUntil < d.ValidFrom {
		f.problem(f.firstLine+f.fields["valid_until"].line-1, "valid_until",
			fmt.Sprintf("%s lies before valid_from, %s, so the document is never valid", d.ValidUntil, d.ValidFrom))
	}
	d.Problems = f.problems
	body := readMarkdown(f.body, f.bodyLine)
	if adr {
		readADR(d, body)
	}
	if err := checkID(d.Path, d.ID); err != nil {
		return page{}, err
	}
	return body, nil
}

// complete fills what the file itself did not say.
func complete(d *store.Document, body page) {
	if d.ID == "" {
		d.ID = pathID(d.Path)
	}
	if d.Title == "" {
		d.Title = shorten(clean(body.firstHeading()), maxHeading)
	}
	if d.Title == "" {
		d.Title = stem(d.Path)
	}
	tier, category := place(d.Path)
	if d.Tier == "" {
		d.Tier = tier
	}
	if d.Category == "" {
		d.Category = category
	}
	note := func(reason string) {
		d.Problems = append(d.Problems, store.Problem{Line: 1, Field: "status", Reason: reason})
	}
	switch {
	case strings.EqualFold(stem(d.Path), "readme"):
		d.Template = true
		note("a README never governs")
	case d.Template || strings.EqualFold(d.Type, "template") || templatePath(d.Path):
		d.Template = true
		note("a template never governs")
	case d.Status == "" && !slices.ContainsFunc(d.Problems, func(p store.Problem) bool { return p.Fatal }):
		note("no status is given, so the document does not govern")
	}
}

// isTrue reads a yes in front matter.
func isTrue(text string) bool {
	return slices.Contains([]string{"true", "yes", "on"}, strings.ToLower(text))
}

// tiers are the names that the field tier takes.
var tiers = []string{"T1", "T2", "T3", "T4", "meta"}

// tier returns the tier as tiers spells it, and nothing for one that is not
// among them.
func (f *frontMatter) tier() string {
	text := f.text("tier")
	if text == "" {
		return ""
	}
	for _, t := range tiers {
		if strings.EqualFold(t, text) {
			return t
		}
	}
	f.problem(f.firstLine+f.fields["tier"].line-1, "tier",
		fmt.Sprintf("%q is no tier; known are %s, and the one of the path was taken", text, quoteList(tiers)))
	return ""
}
