package ingest

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"waymark/store"
)

// noStatus is the problem of every document without a status.
var noStatus = store.Problem{Line: 1, Field: "status", Reason: "no status is given, so the document does not govern"}

func TestFrontMatterFields(t *testing.T) {
	got := parse(t, "universal/security/secrets.md", lines(
		"---",
		"id: STD-601",
		"title: Secrets Handling   # a comment",
		"description: >-",
		"  How secrets",
		"  are handled.",
		"type: standard",
		`status: "Accepted "`,
		"tier: t1",
		"tags: [security, 'secrets, keys', 007, security]",
		"applies_when: reading a .env file",
		"owner: Ana Šarić",
		"timestamp: 2026-06-24",
		"supersedes: STD-600",
		"superseded_by: []",
		"contradicts:",
		"  - STD-9",
		"  - 12",
		"validity:",
		"  valid_from: 2026-01-01",
		"  valid_until: \"2027-06-30\"",
		"  last_verified: 2026-06-24T23:30:00+02:00",
		"  recheck_by: '2027-06-24'",
		"  verification_source: annual review",
		"color: blue",
		"nothing:",
		"---",
		"# Rule",
		"Never commit a password.",
	), DocumentOptions{})
	want := store.Document{ID: "STD-601", Path: "universal/security/secrets.md", Title: "Secrets Handling",
		Description: "How secrets are handled.", Type: "standard", Status: "accepted", Tier: "T1", Category: "security",
		Tags: []string{"security", "secrets, keys", "007"}, AppliesWhen: []string{"reading a .env file"},
		Owner: "Ana Šarić", Timestamp: "2026-06-24", Supersedes: []string{"STD-600"}, Contradicts: []string{"STD-9", "12"},
		ValidFrom: "2026-01-01", ValidUntil: "2027-06-30", LastVerified: "2026-06-24", RecheckBy: "2027-06-24",
		VerificationSource: "annual review",
		Passages:           []store.Passage{{Headings: []string{"Rule"}, StartLine: 29, EndLine: 29, Text: "Never commit a password."}}}
	got.Raw, got.Hash = nil, ""
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("ParseDocument differs (-want +got):\n%s", diff)
	}
}

