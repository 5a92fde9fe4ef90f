package conflict

import "testing"

// TestQuality guards what the shipped weights reach on the pairs of the repository.
// The floors lie a few hundredths below what was measured; raise them when the
// figures rise. For figures that mean something see the writers held out
// (TestReport): these pairs were tuned on.
func TestQuality(t *testing.T) {
	var all tally
	for _, p := range ownPairs(t) {
		if !heldOut(p.Writer) {
			all.add(p, p.verdict())
		}
	}
	for _, floor := range []struct {
		name       string
		got, least float64
	}{
		{"precision of conflict", ratio(all.namedTrue, all.namedTrue+all.namedFalse), 0.78},
		{"recall of conflict", ratio(all.namedTrue, all.conflicts), 0.33},
		{"precision of check", ratio(all.checkTrue, all.checkTrue+all.checkFalse), 0.76},
		{"recall of check", ratio(all.checkTrue, all.conflicts), 0.80},
	} {
		if floor.got < floor.least {
			t.Errorf("%s = %.2f, want at least %.2f (%v)", floor.name, floor.got, floor.least, &all)
		}
	}
}
