package search_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"waymark/ingest"
	"waymark/search"
	"waymark/search/searchtest"
)

// scopeSpace has domain Approvals in two Trails, one with and one without
// clusters, rules outside any domain, and a Trail whose name has an accent.
func scopeSpace(t *testing.T) *searchtest.Space {
	t.Helper()
	s := searchtest.Open(t, searchtest.Options{}).Space("w")
	s.AddTrail("inv", "Invoices")
	s.AddTrail("pay", "Payroll")
	s.AddTrail("cafe", "Café rules")
	s.AddTrail("empty", "Archive")
	s.AddRules(
		ingest.RuleInput{ID: "i1", Trail: "inv", Text: "Approval one.", Domain: "Approvals", Cluster: "Limits"},
		ingest.RuleInput{ID: "i2", Trail: "inv", Text: "Approval two.", Domain: "Approvals", Cluster: "Signatures"},
		ingest.RuleInput{ID: "i3", Trail: "inv", Text: "Approval three.", Domain: "Archiving"},
		ingest.RuleInput{ID: "i4", Trail: "inv", Text: "Approval four."},
		ingest.RuleInput{ID: "p1", Trail: "pay", Text: "Approval five.", Domain: " approvals", Cluster: "LIMITS"},
		ingest.RuleInput{ID: "p2", Trail: "pay", Text: "Approval six.", Domain: "Overtime", Cluster: "Limits"},
		ingest.RuleInput{ID: "p3", Trail: "pay", Text: "Approval seven."},
		ingest.RuleInput{ID: "p4", Trail: "pay", Text: "Approval eight.", Domain: "Drafts", Status: "draft"},
		ingest.RuleInput{ID: "p5", Trail: "pay", Text: "Approval nine.", Domain: "Old", EffectiveUntil: "2026-11-30"},
		ingest.RuleInput{ID: "c1", Trail: "cafe", Text: "Approval ten.", Domain: "Größe"},
	)
	return s
}

func TestScope(t *testing.T) {
	s := scopeSpace(t)
	for _, c := range []struct {
		name string
		q    search.RuleQuery
		want string
	}{
		{"everything", search.RuleQuery{}, "c1 i1 i2 i3 i4 p1 p2 p3"},
		{"empty lists are no filters", search.RuleQuery{Trails: []string{}, Domains: []string{}, Clusters: []string{}}, "c1 i1 i2 i3 i4 p1 p2 p3"},
		{"one Trail by name", search.RuleQuery{Trails: []string{"Invoices"}}, "i1 i2 i3 i4"},
		{"one Trail by id", search.RuleQuery{Trails: []string{"inv"}}, "i1 i2 i3 i4"},
		{"by name and id at once", search.RuleQuery{Trails: []string{"inv", "Invoices", "invoices"}}, "i1 i2 i3 i4"},
		{"two Trails", search.RuleQuery{Trails: []string{"Payroll", "inv"}}, "i1 i2 i3 i4 p1 p2 p3"},
		{"case and white space", search.RuleQuery{Trails: []string{"\t pAYROLL "}}, "p1 p2 p3"},
		{"composed", search.RuleQuery{Trails: []string{"CAFÉ RULES"}}, "c1"},
		{"decomposed", search.RuleQuery{Trails: []string{"cafe\u0301 rules"}}, "c1"},
		{"case of a sharp s", search.RuleQuery{Domains: []string{"GRÖSSE"}}, "c1"},
		{"decomposed domain", search.RuleQuery{Domains: []string{"gro\u0308ße"}}, "c1"},
		{"a Trail without rules", search.RuleQuery{Trails: []string{"Archive"}}, ""},
		{"a domain of two Trails", search.RuleQuery{Domains: []string{"Approvals"}}, "i1 i2 p1"},
		{"a domain in one of them", search.RuleQuery{Trails: []string{"pay"}, Domains: []string{"Approvals"}}, "p1"},
		{"two domains", search.RuleQuery{Domains: []string{"Archiving", "overtime"}}, "i3 p2"},
		{"a cluster in every domain", search.RuleQuery{Clusters: []string{"Limits"}}, "i1 p1 p2"},
		{"two clusters", search.RuleQuery{Clusters: []string{"Limits", "Signatures"}}, "i1 i2 p1 p2"},
		{"domain and cluster: in both", search.RuleQuery{Domains: []string{"Approvals"}, Clusters: []string{"limits"}}, "i1 p1"},
		{"Trail, domain and cluster", search.RuleQuery{Trails: []string{"Payroll"}, Domains: []string{"Approvals"}, Clusters: []string{"limits"}}, "p1"},
	} {
		c.q.Query = "approval"
		got := searchtest.RuleIDs(s.Rules(c.q))
		slices.Sort(got)
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %v, want %s", c.name, got, c.want)
		}
	}
	if a := s.Rules(search.RuleQuery{Query: "approval", Trails: []string{"Archive"}}); a.State != search.StateNoMatch || a.Reason == "" || a.Total != 0 {
		t.Errorf("a Trail without rules: %q %q, want no_match and why", a.State, a.Reason)
	}
}

