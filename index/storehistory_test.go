package index

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"waymark/analysis"
	"waymark/embedding/embeddingtest"
	"waymark/store"
	"waymark/vector"
)

// The vocabulary is small, so that terms are shared and lists are long.
var vocabulary = strings.Fields("invoice approval travel hotel manager payroll PO-1234 W-2 1,000 EUR password rotation supplier contract night weekly never unless board audit retention backup laptop visitor badge")

// bench is a store with an index over it, driven at random.
type bench struct {
	t         *testing.T
	random    *rand.Rand
	store     *store.Store
	workspace string
	embedder  interface {
		ModelID() string
		Dimension() int
		EmbedPassages(context.Context, []string) ([][]float32, error)
	}
	bank   [][]float32
	trails []store.Trail
	rules  []string
	docs   []string
	made   int
}

func newBench(t *testing.T, seed uint64) *bench {
	t.Helper()
	now := time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)
	s, err := store.Open(store.Options{Path: filepath.Join(t.TempDir(), "waymark.db"), NoSync: true, Now: func() time.Time { return now }, Entropy: rand.NewChaCha8([32]byte{byte(seed)})})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	w, err := s.CreateWorkspace("w")
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{t: t, random: rand.New(rand.NewPCG(seed, 1)), store: s, workspace: w.ID, embedder: embeddingtest.New()}
	b.bank, err = b.embedder.EmbedPassages(t.Context(), []string{"how do I boil an egg", "who won the match", "travel to the moon", "a cat in the night"})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		trail, err := s.CreateTrail(b.workspace, store.Trail{ID: fmt.Sprint("t", i), Name: fmt.Sprint("Trail ", i)})
		if err != nil {
			t.Fatal(err)
		}
		b.trails = append(b.trails, trail)
	}
	return b
}

func (b *bench) open(directory string) *Manager {
	return Open(b.store, analysis.New(), Options{Directory: directory, Model: b.embedder.ModelID(), Dimension: b.embedder.Dimension(), Bank: b.bank})
}

func (b *bench) words(n int) string {
	var w []string
	for range n {
		w = append(w, vocabulary[b.random.IntN(len(vocabulary))])
	}
	return strings.Join(w, " ")
}

func (b *bench) day() string {
	if b.random.IntN(2) == 0 {
		return ""
	}
	return time.Date(2026, time.Month(1+b.random.IntN(12)), 1+b.random.IntN(28), 0, 0, 0, 0, time.UTC).Format(time.DateOnly)
}

// vectors stores the vectors of texts, of most of them: some are missing as
// after a crash.
func (b *bench) vectors(texts ...string) {
	b.t.Helper()
	made, err := b.embedder.EmbedPassages(b.t.Context(), texts)
	if err != nil {
		b.t.Fatal(err)
	}
	for i, text := range texts {
		if b.random.IntN(20) == 0 {
			continue
		}
		if err := b.store.PutVectors(b.workspace, b.embedder.ModelID(), []store.Hash{store.HashText(text)}, made[i:i+1]); err != nil {
			b.t.Fatal(err)
		}
	}
}

func (b *bench) trailName(id string) string {
	for _, t := range b.trails {
		if t.ID == id {
			return t.Name
		}
	}
	return ""
}

