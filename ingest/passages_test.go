package ingest

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"

	"waymark/embedding/embeddingtest"
	"waymark/store"
)

func TestCutAtHeadings(t *testing.T) {
	d := parse(t, "page.md", lines(
		"Before.", "# Travel", "## Hotels", "Book early.", "", "Pay late.", "### Abroad", "Ask first.", "## Empty", "## Trains",
		"# Other", "#### Deep", "x"), DocumentOptions{})
	want := []store.Passage{
		{StartLine: 1, EndLine: 1, Text: "Before."},
		{Headings: []string{"Hotels"}, StartLine: 4, EndLine: 6, Text: "Book early.\nPay late."},
		{Headings: []string{"Hotels", "Abroad"}, StartLine: 8, EndLine: 8, Text: "Ask first."},
		{StartLine: 9, EndLine: 9, Text: "Empty"},
		{StartLine: 10, EndLine: 10, Text: "Trains"},
		{Headings: []string{"Other", "Deep"}, StartLine: 13, EndLine: 13, Text: "x"},
	}
	if diff := cmp.Diff(want, d.Passages); diff != "" {
		t.Errorf("passages differ (-want +got):\n%s", diff)
	}
}

// sentence is one of n words that no other sentence has.
func sentence(number, n int) string {
	words := make([]string, n)
	for i := range words {
		words[i] = fmt.Sprintf("s%dw%d", number, i)
	}
	words[0] = strings.ToUpper(words[0][:1]) + words[0][1:]
	return strings.Join(words, " ") + "."
}

func TestCutLongSections(t *testing.T) {
	var b strings.Builder
	for i := range 50 { // one line of 500 words
		b.WriteString(sentence(i, 10) + " ")
	}
	text := "# Long\n\n" + b.String() + "\n"
	d := parse(t, "page.md", text, DocumentOptions{})
	var sizes []int
	var joined []string
	for _, p := range d.Passages {
		sizes = append(sizes, embeddingtest.New().CountTokens(p.Text))
		joined = append(joined, p.Text)
		if !strings.HasSuffix(p.Text, ".") {
			t.Errorf("passage %q does not end with a sentence", p.Text)
		}
		if p.StartLine != 3 || p.EndLine != 3 {
			t.Errorf("lines = %d-%d, want 3-3", p.StartLine, p.EndLine)
		}
	}
	if want := []int{170, 170, 160}; !slices.Equal(sizes, want) {
		t.Errorf("sizes = %v, want %v: parts of nearly equal length", sizes, want)
	}
	if got, want := strings.Join(joined, " "), strings.TrimSpace(b.String()); got != want {
		t.Errorf("the passages do not add up to the text")
	}
}

func TestCutLongSentence(t *testing.T) {
	d := parse(t, "page.md", strings.Repeat("word ", 450), DocumentOptions{})
	var sizes []int
	for _, p := range d.Passages {
		sizes = append(sizes, embeddingtest.New().CountTokens(p.Text))
	}
	if want := []int{200, 200, 50}; !slices.Equal(sizes, want) {
		t.Errorf("sizes = %v, want %v", sizes, want)
	}
}

func TestCutLongHeading(t *testing.T) {
	heading := strings.TrimSpace(strings.Repeat("heading ", 40))
	d := parse(t, "page.md", "# A\n\n## "+heading+"\n\nText.\n", DocumentOptions{})
	want := []store.Passage{{Headings: []string{strings.TrimSpace(strings.Repeat("heading ", 19)) + "…"}, StartLine: 3, EndLine: 5, Text: heading + "\nText."}}
	if diff := cmp.Diff(want, d.Passages); diff != "" {
		t.Errorf("passages differ (-want +got):\n%s", diff)
	}
}

