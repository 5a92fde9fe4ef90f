package search

import (
	"container/list"
	"context"
	"sync"
)

// keptVectors is how many recent queries keep their vector: at 384 numbers each,
// 3 MB.
const keptVectors = 2048

// vectorCache keeps the vectors of recent queries, the least recently used going
// first. A vector is a function of the text alone, so what it holds can be seen
// in no answer. Each workspace has its own entries, so that no timing tells one
// what another asks.
type vectorCache struct {
	mu     sync.Mutex
	recent *list.List // of cachedVector, most recent first
	byText map[askedText]*list.Element
}

// askedText is a query as one workspace asked it.
type askedText struct{ workspace, text string }

type cachedVector struct {
	asked  askedText
	vector []float32
}

func newVectorCache() *vectorCache {
	return &vectorCache{recent: list.New(), byText: map[askedText]*list.Element{}}
}

func (c *vectorCache) get(ctx context.Context, asked askedText, embed func(context.Context, string) ([]float32, error)) ([]float32, error) {
	c.mu.Lock()
	if e, ok := c.byText[asked]; ok {
		c.recent.MoveToFront(e)
		c.mu.Unlock()
		return e.Value.(cachedVector).vector, nil
	}
	c.mu.Unlock()
	v, err := embed(ctx, asked.text)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.byText[asked]; !ok {
		c.byText[asked] = c.recent.PushFront(cachedVector{asked, v})
		if c.recent.Len() > keptVectors {
			last := c.recent.Back()
			c.recent.Remove(last)
			delete(c.byText, last.Value.(cachedVector).asked)
		}
	}
	return v, nil
}
