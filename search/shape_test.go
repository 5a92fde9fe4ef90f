package search_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"waymark/ingest"
	"waymark/search"
	"waymark/search/searchtest"
)

// TestShapes checks, for every combination of status, window, recheck, type, inbox
// and supersession, which members a compact and a verbose hit have: compact shows
// what deviates and nothing else, verbose always everything.
func TestShapes(t *testing.T) {
	s := searchtest.Open(t, searchtest.Options{ReviewDueAfterDays: 365}).Space("w")
	type document struct {
		status, from, until, recheck, verified, kind, replaced string
		inbox                                                  bool
	}
	docs := map[string]document{}
	files := map[string]string{}
	add := func(d document) {
		id := fmt.Sprintf("d%04d", len(docs))
		docs[id] = d
		folder := "universal/"
		if d.inbox {
			folder = "memory/inbox/"
		}
		head := "id: " + id + "\ntitle: Hotels\n"
		for _, f := range [][2]string{{"status", d.status}, {"valid_from", d.from}, {"valid_until", d.until}, {"recheck_by", d.recheck}, {"last_verified", d.verified}, {"type", d.kind}} {
			if f[1] != "" {
				head += f[0] + ": " + f[1] + "\n"
			}
		}
		if d.replaced == "claims" {
			head += "superseded_by: somebody\n"
		}
		files[folder+id+".md"] = "---\n" + head + "---\nHotel nights.\n"
	}
	for _, status := range []string{"", "active", "Accepted", "approved", "draft", "superseded", "deprecated"} {
		for _, window := range [][2]string{{"", ""}, {"2026-01-01", "2026-12-31"}, {"2027-01-01", ""}, {"", "2026-11-30"}} {
			for _, check := range [][2]string{{"", "2026-11-01"}, {"2026-11-30", "2026-11-01"}, {"", ""}, {"2027-01-01", ""}} {
				for _, kind := range []string{"", "policy"} {
					for _, replaced := range []string{"", "claims", "is"} {
						add(document{status, window[0], window[1], check[0], check[1], kind, replaced, len(docs)%7 == 0})
					}
				}
			}
		}
	}
	// One document in force supersedes all that are to be superseded.
	newer := "id: newer\ntitle: New hotels\nstatus: active\nsupersedes: ["
	for _, id := range slices.Sorted(maps.Keys(docs)) {
		if docs[id].replaced == "is" {
			newer += id + ", "
		}
	}
	files["universal/newer.md"] = "---\n" + newer + "]\n---\nTrains.\n"
	s.AddDocuments(files)

	seen := 0
	for _, verbose := range []bool{false, true} {
		q := search.DocumentQuery{Query: "hotel nights", Verbose: verbose, IncludeExpired: true}
		hits, _ := allDocuments(s, q)
		for _, hit := range hits {
			d, known := docs[hit.ID]
			if !known {
				continue
			}
			seen++
			upcoming, expired := d.from > searchtest.Today, d.until != "" && d.until < searchtest.Today
			governing := slices.Contains([]string{"active", "accepted", "approved"}, strings.ToLower(d.status))
			inForce := governing && !upcoming && !expired && !d.inbox && d.replaced != "is"
			freshness := "fresh"
			switch {
			case expired:
				freshness = "expired"
			case upcoming:
				freshness = "upcoming"
			case d.recheck != "" && d.recheck < searchtest.Today, d.recheck == "" && d.verified == "":
				freshness = "stale"
			}
			want := map[string]any{"id": hit.ID, "title": "Hotels", "snippet": "Hotel nights."}
			if verbose {
				want["path"] = "universal/" + hit.ID + ".md"
				if d.inbox {
					want["path"] = "memory/inbox/" + hit.ID + ".md"
				}
				want["score"], want["matched"], want["strength"], want["section"], want["lines"] = nil, nil, nil, nil, nil
			}
			if status := strings.ToLower(d.status); verbose || !inForce && !governing && status != "" {
				want["status"] = status
			}
			if verbose || d.kind != "" {
				want["type"] = d.kind
			}
			if verbose || freshness != "fresh" {
				want["freshness"] = freshness
			}
			if verbose || !inForce {
				want["in_force"] = inForce
			}
			switch {
			case d.replaced == "is":
				want["superseded_by"] = []any{"newer"}
			case d.replaced == "claims" && !inForce:
				want["superseded_by"] = []any{"somebody"}
			}
			body, err := json.Marshal(hit)
			if err != nil {
				t.Fatal(err)
			}
			var got map[string]any
			if err := json.Unmarshal(body, &got); err != nil {
				t.Fatal(err)
			}
			for _, name := range []string{"score", "matched", "strength", "section", "lines"} {
				if _, wanted := want[name]; wanted && got[name] != nil {
					got[name] = nil // there; what it holds is tested elsewhere
				}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("verbose %v, %+v (-want +got):\n%s", verbose, d, diff)
			}
		}
	}
	if seen != 2*len(docs) {
		t.Errorf("%d hits seen, want %d", seen, 2*len(docs))
	}
	for _, verbose := range []bool{false, true} {
		a := s.Documents(search.DocumentQuery{Query: "hotel nights", Verbose: verbose})
		if (a.Query != nil) != verbose || verbose && *a.Query != "hotel nights" {
			t.Errorf("verbose %v: query %v", verbose, a.Query)
		}
		if a.TotalReturned != len(a.Hits) || a.StoreVersion == 0 {
			t.Errorf("verbose %v: total_returned %d of %d, version %d", verbose, a.TotalReturned, len(a.Hits), a.StoreVersion)
		}
		for i := 1; verbose && i < len(a.Hits); i++ {
			if *a.Hits[i-1].Score < *a.Hits[i].Score {
				t.Errorf("hit %d has a lower score than the next: higher must be better", i)
			}
		}
	}
}

