package ingest

import (
	"strings"
	"testing"
)

// wordCounter counts words, for tests of cutting.
type wordCounter struct{}

func (wordCounter) CountTokens(text string) int { return len(strings.Fields(text)) }
func (wordCounter) Cut(text string, _ int) int  { return len(text) }

func TestRuleSplitter(t *testing.T) {
	split := RuleSplitter(wordCounter{})
	sentence := "Every invoice over the limit is approved by two people before it is paid to the supplier. "
	for _, c := range []struct {
		name   string
		text   string
		pieces int
	}{
		{"empty", "", 0}, {"short", sentence, 0}, {"just whole", strings.Repeat(sentence, 13), 0},
		{"long", strings.Repeat(sentence, 30), 3}, {"one endless sentence", strings.Repeat("word ", 2000), 1},
	} {
		pieces := split(c.text)
		if len(pieces) != c.pieces {
			t.Errorf("%s: %d pieces, want %d", c.name, len(pieces), c.pieces)
		}
		at := 0
		for _, p := range pieces {
			i := strings.Index(c.text[at:], p)
			if i < 0 || strings.TrimSpace(c.text[at:at+i]) != "" {
				t.Fatalf("%s: the piece %q does not follow the one before", c.name, p)
			}
			at += i + len(p)
		}
		if len(pieces) > 0 && strings.TrimSpace(c.text[at:]) != "" {
			t.Errorf("%s: the pieces leave out %q", c.name, c.text[at:])
		}
		if len(pieces) > 1 {
			for _, p := range pieces {
				if n := (wordCounter{}).CountTokens(p); n > rulePiece {
					t.Errorf("%s: a piece of %d words, want at most %d", c.name, n, rulePiece)
				}
			}
		}
	}
}