// step changes the store once, at random.
func (b *bench) step() {
	b.t.Helper()
	check := func(err error) {
		if err != nil {
			b.t.Fatal(err)
		}
	}
	pick := func(ids []string) string { return ids[b.random.IntN(len(ids))] }
	switch n := b.random.IntN(12); {
	case n < 4 || len(b.rules) == 0:
		b.made++
		from, until := b.day(), b.day()
		if from != "" && until != "" && from > until {
			from, until = until, from
		}
		r := store.Rule{ID: fmt.Sprintf("r%03d", b.made), TrailID: b.trails[b.random.IntN(3)].ID, Text: b.words(3 + b.random.IntN(20)), Class: store.ClassObligation,
			Status: store.StatusApproved, EffectiveFrom: from, EffectiveUntil: until, Tags: strings.Fields(b.words(b.random.IntN(3)))}
		if b.random.IntN(2) == 0 {
			r.Domain = b.words(1)
		}
		slices.Sort(r.Tags)
		r.Tags = slices.Compact(r.Tags)
		b.vectors(RuleEmbeddingText(b.trailName(r.TrailID), r))
		_, err := b.store.AddRule(b.workspace, r, "test")
		check(err)
		b.rules = append(b.rules, r.ID)
	case n < 6:
		r, err := b.store.Rule(b.workspace, pick(b.rules))
		check(err)
		if r.Status == store.StatusRetired {
			return
		}
		r.Text = b.words(3 + b.random.IntN(20))
		b.vectors(RuleEmbeddingText(b.trailName(r.TrailID), r))
		_, err = b.store.EditRule(b.workspace, r, "test")
		check(err)
		_, err = b.store.ApproveRule(b.workspace, r.ID, "test")
		check(err)
	case n == 6:
		r, err := b.store.Rule(b.workspace, pick(b.rules))
		check(err)
		if r.Status == store.StatusApproved {
			check(b.store.RetireRule(b.workspace, r.ID, "test", ""))
		}
	case n < 10 || len(b.docs) == 0:
		b.made++
		id := fmt.Sprintf("d%03d", b.made)
		if len(b.docs) > 0 && b.random.IntN(2) == 0 {
			id = pick(b.docs)
		}
		d := store.Document{ID: id, Path: id + ".md", Title: b.words(2), Tier: "T1", Hash: fmt.Sprint(b.made), ValidUntil: b.day(), Description: b.words(b.random.IntN(4)), Raw: []byte("x")}
		for p := range b.random.IntN(4) {
			d.Passages = append(d.Passages, store.Passage{Headings: []string{b.words(1)}, StartLine: p + 1, EndLine: p + 1, Text: b.words(5 + b.random.IntN(30))})
		}
		var texts []string
		for _, p := range d.Passages {
			texts = append(texts, PassageEmbeddingText(d, p))
		}
		b.vectors(texts...)
		_, err := b.store.PutDocument(b.workspace, d)
		check(err)
		if !slices.Contains(b.docs, id) {
			b.docs = append(b.docs, id)
		}
	case n == 10:
		id := pick(b.docs)
		check(b.store.DeleteDocument(b.workspace, id))
		b.docs = slices.DeleteFunc(b.docs, func(d string) bool { return d == id })
	default:
		t := &b.trails[b.random.IntN(3)]
		t.Name = b.words(2)
		var texts []string
		rules, err := b.store.Rules(b.workspace, store.RuleFilter{TrailID: t.ID, Status: store.StatusApproved})
		check(err)
		for _, r := range rules {
			texts = append(texts, RuleEmbeddingText(t.Name, r))
		}
		b.vectors(texts...)
		_, err = b.store.UpdateTrail(b.workspace, *t)
		check(err)
	}
}

// numbers writes every number that a search can see of a snapshot, in an order
// that does not depend on where rows lie.
func numbers(t *testing.T, s *Snapshot, query []float32) string {
	t.Helper()
	var out strings.Builder
	fmt.Fprintf(&out, "version %d trails %v\n", s.StoreVersion, s.Trails)
	q, err := vector.NewQuery(query)
	if err != nil {
		t.Fatal(err)
	}
	var terms []QueryTerm
	seen := map[string]bool{}
	for _, token := range analysis.New().Analyze(strings.Join(vocabulary, " ") + " unknown") {
		if token.Term != "" && !seen[token.Term] {
			seen[token.Term] = true
			terms = append(terms, QueryTerm{token.Term, 1 + len(terms)%2})
		}
	}
	describe(t, &out, "rules", s.Rules, q, query, terms)
	describe(t, &out, "documents", s.Documents, q, query, terms)
	return out.String()
}