// TestNotInForceComesLater: of equal documents, what governs comes first, and what
// was replaced last, flagged.
func TestNotInForceComesLater(t *testing.T) {
	s := searchtest.Open(t, searchtest.Options{}).Space("w")
	doc := func(id, fields string) string {
		return "---\nid: " + id + "\ntitle: Hotels\n" + fields + "\n---\nHotel nights.\n"
	}
	s.AddDocuments(map[string]string{
		"universal/a.md": doc("a", "status: deprecated"),
		"universal/b.md": doc("b", "status: draft"),
		"universal/c.md": doc("c", "status: active\nvalid_from: 2027-01-01"),
		"universal/d.md": doc("d", "status: active"),
		"universal/e.md": doc("e", "status: active\nrecheck_by: 2020-01-01"),
		"universal/f.md": doc("f", "status: active\nvalid_until: 2026-01-01"),
	})
	got := searchtest.DocumentIDs(s.Documents(search.DocumentQuery{Query: "hotel nights", IncludeExpired: true}))
	if want := []string{"d", "e", "b", "c", "a", "f"}; !slices.Equal(got, want) {
		t.Errorf("order %v, want %v: governing, then open, then replaced or expired", got, want)
	}
}

// TestSnippets: at most 160 characters, cut between words, marked where something
// was left out, showing what matched.
func TestSnippets(t *testing.T) {
	s := searchtest.Open(t, searchtest.Options{}).Space("w")
	filler := strings.Repeat("Günstige Wörter füllen die Seite weiter auf. ", 12)
	s.AddDocuments(map[string]string{
		"universal/middle.md":  "---\nstatus: active\ntitle: Middle\n---\n" + filler + "The zeppelin lands at noon. " + filler + "\n",
		"universal/start.md":   "---\nstatus: active\ntitle: Start\n---\nThe zeppelin starts at dawn. " + filler + "\n",
		"universal/short.md":   "---\nstatus: active\ntitle: Short\n---\nA zeppelin.\n",
		"universal/applies.md": "---\nstatus: active\ntitle: Applies\napplies_when: [boarding a zeppelin]\n---\nGo up the ladder.\n",
		"universal/tags.md":    "---\nstatus: active\ntitle: Tags\ntags: [zeppelin]\n---\nGo up the ladder.\n",
		"universal/about.md":   "---\nstatus: active\ntitle: About\ndescription: All about the zeppelin.\n---\nGo up the ladder.\n",
		"universal/words.md":   "---\nstatus: active\ntitle: Long\n---\nzeppelin " + strings.Repeat("Ü", 300) + "\n",
		"universal/second.md":  "---\nstatus: active\ntitle: Second\n---\n# One\n\n" + filler + "\n\n# Two\n\nThe zeppelin is grey.\n",
	})
	a := s.Documents(search.DocumentQuery{Query: "zeppelin", Verbose: true})
	if len(a.Hits) != 8 {
		t.Fatalf("%d hits, want 8: %v", len(a.Hits), searchtest.DocumentIDs(a))
	}
	for _, h := range a.Hits {
		if n := utf8.RuneCountInString(h.Snippet); n > 160 || n == 0 || !utf8.ValidString(h.Snippet) {
			t.Errorf("%s: %d characters: %q", h.ID, n, h.Snippet)
		}
		if !strings.Contains(strings.ToLower(h.Snippet), "zeppelin") {
			t.Errorf("%s: the snippet shows nothing of what matched: %q", h.ID, h.Snippet)
		}
		for _, word := range strings.Fields(strings.Trim(h.Snippet, "… ")) {
			if h.ID != "universal-words" && !strings.Contains(filler+" The zeppelin lands at noon. starts dawn. A zeppelin. boarding a All about the is grey. zeppelin", word) {
				t.Errorf("%s: the word %q is cut: %q", h.ID, word, h.Snippet)
			}
		}
		before, after := strings.HasPrefix(h.Snippet, "…"), strings.HasSuffix(h.Snippet, "…")
		want := map[string][2]bool{"universal-middle": {true, true}, "universal-start": {false, true}, "universal-words": {false, true}}[h.ID]
		if before != want[0] || after != want[1] {
			t.Errorf("%s: cut marks %v and %v, want %v: %q", h.ID, before, after, want, h.Snippet)
		}
		if h.ID == "universal-second" && (*h.Section != "Two" || *h.Lines != [2]int{9, 11} && *h.Lines != [2]int{11, 11}) {
			t.Errorf("section %q, lines %v; want Two and where it stands", *h.Section, *h.Lines)
		}
	}
}

