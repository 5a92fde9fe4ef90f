package index

import "slices"

// revision makes the collections of the next version of the store out of those
// of an earlier one.
type revision struct {
	*Manager
	version  uint64
	keep     func(*content) (*segment, error)
	segments []*segment // that were made; in use by the revision until done
}

// done lets the segments go that were made. The state that uses them has taken
// hold of them by then.
func (r *revision) done() {
	for _, s := range r.segments {
		r.let(s)
	}
}

// revise returns the collection in which entries take the place of the touched
// items; the same one when that changes nothing, so that what is known of it
// stays known.
func (r *revision) revise(c *Collection, t *touched) (*Collection, error) {
	dead, added := c.outdated(t)
	if dead == nil && added == nil {
		return c, nil
	}
	parts := make([]*part, 0, len(c.parts)+1)
	for n, p := range c.parts {
		next := &part{segment: p.segment, dead: p.dead.with(p.segment, dead[n])}
		if next.live() > 0 {
			parts = append(parts, next)
		}
	}
	built, err := r.build(c.kind, added)
	if err != nil {
		return nil, err
	}
	if parts, err = r.fold(append(parts, built...)); err != nil {
		return nil, err
	}
	return newCollection(c.kind, parts, r.made), nil
}

// outdated returns for each part the rows of touched items that are not as they
// are in the store any more, and the entries of those that are there.
func (c *Collection) outdated(t *touched) (dead map[int][]int, added []*entry) {
	entries := make(map[string]*entry, len(t.entries))
	for _, e := range t.entries {
		entries[e.id] = e
	}
	for _, id := range t.ids {
		e := entries[id]
		n, item := c.locate(id)
		if n >= 0 && e != nil && c.parts[n].segment.holds(item, e) {
			continue
		}
		if n >= 0 {
			if dead == nil {
				dead = map[int][]int{}
			}
			s := c.parts[n].segment
			for row := s.itemRow[item]; row < s.itemRow[item+1]; row++ {
				dead[n] = append(dead[n], int(row))
			}
		}
		if e != nil {
			added = append(added, e)
		}
	}
	return dead, added
}

// locate returns the part and the item in it that has an id; −1 for none.
func (c *Collection) locate(id string) (n, item int) {
	for n, p := range c.parts {
		if item := p.segment.find(id); item >= 0 && !p.dead.rows.Contains(int(p.segment.itemRow[item])) {
			return n, item
		}
	}
	return -1, -1
}

// build makes parts of entries, which are in the order of ids.
func (r *revision) build(kind Kind, entries []*entry) ([]*part, error) {
	a := &assembly{made: r.made, version: r.version, keep: r.keep}
	err := a.addAll(kind, entries)
	r.segments = append(r.segments, a.segments...)
	if err != nil {
		return nil, err
	}
	var parts []*part
	for _, s := range a.segments {
		parts = append(parts, &part{segment: s, dead: emptyMask(s)})
	}
	return parts, nil
}

// fold merges the smallest parts at once, as long as that is quick, so that a
// run of small commits does not make a run of small segments.
func (r *revision) fold(parts []*part) ([]*part, error) {
	picked := pickMerge(parts, foldRows)
	if len(picked) == 0 {
		return parts, nil
	}
	merged, err := newMerger(r.made, picked).content(picked[0].segment.kind)
	if err != nil {
		return nil, err
	}
	s, err := r.readInMemory(merged)
	if err != nil {
		return nil, err
	}
	r.segments = append(r.segments, s)
	parts = slices.DeleteFunc(parts, func(p *part) bool { return slices.Contains(picked, p) })
	return append(parts, &part{segment: s, dead: emptyMask(s)}), nil
}