// words are the runs of letters and digits of a text.
func words(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

var unmarked = regexp.MustCompile(`</?[a-z]+[^>]*>|\]\([^)]*\)|[*_\x60~\x{FE0F}\[\]]`)

// letters are the words of a line of markdown, and those that it has without tags
// and signs.
func letters(text string) string {
	return strings.Join(words(text), " ") + " " + strings.Join(words(resolve(text)), " ") + " " + strings.Join(words(resolve(unmarked.ReplaceAllString(text, ""))), " ")
}

// checkPassages holds the passages of a markdown document to what they promise:
// they are short, in order, and every word of one stands on its lines.
func checkPassages(t *testing.T, name string, text string, passages []store.Passage) {
	t.Helper()
	source := strings.Split(text, "\n")
	last := 0
	for i, p := range passages {
		if n := embeddingtest.New().CountTokens(p.Text); n > PassagePieces && len(words(p.Text)) > 1 {
			t.Errorf("%s: passage %d has %d pieces", name, i, n)
		}
		if p.StartLine < 1 || p.EndLine < p.StartLine || p.EndLine > max(1, len(source)) || p.StartLine < last {
			t.Errorf("%s: passage %d has lines %d-%d after %d, of %d", name, i, p.StartLine, p.EndLine, last, len(source))
			return
		}
		last = p.StartLine
		have := letters(strings.Join(source[p.StartLine-1:p.EndLine], " "))
		for _, w := range words(p.Text) {
			if !strings.Contains(have, w) {
				t.Errorf("%s: passage %d: %q is not on lines %d-%d", name, i, w, p.StartLine, p.EndLine)
				break
			}
		}
		for _, at := range []struct{ line, word int }{{p.StartLine, 0}, {p.EndLine, -1}} {
			all := words(p.Text)
			if len(all) == 0 {
				continue
			}
			w := all[(at.word+len(all))%len(all)]
			if len(words(unmarked.ReplaceAllString(source[at.line-1], ""))) == 0 {
				continue // signs make up the rest of the passage
			}
			if !strings.Contains(letters(source[at.line-1]), w) {
				t.Errorf("%s: passage %d: %q is not on line %d", name, i, w, at.line)
			}
		}
	}
}

// TestPassagesOfCorpora checks every fourth page of the public corpora, and with
// WAYMARK_LONG=1 every page.
func TestPassagesOfCorpora(t *testing.T) {
	root := corpora(t)
	count := 0
	err := filepath.WalkDir(root, func(p string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.HasSuffix(p, ".md") {
			return err
		}
		if count++; count%4 != 0 && os.Getenv("WAYMARK_LONG") == "" {
			return nil
		}
		data, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		relative, _ := filepath.Rel(root, p)
		d := parse(t, relative, string(data), DocumentOptions{})
		text, _ := decodeText(p, data)
		checkPassages(t, relative, text, d.Passages)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if count < 1200 {
		t.Errorf("only %d pages were found", count)
	}
}

// TestPassagesLoseNothing: the words of random pages are all in their passages,
// in order.
func TestPassagesLoseNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 100 {
		var page strings.Builder
		var want []string
		number := 0
		say := func(n int) string {
			number++
			s := sentence(number, n)
			want = append(want, words(s)...)
			return s
		}
		for range 1 + r.IntN(30) {
			switch r.IntN(6) {
			case 0:
				page.WriteString(strings.Repeat("#", 1+r.IntN(4)) + " " + strings.TrimSuffix("Heading"+sentence(number, 1), ".") + "\n")
			case 1:
				for range 1 + r.IntN(5) {
					page.WriteString("- " + say(1+r.IntN(20)) + "\n")
				}
				page.WriteString("\n")
			case 2:
				page.WriteString("```\n" + say(1+r.IntN(300)) + "\n" + say(3) + "\n```\n")
			default:
				for range 1 + r.IntN(20) {
					page.WriteString(say(1+r.IntN(40)) + []string{" ", "\n"}[r.IntN(2)])
				}
				page.WriteString("\n\n")
			}
		}
		d := parse(t, "page.md", page.String(), DocumentOptions{})
		checkPassages(t, "page", page.String(), d.Passages)
		var got []string
		for _, p := range d.Passages {
			for _, w := range words(p.Text) {
				if !strings.HasPrefix(w, "Heading") { // one without text below
					got = append(got, w)
				}
			}
		}
		if !slices.Equal(got, want) {
			t.Fatalf("the passages of this page have %d words, want %d:\n%s", len(got), len(want), page.String())
		}
	}
}

func FuzzParseDocument(f *testing.F) {
	for _, seed := range []string{"---\nid: a\nstatus: active\n---\n# A\n", "---\na: [b, {c: d}]\nx: &y z\n---\n", "a | b\n- | -\n c | d", "---\nvalidity: {valid_from: 2026-01-01}\n---\n> - *a* [b](c)\n```\n", "\xEF\xBB\xBF---\r\nid: 1\r\n---\r\n"} {
		f.Add([]byte(seed))
	}
	cutter := testCutter()
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, path := range []string{"a/b.md", "a.rst"} {
			d, err := ParseDocument(path, data, DocumentOptions{ADRStatus: true, PEP: true, Passages: cutter})
			if err != nil {
				continue
			}
			text, _ := decodeText(path, data)
			total := 1 + strings.Count(text, "\n")
			for _, p := range d.Passages {
				if p.StartLine < 1 || p.EndLine < p.StartLine || p.EndLine > total {
					t.Errorf("lines %d-%d of %d", p.StartLine, p.EndLine, total)
				}
			}
			for _, q := range d.Problems {
				if q.Line < 1 || q.Line > total || q.Reason == "" {
					t.Errorf("problem %+v of %d lines", q, total)
				}
			}
			if d.ID == "" || d.Title == "" && len(strings.TrimSpace(string(data))) > 0 && path == "a/b.md" {
				t.Errorf("id %q, title %q", d.ID, d.Title)
			}
		}
	})
}