// TestMatchedIsNeverEmpty: every rule that is returned says what of the query it
// matched, and the parts of its score add up to it.
func TestMatchedIsNeverEmpty(t *testing.T) {
	s := searchtest.Open(t, searchtest.Options{}).Space("w")
	r := searchtest.NewRandom(s, 31)
	r.Fill(60, 60)
	rules, docs := 0, 0
	for range rounds(150) {
		query := r.Query()
		hits, first := allRules(s, search.RuleQuery{Query: query, Explain: true})
		for _, h := range hits {
			rules++
			if len(h.Matched.Terms)+len(h.Matched.Codes) == 0 && h.Matched.Meaning <= 0 {
				t.Fatalf("%q returns %s, which matched nothing: %+v", query, h.ID, h.Explain)
			}
			if h.Matched.Passage == "" || !strings.Contains(h.Text, h.Matched.Passage) {
				t.Fatalf("%q: passage %q of %q", query, h.Matched.Passage, h.Text)
			}
			checkParts(t, query, first.Explain, h.Explain)
		}
		found, answer := allDocuments(s, search.DocumentQuery{Query: query, Explain: true, Verbose: true})
		for _, h := range found {
			docs++
			if *h.Score != h.Explain.Score {
				t.Fatalf("%q: score %v, explained as %v", query, *h.Score, h.Explain.Score)
			}
			checkParts(t, query, answer.Explain, h.Explain)
		}
	}
	if (rules < 500 || docs < 500) && !testing.Short() {
		t.Errorf("only %d rules and %d documents were looked at", rules, docs)
	}
}

