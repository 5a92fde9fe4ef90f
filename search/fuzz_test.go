package search_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"waymark/search"
	"waymark/search/searchtest"
)

// FuzzQuery: any text is a query. It is answered, the same twice, or refused as
// blank or too long; the answer can be sent, and what it shows stands in the
// stored texts.
func FuzzQuery(f *testing.F) {
	s := searchtest.Open(f, searchtest.Options{}).Space("w")
	searchtest.NewRandom(s, 1).Fill(20, 20)
	for _, seed := range []string{"hotel", `"hotel night" -payroll`, `"`, `""`, "-", `-"`, "--x", "PO-1234", "1,000 EUR", "\x00", "\xff\xfe", "报销", "é", "e\u0301", "𝒳", "a\u200bb",
		"r001", "d021", strings.Repeat("a", 2000), strings.Repeat("ä ", 1000), strings.Repeat(`"a" -b `, 200), "<script>", "\u202ehotel", "١٢٣", "½", "C++", "e-mail", "ISO 27001", "not", "?!"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, query string) {
		rules, err := s.Service.SearchRules(t.Context(), search.Asker{Workspace: s.ID}, search.RuleQuery{Query: query, Explain: true})
		if err != nil {
			var e *search.Error
			if !errors.As(err, &e) || e.Code != search.CodeQueryMissing && e.Code != search.CodeTooLarge {
				t.Fatalf("SearchRules(%q): %v", query, err)
			}
			if (strings.TrimSpace(query) == "") != (e.Code == search.CodeQueryMissing) {
				t.Fatalf("SearchRules(%q): %v", query, err)
			}
			return
		}
		again, err := s.Service.SearchRules(t.Context(), search.Asker{Workspace: s.ID}, search.RuleQuery{Query: query, Explain: true})
		if err != nil {
			t.Fatal(err)
		}
		first, err := json.Marshal(rules)
		if err != nil {
			t.Fatalf("the answer to %q cannot be sent: %v", query, err)
		}
		if second, err := json.Marshal(again); err != nil || string(first) != string(second) {
			t.Fatalf("two answers to %q:\n%s\n%s", query, first, second)
		}
		for _, r := range rules.Results {
			if len(r.Matched.Terms)+len(r.Matched.Codes) == 0 && r.Matched.Meaning <= 0 {
				t.Fatalf("%q returns %s, which matched nothing", query, r.ID)
			}
		}
		docs, err := s.Service.SearchDocuments(t.Context(), s.ID, search.DocumentQuery{Query: query, Verbose: true, Explain: true, IncludeExpired: true})
		if err != nil {
			t.Fatalf("SearchDocuments(%q): %v", query, err)
		}
		if _, err := json.Marshal(docs); err != nil {
			t.Fatalf("the answer to %q cannot be sent: %v", query, err)
		}
		for _, h := range docs.Hits {
			if utf8.RuneCountInString(h.Snippet) > 160 || !utf8.ValidString(h.Snippet) {
				t.Fatalf("%q: snippet %q", query, h.Snippet)
			}
			if *h.Score <= 0 || *h.Score > 2 {
				t.Fatalf("%q: score %v of %s", query, *h.Score, h.ID)
			}
		}
	})
}
