package ingest

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"waymark/store"
)

// TestU21 is case U21 of the user cases: a byte-order mark and CR LF.
func TestU21(t *testing.T) {
	plain := lines("---", "title: Travel", "status: active", "---", "# Travel", "", "Book early.", "Pay late.")
	odd := "\xEF\xBB\xBF" + strings.ReplaceAll(plain, "\n", "\r\n")
	want, got := parse(t, "travel.md", plain, DocumentOptions{}), parse(t, "travel.md", odd, DocumentOptions{})
	if !bytes.Equal(got.Raw, []byte(odd)) {
		t.Errorf("the original bytes were changed")
	}
	want.Raw, want.Hash, got.Raw, got.Hash = nil, "", nil, ""
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("with mark and CR LF the document differs (-plain +odd):\n%s", diff)
	}
	if got.Title != "Travel" || got.Status != "active" {
		t.Errorf("title and status = %q, %q, want Travel, active", got.Title, got.Status)
	}
	classic := parse(t, "travel.md", strings.ReplaceAll(plain, "\n", "\r"), DocumentOptions{})
	classic.Raw, classic.Hash = nil, ""
	if diff := cmp.Diff(want, classic); diff != "" {
		t.Errorf("with CR alone the document differs (-plain +classic):\n%s", diff)
	}
}

// TestU23 is case U23 of the user cases: names that differ in little.
func TestU23(t *testing.T) {
	want := map[string]string{"Travel Policy.md": "Travel Policy", "travel-policy.md": "travel-policy",
		"Travel_Policy.md": "Travel_Policy", "README.md": "README", "readme.md": "readme"}
	for path, id := range want {
		if got := parse(t, path, "Text.", DocumentOptions{}).ID; got != id {
			t.Errorf("id of %q = %q, want %q", path, got, id)
		}
	}
}

func TestDocumentID(t *testing.T) {
	for path, want := range map[string]string{
		"a.md": "a", "A.MD": "A", "x/y/z.md": "x-y-z", "x/./y.markdown": "x-y", `x\y.md`: "x-y", "v1.2.md": "v1.2",
		"100%_a.md": "100%_a", ".md": ".md", "policies/access.md.tmpl": "policies-access",
		"Cafe\u0301.md": "Caf\u00E9", "\u5831\u544A/\u51FA\u5DEE.md": "\u5831\u544A-\u51FA\u5DEE",
	} {
		if got := parse(t, path, "Text.", DocumentOptions{}).ID; got != want {
			t.Errorf("id of %q = %q, want %q", path, got, want)
		}
	}
	if got := parse(t, "a.md", "---\nid: '  Cafe\u0301 7 '\n---\n", DocumentOptions{}).ID; got != "Caf\u00E9 7" {
		t.Errorf("id = %q, want it trimmed and in NFC", got)
	}
}

func TestDocumentTitle(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"---\ntitle: From front matter\n---\n# Heading\n", "From front matter"},
		{"Text first.\n\n## *Second* [level](x.md) `code` &amp; \\*\n", "Second level code & *"},
		{"Heading\n=======\n", "Heading"},
		{"#\n\n# Not empty\n", "Not empty"},
		{"> # In a quote\n\n- # in a list\n\nText.\n", "travel-policy"},
		{"```\n# in code\n```\n", "travel-policy"},
		{"<!-- # comment -->\n", "travel-policy"},
	} {
		if got := parse(t, "hr/travel-policy.md", c.text, DocumentOptions{}).Title; got != c.want {
			t.Errorf("title of %q = %q, want %q", c.text, got, c.want)
		}
	}
}

func TestDocumentPlace(t *testing.T) {
	for path, want := range map[string][2]string{
		"universal/security/a.md": {"T1", "security"}, "universal/a.md": {"T1", ""}, "universal/a/b/c.md": {"T1", "a"},
		"tech-stacks/backend/a.md": {"T2", "backend"}, "tech-stacks/a.md": {"meta", "tech-stacks"},
		"projects/acme/a.md": {"T3", "acme"}, "projects/acme/docs/a.md": {"T3", "acme"}, "projects/a.md": {"meta", "projects"},
		"projects/acme/components/api/a.md": {"T4", "api"}, "projects/acme/components/a.md": {"T3", "acme"},
		"decisions/a.md": {"meta", "decisions"}, "a.md": {"meta", ""},
	} {
		d := parse(t, path, "Text.", DocumentOptions{})
		if got := [2]string{d.Tier, d.Category}; got != want {
			t.Errorf("tier and category of %q = %q, want %q", path, got, want)
		}
	}
	d := parse(t, "universal/security/a.md", "---\ntier: META\ncategory: Own\n---\n", DocumentOptions{})
	if d.Tier != "meta" || d.Category != "Own" {
		t.Errorf("tier and category = %q, %q, want those of the front matter", d.Tier, d.Category)
	}
}

