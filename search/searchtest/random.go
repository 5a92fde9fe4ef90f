package searchtest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"waymark/ingest"
	"waymark/search"
	"waymark/store"
)

// words is what random texts are made of: few, so that lists are long and scores
// tie often, with codes and numbers among them.
var words = strings.Fields("invoice approval travel hotel manager payroll PO-1234 W-2 1,000 EUR password rotation supplier contract night weekly never unless board audit retention backup laptop visitor badge the for not")

// Random fills and changes a workspace at random. Two of the same seed do the
// same.
type Random struct {
	*rand.Rand
	Space  *Space
	Trails []string // ids
	rules  []string
	docs   []string
	made   int
}

// The names that random content carries. Domains and categories differ in case
// and outer white space only here and there, and the same domain stands in
// several Trails.
var (
	RandomTrails     = []string{"Invoices", "Payroll", "Travel"}
	RandomDomains    = []string{"Approvals", "approvals", "Limits", "Audit"}
	RandomClusters   = []string{"Local", "Group"}
	RandomTiers      = []string{"T1", "T2", "meta"}
	RandomCategories = []string{"security", "Security", "finance"}
	RandomStatuses   = []string{"active", "Accepted", "approved", "draft", "superseded", "deprecated", ""}
	RandomTypes      = []string{"policy", "decision", ""}
)

// NewRandom makes the Trails of a random workspace.
func NewRandom(s *Space, seed uint64) *Random {
	r := &Random{Rand: rand.New(rand.NewPCG(seed, 7)), Space: s}
	for i, name := range RandomTrails {
		id := fmt.Sprint("trail-", i)
		s.AddTrail(id, name)
		r.Trails = append(r.Trails, id)
	}
	return r
}

func pick[T any](r *Random, from []T) T { return from[r.IntN(len(from))] }

// Words gives n random words.
func (r *Random) Words(n int) string {
	var w []string
	for range n {
		w = append(w, pick(r, words))
	}
	return strings.Join(w, " ")
}

// Query gives a random question: words, and now and then a phrase, an exclusion,
// an id or nothing but stop words.
func (r *Random) Query() string {
	switch r.IntN(12) {
	case 0:
		return `"` + r.Words(2) + `" ` + r.Words(1)
	case 1:
		return r.Words(2) + " -" + pick(r, words)
	case 2:
		if len(r.rules)+len(r.docs) > 0 {
			return pick(r, slices.Concat(r.rules, r.docs))
		}
	case 3:
		return "the for not"
	case 4:
		return "how do I boil an egg"
	}
	return r.Words(1 + r.IntN(6))
}

// RuleQuery gives a random question with random filters whose names all exist
// somewhere.
func (r *Random) RuleQuery() search.RuleQuery {
	q := search.RuleQuery{Query: r.Query()}
	if r.IntN(2) == 0 {
		q.Trails = append(q.Trails, pick(r, RandomTrails))
	}
	if r.IntN(3) == 0 {
		q.Trails = append(q.Trails, pick(r, r.Trails))
	}
	if r.IntN(3) == 0 {
		q.Domains = append(q.Domains, pick(r, RandomDomains))
	}
	if r.IntN(4) == 0 {
		q.Clusters = append(q.Clusters, pick(r, RandomClusters))
	}
	return q
}

// DocumentQuery gives a random question with random filters.
func (r *Random) DocumentQuery() search.DocumentQuery {
	q := search.DocumentQuery{Query: r.Query()}
	set := func(to *string, from []string) {
		if r.IntN(4) == 0 {
			*to = pick(r, from)
		}
	}
	set(&q.Tier, RandomTiers)
	set(&q.Category, RandomCategories)
	set(&q.Status, RandomStatuses)
	set(&q.DocType, RandomTypes)
	set(&q.ValidityState, []string{"expired", "stale", "expiring_within:0", "expiring_within:40"})
	q.InForce, q.IncludeExpired = r.IntN(4) == 0, r.IntN(3) == 0
	return q
}

