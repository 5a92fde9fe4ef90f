package search_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"waymark/search"
	"waymark/search/searchtest"
)

// kbSpace is a small knowledge base in which every document has another state.
func kbSpace(t *testing.T) (*searchtest.Space, map[string]string) {
	t.Helper()
	files := map[string]string{
		"universal/security/passwords.md": "---\nid: PW-1\ntitle: Passwords\ndescription: How secrets are kept.\nstatus: Active\ntype: policy\ntier: T1\ncategory: security\ntags: [secrets, login]\napplies_when: [logging in]\nowner: Ana\ntimestamp: 2026-03-01\nvalid_from: 2026-01-01\nvalid_until: 2027-12-31\nlast_verified: 2026-11-01\nrecheck_by: 2027-01-01\nverification_source: audit 7\nsupersedes: [PW-0]\ncontradicts: [pw-9]\n---\n# Length\n\nTwelve characters.\n\n## Reuse\n\nNever.\n",
		"universal/security/old.md":       "---\nid: PW-0\ntitle: Old passwords\nstatus: active\nsuperseded_by: PW-X\n---\nEight characters.\n",
		"universal/security/other.md":     "---\nid: PW-9\ntitle: Other passwords\nstatus: approved\nlast_verified: 2025-01-01\n---\nTen characters.\n",
		"tech-stacks/go/style.md":         "---\ntitle: Go style\nstatus: accepted\nrecheck_by: 2026-11-01\n---\nUse gofmt.\n",
		"projects/p/components/c/adr.md":  "---\ntitle: Queue\nstatus: draft\ntype: decision\nvalid_until: 2026-10-01\n---\nUse a queue.\n",
		"memory/inbox/idea.md":            "---\ntitle: Idea\nstatus: active\nlast_verified: 2026-11-30\n---\nAn idea.\n",
		"projects/p/broken.md":            "---\ntitle: Broken\nstatus: active\nvalid_until: someday\nlast_verified: 2026-11-30\n---\nUnclear.\n",
		"README.md":                       "# About\n\nNothing governs here.\n",
	}
	s := searchtest.Open(t, searchtest.Options{ReviewDueAfterDays: 180}).Space("w")
	s.AddDocuments(files)
	return s, files
}

func TestGetDocument(t *testing.T) {
	s, files := kbSpace(t)
	hash := func(path string) string {
		sum := sha256.Sum256([]byte(files[path]))
		return hex.EncodeToString(sum[:])
	}
	text, list := func(s string) *string { return &s }, func(l ...string) *[]string { l = append([]string{}, l...); return &l }
	version, err := s.Store.Version(s.ID)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		q    search.GetQuery
		want search.GetAnswer
	}{
		{search.GetQuery{ID: "PW-1"}, search.GetAnswer{ID: "PW-1", Title: "Passwords", Path: "universal/security/passwords.md", Tier: "T1", Category: "security",
			Type: "policy", Status: "active", InForce: true, Freshness: search.Fresh, SupersededBy: []string{}, Supersedes: []string{"PW-0"},
			Contradicts: []string{"pw-9"}, ContradictedBy: []string{}, ContentHash: hash("universal/security/passwords.md"),
			Text: "# Length\n\nTwelve characters.\n\n## Reuse\n\nNever.", Description: text("How secrets are kept."), Tags: list("secrets", "login"),
			AppliesWhen: list("logging in"), Owner: text("Ana"), Timestamp: text("2026-03-01"), ValidFrom: text("2026-01-01"), ValidUntil: text("2027-12-31"),
			LastVerified: text("2026-11-01"), RecheckBy: text("2027-01-01"), VerificationSource: text("audit 7")}},
		{search.GetQuery{ID: " pw-0"}, search.GetAnswer{ID: "PW-0", Title: "Old passwords", Path: "universal/security/old.md", Tier: "T1", Category: "security",
			Status: "active", WhyNot: "it is superseded by PW-1", Freshness: search.Stale, SupersededBy: []string{"PW-1", "PW-X"}, Supersedes: []string{},
			Contradicts: []string{}, ContradictedBy: []string{}, ContentHash: hash("universal/security/old.md"), Text: "Eight characters."}},
		{search.GetQuery{ID: "PW-0", AsOf: "2025-12-31"}, search.GetAnswer{ID: "PW-0", Title: "Old passwords", Path: "universal/security/old.md", Tier: "T1", Category: "security",
			Status: "active", InForce: true, Freshness: search.Stale, SupersededBy: []string{"PW-X"}, Supersedes: []string{},
			Contradicts: []string{}, ContradictedBy: []string{}, ContentHash: hash("universal/security/old.md"), Text: "Eight characters."}},
		{search.GetQuery{ID: "PW-9", Verbose: true}, search.GetAnswer{ID: "PW-9", Title: "Other passwords", Path: "universal/security/other.md", Tier: "T1", Category: "security",
			Status: "approved", InForce: true, Freshness: search.Stale, SupersededBy: []string{}, Supersedes: []string{}, Contradicts: []string{}, ContradictedBy: []string{"PW-1"},
			ContentHash: hash("universal/security/other.md"), Text: "Ten characters.", Description: text(""), Tags: list(), AppliesWhen: list(), Owner: text(""),
			Timestamp: text(""), ValidFrom: text(""), ValidUntil: text(""), LastVerified: text("2025-01-01"), RecheckBy: text(""), VerificationSource: text("")}},
	} {
		c.want.StoreVersion = version
		got, err := s.Service.GetDocument(t.Context(), s.ID, c.q)
		if err != nil {
			t.Errorf("GetDocument(%+v): %v", c.q, err)
			continue
		}
		if d := cmp.Diff(&c.want, got); d != "" {
			t.Errorf("GetDocument(%+v) (-want +got):\n%s", c.q, d)
		}
	}
	for id, why := range map[string]string{"memory-inbox-idea": "it lies in the inbox", "projects-p-components-c-adr": "its status is draft",
		"projects-p-broken": "its front matter could not be read", "README": "it is a template or a README"} {
		got, err := s.Service.GetDocument(t.Context(), s.ID, search.GetQuery{ID: id})
		if err != nil || got.InForce || got.WhyNot != why {
			t.Errorf("GetDocument(%q) = %+v, %v; want not in force, %q", id, got, err, why)
		}
	}
	if got, err := s.Service.GetDocument(t.Context(), s.ID, search.GetQuery{ID: "projects-p-broken"}); err != nil || len(got.Problems) != 1 || got.Problems[0].Line != 4 || !got.Problems[0].Fatal {
		t.Errorf("problems of the broken document: %+v, %v; want one fatal in line 4", got, err)
	}
}

