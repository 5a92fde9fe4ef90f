package index

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"waymark/store"
)

func TestRuleEmbeddingText(t *testing.T) {
	for want, r := range map[string]store.Rule{
		"Travel > Hotels > Limits (eu, night): Ask first.": {Text: "Ask first.", Domain: "Hotels", Cluster: "Limits", Tags: []string{"eu", "night"}},
		"Travel > Hotels: Ask first.":                      {Text: "Ask first.", Domain: "Hotels"},
		"Travel (eu): Ask first.":                          {Text: "Ask first.", Tags: []string{"eu"}},
		"Travel: Ask first.":                               {Text: "Ask first."},
	} {
		if got := RuleEmbeddingText("Travel", r); got != want {
			t.Errorf("RuleEmbeddingText(%+v) = %q, want %q", r, got, want)
		}
	}
	for want, r := range map[string]store.Rule{
		"Ask first.":       {Text: "Ask first."},
		"(eu): Ask first.": {Text: "Ask first.", Tags: []string{"eu"}},
	} {
		if got := RuleEmbeddingText("", r); got != want {
			t.Errorf("RuleEmbeddingText(%+v) without a Trail = %q, want %q", r, got, want)
		}
	}
}

func TestPassageEmbeddingText(t *testing.T) {
	d := store.Document{Title: "Hotels"}
	for want, p := range map[string]store.Passage{
		"Hotels > Limits > Abroad\nAsk first.": {Headings: []string{"Limits", "Abroad"}, Text: "Ask first."},
		"Hotels\nAsk first.":                   {Text: "Ask first."},
		"Hotels > Limits":                      {Headings: []string{"Limits"}},
	} {
		if got := PassageEmbeddingText(d, p); got != want {
			t.Errorf("PassageEmbeddingText(%+v) = %q, want %q", p, got, want)
		}
	}
	if got := PassageEmbeddingText(store.Document{}, store.Passage{Text: "Ask first."}); got != "Ask first." {
		t.Errorf("PassageEmbeddingText() of a bare passage = %q", got)
	}
}

func TestRuleEmbeddingTexts(t *testing.T) {
	r := store.Rule{Text: "One. Two. One.", Domain: "Hotels"}
	for name, test := range map[string]struct {
		split func(string) []string
		want  []string
	}{
		"no split":          {nil, []string{"T > Hotels: One. Two. One."}},
		"one part":          {func(text string) []string { return []string{text} }, []string{"T > Hotels: One. Two. One."}},
		"parts":             {func(text string) []string { return strings.Split(text, " ") }, []string{"T > Hotels: One.", "T > Hotels: Two.", "T > Hotels: One."}},
		"parts of another":  {func(string) []string { return []string{"One.", "Three."} }, []string{"T > Hotels: One. Two. One."}},
		"parts in disorder": {func(string) []string { return []string{"Two.", "Two."} }, []string{"T > Hotels: One. Two. One."}},
		"empty parts":       {func(string) []string { return []string{"One.", ""} }, []string{"T > Hotels: One. Two. One."}},
		"nothing":           {func(string) []string { return nil }, []string{"T > Hotels: One. Two. One."}},
	} {
		if diff := cmp.Diff(test.want, RuleEmbeddingTexts("T", r, test.split)); diff != "" {
			t.Errorf("%s: RuleEmbeddingTexts() differs (-want +got):\n%s", name, diff)
		}
	}
}