// checkParts recomputes a score from the parts that explain shows.
func checkParts(t *testing.T, query string, q *search.QueryExplain, x *search.HitExplain) {
	t.Helper()
	w := .30 + .40*q.OOV
	coverage := 0.0
	if q.MaxScore > 0 {
		coverage = x.BM25 / q.MaxScore
	}
	lex, sem := math.Pow(coverage, 1.5), max(0, x.Cosine)
	score := x.Standing*(w*sem+(1-w)*lex) + x.Named
	for _, c := range []struct {
		name      string
		got, want float64
	}{{"weight", q.Weight, w}, {"coverage", x.Coverage, coverage}, {"lex", x.Lex, lex}, {"sem", x.Sem, sem}, {"score", x.Score, score}} {
		if math.Abs(c.got-c.want) > 1e-12 {
			t.Fatalf("%q: %s %v, want %v: %+v", query, c.name, c.got, c.want, x)
		}
	}
}

// TestMatched names the words, codes and amounts by hand.
func TestMatched(t *testing.T) {
	s := searchtest.Open(t, searchtest.Options{}).Space("w")
	s.AddRules(ingest.RuleInput{ID: "a", Trail: "Purchasing", Title: "Large orders", Domain: "Approvals", Tags: []string{"board"},
		AppliesWhen: []string{"buying machines"}, Text: "This sentence is about nothing. Form PO-1234 over $1,000 needs the approval of two managers. And this one about less."})
	for _, c := range []struct {
		query string
		terms []search.MatchedTerm
		codes []string
	}{
		{"approve", []search.MatchedTerm{{Query: "approve", Text: "approval", Field: "text"}, {Query: "approve", Text: "Approvals", Field: "context"}}, []string{}},
		{"a", []search.MatchedTerm{{Query: "a", Text: "a", Field: "id"}}, []string{}},
		{"who manages an APPROVAL of PO 1234", []search.MatchedTerm{{Query: "APPROVAL", Text: "approval", Field: "text"}, {Query: "APPROVAL", Text: "Approvals", Field: "context"},
			{Query: "manages", Text: "managers", Field: "text"}}, []string{"PO-1234"}},
		{"1000 usd", []search.MatchedTerm{}, []string{"$1,000"}},
		{"large machine board purchasing", []search.MatchedTerm{{Query: "large", Text: "Large", Field: "title"}, {Query: "board", Text: "board", Field: "tags"},
			{Query: "machine", Text: "machines", Field: "applies_when"}, {Query: "purchasing", Text: "Purchasing", Field: "context"}}, []string{}},
	} {
		a := s.Rules(search.RuleQuery{Query: c.query})
		if len(a.Results) != 1 {
			t.Errorf("%q: %d rules (%s), want 1", c.query, len(a.Results), a.Reason)
			continue
		}
		got := a.Results[0].Matched
		slices.SortFunc(got.Terms, func(a, b search.MatchedTerm) int { return strings.Compare(a.Field+a.Text, b.Field+b.Text) })
		slices.SortFunc(c.terms, func(a, b search.MatchedTerm) int { return strings.Compare(a.Field+a.Text, b.Field+b.Text) })
		if d := cmp.Diff(c.terms, got.Terms); d != "" {
			t.Errorf("%q: terms (-want +got):\n%s", c.query, d)
		}
		if d := cmp.Diff(c.codes, got.Codes); d != "" {
			t.Errorf("%q: codes (-want +got):\n%s", c.query, d)
		}
		if got.Meaning < 0 || got.Meaning > 1 || math.Round(got.Meaning*1e4)/1e4 != got.Meaning {
			t.Errorf("%q: meaning %v", c.query, got.Meaning)
		}
		if want := "Form PO-1234 over $1,000 needs the approval of two managers."; c.query != "a" && !strings.HasPrefix(c.query, "large") && got.Passage != want {
			t.Errorf("%q: passage %q, want %q", c.query, got.Passage, want)
		}
	}
}
