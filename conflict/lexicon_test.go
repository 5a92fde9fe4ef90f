package conflict

import (
	"strings"
	"testing"
)

func TestLexiconNamesMeet(t *testing.T) {
	acts := map[string]bool{}
	for _, line := range lexiconLines("acts.txt") {
		name, rest, ok := strings.Cut(line, ":")
		if !ok || !strings.Contains(rest, "|") {
			t.Errorf("acts.txt: %q has no name or no bar", line)
		}
		if acts[name] {
			t.Errorf("acts.txt: %q is there twice", name)
		}
		acts[name] = true
	}
	for _, file := range []string{"kin.txt", "antonyms.txt"} {
		for _, line := range lexiconLines(file) {
			f := strings.Fields(line)
			if len(f) < 2 {
				t.Errorf("%s: %q has no pair", file, line)
			}
			for _, name := range f {
				if !acts[name] {
					t.Errorf("%s: %q is no act", file, name)
				}
			}
		}
	}
}

func TestVerbForms(t *testing.T) {
	l := loaded()
	for word, want := range map[string]verbForm{
		"approve": formBase, "approves": formS, "approved": formParticiple, "approving": formIng, "submitted": formParticiple, "submitting": formIng, "carried": formParticiple, "carries": formS,
		"kept": formParticiple, "paid": formParticiple, "taken": formParticiple, "authorised": formParticiple, "authorized": formParticiple, "analyzes": formS, "goes": formS,
	} {
		if l.verbs[word]&want == 0 {
			t.Errorf("%q has forms %b, want %b among them", word, l.verbs[word], want)
		}
	}
}

func TestWordsOfOneMeaning(t *testing.T) {
	for _, words := range []string{"approve approval authorisation authorization authorised", "delete deleted erase destruction", "employee staff workers", "supplier vendors", "e-mail email mail", "centre center", "organise organize", "licence license permit", "purchase_order PO", "line_manager supervisor"} {
		var first concept
		for i, w := range strings.Fields(words) {
			r := newReading(strings.ReplaceAll(w, "_", " "))
			got := r.tokens[0].means
			if i == 0 {
				first = got
			} else if got != first {
				t.Errorf("%q and %q do not mean the same", strings.Fields(words)[0], w)
			}
		}
	}
}