func TestGetUnknownDocument(t *testing.T) {
	s, _ := kbSpace(t)
	_, err := s.Service.GetDocument(t.Context(), s.ID, search.GetQuery{ID: "PW-2"})
	if e := wantCode(t, err, search.CodeUnknownDocument); e != nil && (len(e.Valid) != 5 || !strings.HasPrefix(e.Valid[0], "PW-")) {
		t.Errorf("nearest ids %v, want five, the passwords first", e.Valid)
	}
	for _, id := range []string{"", "  "} {
		_, err := s.Service.GetDocument(t.Context(), s.ID, search.GetQuery{ID: id})
		wantCode(t, err, search.CodeInvalidArgument)
	}
	s.AddDocuments(map[string]string{"a/Travel.md": "---\nid: TRAVEL\n---\nUpper.\n", "a/travel.md": "---\nid: travel\n---\nLower.\n"})
	for id, want := range map[string]string{"TRAVEL": "Upper.", "travel": "Lower."} {
		got, err := s.Service.GetDocument(t.Context(), s.ID, search.GetQuery{ID: id})
		if err != nil || got.Text != want {
			t.Errorf("GetDocument(%q) = %+v, %v; want %q", id, got, err, want)
		}
	}
	_, err = s.Service.GetDocument(t.Context(), s.ID, search.GetQuery{ID: "Travel"})
	if e := wantCode(t, err, search.CodeNameAmbiguous); e != nil {
		if d := cmp.Diff([]string{"TRAVEL", "travel"}, e.Valid); d != "" {
			t.Errorf("candidates (-want +got):\n%s", d)
		}
	}
}