// TestFrontMatterProblems has one case for each way in which people get front
// matter wrong, with the exact problem.
func TestFrontMatterProblems(t *testing.T) {
	fatal := func(line int, field, reason string) store.Problem {
		return store.Problem{Line: line, Field: field, Reason: reason, Fatal: true}
	}
	soft := func(line int, field, reason string) store.Problem {
		return store.Problem{Line: line, Field: field, Reason: reason}
	}
	for _, c := range []struct {
		name     string
		text     string
		problems []store.Problem
		title    string // when it matters
		status   string
		body     string // of the first passage, when it matters
	}{
		{name: "fine", text: "---\nstatus: active\n---\nText.\n", status: "active", body: "Text."},
		{name: "no front matter", text: "Text.\n", problems: []store.Problem{noStatus}},
		{name: "empty file", text: "", problems: []store.Problem{noStatus}, title: "page"},
		{name: "empty front matter", text: "---\n---\nText.\n", problems: []store.Problem{noStatus}, body: "Text."},
		{name: "closed by three periods", text: "---\nstatus: active\n...\nText.\n", status: "active", body: "Text."},
		{name: "spaces after the line", text: "---  \nstatus: active\n--- \t\nText.\n", status: "active", body: "Text."},
		{name: "no end of line at the end", text: "---\nstatus: active\n---", status: "active"},
		{name: "not closed", text: "---\nstatus: active\nText.\n",
			problems: []store.Problem{fatal(1, "", "the front matter that begins here has no closing ---")}, body: "status: active Text."},
		{name: "only the first line", text: "---",
			problems: []store.Problem{fatal(1, "", "the front matter that begins here has no closing ---")}},
		{name: "a list", text: "---\n- a\n- b\n---\nText.\n",
			problems: []store.Problem{fatal(2, "", "the front matter is a list, not fields with values")}},
		{name: "a text", text: "---\njust words\n---\nText.\n",
			problems: []store.Problem{fatal(2, "", "the front matter is a text, not fields with values")}, body: "just words\nText."},
		{name: "no YAML", text: "---\ntitle: Travel: the rules\nstatus: active\nid: X-1\n---\nText.\n",
			problems: []store.Problem{fatal(2, "", "the front matter cannot be read: mapping value is not allowed in this context")},
			title:    "Travel: the rules", status: "active"},
		{name: "open bracket", text: "---\nstatus: active\ntags: [a, b\n---\nText.\n",
			problems: []store.Problem{fatal(3, "", "the front matter cannot be read: sequence end token ']' not found")}, status: "active"},
		{name: "unknown anchor", text: "---\nstatus: active\ntags: *all\n---\n",
			problems: []store.Problem{fatal(3, "", `the front matter cannot be read: the anchor "all" is not defined`)}, status: "active"},
		{name: "known anchor", text: "---\nstatus: &s active\ntags: *s\n---\n", status: "active"},
		{name: "tab indents", text: "---\nstatus: active\nvalidity:\n\tvalid_until: 2026-12-31\n\trecheck_by: 2026-06-30\n---\n",
			problems: []store.Problem{soft(4, "", "a tab indents this line; it was read as two spaces")}, status: "active"},
		{name: "tab after the colon", text: "---\nstatus:\tactive\n---\n", status: "active"},
		{name: "tab and broken", text: "---\ntags:\n\t- [a\nstatus: active\n---\n",
			problems: []store.Problem{fatal(3, "", "the front matter cannot be read: found character '\t' that cannot start any token")}, status: "active"},
		{name: "twice the same", text: "---\nstatus: active\nstatus: active\n---\n",
			problems: []store.Problem{soft(3, "status", "the field is given twice")}, status: "active"},
		{name: "twice, and it governs", text: "---\nstatus: active\nstatus: retired\n---\n",
			problems: []store.Problem{fatal(3, "status", "the field is given twice with different values")}, status: "retired"},
		{name: "twice, and it does not govern", text: "---\nstatus: active\ntitle: A\ntitle: B\n---\n",
			problems: []store.Problem{soft(4, "title", "the field is given twice with different values; the last one counts")}, title: "B", status: "active"},
		{name: "in the block and outside", text: "---\nstatus: active\nvalid_until: 2026-01-01\nvalidity:\n  valid_until: 2027-01-01\n---\n",
			problems: []store.Problem{fatal(5, "valid_until", "the field is given twice with different values")}, status: "active"},
		{name: "validity as a text", text: "---\nstatus: active\nvalidity: until 2026-12-31\n---\n",
			problems: []store.Problem{fatal(3, "validity", "a block of fields is wanted here, not a text")}, status: "active"},
		{name: "validity without a value", text: "---\nstatus: active\nvalidity:\n---\n", status: "active"},
		{name: "German day", text: "---\nstatus: active\nvalid_until: 31.12.2026\n---\n",
			problems: []store.Problem{fatal(3, "valid_until", `"31.12.2026" is unclear as a day; write it as 2006-01-02`)}, status: "active"},
		{name: "American day", text: "---\nstatus: active\nrecheck_by: 12/31/2026\n---\n",
			problems: []store.Problem{fatal(3, "recheck_by", `"12/31/2026" is unclear as a day; write it as 2006-01-02`)}, status: "active"},
		{name: "no such month", text: "---\nstatus: active\nvalid_from: 2026-13-01\n---\n",
			problems: []store.Problem{fatal(3, "valid_from", `"2026-13-01" is no day of the calendar`)}, status: "active"},
		{name: "no leap year", text: "---\nstatus: active\nlast_verified: 2026-02-29\n---\n",
			problems: []store.Problem{fatal(3, "last_verified", `"2026-02-29" is no day of the calendar`)}, status: "active"},
		{name: "one digit", text: "---\nstatus: active\nvalid_from: 2026-1-5\n---\n",
			problems: []store.Problem{fatal(3, "valid_from", `"2026-1-5" is unclear as a day; write it as 2006-01-02`)}, status: "active"},
		{name: "only a year", text: "---\nstatus: active\nvalid_from: 2026\n---\n",
			problems: []store.Problem{fatal(3, "valid_from", `"2026" is unclear as a day; write it as 2006-01-02`)}, status: "active"},
		{name: "day and time without zone", text: "---\nstatus: active\nvalid_from: 2026-01-01 10:00:00\n---\n",
			problems: []store.Problem{fatal(3, "valid_from", `"2026-01-01 10:00:00" is unclear as a day; write it as 2006-01-02`)}, status: "active"},
		{name: "a window without days", text: "---\nstatus: active\nvalid_from: 2026-02-01\nvalid_until: 2026-01-01\n---\n",
			problems: []store.Problem{soft(4, "valid_until", "2026-01-01 lies before valid_from, 2026-02-01, so the document is never valid")}, status: "active"},
		{name: "status as a list", text: "---\nstatus: [active]\n---\n",
			problems: []store.Problem{fatal(2, "status", "one text is wanted here, not a list")}},
		{name: "title as a block", text: "---\nstatus: active\ntitle:\n  en: A\n---\n",
			problems: []store.Problem{soft(3, "title", "one text is wanted here, not a block of fields")}, title: "page", status: "active"},
		{name: "title as a number", text: "---\nstatus: active\ntitle: 1e3\n---\n", title: "1e3", status: "active"},
		{name: "title as a yes", text: "---\nstatus: active\ntitle: true\n---\n", title: "true", status: "active"},
		{name: "list with blocks", text: "---\nstatus: active\ntags:\n  - a\n  - b: c\n---\n",
			problems: []store.Problem{soft(5, "tags", "texts are wanted here, not a block of fields")}, status: "active"},
		{name: "supersedes with blocks", text: "---\nstatus: active\nsupersedes: {a: b}\n---\n",
			problems: []store.Problem{fatal(3, "supersedes", "texts are wanted here, not a block of fields")}, status: "active"},
		{name: "ids with commas", text: "---\nstatus: active\nsupersedes: A-1, A-2\n---\n",
			problems: []store.Problem{soft(3, "supersedes", "a text with commas is one entry; write a list, as in [a, b]")}, status: "active"},
		{name: "unknown tier", text: "---\nstatus: active\ntier: 1\n---\n",
			problems: []store.Problem{soft(3, "tier", `"1" is no tier; known are "T1", "T2", "T3", "T4" and "meta", and the one of the path was taken`)}, status: "active"},
		{name: "names in another case", text: "---\nStatus: Active\nApplies-When: travel\n---\n", status: "active"},
		{name: "blank line first", text: "\n---\nstatus: active\n---\nText.\n",
			problems: []store.Problem{soft(1, "", "front matter must begin on line 1, so none was read"), noStatus}},
		{name: "no opening line", text: "status: active\ntitle: A\n---\nText.\n",
			problems: []store.Problem{soft(1, "", "the front matter has no opening ---; it was read all the same")}, title: "A", status: "active", body: "Text."},
		{name: "a heading with a line below", text: "Note: this\n---\nText.\n",
			problems: []store.Problem{noStatus}, title: "Note: this"},
		{name: "too long", text: "---\nstatus: active\nnote: " + strings.Repeat("x", maxFrontMatter) + "\n---\nText.\n",
			problems: []store.Problem{fatal(1, "", "the front matter is longer than 16 KiB")}, body: "Text."},
		{name: "nested too deep", text: "---\nstatus: active\na: " + strings.Repeat("[", 70) + strings.Repeat("]", 70) + "\n---\n",
			problems: []store.Problem{fatal(3, "", "the front matter cannot be read: the fields are nested too deep")}, status: "active"},
		{name: "template by field", text: "---\nstatus: active\ntemplate: yes\n---\n",
			problems: []store.Problem{soft(1, "status", "a template never governs")}, status: "active"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := parse(t, "page.md", c.text, DocumentOptions{})
			if diff := cmp.Diff(c.problems, d.Problems); diff != "" {
				t.Errorf("problems differ (-want +got):\n%s", diff)
			}
			if c.title != "" && d.Title != c.title {
				t.Errorf("title = %q, want %q", d.Title, c.title)
			}
			if d.Status != c.status {
				t.Errorf("status = %q, want %q", d.Status, c.status)
			}
			if c.body != "" && d.Passages[0].Text != c.body {
				t.Errorf("first passage = %q, want %q", d.Passages[0].Text, c.body)
			}
		})
	}
}

