package conflict

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// companyRule is a line of the sample company's rules.
type companyRule struct {
	ID          string   `json:"id"`
	Trail       string   `json:"trail"`
	Title       string   `json:"title"`
	Text        string   `json:"text"`
	Domain      string   `json:"domain"`
	Cluster     string   `json:"cluster"`
	Tags        []string `json:"tags"`
	AppliesWhen []string `json:"applies_when"`
	Status      string   `json:"status"`
}

func (r *companyRule) input() Input {
	return Input{Text: r.Text, Title: r.Title, Trail: r.Trail, Domain: r.Domain, Cluster: r.Cluster, Tags: r.Tags, AppliesWhen: r.AppliesWhen}
}

// readCompany returns the sample company's rules that are in force and its
// labelled pairs, or skips the test.
func readCompany(t testing.TB) (rules []*companyRule, pairs []*labelledPair) {
	t.Helper()
	dir := filepath.Join("..", "testdata", "company")
	byID := map[string]*companyRule{}
	readLines(t, filepath.Join(dir, "rules.jsonl"), func(line []byte) error {
		r := &companyRule{}
		if err := json.Unmarshal(line, r); err != nil {
			return err
		}
		byID[r.ID] = r
		if r.Status == "" || r.Status == "approved" {
			rules = append(rules, r)
		}
		return nil
	})
	readLines(t, filepath.Join(dir, "conflicts.jsonl"), func(line []byte) error {
		p := &labelledPair{}
		if err := json.Unmarshal(line, p); err != nil {
			return err
		}
		a, b := byID[p.A], byID[p.B]
		if a == nil || b == nil {
			return fmt.Errorf("no rule %q or %q", p.A, p.B)
		}
		p.ID, p.Writer = p.A+"/"+p.B, "company"
		p.a, p.b = Analyze(a.input()), Analyze(b.input())
		p.A, p.B = a.Text, b.Text
		pairs = append(pairs, p)
		return nil
	})
	return rules, pairs
}

func readLines(t testing.TB, path string, line func([]byte) error) {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Skipf("no sample company: %v", err)
	}
	defer file.Close()
	scanner := bufio.NewScanner(file)
	scanner.Buffer(nil, 1<<20)
	for n := 1; scanner.Scan(); n++ {
		if len(scanner.Bytes()) == 0 {
			continue
		}
		if err := line(scanner.Bytes()); err != nil {
			t.Fatalf("%s:%d: %v", path, n, err)
		}
	}
}

// companyNoise compares every two rules in force of the sample company and counts
// the pairs of each tier that its labels do not call a conflict.
func companyNoise(t testing.TB, vectors func(texts []string) [][]float32) string {
	rules, pairs := readCompany(t)
	conflicts := map[string]bool{}
	for _, p := range pairs {
		if p.conflict() {
			conflicts[p.ID] = true
		}
	}
	as := make([]*Analysis, len(rules))
	texts := make([]string, len(rules))
	for i, r := range rules {
		as[i] = Analyze(r.input())
		texts[i] = r.Text
	}
	if vectors != nil {
		for i, v := range vectors(texts) {
			as[i].Vector = v
		}
	}
	named, check, namedInside, checkInside, compared := 0, 0, 0, 0, len(rules)*(len(rules)-1)/2
	for _, p := range CompareAll(as) {
		a, b := rules[p.A], rules[p.B]
		if conflicts[a.ID+"/"+b.ID] || conflicts[b.ID+"/"+a.ID] {
			continue
		}
		inside := a.Trail == b.Trail
		if p.Tier == TierConflict {
			named++
			namedInside += count(inside)
		}
		check++
		checkInside += count(inside)
	}
	return fmt.Sprintf("company: %d rules, %d pairs without a label of conflict: %d named (%d inside a Trail), %d named or check (%d inside a Trail, %.2f a rule)",
		len(rules), compared, named, namedInside, check, checkInside, float64(checkInside)/float64(len(rules)))
}
