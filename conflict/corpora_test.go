package conflict

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// corpora are the public collections of rules whose near neighbours are taken as
// pairs without conflict: contradictions hardly occur in them.
var corpora = []string{"18f-handbook", "comply-soc2", "jupiterone-policies"}

// corpusSentences returns the sentences of a corpus that state a rule, each once,
// in order of file and place.
func corpusSentences(t testing.TB, name string) []string {
	t.Helper()
	root := sharedData(t, filepath.Join("corpora", name))
	var files []string
	err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".md") {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(files)
	seen := map[string]bool{}
	var out []string
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range strings.Split(string(data), "\n") {
			line = strings.TrimSpace(strings.TrimLeft(strings.TrimSpace(line), "-*0123456789. "))
			if strings.ContainsAny(line, "|{}<>#`=") {
				continue
			}
			for _, s := range strings.SplitAfter(line, ". ") {
				s = strings.TrimSpace(s)
				words := len(strings.Fields(s))
				if words < 7 || words > 60 || seen[s] || !strings.HasSuffix(s, ".") {
					continue
				}
				low := " " + strings.ToLower(s) + " "
				for _, m := range []string{" must ", " shall ", " may ", " should ", " required ", " not ", " never ", " is to ", " are to ", " within ", " at least ", " every "} {
					if strings.Contains(low, m) {
						seen[s] = true
						out = append(out, s)
						break
					}
				}
			}
		}
	}
	return out
}

// neighbourPairs pairs every n-th rule sentence of each corpus with its k nearest
// others by shared words.
func neighbourPairs(t testing.TB, every, k int) []*labelledPair {
	t.Helper()
	var pairs []*labelledPair
	for _, name := range corpora {
		sentences := corpusSentences(t, name)
		words := make([]map[string]bool, len(sentences))
		for i, s := range sentences {
			words[i] = plainWords(s)
		}
		for i := 0; i < len(sentences); i += every {
			type near struct {
				j     int
				share float64
			}
			var list []near
			for j := range sentences {
				if j == i {
					continue
				}
				if c := overlap(words[i], words[j]); c > 0.2 {
					list = append(list, near{j, c})
				}
			}
			slices.SortStableFunc(list, func(a, b near) int {
				if a.share > b.share {
					return -1
				} else if a.share < b.share {
					return 1
				}
				return a.j - b.j
			})
			for n := 0; n < k && n < len(list); n++ {
				j := list[n].j
				pairs = append(pairs, &labelledPair{ID: fmt.Sprintf("%s-%d-%d", name, i, j), Writer: name, A: sentences[i], B: sentences[j], Label: "none", Why: "neighbour"})
			}
		}
	}
	return pairs
}

// plainWords are the words of four letters and more of a text. Neighbours are found
// by them, not by analyses, so that they stay the same pairs when those change.
func plainWords(text string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return r < 'a' || r > 'z' }) {
		if len(w) >= 4 {
			set[w] = true
		}
	}
	return set
}

func overlap(a, b map[string]bool) float64 {
	n := 0
	for w := range a {
		n += count(b[w])
	}
	return float64(n) / float64(max(4, min(len(a), len(b))))
}

// TestNoise prints the pairs of corpus neighbours that are named, with -report.
func TestNoise(t *testing.T) {
	if !*reportFlag {
		t.Skip("only with -report")
	}
	named, check := 0, 0
	pairs := neighbourPairs(t, 4, 4)
	for _, p := range pairs {
		v := p.verdict()
		check += count(v.Tier != TierNone)
		if v.Tier == TierConflict {
			named++
			fmt.Printf("NAMED %s %.2f %s: %s\n   A %s\n   B %s\n   %s\n", p.ID, v.Score, v.Kind, v.Point, p.A, p.B, strings.Join(v.Evidence, "\n   "))
		}
	}
	fmt.Printf("%d neighbours: %d named, %d check\n", len(pairs), named, check)
}
