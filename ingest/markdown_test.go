package ingest

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// show writes the blocks of a page as lines: level, first and last line, text.
func show(blocks []block) []string {
	var out []string
	for _, b := range blocks {
		out = append(out, fmt.Sprintf("%d %d-%d %s", b.level, b.lineAt(0), b.lineAt(len(b.text)-1), b.text))
	}
	return out
}

func TestReadMarkdown(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"paragraphs", "One\ntwo  \nthree.\n\n\nFour.\n", []string{"0 10-12 One two\nthree.", "0 15-15 Four."}},
		{"headings", "# A *b*\nText\n\nB `c`\n---\n### D ###\n", []string{"1 10-10 A b", "0 11-11 Text", "2 13-13 B c", "3 15-15 D"}},
		{"links", "See [the *form*](https://x.example/f \"t\"), [](empty.md), <https://y.example>, ![plan](p.png) and [ref].\n\n[ref]: z.md\n",
			[]string{"0 10-10 See the form, empty.md, https://y.example, plan and ref."}},
		{"link over two lines", "a [b\nc](d.md) e\n", []string{"0 10-11 a b c e"}},
		{"escapes", "1 \\* 2 &lt; 3 &#65; `&lt;` A&B\n", []string{"0 10-10 1 * 2 < 3 A &lt; A&B"}},
		{"code", "```sh\nrm -rf  x\n\n<!-- kept -->\n```\n\n    indented\n",
			[]string{"0 11-11 rm -rf x", "0 13-13 <!-- kept -->", "0 16-16 indented"}},
		{"code without end", "```\na\nb", []string{"0 11-11 a", "0 12-12 b"}},
		{"lists", "- one\n  more\n- two\n  1. deep\n\n* [ ] task\n", []string{"0 10-11 one more", "0 12-12 two", "0 13-13 deep", "0 15-15 [ ] task"}},
		{"quote", "> # said\n> loud\n", []string{"0 10-10 said", "0 11-11 loud"}},
		{"table", "| Grade | Limit |\n|:--|--:|\n| A | 5,000 [USD](u.md) |\n| B | `x\\|y` |\n",
			[]string{"0 10-10 Grade | Limit", "0 12-12 A | 5,000 USD", "0 13-13 B | x|y"}},
		{"comments", "a <!-- no\nnot this --> b\n\n<!-- gone\n\nstill gone -->\n\nc\n", []string{"0 10-11 a b", "0 17-17 c"}},
		{"html", "<details>\n<summary>Travel &amp; more</summary>\nText <b>bold</b> 1 < 2\n</details>\n\nx<br>y <i>z</i>\n",
			[]string{"0 11-12 Travel & more\nText bold 1 < 2", "0 15-15 x\ny z"}},
		{"scripts", "<script>\nalert(1)\n</script>\n\n<style>\np {}\n</style>\n\na\n", []string{"0 18-18 a"}},
		{"rule", "a\n\n***\n\nb\n", []string{"0 10-10 a", "0 14-14 b"}},
		{"nothing", "\n \n\t\n", nil},
	} {
		if diff := cmp.Diff(c.want, show(readMarkdown(c.text, 10).blocks)); diff != "" {
			t.Errorf("%s: blocks differ (-want +got):\n%s", c.name, diff)
		}
	}
}

func TestReadPlain(t *testing.T) {
	got := show(readPlain("# A\nb\n > c\n\n####### d\n#e\n", 3))
	want := []string{"1 3-3 A", "0 4-5 b c", "0 7-8 ####### d #e"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("blocks differ (-want +got):\n%s", diff)
	}
}

// TestHostileMarkdown reads what makes the parser's time grow with the square of
// the size: 60 KiB of one of these took 3 s, and 120 KiB took 20.
// WAYMARK_LONG=1 reads as much as a document may have.
func TestHostileMarkdown(t *testing.T) {
	size, limit := 128<<10, 5*time.Second
	if os.Getenv("WAYMARK_LONG") != "" {
		size, limit = MaxDocumentBytes, 60*time.Second
	}
	for _, unit := range []string{"[", "]", ">", "> ", "- ", "*a_", "*a ", "[a](", "![[]()", "` `` ", "<!-- ", "x<a ", "a**b", "&", "\\", "word ", "word\n",
		"- a\n", "a|b\n", "a|", "[a]: b\n", "[a]\n\n", "# a\n", "> a\n", "    a\n", "a\n\n", "<b>\n\n", "1. a\n", "*a*\n\n", "`a\n", "a.", "a. "} {
		text := strings.Repeat(unit, size/len(unit))
		start := time.Now()
		_, err := ParseDocument("page.md", []byte(text), DocumentOptions{Passages: testCutter()})
		if err != nil && !errors.Is(err, ErrTooLarge) {
			t.Errorf("ParseDocument(%d bytes of %q) = %v", size, unit, err)
		}
		if took := time.Since(start); took > limit {
			t.Errorf("ParseDocument(%d bytes of %q) took %v", size, unit, took)
		}
	}
}