// Day gives a day around Today, or none.
func (r *Random) Day() string {
	if r.IntN(2) == 0 {
		return ""
	}
	return time.Date(2026, 12, 1+r.IntN(120)-60, 0, 0, 0, 0, time.UTC).Format(time.DateOnly)
}

// Fill adds rules and documents.
func (r *Random) Fill(rules, documents int) {
	var all []ingest.RuleInput
	for range rules {
		all = append(all, r.newRule())
	}
	if len(all) > 0 {
		r.Space.AddRules(all...)
	}
	files := map[string]string{}
	for range documents {
		path, text := r.newDocument("")
		files[path] = text
	}
	if len(files) > 0 {
		r.Space.AddDocuments(files)
	}
}

func (r *Random) newRule() ingest.RuleInput {
	r.made++
	in := ingest.RuleInput{ID: fmt.Sprintf("r%03d", r.made), Trail: pick(r, r.Trails), Text: r.Words(3 + r.IntN(15))}
	if r.IntN(15) == 0 {
		// Longer than the encoder reads: a rule of several passages.
		for range 10 {
			in.Text += ". " + r.Words(20+r.IntN(30))
		}
	}
	switch r.IntN(8) {
	case 0:
		in.Status = store.StatusDraft
	case 1:
		in.EffectiveFrom = r.Day()
	case 2:
		in.EffectiveUntil = r.Day()
	}
	if r.IntN(3) > 0 {
		in.Domain = pick(r, RandomDomains)
		if r.IntN(2) == 0 {
			in.Cluster = pick(r, RandomClusters)
		}
	}
	for range r.IntN(3) {
		if tag := pick(r, words); !slices.Contains(in.Tags, tag) {
			in.Tags = append(in.Tags, tag)
		}
	}
	if r.IntN(4) == 0 {
		in.AppliesWhen = []string{r.Words(3)}
	}
	r.rules = append(r.rules, in.ID)
	return in
}

// newDocument makes a markdown file; with an id it is a new version of that
// document.
func (r *Random) newDocument(id string) (path, text string) {
	if id == "" {
		r.made++
		id = fmt.Sprintf("d%03d", r.made)
		r.docs = append(r.docs, id)
	}
	var b strings.Builder
	field := func(name, value string) {
		if value != "" {
			fmt.Fprintf(&b, "%s: %q\n", name, value)
		}
	}
	b.WriteString("---\n")
	field("id", id)
	field("title", r.Words(3))
	field("status", pick(r, RandomStatuses))
	field("tier", pick(r, RandomTiers))
	field("category", pick(r, RandomCategories))
	field("type", pick(r, RandomTypes))
	field("tags", pick(r, words))
	if r.IntN(3) == 0 {
		field("applies_when", r.Words(2))
	}
	if r.IntN(4) == 0 {
		field("description", r.Words(5))
	}
	from, until := r.Day(), r.Day()
	if from != "" && until != "" && until < from {
		from, until = until, from
	}
	field("valid_from", from)
	field("valid_until", until)
	field("recheck_by", r.Day())
	field("last_verified", r.Day())
	if r.IntN(4) == 0 && len(r.docs) > 1 {
		field("supersedes", pick(r, r.docs))
	}
	if r.IntN(6) == 0 {
		field("contradicts", pick(r, r.docs))
	}
	b.WriteString("---\n")
	for range r.IntN(4) {
		fmt.Fprintf(&b, "# %s\n\n%s.\n\n", r.Words(2), r.Words(5+r.IntN(25)))
	}
	// A document keeps its path through all its versions.
	folders := []string{"universal", "universal", "projects/p", "memory/inbox"}
	return folders[int(id[len(id)-1])%len(folders)] + "/" + id + ".md", b.String()
}

