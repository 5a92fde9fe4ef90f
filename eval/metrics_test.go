package eval

import (
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-9 {
		t.Errorf("%s = %.10f, want %.10f", what, got, want)
	}
}

// TestScoreByHand computes one question by hand: relevant are a (grade 2), b and
// c (grade 1), returned are x, a, y, b.
func TestScoreByHand(t *testing.T) {
	m := Score([]string{"x", "a", "y", "b"}, map[string]int{"a": 2, "b": 1, "c": 1, "d": 0})
	gain := 2/math.Log2(3) + 1/math.Log2(5)
	ideal := 2 + 1/math.Log2(3) + 1/math.Log2(4)
	near(t, "nDCG@10", m.NDCG10, gain/ideal)
	near(t, "R@5", m.Recall5, 2.0/3)
	near(t, "R@10", m.Recall10, 2.0/3)
	near(t, "R@100", m.Recall100, 2.0/3)
	near(t, "MRR@10", m.MRR10, .5)
	if (Score(nil, map[string]int{"a": 1}) != Metrics{}) || (Score([]string{"a"}, nil) != Metrics{}) {
		t.Error("no answer, or nothing relevant, must score 0")
	}
}

func TestCutsOfTheRanking(t *testing.T) {
	var ids []string
	for i := range 120 {
		ids = append(ids, strconv.Itoa(i))
	}
	for _, c := range []struct {
		at                 int
		r5, r10, r100, mrr float64
	}{{0, 1, 1, 1, 1}, {4, 1, 1, 1, .2}, {5, 0, 1, 1, 1.0 / 6}, {9, 0, 1, 1, .1}, {10, 0, 0, 1, 0}, {99, 0, 0, 1, 0}, {100, 0, 0, 0, 0}} {
		m := Score(ids, map[string]int{strconv.Itoa(c.at): 1})
		near(t, "R@5", m.Recall5, c.r5)
		near(t, "R@10", m.Recall10, c.r10)
		near(t, "R@100", m.Recall100, c.r100)
		near(t, "MRR@10", m.MRR10, c.mrr)
	}
}

func TestMeasureByKind(t *testing.T) {
	questions := []Question{
		{ID: "1", Kind: "a", Grades: map[string]int{"x": 1}},
		{ID: "2", Kind: "a", Grades: map[string]int{"y": 1}},
		{ID: "3", Kind: "negative", Grades: map[string]int{}},
		{ID: "4", Kind: "negative", Forbidden: map[string]bool{"old": true}},
	}
	r := Measure("set", questions, Run{"1": {"x"}, "3": {"z"}, "4": {"old"}}, Run{"1": {}, "2": {"y"}})
	all := r.Groups[0]
	if all.Questions != 4 || all.Negatives != 2 {
		t.Errorf("all = %+v", all)
	}
	near(t, "nDCG@10", all.Metrics["nDCG@10"].Mean, .5)
	near(t, "refused", all.Refused.Mean, .5)
	near(t, "answered", all.Answered.Mean, 1)
	near(t, "stale", all.Stale.Mean, 1)
	near(t, "difference", all.Difference["nDCG@10"].Mean, 0)
	if r.Groups[1].Kind != "a" || r.Groups[2].Kind != "negative" || r.Groups[2].Metrics["nDCG@10"].Mean != 0 {
		t.Errorf("groups = %+v", r.Groups)
	}
}

// TestMetricsAgreeWithEvalPy runs the shared eval.py over a run of ours.
func TestMetricsAgreeWithEvalPy(t *testing.T) {
	shared := os.Getenv("WAYMARK_SHARED")
	if shared == "" {
		shared = filepath.Join("..", "..", "shared")
	}
	folder := filepath.Join(shared, "data", "scifact")
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("no python3")
	}
	questions, err := ReadQuestions(folder, "")
	if err != nil {
		t.Skipf("no shared data: %v", err)
	}
	// A run with hits at every depth: the gold of question i stands at place i.
	run := Run{}
	for i, q := range questions {
		for at := range 110 {
			run[q.ID] = append(run[q.ID], "none-"+strconv.Itoa(at))
		}
		for id := range q.Grades {
			run[q.ID][(i*7+len(id))%110] = id
		}
	}
	path := filepath.Join(t.TempDir(), "run")
	if err := WriteRun(path, questions, run); err != nil {
		t.Fatal(err)
	}
	back, err := ReadRun(path)
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(python, filepath.Join(shared, "data", "eval.py"), "eval", path, filepath.Join(folder, "qrels.tsv")).Output()
	if err != nil {
		t.Fatalf("eval.py: %v", err)
	}
	fields := strings.Fields(string(out))
	metrics := Measure("scifact", questions, back, nil).Groups[0].Metrics
	checked := 0
	for i, f := range fields {
		if m, ok := metrics[f]; ok && i+1 < len(fields) {
			want, err := strconv.ParseFloat(fields[i+1], 64)
			if err != nil {
				t.Fatal(err)
			}
			if math.Abs(m.Mean-want) > .00005001 {
				t.Errorf("%s = %.6f, eval.py says %.4f", f, m.Mean, want)
			}
			checked++
		}
	}
	if checked < 4 {
		t.Errorf("only %d metrics compared: %s", checked, out)
	}
}
