package analysis

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// sharedData returns the folder of public corpora, or skips the test where it
// is not there: a fresh clone has none.
func sharedData(t testing.TB) string {
	t.Helper()
	shared := os.Getenv("WAYMARK_SHARED")
	if shared == "" {
		shared = filepath.Join("..", "..", "shared")
	}
	data := filepath.Join(shared, "data")
	if _, err := os.Stat(filepath.Join(data, "scifact", "corpus.jsonl")); err != nil {
		t.Skip("no corpora beside the repository")
	}
	return data
}

type passage struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	Text  string `json:"text"`
}

func readPassages(t testing.TB, path string) []passage {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []passage
	scanner := bufio.NewScanner(f)
	scanner.Buffer(nil, 1<<22)
	for scanner.Scan() {
		var p passage
		if err := json.Unmarshal(scanner.Bytes(), &p); err != nil {
			t.Fatal(err)
		}
		out = append(out, p)
	}
	return out
}

// readJudgements returns the grades by query and document.
func readJudgements(t testing.TB, path string) map[string]map[string]int {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]map[string]int{}
	for _, line := range strings.Split(string(data), "\n") {
		f := strings.Fields(line)
		if len(f) != 3 {
			continue
		}
		grade, err := strconv.Atoi(f[2])
		if err != nil {
			continue // the heading
		}
		if out[f[0]] == nil {
			out[f[0]] = map[string]int{}
		}
		out[f[0]][f[1]] = grade
	}
	return out
}

// plainBM25 is the textbook: Lucene's idf, no k1+1 factor, exact lengths.
type plainBM25 struct {
	ids      []string
	lengths  []float64
	average  float64
	postings map[string][]posting
}

type posting struct {
	doc int
	tf  float64
}

func buildBM25(a *Analyzer, passages []passage) *plainBM25 {
	b := &plainBM25{postings: map[string][]posting{}}
	var tokens []Token
	sum, filled := 0.0, 0.0
	for i, p := range passages {
		b.ids = append(b.ids, p.ID)
		tokens = a.Append(tokens[:0], p.Title+" "+p.Text)
		length := 0.0
		for k := range tokens {
			term := tokens[k].Term
			if term == "" {
				continue
			}
			if tokens[k].Counted() {
				length++
			}
			list := b.postings[term]
			if n := len(list); n > 0 && list[n-1].doc == i {
				list[n-1].tf++
			} else {
				b.postings[term] = append(list, posting{i, 1})
			}
		}
		b.lengths = append(b.lengths, length)
		sum += length
		if length > 0 {
			filled++
		}
	}
	b.average = sum / filled
	return b
}

type scored struct {
	id    string
	score float64
}

// search returns the k best documents; equal scores put the larger id first, as
// trec_eval does.
func (b *plainBM25) search(terms []string, k1, bb float64, k int) []scored {
	k = min(k, len(b.ids))
	scores := make([]float64, len(b.ids))
	n := float64(len(b.ids))
	for _, term := range terms {
		list := b.postings[term]
		df := float64(len(list))
		idf := math.Log(1 + (n-df+.5)/(df+.5))
		for _, p := range list {
			scores[p.doc] += idf * p.tf / (p.tf + k1*(1-bb+bb*b.lengths[p.doc]/b.average))
		}
	}
	// The k best, the worst of them at the root of a heap.
	better := func(i, j int) bool {
		return scores[i] > scores[j] || scores[i] == scores[j] && b.ids[i] > b.ids[j]
	}
	best := make([]int, 0, k)
	for doc, s := range scores {
		if s == 0 || len(best) == k && !better(doc, best[0]) {
			continue
		}
		i := 0
		if len(best) < k {
			best = append(best, doc)
			for i = len(best) - 1; i > 0 && better(best[(i-1)/2], doc); i = (i - 1) / 2 {
				best[i] = best[(i-1)/2]
			}
		} else {
			for child := 1; child < k; child = 2*i + 1 {
				if child+1 < k && better(best[child], best[child+1]) {
					child++
				}
				if !better(doc, best[child]) {
					break
				}
				best[i], i = best[child], child
			}
		}
		best[i] = doc
	}
	slices.SortFunc(best, func(i, j int) int {
		if better(i, j) {
			return -1
		}
		return 1
	})
	out := make([]scored, len(best))
	for i, doc := range best {
		out[i] = scored{b.ids[doc], scores[doc]}
	}
	return out
}

