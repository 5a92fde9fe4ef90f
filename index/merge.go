package index

// Small commits make small segments. They are merged so that there are few: a
// new segment swallows its left neighbour while that one has at most mergeFactor
// times its rows, so sizes grow geometrically and each row is copied a
// logarithmic number of times. A segment of which more than 1/purgeShare of the
// rows are dead is written anew without them.
const (
	mergeFactor = 2
	purgeShare  = 4
)

// replace makes the collection in which entries take the place of the items with
// the given ids. Entries of the ids that are missing are removals.
func (m *Manager) replace(c *Collection, ids map[string]bool, entries []entry) (*Collection, error) {
	if len(ids) == 0 && len(entries) == 0 {
		return c, nil
	}
	segments, dead := append([]*segment(nil), c.segments...), make([]Bitmap, len(c.segments))
	for n, s := range segments {
		dead[n] = c.dead[n].without(s, ids)
	}
	if len(entries) > 0 {
		added, err := buildSegment(m.analyzer, m.options.Dimension, m.options.Bank, entries)
		if err != nil {
			return nil, err
		}
		segments, dead = append(segments, added), append(dead, NewBitmap(added.rows()))
	}
	segments, dead = m.compact(segments, dead)
	return m.collection(segments, dead), nil
}

// without is the set with the rows of the items with the given ids added.
func (b Bitmap) without(s *segment, ids map[string]bool) Bitmap {
	var changed Bitmap
	for item := range s.items() {
		first := int(s.itemRow[item])
		if !ids[s.id(item)] || b.Contains(first) {
			continue
		}
		if changed == nil {
			changed = append(Bitmap(nil), b...)
		}
		for r := first; r < int(s.itemRow[item+1]); r++ {
			changed.Set(r)
		}
	}
	if changed == nil {
		return b
	}
	return changed
}

// compact merges and purges. The order of the segments, and so of their rows,
// stays.
func (m *Manager) compact(segments []*segment, dead []Bitmap) ([]*segment, []Bitmap) {
	live := func(n int) int { return segments[n].rows() - dead[n].Count() }
	merge := func(from, end int) {
		merged := mergeSegments(m.options.Dimension, m.options.Bank, segments[from:end], dead[from:end])
		segments = append(append(segments[:from:from], merged), segments[end:]...)
		dead = append(append(dead[:from:from], NewBitmap(merged.rows())), dead[end:]...)
	}
	for n := 0; n < len(segments); n++ {
		switch {
		case live(n) == 0:
			segments = append(segments[:n:n], segments[n+1:]...)
			dead = append(dead[:n:n], dead[n+1:]...)
			n--
		case dead[n].Count()*purgeShare > segments[n].rows():
			merge(n, n+1)
		}
	}
	for n := len(segments) - 1; n > 0; n-- {
		if live(n-1) > mergeFactor*live(n) {
			continue
		}
		merge(n-1, n+1)
	}
	return segments, dead
}
