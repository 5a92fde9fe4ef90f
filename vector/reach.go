package vector

import "slices"

// reachAll makes every row of the finished graph reachable from the pivots: a
// row to which all links were pruned in favor of others gets one from the
// nearest row that can be reached. Such a link comes on top of the 2·Links.
func (b *builder) reachAll() {
	reached := make([]bool, b.codes.Len())
	b.spread(reached, b.pivots())
	e := b.workers[0]
	for _, row := range b.order {
		if reached[row] {
			continue
		}
		e.setRow(row)
		nearest := e.nearest(b.Beam)[0].row // a search only meets rows within reach
		b.extra[nearest] = append(b.extra[nearest], row)
		b.spread(reached, []uint32{row})
	}
}

// spread marks the rows and all that can be reached from them.
func (b *builder) spread(reached []bool, rows []uint32) {
	open := slices.Clone(rows)
	for len(open) > 0 {
		row := open[len(open)-1]
		open = open[:len(open)-1]
		if !reached[row] {
			reached[row] = true
			open = append(open, b.neighbors(row)...)
		}
	}
}
