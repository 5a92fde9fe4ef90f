package vector

import (
	"cmp"
	"slices"
)

// near is a row met by an explorer, with its similarity to the explorer's row.
type near struct {
	row      uint32
	score    float32
	expanded bool
}

// compareNear orders the more similar row first, then the smaller row.
func compareNear(a, b near) int {
	switch {
	case a.score > b.score:
		return -1
	case a.score < b.score:
		return 1
	}
	return cmp.Compare(a.row, b.row)
}

// explorer looks for the rows near one row in a graph under construction. Each
// worker has one.
type explorer struct {
	b     *builder
	query Query // codes of the row in hand
	seen  []uint32
	epoch uint32 // seen[row] == epoch: met in this search
	pool  []near
	work  scratch

	fresh, picked []uint32
}

func newExplorer(b *builder) *explorer {
	blocks := (b.codes.Dim + lanes - 1) / lanes
	return &explorer{
		b:     b,
		query: Query{codes: make([]int16, b.codes.Dim), digits: make([]int8, 2*lanes*blocks)},
		seen:  make([]uint32, b.codes.Len()),
	}
}

// setRow takes a row in hand.
func (e *explorer) setRow(row uint32) {
	z := e.b.codes
	at := int(row) * z.Dim
	for i, code := range z.Codes[at : at+z.Dim] {
		e.query.codes[i] = int16(code)
	}
	e.query.scale = float64(z.Scale[row])
	e.query.split()
}

// score calls f with each listed row and its similarity to the row in hand.
func (e *explorer) score(rows []uint32, f func(row uint32, score float32)) {
	for len(rows) > 0 {
		block := rows[:min(blockRows, len(rows))]
		for i, product := range e.work.products(e.b.codes, &e.query, block) {
			f(block[i], float32(e.query.score(product, e.b.codes.Scale[block[i]])))
		}
		rows = rows[len(block):]
	}
}

// nearest returns up to beam rows of the graph near the row in hand, nearest
// first: a best-first search from the nearest pivots. The result is valid until
// the next call.
func (e *explorer) nearest(beam int) []near {
	e.epoch++
	e.pool = e.pool[:0]
	e.add(e.b.pivots(), min(startRows, beam))
	for _, n := range e.pool {
		e.seen[n.row] = e.epoch
	}
	for i := 0; i < len(e.pool); {
		if e.pool[i].expanded {
			i++
			continue
		}
		e.pool[i].expanded = true
		e.fresh = e.fresh[:0]
		for _, row := range e.b.neighbors(e.pool[i].row) {
			if e.seen[row] != e.epoch {
				e.seen[row] = e.epoch
				e.fresh = append(e.fresh, row)
			}
		}
		i = min(i+1, e.add(e.fresh, beam))
	}
	return e.pool
}

// add puts the rows into the pool, which keeps the limit most similar ones, and
// returns the first place that changed.
func (e *explorer) add(rows []uint32, limit int) int {
	first := limit
	e.score(rows, func(row uint32, score float32) {
		n := near{row: row, score: score}
		if len(e.pool) == limit {
			if compareNear(n, e.pool[limit-1]) > 0 {
				return
			}
			e.pool = e.pool[:limit-1]
		}
		place, _ := slices.BinarySearchFunc(e.pool, n, compareNear)
		e.pool = slices.Insert(e.pool, place, n)
		first = min(first, place)
	})
	return first
}

// diverse picks up to limit of the candidates, which are sorted, nearest first:
// each one that is nearer to the row in hand than to every row picked before.
// That keeps links into several directions where all of the nearest lie in one.
// It uses up the candidates and takes other rows in hand. The result is valid
// until the next call.
func (e *explorer) diverse(candidates []near, limit int) []uint32 {
	e.picked = e.picked[:0]
	for len(candidates) > 0 && len(e.picked) < limit {
		pick := candidates[0].row
		e.picked = append(e.picked, pick)
		candidates = candidates[1:]
		e.fresh = e.fresh[:0]
		for _, c := range candidates {
			e.fresh = append(e.fresh, c.row)
		}
		e.setRow(pick)
		read, kept := 0, 0
		e.score(e.fresh, func(_ uint32, score float32) {
			if score < candidates[read].score {
				candidates[kept] = candidates[read]
				kept++
			}
			read++
		})
		candidates = candidates[:kept]
	}
	return e.picked
}

// linkBack adds links, which all have one target, to the target's neighbors,
// and picks the diverse ones when they become too many.
func (e *explorer) linkBack(links []link) {
	target, limit := links[0].target, 2*e.b.Links
	e.fresh = append(e.fresh[:0], e.b.neighbors(target)...)
	for _, l := range links {
		e.fresh = append(e.fresh, l.source)
	}
	if len(e.fresh) > limit {
		e.setRow(target)
		e.pool = e.pool[:0]
		e.score(e.fresh, func(row uint32, score float32) {
			e.pool = append(e.pool, near{row: row, score: score})
		})
		slices.SortFunc(e.pool, compareNear)
		e.fresh = append(e.fresh[:0], e.diverse(e.pool, limit)...)
	}
	e.b.setNeighbors(target, e.fresh)
}