func TestTemplates(t *testing.T) {
	for path, want := range map[string]bool{
		"README.md": true, "a/readme.md": true, "Readme.markdown": true, "README-first.md": false,
		"template.md": true, "adr-template.md": true, "policy_template.md": true, "policy.template.md": true,
		"template-management.md": false, "contemplate.md": false, "templates/a.md": true, "a/_templates/b.md": true,
		"a/my-templates/b.md": false, "access.md.tmpl": true, "access.md": false,
	} {
		d := parse(t, path, "---\nstatus: active\n---\nText.\n", DocumentOptions{})
		if d.Template != want {
			t.Errorf("%q: template = %v, want %v", path, d.Template, want)
		}
		if want != (len(d.Problems) == 1) {
			t.Errorf("%q: problems = %v, want one just for a template", path, d.Problems)
		}
	}
	if !parse(t, "a.md", "---\nstatus: active\ntype: Template\n---\n", DocumentOptions{}).Template {
		t.Errorf("type: Template makes no template")
	}
}

// TestDocumentRefused has every file that is no document at all, with the error.
func TestDocumentRefused(t *testing.T) {
	for _, c := range []struct {
		path, text string
		is         error
		want       string
	}{
		{"a.md", "ok\nnot \xff ok", ErrNotUTF8, "a.md:2: byte 8 (0xFF) is not UTF-8; save the file as UTF-8"},
		{"a.md", "\xff\xfea\x00", ErrNotUTF8, "a.md:1: the file is UTF-16, not UTF-8; save it as UTF-8"},
		{"a.md", "a\nb\x00c", ErrNotUTF8, "a.md:2: byte 4 is zero, so this is no text file"},
		{"a.md", strings.Repeat("x", MaxDocumentBytes+1), ErrTooLarge, "a.md: the file has 8388609 bytes; at most 8388608 are read"},
		{"../a.md", "", ErrOutside, "../a.md: the path leads out of the imported folder"},
		{"x/../../a.md", "", ErrOutside, "x/../../a.md: the path leads out of the imported folder"},
		{`..\a.md`, "", ErrOutside, `..\a.md: the path leads out of the imported folder`},
		{"/etc/a.md", "", ErrOutside, "/etc/a.md: the path is absolute; paths count from the imported folder"},
		{`C:\a.md`, "", ErrOutside, `C:\a.md: the path is absolute; paths count from the imported folder`},
		{".", "", ErrOutside, ".: the path names no file"},
		{"a\xff.md", "", ErrNotUTF8, "a\uFFFD.md: the name of the file is not UTF-8"},
		{"a.rst", "PEP: 1\n", ErrBadFile, "a.rst: reStructuredText is read only as a Python Enhancement Proposal, and that was not asked for"},
		{"a.md", "---\nid: \"a\\tb\"\n---\n", ErrBadRow, `a.md: id: the id "a\tb" has a character that cannot be typed`},
		{"a.md", "---\nid: " + strings.Repeat("x", 513) + "\n---\n", ErrBadRow, "a.md: id: an id has at most 512 bytes, this one has 513"},
	} {
		_, err := ParseDocument(c.path, []byte(c.text), DocumentOptions{Passages: testCutter()})
		if err == nil || err.Error() != c.want || !errors.Is(err, c.is) {
			t.Errorf("ParseDocument(%q) = %v, want %q", c.path, err, c.want)
		}
	}
}

