package embedding

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"sync/atomic"
)

// batchTokens is how many tokens of short texts are run together. Texts are
// never padded, so a batch saves only what a run costs besides its tokens:
// streaming the weights through the cache.
const batchTokens = 2 * chunkRows

// EmbedQuery implements Embedder. It runs on the calling goroutine alone.
func (e *Encoder) EmbedQuery(ctx context.Context, text string) ([]float32, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	ids := e.tokenizer.encode(e.header.QueryPrefix + text)
	vectors := make([][]float32, 1)
	e.encode(vectors, [][]int32{ids})
	return vectors[0], nil
}

// EmbedPassages implements Embedder. It uses up to Options.Workers goroutines
// and looks at ctx before each batch.
func (e *Encoder) EmbedPassages(ctx context.Context, texts []string) ([][]float32, error) {
	ids := make([][]int32, len(texts))
	err := e.inParallel(ctx, len(texts), func(i int) {
		ids[i] = e.tokenizer.encode(e.header.PassagePrefix + texts[i])
	})
	if err != nil {
		return nil, err
	}
	vectors := make([][]float32, len(texts))
	batches := batch(ids)
	err = e.inParallel(ctx, len(batches), func(i int) {
		members := batches[i]
		some := make([][]int32, len(members))
		for j, m := range members {
			some[j] = ids[m]
		}
		out := make([][]float32, len(members))
		e.encode(out, some)
		for j, m := range members {
			vectors[m] = out[j]
		}
	})
	if err != nil {
		return nil, err
	}
	return vectors, nil
}

// batch groups the indices of texts so that each group has at most batchTokens
// tokens or one member, the longest texts first so that all workers end nearly
// together.
func batch(ids [][]int32) [][]int {
	order := make([]int, len(ids))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(len(ids[b]), len(ids[a])), cmp.Compare(a, b))
	})
	var batches [][]int
	for len(order) > 0 {
		n, tokens := 1, len(ids[order[0]])
		for n < len(order) && tokens+len(ids[order[n]]) <= batchTokens {
			tokens += len(ids[order[n]])
			n++
		}
		batches, order = append(batches, order[:n:n]), order[n:]
	}
	return batches
}

// inParallel calls do for 0 to n-1 on the workers of e. When ctx ends first, it
// returns its error after the calls under way have come back.
func (e *Encoder) inParallel(ctx context.Context, n int, do func(i int)) error {
	var next atomic.Int64
	var group sync.WaitGroup
	for range min(e.workers, n) {
		group.Go(func() {
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				do(i)
			}
		})
	}
	group.Wait()
	if int(next.Load()) < n {
		return ctx.Err()
	}
	return nil
}
