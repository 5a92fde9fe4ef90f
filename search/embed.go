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
// in no answer.
type vectorCache struct {
	mu     sync.Mutex
	recent *list.List // of cachedVector, most recent first
	byText map[string]*list.Element
}

type cachedVector struct {
	text   string
	vector []float32
}

func newVectorCache() *vectorCache {
	return &vectorCache{recent: list.New(), byText: map[string]*list.Element{}}
}

func (c *vectorCache) get(ctx context.Context, text string, embed func(context.Context, string) ([]float32, error)) ([]float32, error) {
	c.mu.Lock()
	if e, ok := c.byText[text]; ok {
		c.recent.MoveToFront(e)
		c.mu.Unlock()
		return e.Value.(cachedVector).vector, nil
	}
	c.mu.Unlock()
	v, err := embed(ctx, text)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.byText[text]; !ok {
		c.byText[text] = c.recent.PushFront(cachedVector{text, v})
		if c.recent.Len() > keptVectors {
			last := c.recent.Back()
			c.recent.Remove(last)
			delete(c.byText, last.Value.(cachedVector).text)
		}
	}
	return v, nil
}
