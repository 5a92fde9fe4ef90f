package conflict

import (
	_ "embed"
	"math"
	"strconv"
	"strings"
	"sync"
)

// Thresholds on the score. In cross-validation by writer a precision of 0.85 begins
// at 0.41 and a recall of 0.80 at 0.29; on pairs not trained on the former begins at
// 0.57 (lab-test, sample company), so that is what is named. A check costs a glance:
// its threshold is where a rule added to the sample company is shown 0.4 of them.
const (
	// ConflictThreshold is the score from which a pair is named in answers.
	ConflictThreshold = 0.56

	// CheckThreshold is the score from which a person should look.
	CheckThreshold = 0.15
)

//go:embed weights.tsv
var weightsFile string

// weights of the regression: the score of features x is
// 1 / (1 + exp(-(bias + Σ weight·x))).
type weights struct {
	bias   float64
	weight [features]float64
}

var model = sync.OnceValue(func() *weights {
	w, err := parseWeights(weightsFile)
	if err != "" {
		panic("weights.tsv: " + err) // the table is part of the program
	}
	return w
})

// parseWeights reads a table of name, tab, weight; every feature and the bias
// must be there.
func parseWeights(table string) (*weights, string) {
	w := &weights{}
	values := map[string]float64{}
	for line := range strings.Lines(table) {
		name, value, ok := strings.Cut(strings.TrimRight(line, "\n"), "\t")
		if !ok {
			continue
		}
		v, err := strconv.ParseFloat(value, 64)
		if err != nil {
			return nil, "bad number for " + name
		}
		values[name] = v
	}
	var ok bool
	if w.bias, ok = values["bias"]; !ok {
		return nil, "no bias"
	}
	for i, name := range featureNames {
		if w.weight[i], ok = values[name]; !ok {
			return nil, "no weight for " + name
		}
	}
	return w, ""
}

func (w *weights) score(f *[features]float64) float64 {
	s := w.bias
	for i := range f {
		s += w.weight[i] * f[i]
	}
	return 1 / (1 + math.Exp(-s))
}