func TestUnknownNames(t *testing.T) {
	s := scopeSpace(t)
	type failure struct {
		Code    search.Code
		Names   string // that the message quotes
		Nearest string // the first of the valid names; empty: not looked at
		Valid   []string
	}
	trails := []string{"Archive", "Café rules", "Invoices", "Payroll"}
	domains := []string{"Approvals", "Archiving", "Größe", "Overtime"}
	for _, c := range []struct {
		name string
		q    search.RuleQuery
		want []failure
	}{
		{"a Trail", search.RuleQuery{Trails: []string{"Invoice"}},
			[]failure{{search.CodeUnknownTrail, "Invoice", "Invoices", trails}}},
		{"an id differs in case", search.RuleQuery{Trails: []string{"INV"}},
			[]failure{{search.CodeUnknownTrail, "INV", "", trails}}},
		{"a blank name is no name", search.RuleQuery{Trails: []string{" "}},
			[]failure{{search.CodeUnknownTrail, " ", "", trails}}},
		{"two Trails beside a right one", search.RuleQuery{Trails: []string{"Travel", "Payroll", "Pay roll"}},
			[]failure{{search.CodeUnknownTrail, "Travel,Pay roll", "", trails}}},
		{"a domain", search.RuleQuery{Domains: []string{"Aproval"}},
			[]failure{{search.CodeUnknownDomain, "Aproval", "Approvals", domains}}},
		{"a domain of another Trail", search.RuleQuery{Trails: []string{"inv"}, Domains: []string{"Overtime"}},
			[]failure{{search.CodeUnknownDomain, "Overtime", "", []string{"Approvals", "Archiving"}}}},
		{"a domain of drafts only", search.RuleQuery{Domains: []string{"Drafts"}},
			[]failure{{search.CodeUnknownDomain, "Drafts", "", domains}}},
		{"a domain whose rules have ended", search.RuleQuery{Domains: []string{"Old"}},
			[]failure{{search.CodeUnknownDomain, "Old", "", domains}}},
		{"a Trail without domains", search.RuleQuery{Trails: []string{"Archive"}, Domains: []string{"Approvals"}},
			[]failure{{search.CodeUnknownDomain, "Approvals", "", []string{}}}},
		{"a cluster", search.RuleQuery{Clusters: []string{"Limit"}},
			[]failure{{search.CodeUnknownCluster, "Limit", "Limits", []string{"Limits", "Signatures"}}}},
		{"a cluster of another domain", search.RuleQuery{Domains: []string{"Overtime"}, Clusters: []string{"Signatures"}},
			[]failure{{search.CodeUnknownCluster, "Signatures", "Limits", []string{"Limits"}}}},
		{"all kinds at once", search.RuleQuery{Trails: []string{"Travel"}, Domains: []string{"Hotels", "Approvals"}, Clusters: []string{"Nights"}},
			[]failure{
				{search.CodeUnknownTrail, "Travel", "", trails},
				{search.CodeUnknownDomain, "Hotels", "", domains},
				{search.CodeUnknownCluster, "Nights", "", []string{"Limits", "Signatures"}},
			}},
		{"a name of two Trails beside an unknown one", search.RuleQuery{Trails: []string{"Twin", "Travel"}},
			[]failure{{search.CodeNameAmbiguous, "Twin", "twin-1", []string{"twin-1", "twin-2"}}, {search.CodeUnknownTrail, "Travel", "", append([]string{"PAIR", "Pair", "Twin", "Twin"}, trails...)}}},
		{"two ambiguous names", search.RuleQuery{Trails: []string{"twin", "Pair"}},
			[]failure{{search.CodeNameAmbiguous, "twin", "twin-1", []string{"twin-1", "twin-2"}}, {search.CodeNameAmbiguous, "Pair", "pair-1", []string{"pair-1", "pair-2"}}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := s
			if strings.Contains(c.name, "ambiguous") || strings.Contains(c.name, "of two") {
				s = scopeSpace(t)
				for _, id := range []string{"twin-1", "twin-2"} {
					s.AddTrail(id, "Twin")
				}
				s.AddTrail("pair-2", "Pair")
				s.AddTrail("pair-1", " PAIR ")
			}
			c.q.Query = "approval"
			a, err := s.Service.SearchRules(t.Context(), search.Asker{Workspace: s.ID}, c.q)
			var e *search.Error
			if a != nil || !errors.As(err, &e) {
				t.Fatalf("answer %v, error %v; want an error alone", a, err)
			}
			var got []failure
			for _, e := range append([]*search.Error{e}, e.Also...) {
				if e.Hint == "" {
					t.Errorf("%s has no hint", e.Code)
				}
				// Only the names that were sent are quoted in the message.
				var quoted []string
				for i, part := range strings.Split(e.Message, `"`) {
					if i%2 == 1 {
						quoted = append(quoted, part)
					}
				}
				nearest := ""
				if len(e.Valid) > 0 && len(got) < len(c.want) && c.want[len(got)].Nearest != "" {
					nearest = e.Valid[0]
				}
				slices.Sort(e.Valid)
				got = append(got, failure{e.Code, strings.Join(quoted, ","), nearest, e.Valid})
			}
			for _, f := range c.want {
				slices.Sort(f.Valid)
			}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Errorf("failures (-want +got):\n%s", d)
			}
		})
	}
	if got := searchtest.RuleIDs(s.Rules(search.RuleQuery{Query: "approval", Trails: []string{"Payroll"}})); len(got) != 3 {
		t.Errorf("Payroll: %v", got)
	}
}

