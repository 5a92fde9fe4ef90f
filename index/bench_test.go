//go:build unix

package index

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"waymark/store"
	"waymark/vector"
)

// benchDimension is that of the default model.
const benchDimension = 384

// benchStore is the ObliQA corpus, 13,012 rules, with random vectors.
func benchStore(b *testing.B) (*fakeStore, Options) {
	b.Helper()
	f := corpusStore(b, readLines[corpusLine](b, sharedFile(b, "obliqa", "corpus.jsonl")))
	rng := rand.New(rand.NewPCG(1, 2))
	for _, r := range f.rules {
		f.vectors[store.HashText(RuleEmbeddingText("Corpus", r))] = unitVector(rng, benchDimension)
	}
	o := Options{Directory: b.TempDir(), Model: testModel, Dimension: benchDimension}
	for range 100 {
		o.Bank = append(o.Bank, unitVector(rng, benchDimension))
	}
	return f, o
}

// benchQueries are the questions of ObliQA's dev set as query terms: about 17.
func benchQueries(b *testing.B) [][]QueryTerm {
	var all [][]QueryTerm
	for _, line := range readLines[corpusLine](b, sharedFile(b, "obliqa", "queries.dev.jsonl"))[:500] {
		var terms []QueryTerm
		seen := map[string]bool{}
		for _, token := range testAnalyzer.Analyze(line.Text) {
			if token.Term != "" && !token.TextOnly && !seen[token.Term] {
				seen[token.Term] = true
				terms = append(terms, QueryTerm{token.Term, 1})
			}
		}
		all = append(all, terms)
	}
	return all
}

// processorTime is what the process has used. On a machine that others use as
// well it is the steadier figure.
func processorTime(b *testing.B) time.Duration {
	var used unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &used); err != nil {
		b.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// measure runs what is measured b.N times and reports the processor time of
// each, divided among rows.
func measure(b *testing.B, rows int, run func(i int)) {
	runtime.GC()
	b.ResetTimer()
	before := processorTime(b)
	for i := range b.N {
		run(i)
	}
	unit := "cpu-µs/op"
	if rows > 1 {
		unit = "cpu-µs/row"
	}
	b.ReportMetric(float64((processorTime(b)-before).Nanoseconds())/1000/float64(b.N*rows), unit)
}

func benchManager(b *testing.B, f *fakeStore, o Options) *Manager {
	b.Helper()
	m := open(f, testAnalyzer, o)
	b.Cleanup(func() {
		if err := m.Close(); err != nil {
			b.Error(err)
		}
	})
	acquire(b, m)
	m.maintainNow(b)
	return m
}

func BenchmarkScore(b *testing.B) {
	f, o := benchStore(b)
	v := acquire(b, benchManager(b, f, o)).Rules.View(0)
	queries := benchQueries(b)
	words, postings := 0, 0
	for _, q := range queries {
		words += len(q)
		for _, term := range q {
			postings += v.DF(term.Term)
		}
	}
	scores := make([]float64, v.Rows())
	measure(b, 1, func(i int) {
		clear(scores)
		v.Score(queries[i%len(queries)], scores, nil)
	})
	b.ReportMetric(float64(words)/float64(len(queries)), "words/query")
	b.ReportMetric(float64(postings)/float64(len(queries)), "postings/query")
	b.ReportMetric(float64(v.Rows()), "rows")
}

func BenchmarkBuild(b *testing.B) {
	f, o := benchStore(b)
	m := benchManager(b, f, o)
	o.Bank = nil
	entries := entriesOf(b, m)[Rules]
	for i := range entries {
		entries[i].rows[0].vector = nil
	}
	measure(b, len(entries), func(int) { build(b, m, Rules, entries) })
}

// BenchmarkRefresh is one commit of one rule among 13,000, again and again.
func BenchmarkRefresh(b *testing.B) {
	f, o := benchStore(b)
	m := benchManager(b, f, o)
	s := acquire(b, m)
	var rules []store.Rule
	for _, item := range s.Rules.InOrder() {
		rules = append(rules, *s.Rules.Rule(item))
	}
	rng := rand.New(rand.NewPCG(3, 4))
	vector := unitVector(rng, benchDimension)
	measure(b, 1, func(i int) {
		r := rules[rng.IntN(len(rules))]
		r.Version = 2 + i
		r.Text = fmt.Sprintf("%s Edited %d.", r.Text, i)
		f.change(func() store.Change {
			f.rules[r.ID] = r
			f.vectors[store.HashText(RuleEmbeddingText("Corpus", r))] = vector
			return store.Change{Rules: []string{r.ID}}
		})
		refresh(b, m)
	})
}

// BenchmarkFirstView is what the first search after a commit pays.
func BenchmarkFirstView(b *testing.B) {
	f, o := benchStore(b)
	m := benchManager(b, f, o)
	c := acquire(b, m).Rules
	measure(b, 1, func(int) { newView(c, 0).BankMaxima() })
}

func BenchmarkOpen(b *testing.B) {
	f, o := benchStore(b)
	m := benchManager(b, f, o)
	if err := m.Close(); err != nil {
		b.Fatal(err)
	}
	measure(b, 1, func(int) {
		m := open(f, testAnalyzer, o)
		s, err := m.Acquire(testWorkspace)
		if err != nil {
			b.Fatal(err)
		}
		s.Rules.View(0)
		s.Release()
		if err := m.Close(); err != nil {
			b.Fatal(err)
		}
	})
}

func BenchmarkRebuild(b *testing.B) {
	f, o := benchStore(b)
	m := benchManager(b, f, o)
	measure(b, len(f.rules), func(int) {
		if err := m.Rebuild(testWorkspace); err != nil {
			b.Fatal(err)
		}
	})
}

func BenchmarkAcquire(b *testing.B) {
	f, o := benchStore(b)
	m := benchManager(b, f, o)
	measure(b, 1, func(int) {
		s, err := m.Acquire(testWorkspace)
		if err != nil {
			b.Fatal(err)
		}
		s.Release()
	})
}

func BenchmarkNearest(b *testing.B) {
	f, o := benchStore(b)
	v := acquire(b, benchManager(b, f, o)).Rules.View(0)
	q, err := vector.NewQuery(o.Bank[0])
	if err != nil {
		b.Fatal(err)
	}
	measure(b, 1, func(int) {
		if _, err := v.Nearest(q, 10, nil); err != nil {
			b.Fatal(err)
		}
	})
}
