package conflict

import (
	"flag"
	"fmt"
	"math"
	"os"
	"slices"
	"testing"
)

var boostFlag = flag.Bool("boost", false, "cross-validate boosted trees")

type treeNode struct {
	feature     int
	split       float64
	left, right int
	value       float64
}

type forest struct {
	base  float64
	trees [][]treeNode
}

func (f *forest) raw(x *[features]float64) float64 {
	s := f.base
	for _, t := range f.trees {
		n := 0
		for t[n].left > 0 {
			if x[t[n].feature] < t[n].split {
				n = t[n].left
			} else {
				n = t[n].right
			}
		}
		s += t[n].value
	}
	return s
}

func boost(all []sample, rounds, depth int, rate, minWeight, lambda float64) *forest {
	var live []*sample
	for i := range all {
		if !all[i].dead {
			live = append(live, &all[i])
		}
	}
	f := &forest{base: -1.5}
	raw := make([]float64, len(live))
	for i := range raw {
		raw[i] = f.base
	}
	order := make([][]int, features)
	for k := range order {
		o := make([]int, len(live))
		for i := range o {
			o[i] = i
		}
		slices.SortStableFunc(o, func(a, b int) int {
			if live[a].x[k] < live[b].x[k] {
				return -1
			} else if live[a].x[k] > live[b].x[k] {
				return 1
			}
			return 0
		})
		order[k] = o
	}
	g, h := make([]float64, len(live)), make([]float64, len(live))
	for range rounds {
		for i, s := range live {
			p := 1 / (1 + math.Exp(-raw[i]))
			g[i] = (p - s.y) * s.weight
			h[i] = max(p*(1-p), 1e-6) * s.weight
		}
		tree := []treeNode{{}}
		node := make([]int, len(live))
		level := []int{0}
		for d := 0; d <= depth; d++ {
			var next []int
			for _, n := range level {
				var G, H float64
				for i := range live {
					if node[i] == n {
						G += g[i]
						H += h[i]
					}
				}
				tree[n].value = -rate * G / (H + lambda)
				if d == depth {
					continue
				}
				bestGain, bestF, bestS := 1e-3, -1, 0.0
				for k := range order {
					var gl, hl, wl float64
					prev := math.Inf(-1)
					for _, i := range order[k] {
						if node[i] != n {
							continue
						}
						v := live[i].x[k]
						if v > prev && wl >= minWeight && H-hl > 0 {
							gain := gl*gl/(hl+lambda) + (G-gl)*(G-gl)/(H-hl+lambda) - G*G/(H+lambda)
							if gain > bestGain {
								bestGain, bestF, bestS = gain, k, (v+prev)/2
							}
						}
						gl += g[i]
						hl += h[i]
						wl += live[i].weight
						prev = v
					}
				}
				if bestF < 0 {
					continue
				}
				l, rr := len(tree), len(tree)+1
				tree = append(tree, treeNode{}, treeNode{})
				tree[n].feature, tree[n].split, tree[n].left, tree[n].right = bestF, bestS, l, rr
				for i := range live {
					if node[i] == n {
						if live[i].x[bestF] < bestS {
							node[i] = l
						} else {
							node[i] = rr
						}
					}
				}
				next = append(next, l, rr)
			}
			level = next
		}
		for i := range live {
			raw[i] += tree[node[i]].value
		}
		f.trees = append(f.trees, tree)
	}
	return f
}

var cvErrors = flag.String("cverrors", "", "print the pairs of this writer that are judged wrong by trees fitted without it")

func TestCVErrors(t *testing.T) {
	if *cvErrors == "" {
		t.Skip()
	}
	all := samples(t)
	var rest []sample
	for _, s := range all {
		if s.writer != *cvErrors {
			rest = append(rest, s)
		}
	}
	f := boost(rest, 60, 2, 0.1, 5, 3)
	for i := range all {
		s := &all[i]
		if s.writer != *cvErrors || s.blind {
			continue
		}
		p := s.pair
		score := 0.0
		pr, ok := p.pairing()
		if ok && !s.dead {
			score = pr.gate(1 / (1 + math.Exp(-f.raw(&s.x))))
		}
		switch {
		case p.conflict() && score < 0.2:
			fmt.Printf("MISSED ")
		case !p.conflict() && score >= 0.2:
			fmt.Printf("FALSE ")
		default:
			continue
		}
		kind, _, _ := pr.best()
		fmt.Printf("%s %s%s %.2f\n   A %s\n   B %s\n", p.ID, p.Kind, p.Why, score, p.A, p.B)
		if ok {
			fmt.Printf("   clauses %d %d got  %s\n", pr.ia, pr.ib, pr.point(kind))
			for _, e := range pr.explain() {
				fmt.Printf("      %s\n", e)
			}
		}
	}
}