func describe(t *testing.T, out *strings.Builder, name string, c *Collection, q *vector.Query, query []float32, terms []QueryTerm) {
	t.Helper()
	for _, day := range []int32{20600, 20700, 20788} {
		v := c.View(day)
		fmt.Fprintf(out, "%s day %d: n %d averages %v missing %d bank %v\n", name, day, v.N(), v.norms.average, c.RowsWithoutVector(), v.BankMaxima())
		for _, term := range terms {
			fmt.Fprintf(out, "%s df %d idf %v\n", term.Term, v.DF(term.Term), v.IDF(term.Term))
		}
		scores := make([]float64, v.Rows())
		held := make([]float64, v.Rows())
		v.Score(terms, scores, held)
		approximate := make([]float32, v.Rows())
		if err := v.Approximate(q, approximate); err != nil {
			t.Fatal(err)
		}
		var lines []string
		for item := range v.Items() {
			if !v.Live(item) {
				continue
			}
			first, end := v.RowsOf(item)
			line := fmt.Sprintf("%s counts %v:", v.ID(item), v.ItemCounts(item))
			for row := first; row < end; row++ {
				if v.ItemOf(row) != item {
					t.Fatalf("ItemOf(%d) = %d, want %d", row, v.ItemOf(row), item)
				}
				line += fmt.Sprintf(" [%v %v %v %v %v %v %+v]", scores[row], held[row], v.Cosine(query, row), approximate[row], v.HasVector(row), v.RowsWith(terms[0].Term).Contains(row), *v.Passage(row))
			}
			if r := v.RuleOrNil(item); r != nil {
				line += fmt.Sprintf(" %+v", *r)
			} else {
				line += fmt.Sprintf(" %+v", *v.Document(item))
			}
			lines = append(lines, line)
		}
		slices.Sort(lines)
		out.WriteString(strings.Join(lines, "\n") + "\n")
	}
}

// TestStoreHistoryLeavesNoTrace is the oracle of this package over a real store:
// after every few random changes, a snapshot that was edited step by step, written to files, opened
// again and merged shows the same numbers to the last bit as one that is built
// at once.
func TestStoreHistoryLeavesNoTrace(t *testing.T) {
	for seed := range uint64(4) {
		b := newBench(t, seed)
		directory := t.TempDir()
		m := b.open(directory)
		query, err := b.embedder.EmbedPassages(t.Context(), []string{"hotel approval by the manager"})
		if err != nil {
			t.Fatal(err)
		}
		for round := range 30 {
			for range 1 + b.random.IntN(6) {
				b.step()
				if b.random.IntN(2) == 0 {
					if err := m.Refresh(b.workspace); err != nil {
						t.Fatal(err)
					}
				}
			}
			if b.random.IntN(4) == 0 {
				if err := m.Close(); err != nil {
					t.Fatal(err)
				}
				m = b.open(directory)
			}
			if err := m.Refresh(b.workspace); err != nil {
				t.Fatal(err)
			}
			got, err := m.Acquire(b.workspace)
			if err != nil {
				t.Fatal(err)
			}
			fresh := b.open("")
			want, err := fresh.Acquire(b.workspace)
			if err != nil {
				t.Fatal(err)
			}
			if g, w := numbers(t, got, query[0]), numbers(t, want, query[0]); g != w {
				t.Fatalf("seed %d round %d: %s", seed, round, firstDifference(g, w))
			}
			got.Release()
			want.Release()
			if err := fresh.Close(); err != nil {
				t.Fatal(err)
			}
		}
		if h, err := m.Health(b.workspace); err != nil || h.Rebuilt != "" {
			t.Errorf("Health = %+v, %v; want files that could be used", h, err)
		}
		if err := m.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

func firstDifference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(g), len(w)) {
		if g[i] != w[i] {
			return fmt.Sprintf("line %d:\n got %s\nwant %s", i, g[i], w[i])
		}
	}
	return fmt.Sprintf("%d lines, want %d", len(g), len(w))
}
