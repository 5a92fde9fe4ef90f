package conflict

import (
	"flag"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
)

var trainFlag = flag.Bool("train", false, "train the regression on all writers that are not held out and write weights.tsv")

// sample is a pair as the regression sees it.
type sample struct {
	x      [features]float64
	y      float64
	weight float64
	writer string
	pair   *labelledPair
	dead   bool // never reaches the model
	blind  bool // has no cosine
	gate   float64
}

// samples returns the training pairs: every writer not held out, and half of the
// contracts with some of their easy pairs without conflict.
func samples(t testing.TB) []sample {
	var out []sample
	add := func(p *labelledPair, writer string, weight float64) {
		for n, make := range []func() (pairing, bool){p.pairing, p.pairingWithout} {
			pr, ok := make()
			s := sample{x: pr.features, weight: weight / 2, writer: writer, pair: p, dead: !ok || p.a.NoRule || p.b.NoRule, gate: pr.gate(1)}
			if p.conflict() {
				s.y = 1
			}
			s.blind = n == 1
			if s.blind {
				s.weight *= 0.5 // rules are compared without vectors only by a machine that has no encoder
			} else {
				s.weight *= cosineGate(p.cosine)
			}
			out = append(out, s)
		}
	}
	for _, p := range allPairs(t) {
		if !heldOut(p.Writer) {
			add(p, p.Writer, 1)
		}
	}
	for _, p := range neighbourPairs(t, 4, 4) {
		add(p, "corpora", 0.3)
	}
	conflicts, none := normPairs(t, -1)
	for _, p := range conflicts {
		if trainContract(p.Contract) {
			add(p, "norm", 0.4)
		}
	}
	for _, p := range none {
		if trainContract(p.Contract) {
			add(p, "norm", 0.15)
		}
	}
	return out
}

// fit minimises the weighted logistic loss with an L2 penalty on the weights by
// gradient descent with momentum; deterministic.
func fit(samples []sample, penalty float64) *weights {
	w := &weights{bias: -1}
	var vb float64
	var v [features]float64
	total := 0.0
	for i := range samples {
		total += samples[i].weight
	}
	const rate, momentum, rounds = 0.5, 0.9, 1500
	for range rounds {
		gb := 0.0
		var g [features]float64
		for i := range samples {
			s := &samples[i]
			if s.dead {
				continue
			}
			e := (w.score(&s.x) - s.y) * s.weight
			gb += e
			for k := range s.x {
				g[k] += e * s.x[k]
			}
		}
		vb = momentum*vb - rate*gb/total
		w.bias += vb
		for k := range g {
			v[k] = momentum*v[k] - rate*(g[k]+penalty*w.weight[k])/total
			w.weight[k] += v[k]
			if w.weight[k]*sign(k) < 0 {
				w.weight[k], v[k] = 0, 0
			}
		}
	}
	return w
}

// sign is what a feature may say: 1 for evidence and likeness of matter, -1 for
// reasons against, 0 for both. Without it the regression makes up for what one
// writer's pairs happen to have in common.
func sign(feature int) float64 {
	switch feature {
	case featOnly, featNoCosine:
		return 0
	case featLadder, featOneLimit, featException, featScope, featObjects, featConditions, featNarrower, featFact, featAgree, featTighter, featOpenVerb, featOpenPart, featAside, featName:
		return -1
	}
	return 1
}

func writersOf(samples []sample) []string {
	var writers []string
	for _, s := range samples {
		if !slices.Contains(writers, s.writer) {
			writers = append(writers, s.writer)
		}
	}
	return writers
}

// trainPenalty was chosen by cross-validation by writer among 0.3, 0.5, 1 and 3, which differ by 0.01.
const trainPenalty = 0.5

// crossValidate scores every sample with weights fitted without its writer.
func crossValidate(all []sample, penalty float64) []float64 {
	scores := make([]float64, len(all))
	for _, held := range writersOf(all) {
		if held == "corpora" {
			continue // no conflicts to find
		}
		var rest []sample
		for _, s := range all {
			if s.writer != held {
				rest = append(rest, s)
			}
		}
		w := fit(rest, penalty)
		for i := range all {
			if all[i].writer == held && !all[i].dead {
				scores[i] = all[i].gate * w.score(&all[i].x)
			}
		}
	}
	return scores
}

