package conflict

// Pair is two of the rules compared by CompareAll, by position, A before B.
type Pair struct {
	A, B int
	Verdict
}

// CompareAll compares every two of the given rules and returns the pairs that are
// not TierNone, by A, then by B. A nil analysis conflicts with nothing.
func CompareAll(as []*Analysis) []Pair {
	var pairs []Pair
	for i := range as {
		for k := i + 1; k < len(as); k++ {
			if as[i] == nil || as[k] == nil {
				continue
			}
			if v := Compare(as[i], as[k]); v.Tier != TierNone {
				pairs = append(pairs, Pair{i, k, v})
			}
		}
	}
	return pairs
}