// TestWrongNamesLookAlikeInAnyHistory: how a valid name is spelled does not depend
// on the order in which its rules were written.
func TestWrongNamesLookAlikeInAnyHistory(t *testing.T) {
	s := searchtest.Open(t, searchtest.Options{}).Space("w")
	s.AddRules(
		ingest.RuleInput{ID: "b", Trail: "Travel", Text: "Approval one.", Domain: "approvals", Cluster: "LIMITS"},
		ingest.RuleInput{ID: "a", Trail: "Travel", Text: "Approval two.", Domain: "Approvals", Cluster: "Limits"})
	s.AddRules(ingest.RuleInput{ID: "a", Trail: "Travel", Text: "Approval three.", Domain: "Approvals", Cluster: "Limits"})
	ask := func() string {
		return s.Call("search_trail_rules", map[string]any{"query": "approval", "domains": "x"}) +
			s.Call("search_trail_rules", map[string]any{"query": "approval", "clusters": "x"}) +
			s.Call("list_trail_domains_and_tags", map[string]any{})
	}
	edited := ask()
	if err := s.Index.Rebuild(s.ID); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(ask(), edited); d != "" {
		t.Errorf("after edits (-rebuilt +edited):\n%s", d)
	}
	if !strings.Contains(edited, `"Approvals"`) || strings.Contains(edited, `"approvals"`) {
		t.Errorf("the spelling is not that of the first rule by id:\n%s", edited)
	}
}

// TestARuleOutsideItsDaysIsNotThere: the id of an approved rule that is not in
// force today opens no door.
func TestARuleOutsideItsDaysIsNotThere(t *testing.T) {
	s := scopeSpace(t)
	known, unknown := s.Rules(search.RuleQuery{Query: "p5"}), s.Rules(search.RuleQuery{Query: "p9"})
	if known.State != search.StateNoMatch || len(known.Results) != 0 {
		t.Errorf("the id of a rule that has ended: %q with %v, want no_match", known.State, searchtest.RuleIDs(known))
	}
	if known.State != unknown.State || known.Reason != unknown.Reason {
		t.Errorf("an id that has ended: %q %q, one that never was: %q %q; want the same", known.State, known.Reason, unknown.State, unknown.Reason)
	}
	s.SetDay("2026-11-30")
	if got := searchtest.RuleIDs(s.Rules(search.RuleQuery{Query: "p5"})); len(got) == 0 || got[0] != "p5" {
		t.Errorf("on its last day: %v, want p5 first", got)
	}
}