// curve prints, for one writer, the recall at some precisions and the best F1.
func curve(name string, all []sample, scores []float64) string {
	type scored struct {
		s float64
		y bool
	}
	var list []scored
	positives := 0
	for i := range all {
		if name != "" && all[i].writer != name || all[i].blind != *noVectors {
			continue
		}
		list = append(list, scored{scores[i], all[i].y == 1})
		positives += int(all[i].y)
	}
	slices.SortStableFunc(list, func(a, b scored) int {
		if a.s != b.s {
			if a.s > b.s {
				return -1
			}
			return 1
		}
		return 0
	})
	bestF, bestAt := 0.0, 0.0
	recallAt := map[float64]float64{}
	precisionAt := map[float64]float64{}
	thresholdAt := map[float64]float64{}
	right := 0
	ap := 0.0
	for i, s := range list {
		if s.y {
			right++
			ap += float64(right) / float64(i+1)
		}
		p, r := float64(right)/float64(i+1), float64(right)/float64(max(positives, 1))
		if f := 2 * p * r / max(p+r, 1e-9); f > bestF {
			bestF, bestAt = f, s.s
		}
		for _, want := range []float64{0.85} {
			if p >= want && r > recallAt[want] {
				recallAt[want], thresholdAt[want] = r, s.s
			}
		}
		for _, want := range []float64{0.8} {
			if r >= want && precisionAt[want] == 0 {
				precisionAt[want] = p
				thresholdAt[want] = s.s
			}
		}
	}
	return fmt.Sprintf("%-14s n=%4d AP %.3f · best F1 %.3f at %.2f · recall at P .85: %.2f (≥ %.2f) · precision at R .80: %.2f (≥ %.2f)", name, len(list), ap/float64(max(positives, 1)), bestF, bestAt, recallAt[0.85], thresholdAt[0.85], precisionAt[0.8], thresholdAt[0.8])
}

// heldSamples are the pairs that are not trained on.
func heldSamples(t testing.TB) []sample {
	var out []sample
	add := func(p *labelledPair, writer string) {
		pr, ok := p.pairing()
		s := sample{x: pr.features, weight: 1, writer: writer, pair: p, dead: !ok || p.a.NoRule || p.b.NoRule, gate: pr.gate(1)}
		if p.conflict() {
			s.y = 1
		}
		out = append(out, s)
	}
	_, company := readCompany(t)
	for _, p := range append(allPairs(t), company...) {
		if heldOut(p.Writer) || p.Writer == "company" {
			add(p, p.Writer)
		}
	}
	conflicts, none := normPairs(t, -1)
	for _, p := range append(conflicts, none...) {
		if !trainContract(p.Contract) {
			add(p, "norm-held")
		}
	}
	return out
}

var cvFlag = flag.String("cv", "", "with -train, write the cross-validated score of every pair to this file, for comparing two versions")

// TestTrain fits the weights and writes them, after cross-validation by writer:
//
//	go test ./conflict -run TestTrain -train
func TestTrain(t *testing.T) {
	if !*trainFlag {
		t.Skip("only with -train")
	}
	all := samples(t)
	scores := crossValidate(all, trainPenalty)
	fmt.Println("cross-validation by writer")
	for _, w := range writersOf(all) {
		if w != "corpora" {
			fmt.Println(curve(w, all, scores))
		}
	}
	// All but the contracts together: the thresholds come from here.
	var own []sample
	var ownScores []float64
	for i := range all {
		if all[i].writer != "norm" && all[i].writer != "corpora" {
			s := all[i]
			s.writer = "all writers"
			own, ownScores = append(own, s), append(ownScores, scores[i])
		}
	}
	fmt.Println(curve("all writers", own, ownScores))
	if *cvFlag != "" {
		var b strings.Builder
		for i := range all {
			if !all[i].blind && all[i].writer != "corpora" {
				fmt.Fprintf(&b, "%s\t%s%s\t%.3f\n", all[i].pair.ID, all[i].pair.Kind, all[i].pair.Why, scores[i])
			}
		}
		if err := os.WriteFile(*cvFlag, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	w := fit(all, trainPenalty)
	held := heldSamples(t)
	heldScores := make([]float64, len(held))
	for i := range held {
		if !held[i].dead {
			heldScores[i] = held[i].gate * w.score(&held[i].x)
		}
	}
	fmt.Println("not trained on")
	for _, name := range writersOf(held) {
		fmt.Println(curve(name, held, heldScores))
	}
	var b strings.Builder
	fmt.Fprintf(&b, "bias\t%s\n", round(w.bias))
	for i, name := range featureNames {
		fmt.Fprintf(&b, "%s\t%s\n", name, round(w.weight[i]))
	}
	if err := os.WriteFile("weights.tsv", []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

func round(v float64) string { return fmt.Sprintf("%.4f", math.Round(v*1e4)/1e4) }