// TestBrokenFrontMatterKeepsID: a slip of the pen must not make another document
// of a file.
func TestBrokenFrontMatterKeepsID(t *testing.T) {
	d := parse(t, "a/b.md", "---\nid: \"X-1\"\ntitle: A: b\n---\n", DocumentOptions{})
	if d.ID != "X-1" || d.Title != "A: b" {
		t.Errorf("id and title = %q, %q, want %q, %q", d.ID, d.Title, "X-1", "A: b")
	}
}

// TestHostileFrontMatter: the parser's time grows with the square of the
// nesting, and its stack with the nesting.
func TestHostileFrontMatter(t *testing.T) {
	for _, inner := range []string{
		strings.Repeat("[", maxFrontMatter-10), strings.Repeat("{a: ", maxFrontMatter/4-10), strings.Repeat("- ", maxFrontMatter/2-10),
		strings.Repeat("a: b\n", maxFrontMatter/5-10), "a: &a [b]\n" + strings.Repeat("c: *a\n", maxFrontMatter/6-10),
		strings.Repeat("? ", maxFrontMatter/2-10), strings.Repeat("!", maxFrontMatter-10), strings.Repeat("\"", maxFrontMatter-10),
	} {
		start := time.Now()
		parse(t, "page.md", "---\n"+inner+"\n---\n", DocumentOptions{})
		if d := time.Since(start); d > 5*time.Second {
			t.Errorf("front matter %.20q… took %v", inner, d)
		}
	}
}