var cvDump = flag.String("cvdump", "", "write cross-validated scores to this file")

func TestHeld(t *testing.T) {
	if !*boostFlag {
		t.Skip()
	}
	all := samples(t)
	w := fit(all, trainPenalty)
	forests := []*forest{boost(all, 60, 2, 0.1, 5, 3), boost(all, 100, 3, 0.06, 8, 5)}
	var held []sample
	_, company := readCompany(t)
	for _, p := range append(allPairs(t), company...) {
		if heldOut[p.Writer] || p.Writer == "company" {
			pr, ok := p.pairing()
			s := sample{x: pr.features, weight: 1, writer: p.Writer, pair: p, dead: !ok || p.a.NoRule || p.b.NoRule, gate: pr.gate(1)}
			if p.conflict() {
				s.y = 1
			}
			held = append(held, s)
		}
	}
	conflicts, none := normPairs(t, -1)
	for _, p := range append(conflicts, none...) {
		if !trainContract(p.Contract) {
			pr, ok := p.pairing()
			s := sample{x: pr.features, weight: 1, writer: "norm-held", pair: p, dead: !ok || p.a.NoRule || p.b.NoRule, gate: pr.gate(1)}
			if p.conflict() {
				s.y = 1
			}
			held = append(held, s)
		}
	}
	for m := range 4 {
		scores := make([]float64, len(held))
		for i := range held {
			if held[i].dead {
				continue
			}
			x := &held[i].x
			q := 0.0
			switch m {
			case 0:
				q = w.score(x)
			case 3:
				q = (w.score(x) + 1/(1+math.Exp(-forests[0].raw(x)))) / 2
			default:
				q = 1 / (1 + math.Exp(-forests[m-1].raw(x)))
			}
			scores[i] = held[i].gate * q
		}
		fmt.Println([]string{"regression", "60x2", "100x3", "mix"}[m])
		var writers []string
		for _, s := range held {
			if !slices.Contains(writers, s.writer) {
				writers = append(writers, s.writer)
			}
		}
		for _, name := range writers {
			fmt.Println(curve(name, held, scores))
		}
	}
}

func TestCVDump(t *testing.T) {
	if *cvDump == "" {
		t.Skip()
	}
	all := samples(t)
	file, err := os.Create(*cvDump)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for _, held := range []string{"frames-hospital", "frames-port", "frames-studio", "frames-mixed", "lab-train"} {
		var rest []sample
		for _, s := range all {
			if s.writer != held {
				rest = append(rest, s)
			}
		}
		f := boost(rest, 60, 2, 0.1, 5, 3)
		for i := range all {
			s := &all[i]
			if s.writer != held {
				continue
			}
			if s.blind {
				continue
			}
			score := 0.0
			if !s.dead {
				score = s.gate / (1 + math.Exp(-f.raw(&s.x)))
			}
			fmt.Fprintf(file, "%s\t%s%s\t%.3f\n", s.pair.ID, s.pair.Kind, s.pair.Why, score)
		}
	}
}

func TestBoost(t *testing.T) {
	if !*boostFlag {
		t.Skip()
	}
	all := samples(t)
	var writers []string
	for _, s := range all {
		if !slices.Contains(writers, s.writer) {
			writers = append(writers, s.writer)
		}
	}
	for _, c := range []struct {
		rounds, depth int
		rate, mw, l   float64
	}{{60, 2, 0.1, 5, 3}, {120, 2, 0.1, 5, 3}, {80, 3, 0.08, 5, 3}, {160, 3, 0.05, 8, 5}} {
		fmt.Println(c)
		scores, mixed := make([]float64, len(all)), make([]float64, len(all))
		for _, held := range writers {
			if held == "corpora" {
				continue
			}
			var rest []sample
			for _, s := range all {
				if s.writer != held {
					rest = append(rest, s)
				}
			}
			f := boost(rest, c.rounds, c.depth, c.rate, c.mw, c.l)
			w := fit(rest, trainPenalty)
			for i := range all {
				if all[i].writer == held && !all[i].dead {
					q := 1 / (1 + math.Exp(-f.raw(&all[i].x)))
					scores[i] = all[i].gate * q
					mixed[i] = all[i].gate * (q + w.score(&all[i].x)) / 2
				}
			}
		}
		for _, sc := range [][]float64{scores, mixed} {
			for _, w := range writers {
				if w != "corpora" {
					fmt.Println(curve(w, all, sc))
				}
			}
			var own []sample
			var ownScores []float64
			for i := range all {
				if all[i].writer != "norm" && all[i].writer != "corpora" {
					s := all[i]
					s.writer = "all writers"
					own, ownScores = append(own, s), append(ownScores, sc[i])
				}
			}
			fmt.Println(curve("all writers", own, ownScores))
		}
	}
}