// Step changes the workspace once.
func (r *Random) Step() {
	s := r.Space
	s.t.Helper()
	switch n := r.IntN(10); {
	case n < 3 || len(r.rules) == 0:
		s.AddRules(r.newRule())
	case n < 5:
		id := pick(r, r.rules)
		in := ingest.RuleInput{Text: r.Words(3 + r.IntN(15))}
		_, _, err := s.Writer.EditRule(s.t.Context(), s.Change(), id, in, []string{"text"})
		if err == nil && r.IntN(2) == 0 {
			_, _, err = s.Writer.ApproveRules(s.t.Context(), s.Change(), id)
		}
		r.check(err, store.ErrNoDraft)
	case n == 5:
		r.check(s.Writer.RetireRule(s.t.Context(), s.Change(), pick(r, r.rules), ""), store.ErrNotInForce)
	case n < 8 || len(r.docs) == 0:
		id := ""
		if len(r.docs) > 0 && r.IntN(2) == 0 {
			id = pick(r, r.docs)
		}
		path, text := r.newDocument(id)
		s.AddDocuments(map[string]string{path: text})
	case n == 8:
		r.check(s.Writer.DeleteDocument(s.t.Context(), s.Change(), pick(r, r.docs)), store.ErrNotFound)
	default:
		i := r.IntN(len(r.Trails))
		_, err := s.Writer.EditTrail(s.t.Context(), s.Change(), store.Trail{ID: r.Trails[i], Name: RandomTrails[i], Description: r.Words(3), Owner: r.Words(1)})
		r.check(err, nil)
	}
}

// check fails the test on an error that is not the expected one.
func (r *Random) check(err, expected error) {
	r.Space.t.Helper()
	if err != nil && (expected == nil || !errors.Is(err, expected)) {
		r.Space.t.Fatal(err)
	}
}

// Call is one call of a tool.
type Call struct {
	Tool      string
	Arguments map[string]any
}

// Calls gives n random calls over all tools, some of them wrong.
func (r *Random) Calls(n int) []Call {
	calls := []Call{{"kb_outline", map[string]any{}}, {"kb_list", map[string]any{"limit": 100}}, {"kb_curate", map[string]any{"limit": 100}},
		{"list_trail_domains_and_tags", map[string]any{}}}
	for range n {
		calls = append(calls, r.call())
	}
	return calls
}

func (r *Random) call() Call {
	flag := func() bool { return r.IntN(2) == 0 }
	wrong := func(names []string, name string) []string {
		if r.IntN(8) == 0 {
			return append(names, name)
		}
		return names
	}
	switch r.IntN(8) {
	case 0, 1:
		q := r.RuleQuery()
		return Call{"search_trail_rules", map[string]any{"query": q.Query, "trails": wrong(q.Trails, "Trvel"), "domains": wrong(q.Domains, "Aprovals"),
			"clusters": wrong(q.Clusters, "Locl"), "limit": 1 + r.IntN(20), "explain": flag()}}
	case 2:
		return Call{"get_brain_context", map[string]any{"trail": wrong([]string{pick(r, RandomTrails)}, "x")[0], "query": r.Query(), "limit": 1 + r.IntN(20)}}
	case 3, 4, 5:
		q := r.DocumentQuery()
		return Call{"kb_search", map[string]any{"query": q.Query, "tier": q.Tier, "category": q.Category, "status": q.Status, "doc_type": q.DocType,
			"validity_state": q.ValidityState, "in_force": q.InForce, "include_expired": q.IncludeExpired, "abstain": flag(), "verbose": flag(),
			"explain": flag(), "limit": 1 + r.IntN(20), "as_of": r.Day()}}
	case 6:
		id := "d9999"
		if len(r.docs) > 0 && r.IntN(4) > 0 {
			id = pick(r, r.docs)
		}
		return Call{"kb_get", map[string]any{"id": id, "verbose": flag(), "as_of": r.Day()}}
	}
	return Call{"kb_list", map[string]any{"tier": pick(r, RandomTiers), "limit": 1 + r.IntN(20), "as_of": r.Day()}}
}

// Transcript is the calls and what they answer, one a line, byte for byte.
func (s *Space) Transcript(calls []Call) []string {
	s.t.Helper()
	var lines []string
	for _, c := range calls {
		lines = append(lines, fmt.Sprintf("%s %v\n%s", c.Tool, c.Arguments, s.Call(c.Tool, c.Arguments)))
	}
	return lines
}
