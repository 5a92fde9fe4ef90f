package conflict

import "slices"

// wordSet is a sorted set of concepts.
type wordSet []concept

func (s *wordSet) add(c concept) {
	if c != 0 {
		*s = append(*s, c)
	}
}

func (s *wordSet) sort() {
	slices.Sort(*s)
	*s = slices.Compact(*s)
}

func (s wordSet) has(c concept) bool {
	_, ok := slices.BinarySearch(s, c)
	return ok
}