func TestADRStatus(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       store.Document
	}{
		{"section with link", "# 21. Multi-cluster\n\nDate: 2021-05-11\n\n## Status\n\n⌛️ Superseded by [036. Multi](036-multi.md)\n",
			store.Document{Status: "superseded", SupersededBy: []string{"adr/036-multi.md"}, Timestamp: "2021-05-11"}},
		{"both relations", "# A\n## Status\nAccepted, supersedes [1](1.md) and [2](../old/2.md). Superseded by [9](9.md).\n",
			store.Document{Status: "accepted", Supersedes: []string{"adr/1.md", "old/2.md"}, SupersededBy: []string{"adr/9.md"}}},
		{"links that are no documents", "# A\n## Status\nSuperseded by [x](https://example.com/x.md), [y](y.png), [z](../../z.md)\n",
			store.Document{Status: "superseded"}},
		{"a bullet", "# A\n\n* Status: proposed\n* Date: 2020-02-30\n", store.Document{Status: "proposed"}},
		{"in bold", "# A\n\n**Status:** Accepted\n\n**Date**: 2020-02-03\n", store.Document{Status: "accepted", Timestamp: "2020-02-03"}},
		{"front matter wins", "---\nstatus: draft\ntimestamp: 2019-01-01\n---\n# A\nDate: 2020-01-01\n## Status\nAccepted\n",
			store.Document{Status: "draft", Timestamp: "2019-01-01"}},
		{"too late", "# A\n## Context\nStatus: accepted\n", store.Document{}},
		{"nothing", "# A\n## Status\n\n## Context\nText\n", store.Document{}},
	} {
		d := parse(t, "adr/021.md", c.text, DocumentOptions{ADRStatus: true})
		got := store.Document{Status: d.Status, Supersedes: d.Supersedes, SupersededBy: d.SupersededBy, Timestamp: d.Timestamp}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: ParseDocument differs (-want +got):\n%s", c.name, diff)
		}
		if off := parse(t, "adr/021.md", c.text, DocumentOptions{}); off.Status != "" && off.Status != "draft" {
			t.Errorf("%s: without the option the status is %q", c.name, off.Status)
		}
	}
}

func TestPEP(t *testing.T) {
	d := parse(t, "peps/pep-0386.rst", lines(
		"PEP: 386", "Title: Changing the version", "  comparison", "Author: Tarek Ziadé <tarek@example.org>, A. Nother",
		"Status: Final", "Type: Standards Track", "Topic: Packaging, Release", "Created: 04-Jun-2009",
		"Superseded-By: 440", "Replaces: 245, 246", "", "",
		"Abstract", "========", "", "See :pep:`440` and ``code``, **bold**.", "It is `here <https://example.com>`_.", "",
		".. comment", "   hidden", "", ".. note:: kept", "", "Sub", "---", "", "Example::", "", "    literal 1", "    literal 2",
	), DocumentOptions{PEP: true})
	want := store.Document{ID: "pep-0386", Path: "peps/pep-0386.rst", Title: "PEP 386: Changing the version comparison",
		Status: "accepted", Type: "Standards Track", Tags: []string{"Packaging", "Release"}, Timestamp: "2009-06-04",
		Owner: "Tarek Ziadé, A. Nother", SupersededBy: []string{"pep-0440"}, Supersedes: []string{"pep-0245", "pep-0246"},
		Tier: "meta", Category: "peps",
		Passages: []store.Passage{
			{Headings: []string{"Abstract"}, StartLine: 16, EndLine: 22, Text: "See PEP 440 and code, bold. It is here.\nkept"},
			{Headings: []string{"Abstract", "Sub"}, StartLine: 27, EndLine: 30, Text: "Example\nliteral 1\nliteral 2"},
		}}
	d.Raw, d.Hash = nil, ""
	if diff := cmp.Diff(want, d); diff != "" {
		t.Errorf("ParseDocument differs (-want +got):\n%s", diff)
	}
	_, err := ParseDocument("a.rst", []byte("Heading\n=======\n"), DocumentOptions{PEP: true, Passages: testCutter()})
	if want := "a.rst:1: PEP: the file does not begin with the headers of a Python Enhancement Proposal"; err == nil || err.Error() != want {
		t.Errorf("ParseDocument = %v, want %q", err, want)
	}
	d = parse(t, "a.rst", "PEP: 1\nTitle: A\nCreated: June 2009\n\n", DocumentOptions{PEP: true})
	if want := (store.Problem{Line: 1, Field: "Created", Reason: `"June 2009" is not a day as 04-Jun-2009`}); len(d.Problems) != 2 || d.Problems[0] != want {
		t.Errorf("problems = %v, want %v first", d.Problems, want)
	}
}