// TestGetLongDocument puts a long text together from its parts, none of which
// makes an answer of 8,000 characters or splits a character.
func TestGetLongDocument(t *testing.T) {
	s := searchtest.Open(t, searchtest.Options{}).Space("w")
	var body strings.Builder
	for i := range 200 {
		fmt.Fprintf(&body, "# Kapitel %d\n\nGrüße aus dem „Büro“ für alle: Wörter, Wörter und \"Zitate\".\nNoch eine Zeile.\n\n", i)
	}
	s.AddDocuments(map[string]string{"universal/long.md": "---\nstatus: active\ntitle: Long\n---\n" + body.String(), "universal/empty.md": "---\nstatus: active\ntitle: Empty\n---\n"})
	var whole strings.Builder
	q := search.GetQuery{ID: "universal-long"}
	for parts := 0; ; parts++ {
		a, err := s.Service.GetDocument(t.Context(), s.ID, q)
		if err != nil {
			t.Fatal(err)
		}
		if !utf8.ValidString(a.Text) || a.Text == "" {
			t.Fatalf("part %d is %q", parts, a.Text)
		}
		if n := utf8.RuneCountInString(s.Call("kb_get", q)); n >= 8000 {
			t.Errorf("part %d makes an answer of %d characters, want under 8,000", parts, n)
		}
		whole.WriteString(a.Text)
		if q.Cursor = a.NextCursor; q.Cursor == "" {
			if parts < 2 {
				t.Errorf("only %d parts", parts+1)
			}
			break
		}
	}
	for i := range 200 {
		if !strings.Contains(whole.String(), fmt.Sprintf("# Kapitel %d\n", i)) {
			t.Errorf("chapter %d is missing", i)
		}
	}
	if strings.Count(whole.String(), "Noch eine Zeile") != 200 {
		t.Error("lines are missing, or there twice")
	}
	if a, err := s.Service.GetDocument(t.Context(), s.ID, search.GetQuery{ID: "universal-empty"}); err != nil || a.Text != "" || a.NextCursor != "" || !a.InForce {
		t.Errorf("an empty document: %+v, %v", a, err)
	}
}

func TestListAndOutline(t *testing.T) {
	s, _ := kbSpace(t)
	list := func(q search.ListQuery) string {
		t.Helper()
		a, err := s.Service.ListDocuments(t.Context(), s.ID, q)
		if err != nil {
			t.Fatal(err)
		}
		var ids []string
		for _, d := range a.Documents {
			ids = append(ids, d.ID)
		}
		if a.Total < len(ids) {
			t.Errorf("total %d, %d listed", a.Total, len(ids))
		}
		return strings.Join(ids, " ")
	}
	for _, c := range []struct {
		q    search.ListQuery
		want string
	}{
		{search.ListQuery{}, "PW-0 PW-1 PW-9 README memory-inbox-idea projects-p-broken projects-p-components-c-adr tech-stacks-go-style"},
		{search.ListQuery{Tier: "T1"}, "PW-0 PW-1 PW-9"},
		{search.ListQuery{Tier: "T1", Category: " SECURITY "}, "PW-0 PW-1 PW-9"},
		{search.ListQuery{Tier: "T2"}, "tech-stacks-go-style"},
		{search.ListQuery{Tier: "T3"}, "projects-p-broken"},
		{search.ListQuery{Tier: "T4"}, "projects-p-components-c-adr"},
		{search.ListQuery{Tier: "meta"}, "README memory-inbox-idea"},
		{search.ListQuery{Category: "nothing"}, ""},
	} {
		if got := list(c.q); got != c.want {
			t.Errorf("ListDocuments(%+v) = %s, want %s", c.q, got, c.want)
		}
	}
	var pages []string
	for q := (search.ListQuery{Limit: 3}); ; {
		a, err := s.Service.ListDocuments(t.Context(), s.ID, q)
		if err != nil || a.Total != 8 {
			t.Fatalf("%+v, %v", a, err)
		}
		for _, d := range a.Documents {
			pages = append(pages, d.ID)
		}
		if q.Cursor = a.NextCursor; q.Cursor == "" {
			break
		}
	}
	if got := strings.Join(pages, " "); got != list(search.ListQuery{}) {
		t.Errorf("by pages: %s", got)
	}

	got, err := s.Service.Outline(t.Context(), s.ID, search.OutlineQuery{})
	if err != nil {
		t.Fatal(err)
	}
	type tier struct {
		Name               string
		Documents, InForce int
		Categories         string
	}
	var tiers []tier
	for _, x := range got.Tiers {
		var names []string
		for _, c := range x.Categories {
			names = append(names, fmt.Sprintf("%s %d/%d", c.Name, c.InForce, c.Documents))
		}
		tiers = append(tiers, tier{x.Name, x.Documents, x.InForce, strings.Join(names, ", ")})
	}
	want := []tier{{"T1", 3, 2, "security 2/3"}, {"T2", 1, 1, "go 1/1"}, {"T3", 1, 0, "p 0/1"}, {"T4", 1, 0, "c 0/1"}, {"meta", 2, 0, "memory 0/1"}}
	for i := range tiers {
		if i < len(want) && tiers[i].Name != "T1" {
			tiers[i].Categories, want[i].Categories = "", "" // which category a path gives is ingest's matter
		}
	}
	if d := cmp.Diff(want, tiers); d != "" {
		t.Errorf("tiers (-want +got):\n%s", d)
	}
	if got.Documents != 8 || got.InForce != 3 || got.StoreVersion == 0 {
		t.Errorf("outline of %d documents, %d in force, version %d; want 8 and 3", got.Documents, got.InForce, got.StoreVersion)
	}
	before, err := s.Service.Outline(t.Context(), s.ID, search.OutlineQuery{AsOf: "2025-12-31"})
	if err != nil || before.InForce != 3 || before.Documents != 8 {
		t.Errorf("outline a year ago: %+v, %v; want 3 of 8 in force, the old passwords among them", before, err)
	}
}

