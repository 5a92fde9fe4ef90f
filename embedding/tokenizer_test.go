package embedding

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// spelled returns the words of the vocabulary that ids stand for.
func spelled(t testing.TB, e *Encoder, ids []int32) string {
	t.Helper()
	words := make([]string, len(ids))
	for i, id := range ids {
		for word, n := range e.tokenizer.first {
			if n == id {
				words[i] = word
			}
		}
		for word, n := range e.tokenizer.next {
			if n == id {
				words[i] = "##" + word
			}
		}
	}
	return strings.Join(words, " ")
}

func TestTokens(t *testing.T) {
	e := newTestEncoder(t, Options{})
	for _, c := range []struct{ text, want string }{
		{"", ""},
		{" \t\r\n\u00a0\u3000", ""},
		{"\x00\x01\x7f\u200b\ufeff\ufffd\ue000", ""},
		{"\xff\xfe", ""},
		{"ap\xffproved", "approved"},
		{"Invoices over 5,000 USD", "in ##vo ##ices over 5 , 000 usd"},
		{"PO-1234", "po - 123 ##4"},
		{"Größe, naïve CAFÉ", "gr ##o ##ße , naive cafe"},
		{"cafe\u0301s", "cafes"},
		{"\u0301\u0301", ""},
		{"İstanbul", "istanbul"},
		{"中文 text", "中 文 text"},
		{"한국", "ᄒ ##ᅡ ##ᆫ ##ᄀ ##ᅮ ##ᆨ"},
		{"[CLS] a [SEP]", "[ cl ##s ] a [ sep ]"},
		{"a_b+c", "a _ b + c"},
		{"«ok»", "« ok »"},
		{"5€", "5 ##€"},
		{strings.Repeat("a", 101), "[UNK]"},
		{"x " + strings.Repeat("é", 101) + " y", "x [UNK] y"},
		{"\U0001f600", "[UNK]"},
	} {
		ids := e.Tokens(c.text)
		if diff := cmp.Diff(c.want, spelled(t, e, ids)); diff != "" {
			t.Errorf("Tokens(%q) differs (-want +got):\n%s", c.text, diff)
		}
		if got := e.CountTokens(c.text); got != len(ids) {
			t.Errorf("CountTokens(%q) = %d, want %d", c.text, got, len(ids))
		}
	}
}

func TestEncodeCutsAtMaxTokens(t *testing.T) {
	e := newTestEncoder(t, Options{})
	for _, n := range []int{253, 254, 255, 100_000} {
		ids := e.tokenizer.encode(strings.Repeat("no ", n))
		if want := min(n+2, e.MaxTokens()); len(ids) != want || ids[0] != 101 || ids[len(ids)-1] != 102 {
			t.Errorf("encode of %d words has %d tokens, from %d to %d, want %d from 101 to 102", n, len(ids), ids[0], ids[len(ids)-1], want)
		}
	}
	// A word that reaches beyond the end is cut between its pieces.
	ids := e.tokenizer.encode(strings.Repeat("no ", 253) + "invoices")
	if got := spelled(t, e, ids[253:]); got != "no in [SEP]" {
		t.Errorf("the last tokens are %q, want %q", got, "no in [SEP]")
	}
}

func TestCut(t *testing.T) {
	e := newTestEncoder(t, Options{})
	const text = "invoices über 5,000, please\u0301! "
	for pieces, want := range []string{
		"invoices", "invoices", "invoices", "invoices",
		"invoices über", "invoices über 5", "invoices über 5,", "invoices über 5,000", "invoices über 5,000,",
		"invoices über 5,000, please\u0301", text, text,
	} {
		if got := text[:e.Cut(text, pieces)]; got != want {
			t.Errorf("Cut(%q, %d) leaves %q, want %q", text, pieces, got, want)
		}
	}
	for _, text := range []string{"", " \n ", "\xff"} {
		if got := e.Cut(text, 3); got != len(text) {
			t.Errorf("Cut(%q, 3) = %d, want %d", text, got, len(text))
		}
	}
}

// FuzzTokens checks, for any text, that all ways to count agree, that ids are
// words of the vocabulary, and what Cut promises.
func FuzzTokens(f *testing.F) {
	for _, r := range references(f) {
		f.Add(r.Text, 7)
	}
	f.Add("e\u0301\u0300 \u1100\u1161 \uf900\u0301x", 1)
	e := newTestEncoder(f, Options{})
	vocabulary := int32(e.header.Architecture.Vocabulary)
	f.Fuzz(func(t *testing.T, text string, pieces int) {
		ids := e.Tokens(text)
		if got := e.CountTokens(text); got != len(ids) {
			t.Errorf("CountTokens(%q) = %d, want %d", text, got, len(ids))
		}
		for _, id := range ids {
			if id < 0 || id >= vocabulary {
				t.Fatalf("Tokens(%q) holds %d, want less than %d", text, id, vocabulary)
			}
		}
		framed := e.tokenizer.encode(text)
		if n := min(len(ids), e.MaxTokens()-2); !slices.Equal(framed[1:len(framed)-1], ids[:n]) {
			t.Errorf("encode(%q) = %v, want the first %d of %v", text, framed, n, ids)
		}
		at := e.Cut(text, pieces)
		if at < 0 || at > len(text) || utf8.ValidString(text) && !utf8.ValidString(text[:at]) {
			t.Fatalf("Cut(%q, %d) = %d, want the end of a character", text, pieces, at)
		}
		head := e.Tokens(text[:at])
		if !slices.Equal(head, ids[:len(head)]) {
			t.Errorf("Cut(%q, %d) = %d cuts a word: %v does not begin %v", text, pieces, at, head, ids)
		}
		if len(head) > pieces && at < len(text) && e.Cut(text[:at], 0) != at {
			t.Errorf("Cut(%q, %d) = %d leaves %d pieces", text, pieces, at, len(head))
		}
		if len(head) == 0 && len(ids) > 0 {
			t.Errorf("Cut(%q, %d) = %d leaves no word of %v", text, pieces, at, ids)
		}
	})
}
