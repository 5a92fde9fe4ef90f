package vector

import (
	"context"
	"fmt"
	"math/rand/v2"
)

const (
	checkedRows = 200
	checkedHits = 10
	checkSeed   = 1

	// minRecall leaves the ten best of two hundred queries at most 40 misses.
	minRecall = .98
)

// SelfCheck walks the graph to the ten best hits of 200 of its own rows, drawn
// with a fixed seed, and compares them with those of the scan. It returns the
// share that was found, where a hit as good as the tenth counts, and
// ErrLowRecall when that is below .98, ErrGraphFailed when a walk failed, or
// the error of ctx. It costs 200 scans and belongs between building a graph and
// using it.
func (g *Graph) SelfCheck(ctx context.Context) (recall float64, err error) {
	rng := rand.New(rand.NewPCG(checkSeed, uint64(g.scan.Len())))
	found, wanted := 0, 0
	for range checkedRows {
		if err := ctx.Err(); err != nil {
			return 0, fmt.Errorf("self-check: %w", err)
		}
		q, err := NewQuery(g.scan.row(rng.Uint32N(uint32(g.scan.Len()))))
		if err != nil {
			return 0, fmt.Errorf("self-check: %w", err)
		}
		want, err := g.scan.Nearest(q, checkedHits, nil)
		if err != nil {
			return 0, fmt.Errorf("self-check: %w", err)
		}
		got, _, err := g.walk(q, checkedHits, minBeam, nil)
		if err != nil {
			return 0, fmt.Errorf("self-check: %w", err)
		}
		wanted += len(want)
		for _, hit := range got {
			if hit.Score >= want[len(want)-1].Score {
				found++
			}
		}
	}
	recall = float64(found) / float64(wanted)
	if recall < minRecall {
		return recall, fmt.Errorf("self-check: recall %.3f, want %.2f: %w", recall, minRecall, ErrLowRecall)
	}
	return recall, nil
}