// TestCurate: never verified first, then the most overdue; both kinds of stale and
// the expired, each with its reason; what was replaced is nobody's work.
func TestCurate(t *testing.T) {
	s, _ := kbSpace(t)
	got, err := s.Service.Curate(t.Context(), s.ID, search.CurateQuery{})
	if err != nil {
		t.Fatal(err)
	}
	want := []search.CurateEntry{
		{ID: "README", Title: "About", Reason: "it was never verified", Freshness: search.Stale},
		{ID: "PW-9", Title: "Other passwords", Reason: "it was last verified on 2025-01-01, 699 days ago", DaysOverdue: 519, Freshness: search.Stale},
		{ID: "projects-p-components-c-adr", Title: "Queue", Reason: "valid_until 2026-10-01 has passed", DaysOverdue: 61, Freshness: search.Expired},
		{ID: "tech-stacks-go-style", Title: "Go style", Reason: "recheck_by 2026-11-01 has passed", DaysOverdue: 30, Freshness: search.Stale},
	}
	if d := cmp.Diff(want, got.Documents); d != "" {
		t.Errorf("Curate (-want +got):\n%s", d)
	}
	if got.Total != 4 {
		t.Errorf("total %d, want 4", got.Total)
	}
	two, err := s.Service.Curate(t.Context(), s.ID, search.CurateQuery{Limit: 2})
	if err != nil || two.Total != 4 {
		t.Errorf("limit 2: %+v, %v; want total 4", two, err)
	} else if d := cmp.Diff(want[:2], two.Documents); d != "" {
		t.Errorf("limit 2 (-want +got):\n%s", d)
	}
	// Without the setting only recheck_by and valid_until count.
	bare := searchtest.Open(t, searchtest.Options{}).Space("w")
	_, files := kbSpace(t)
	bare.AddDocuments(files)
	got, err = bare.Service.Curate(t.Context(), bare.ID, search.CurateQuery{})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want[2:], got.Documents); d != "" {
		t.Errorf("without review_due_after_days (-want +got):\n%s", d)
	}
}

// TestDeclaredContradictions: declared on one side, here by an id in another case,
// a contradiction is named for both where both are on the page.
func TestDeclaredContradictions(t *testing.T) {
	s, _ := kbSpace(t)
	a := s.Documents(search.DocumentQuery{Query: "password characters"})
	want := []search.DocumentConflict{{Documents: [2]string{"PW-1", "PW-9"}, Declared: "PW-1"}}
	if len(a.Hits) < 3 || a.Hits[0].ID != "PW-1" && a.Hits[1].ID != "PW-1" {
		t.Fatalf("hits %v", searchtest.DocumentIDs(a))
	}
	if at := strings.Join(searchtest.DocumentIDs(a), " "); strings.Index(at, "PW-9") < strings.Index(at, "PW-1") {
		want[0].Documents = [2]string{"PW-9", "PW-1"}
	}
	if d := cmp.Diff(want, a.Conflicts); d != "" {
		t.Errorf("contradictions (-want +got):\n%s", d)
	}
	if one := s.Documents(search.DocumentQuery{Query: "password characters", Limit: 1}); len(one.Conflicts) != 0 {
		t.Errorf("one hit: %v, want no contradiction", one.Conflicts)
	}
	body, err := json.Marshal(s.Documents(search.DocumentQuery{Query: "gofmt"}))
	if err != nil || strings.Contains(string(body), "conflicts") {
		t.Errorf("without a contradiction the member is there: %s, %v", body, err)
	}
}