// quality is the mean over the queries with a relevant document, as trec_eval
// and the script beside the corpora compute it.
type quality struct{ nDCG, recall float64 }

// measure runs the queries and, if run is not nil, writes the run there: query,
// document and score, with tabs.
func measure(a *Analyzer, b *plainBM25, queries []passage, judgements map[string]map[string]int, k1, bb float64, run io.Writer) quality {
	var total quality
	n := 0.0
	for _, q := range queries {
		grades := judgements[q.ID]
		var ideal []int
		for _, g := range grades {
			if g > 0 {
				ideal = append(ideal, g)
			}
		}
		if len(ideal) == 0 {
			continue
		}
		n++
		var terms []string
		for _, t := range a.ParseQuery(q.Text).Terms {
			for range t.Count {
				terms = append(terms, t.Term)
			}
		}
		dcg, found := 0.0, 0.0
		for i, h := range b.search(terms, k1, bb, 100) {
			if run != nil {
				fmt.Fprintf(run, "%s\t%s\t%.12f\n", q.ID, h.id, h.score)
			}
			if g := grades[h.id]; g > 0 && i < 10 {
				found++
				dcg += float64(g) / math.Log2(float64(i)+2)
			}
		}
		slices.SortFunc(ideal, func(a, b int) int { return b - a })
		best := 0.0
		for i, g := range ideal[:min(10, len(ideal))] {
			best += float64(g) / math.Log2(float64(i)+2)
		}
		total.nDCG += dcg / best
		total.recall += found / float64(len(ideal))
	}
	return quality{total.nDCG / n, total.recall / n}
}

// TestQuality measures plain BM25 over the public corpora. Only the test claims
// of scifact run by default; WAYMARK_QUALITY=1 adds the other sets, and
// WAYMARK_RUNS names a folder for the run files.
func TestQuality(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	data := sharedData(t)
	all := os.Getenv("WAYMARK_QUALITY") != ""
	for _, set := range []struct {
		name   string
		splits []split
	}{
		{"scifact", []split{{"train", quality{.705, .82}}, {"", quality{.69, .80}}}},
		{"obliqa", []split{{"dev", quality{.685, .775}}, {"", quality{.69, .775}}}},
	} {
		if !all && set.name != "scifact" {
			continue
		}
		folder := filepath.Join(data, set.name)
		a := New()
		b := buildBM25(a, readPassages(t, filepath.Join(folder, "corpus.jsonl")))
		for _, s := range set.splits {
			if !all && s.name != "" {
				continue
			}
			suffix := ""
			if s.name != "" {
				suffix = "." + s.name
			}
			queries := readPassages(t, filepath.Join(folder, "queries"+suffix+".jsonl"))
			judgements := readJudgements(t, filepath.Join(folder, "qrels"+suffix+".tsv"))
			for _, p := range []struct{ k1, b float64 }{{1.2, .75}, {.9, .4}} {
				name := fmt.Sprintf("%s%s k1=%g b=%g", set.name, suffix, p.k1, p.b)
				var run io.Writer
				if runs := os.Getenv("WAYMARK_RUNS"); runs != "" {
					f, err := os.Create(filepath.Join(runs, strings.ReplaceAll(name, " ", "_")))
					if err != nil {
						t.Fatal(err)
					}
					defer f.Close()
					run = f
				}
				got := measure(a, b, queries, judgements, p.k1, p.b, run)
				t.Logf("%-28s nDCG@10 %.4f  R@10 %.4f  (%d terms, %.1f words a text)", name, got.nDCG, got.recall, len(b.postings), b.average)
				if got.nDCG < s.least.nDCG || got.recall < s.least.recall {
					t.Errorf("%s: nDCG@10 %.4f, R@10 %.4f, want at least %.3f, %.3f", name, got.nDCG, got.recall, s.least.nDCG, s.least.recall)
				}
			}
		}
	}
}

// split is a set of queries and what they must reach.
type split struct {
	name  string
	least quality
}
