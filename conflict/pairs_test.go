package conflict

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"hash/fnv"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// labelledPair is a line of a pair file.
type labelledPair struct {
	ID       string `json:"id"`
	Writer   string `json:"writer"`
	Topic    string `json:"topic"`
	A        string `json:"a"`
	B        string `json:"b"`
	Label    string `json:"label"` // conflict or none
	Kind     string `json:"kind"`
	Why      string `json:"why"`
	Point    string `json:"point"`
	Contract string `json:"contract"` // norm-conflicts: where a comes from
	Type     string `json:"type"`     // norm-conflicts: its kind

	a, b   *Analysis
	cosine float64 // of the vectors, from testdata/cosines.tsv; NaN: not there
}

func (p *labelledPair) conflict() bool { return p.Label == "conflict" }

// features returns what the regression sees of a pair, and false for pairs that
// never reach it.
func (p *labelledPair) pairing() (pairing, bool) {
	p.analyze()
	return bestPairing(p.a, p.b, p.cosine)
}

// pairingWithout is pairing without the cosine.
func (p *labelledPair) pairingWithout() (pairing, bool) {
	p.analyze()
	return bestPairing(p.a, p.b, math.NaN())
}

func (p *labelledPair) analyze() {
	if p.a == nil {
		p.a, p.b = Analyze(Input{Text: p.A}), Analyze(Input{Text: p.B})
	}
	if p.cosine == 0 {
		p.cosine = cosines().of(p.A, p.B)
	}
}

// cosineTable holds the cosines of the vectors of pairs of texts, as the encoder of
// the program makes them. It is written by cosines_test.go.
type cosineTable map[uint64]float64

func cosineKey(a, b string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(a))
	h.Write([]byte{0})
	h.Write([]byte(b))
	return h.Sum64()
}

func (c cosineTable) of(a, b string) float64 {
	if v, ok := c[cosineKey(a, b)]; ok {
		return v
	}
	return math.NaN()
}

var cosines = sync.OnceValue(func() cosineTable {
	table := cosineTable{}
	data, err := os.ReadFile(filepath.Join("testdata", "cosines.tsv"))
	if err != nil {
		return table
	}
	for line := range strings.Lines(string(data)) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), "\t")
		k, err1 := strconv.ParseUint(key, 16, 64)
		v, err2 := strconv.ParseFloat(value, 64)
		if err1 == nil && err2 == nil {
			table[k] = v
		}
	}
	return table
})

func (p *labelledPair) verdict() Verdict {
	p.analyze()
	if *noVectors {
		return CompareCosine(p.a, p.b, math.NaN())
	}
	return CompareCosine(p.a, p.b, p.cosine)
}

var noVectors = flag.Bool("novectors", false, "evaluate without vectors")

// heldOut tells whether nobody tunes on a writer: the lab's test half, and every
// writer whose name starts with "held-". Their pairs are read by the evaluation
// only, and single failures are not looked at.
func heldOut(writer string) bool {
	return writer == "lab-test" || strings.HasPrefix(writer, "held-")
}

var pairFiles = flag.String("pairs", "", "comma separated files or patterns of pairs to evaluate, instead of all known ones")

// readPairs reads a file of pairs. Lines without a writer are of a writer named
// after the file.
func readPairs(t testing.TB, path string) []*labelledPair {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var pairs []*labelledPair
	scanner := bufio.NewScanner(file)
	scanner.Buffer(nil, 1<<20)
	for line := 1; scanner.Scan(); line++ {
		if strings.TrimSpace(scanner.Text()) == "" {
			continue
		}
		p := &labelledPair{}
		if err := json.Unmarshal(scanner.Bytes(), p); err != nil {
			t.Fatalf("%s:%d: %v", path, line, err)
		}
		if p.Writer == "" {
			p.Writer = strings.TrimSuffix(filepath.Base(path), ".jsonl")
		}
		if p.ID == "" {
			p.ID = fmt.Sprintf("%s-%d", p.Writer, line)
		}
		pairs = append(pairs, p)
	}
	if err := scanner.Err(); err != nil {
		t.Fatal(err)
	}
	return pairs
}

// sharedData returns a path inside the public data, or skips the test.
func sharedData(t testing.TB, path string) string {
	t.Helper()
	root := os.Getenv("WAYMARK_SHARED")
	if root == "" {
		root = filepath.Join("..", "..", "shared")
	}
	path = filepath.Join(root, "data", path)
	if _, err := os.Stat(path); err != nil {
		t.Skipf("no public data: %v", err)
	}
	return path
}

// allPairs reads every pair file of the package and of the lab, by writer.
func allPairs(t testing.TB) []*labelledPair {
	t.Helper()
	var pairs []*labelledPair
	if *pairFiles != "" {
		for _, pattern := range strings.Split(*pairFiles, ",") {
			files, err := filepath.Glob(pattern)
			if err != nil || len(files) == 0 {
				t.Fatalf("no pair files match %q", pattern)
			}
			for _, f := range files {
				pairs = append(pairs, readPairs(t, f)...)
			}
		}
		return pairs
	}
	files, _ := filepath.Glob(filepath.Join("testdata", "pairs", "*.jsonl"))
	slices.Sort(files)
	for _, f := range files {
		pairs = append(pairs, readPairs(t, f)...)
	}
	for _, half := range []string{"train", "test"} {
		for _, p := range readPairs(t, sharedData(t, "conflict-pairs/"+half+".jsonl")) {
			p.Writer = "lab-" + half
			pairs = append(pairs, p)
		}
	}
	return pairs
}

// normPairs reads the contract pairs: 228 conflicts, and the first n of those
// without (all if n is negative).
func normPairs(t testing.TB, n int) (conflicts, none []*labelledPair) {
	t.Helper()
	conflicts = readPairs(t, sharedData(t, "norm-conflicts/pairs.jsonl"))
	none = readPairs(t, sharedData(t, "norm-conflicts/pairs.none.jsonl"))
	if n >= 0 && n < len(none) {
		step := len(none) / n
		var some []*labelledPair
		for i := 0; i < len(none); i += step {
			some = append(some, none[i])
		}
		none = some
	}
	return conflicts, none
}
