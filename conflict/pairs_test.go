package conflict

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
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

	a, b *Analysis
}

func (p *labelledPair) conflict() bool { return p.Label == "conflict" }

// features returns what the regression sees of a pair, and false for pairs that
// never reach it.
func (p *labelledPair) pairing() (pairing, bool) {
	if p.a == nil {
		p.a, p.b = Analyze(Input{Text: p.A}), Analyze(Input{Text: p.B})
	}
	return bestPairing(p.a, p.b, cosine(p.a.Vector, p.b.Vector))
}

func (p *labelledPair) verdict() Verdict {
	if p.a == nil {
		p.a, p.b = Analyze(Input{Text: p.A}), Analyze(Input{Text: p.B})
	}
	return Compare(p.a, p.b)
}

// heldOut names the writers that nobody tunes on. Their pairs are read by the
// evaluation only, and single failures are not looked at.
var heldOut = map[string]bool{"lab-test": true}

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
