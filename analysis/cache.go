package analysis

import (
	"hash/maphash"
	"strings"
	"sync/atomic"
)

const (
	// cacheSlots bounds the cache. A company's vocabulary is a few ten
	// thousand surfaces; a full cache is about 8 MB.
	cacheSlots = 1 << 15
	// cacheWays is the number of slots that a surface may stand in, so that
	// two frequent words with one hash do not drive each other out.
	cacheWays = 4
	// maxCached is the longest surface in bytes that is kept.
	maxCached = 64
)

// cache keeps the tokens of chunks by their surface. A new surface takes an
// empty slot of its few, or the place of another, so memory is bounded, readers
// take no lock, and a lost entry is only worked out again. What it holds is a
// pure function of the surface: the cache can't change an answer.
type cache struct {
	seed  maphash.Seed
	slots []atomic.Pointer[entry]
}

func newCache() cache {
	return cache{seed: maphash.MakeSeed(), slots: make([]atomic.Pointer[entry], cacheSlots)}
}

// ways returns the slots in which surface may stand, and its hash.
func (c *cache) ways(surface string) ([]atomic.Pointer[entry], uint64) {
	h := maphash.String(c.seed, surface)
	first := h % (cacheSlots / cacheWays) * cacheWays
	return c.slots[first : first+cacheWays : first+cacheWays], h
}

// find returns the entry of surface, or nil.
func (c *cache) find(surface string) *entry {
	ways, _ := c.ways(surface)
	for i := range ways {
		e := ways[i].Load()
		if e == nil {
			return nil
		}
		if e.surface == surface {
			return e
		}
	}
	return nil
}

// store keeps e for surface, unless that is long, and returns it.
func (c *cache) store(surface string, e *entry) *entry {
	if len(surface) > maxCached {
		return e
	}
	e.surface = strings.Clone(surface)
	ways, h := c.ways(surface)
	for i := range ways {
		if ways[i].CompareAndSwap(nil, e) {
			return e
		}
	}
	ways[h>>32%cacheWays].Store(e)
	return e
}

// entry is what a chunk becomes: its tokens, with offsets and positions relative
// to it, and what of its neighbourhood may matter for them (see context.go).
type entry struct {
	surface string
	tokens  []Token
	width   int // atoms
	asks    asks
}

func newEntry(surface string, tokens []Token) *entry {
	e := &entry{tokens: tokens, asks: asksOf(surface, tokens)}
	for _, t := range tokens {
		e.width = max(e.width, t.Position+t.Width)
	}
	return e
}

// append appends the tokens of a chunk at offset, the next atom of the text
// having that position, and returns the position after it. The tokens of the
// text begin at dst[first].
func (e *entry) append(dst []Token, first int, text string, offset, position int) ([]Token, int) {
	n := len(dst)
	for i := range e.tokens {
		dst = append(dst, e.tokens[i])
		t := &dst[len(dst)-1]
		t.Start += offset
		t.End += offset
		t.Position += position
	}
	if e.asks != 0 {
		dst = look(dst, first, n, text, e.asks)
	}
	return dst, position + e.width
}
