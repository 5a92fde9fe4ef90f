package analysis

import (
	"testing"
	"unicode"
)

func TestFold(t *testing.T) {
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"Invoices", "  INVOICES\t", true},
		{"Café", "CAFE\u0301", true},
		{"café", "cafe", false},
		{"Straße", "STRASSE", true},
		{"ΟΔΟΣ", "οδος", true},
		{"travel  policy", "travel policy", false},
		{"\u00a0Travel\u2003", "travel", true},
		{"Trail_1", "trail-1", false},
		{"ﬁ", "fi", true},
		{"İ", "i", false},
		{"", " ", true},
		{"Ａ", "A", false},
	} {
		if got := Fold(c.a) == Fold(c.b); got != c.same {
			t.Errorf("Fold(%q) = %q, Fold(%q) = %q, want the same: %v", c.a, Fold(c.a), c.b, Fold(c.b), c.same)
		}
	}
}

func FuzzFold(f *testing.F) {
	f.Add("Café ")
	f.Add("ǰ\u0323ß")
	f.Fuzz(func(t *testing.T, name string) {
		folded := Fold(name)
		if again := Fold(folded); again != folded {
			t.Fatalf("Fold(%q) = %q, and again %q", name, folded, again)
		}
	})
}

func TestStripAccents(t *testing.T) {
	for _, c := range []struct{ word, want string }{
		{"café", "cafe"}, {"naïve", "naive"}, {"łódź", "lodz"}, {"ærø", "aero"}, {"þing", "thing"}, {"œuvre", "oeuvre"}, {"ñandú", "nandu"},
		{"ελλάδα", "ελλαδα"}, {"ёлка", "елка"}, {"йод", "йод"}, {"हिन्दी", "हिन्दी"}, {"kāpēc", "kapec"}, {"plain", "plain"}, {"дı", "дi"},
	} {
		if got := stripAccents(c.word); got != c.want {
			t.Errorf("stripAccents(%q) = %q, want %q", c.word, got, c.want)
		}
	}
}

func TestDigitOf(t *testing.T) {
	// Every decimal digit but those of ASCII follows one that is one less, or
	// is a zero.
	for r := rune('0'); r < 0x20000; r++ {
		if !unicode.IsDigit(r) {
			continue
		}
		if d := digitOf(r); d != '0' && digitOf(r-1) != d-1 {
			t.Errorf("digitOf(%U) = %c, and the one before is %c", r, d, digitOf(r-1))
		}
	}
	for r, want := range map[rune]byte{'٣': '3', '７': '7', '९': '9', '0': '0', '𝟗': '9'} {
		if got := digitOf(r); got != want {
			t.Errorf("digitOf(%q) = %c, want %c", r, got, want)
		}
	}
}
