package analysis

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestNearest(t *testing.T) {
	for _, c := range []struct {
		wrong string
		names []string
		want  []string
	}{
		{"Invoces", []string{"Travel", "Invoices", "Payroll"}, []string{"Invoices", "Travel", "Payroll"}},
		{"payrol", []string{"Parole", "Payroll"}, []string{"Payroll", "Parole"}},
		{"finance", []string{"France", "Finance & Accounting", "Fin"}, []string{"Finance & Accounting", "France", "Fin"}},
		{"ab", []string{"b", "a", "ba", "abc"}, []string{"a", "abc", "b", "ba"}},
		{"CAFÉ", []string{"cafe\u0301 ", "cafe"}, []string{"cafe\u0301 ", "cafe"}},
		{"x", nil, []string{}},
		{"", []string{"b", "a"}, []string{"a", "b"}},
		{"報銷", []string{"報告", "報銷單"}, []string{"報告", "報銷單"}},
	} {
		given := slices.Clone(c.names)
		if diff := cmp.Diff(c.want, Nearest(c.wrong, c.names)); diff != "" {
			t.Errorf("Nearest(%q, %q):\n%s", c.wrong, c.names, diff)
		}
		if diff := cmp.Diff(given, c.names); diff != "" {
			t.Errorf("Nearest(%q) changed the names it was given:\n%s", c.wrong, diff)
		}
	}
}

func TestNearestIsComplete(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for range 200 {
		var names []string
		for range random.IntN(20) {
			names = append(names, strings.Repeat("ab", random.IntN(50))+string(rune('a'+random.IntN(5))))
		}
		got := Nearest("abab", names)
		shuffled := slices.Clone(names)
		random.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		if diff := cmp.Diff(got, Nearest("abab", shuffled)); diff != "" {
			t.Fatalf("Nearest depends on the order of the names:\n%s", diff)
		}
		slices.Sort(got)
		slices.Sort(names)
		if !slices.Equal(got, names) {
			t.Fatalf("Nearest returns %q of %q", got, names)
		}
	}
}

func TestEditDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"a", "", 1}, {"", "abc", 3}, {"abc", "abc", 0}, {"abc", "acb", 1}, {"ca", "abc", 3}, {"kitten", "sitting", 3}, {"trial", "trail", 1}, {"po1234", "po1243", 1},
	} {
		if got := editDistance([]rune(c.a), []rune(c.b)); got != c.want {
			t.Errorf("editDistance(%q, %q) = %d, want %d", c.a, c.b, got, c.want)
		}
		if got := editDistance([]rune(c.b), []rune(c.a)); got != c.want {
			t.Errorf("editDistance(%q, %q) = %d, want %d", c.b, c.a, got, c.want)
		}
	}
}
