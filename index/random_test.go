package index

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"waymark/store"
)

// testWords is small, so that words are shared and their lists are long.
var testWords = strings.Fields(`invoice approval approve travel hotel manager payroll PO-1234 W-2 1,000 EUR password
	rotation supplier contract night weekly never unless board audit retention backup laptop visitor badge expense the of
	must not may report incident 日本語 café multi-site`)

// author writes random content into a store.
type author struct {
	rng     *rand.Rand
	store   *fakeStore
	version int
	// many is how many items of a kind there can be.
	many int
}

func newAuthor(seed uint64, many int) *author {
	a := &author{rng: rand.New(rand.NewPCG(seed, 0)), store: newFakeStore(), many: many}
	for i := range 3 {
		a.store.putTrail(store.Trail{ID: fmt.Sprintf("trail-%d", i), Name: fmt.Sprintf("Trail %d", i)})
	}
	return a
}

func (a *author) words(most int) string {
	words := make([]string, a.rng.IntN(most+1))
	for i := range words {
		words[i] = testWords[a.rng.IntN(len(testWords))]
		if a.rng.IntN(9) == 0 {
			words[i] += "."
		}
	}
	return strings.Join(words, " ")
}

func (a *author) list(most int) []string { return strings.Fields(a.words(most)) }

// day is a day of 2026, or none.
func (a *author) day() string {
	if a.rng.IntN(3) > 0 {
		return ""
	}
	return time.Date(2026, 1, 1+a.rng.IntN(300), 0, 0, 0, 0, time.UTC).Format(time.DateOnly)
}

func (a *author) id(kind string) string { return fmt.Sprintf("%s-%d", kind, a.rng.IntN(a.many)) }

func (a *author) rule(id string) store.Rule {
	a.version++
	return store.Rule{
		ID: id, TrailID: fmt.Sprintf("trail-%d", a.rng.IntN(3)), Version: a.version, Status: store.StatusApproved,
		Text: "rule " + a.words(40), Title: a.words(4), Class: store.ClassObligation, Domain: a.words(1), Cluster: a.words(1),
		Tags: a.list(3), AppliesWhen: a.list(2), EffectiveFrom: a.day(), EffectiveUntil: a.day(),
	}
}

func (a *author) document(id string) store.Document {
	d := store.Document{
		ID: id, Path: "docs/" + id + ".md", Title: a.words(5), Description: a.words(4), Status: "active", Tags: a.list(3),
		AppliesWhen: a.list(2), ValidFrom: a.day(), ValidUntil: a.day(), Hash: a.words(3), Raw: []byte("raw"),
	}
	for i := range a.rng.IntN(6) {
		d.Passages = append(d.Passages, store.Passage{Headings: a.list(3), StartLine: i, EndLine: i + 1, Text: a.words(30)})
	}
	if a.rng.IntN(8) == 0 {
		d.Problems = []store.Problem{{Line: 1, Reason: "unreadable", Fatal: a.rng.IntN(2) == 0}}
	}
	return d
}

// step changes something.
func (a *author) step() {
	switch n := a.rng.IntN(20); {
	case n < 8:
		a.store.putRule(a.rule(a.id("rule")))
	case n < 10:
		a.store.deleteRule(a.id("rule"))
	case n < 16:
		a.store.putDocument(a.document(a.id("document")))
	case n < 17:
		a.store.deleteDocument(a.id("document"))
	case n < 18:
		// Touched, and nothing new.
		a.store.change(func() store.Change {
			return store.Change{Rules: []string{a.id("rule")}, Documents: []string{a.id("document")}}
		})
	default:
		a.renameTrail()
	}
}

// renameTrail changes the name of a Trail, or only its description, and stores
// the vectors of its rules anew.
func (a *author) renameTrail() {
	id := fmt.Sprintf("trail-%d", a.rng.IntN(3))
	t := a.store.trails[id]
	if a.rng.IntN(2) == 0 {
		t.Description = a.words(3)
	} else {
		t.Name = "Trail " + a.words(2)
	}
	a.store.change(func() store.Change {
		a.store.trails[id] = t
		for _, rule := range a.store.rules {
			if rule.TrailID == id {
				a.store.embed(RuleEmbeddingTexts(t.Name, rule, splitSentences)...)
			}
		}
		return store.Change{Trails: []string{id}}
	})
}
