package conflict

import "testing"

func TestEveryComparator(t *testing.T) {
	for _, cue := range sortedKeys(comparatorsBefore) {
		want := comparatorsBefore[cue]
		r := newReading("The bag " + cue + " 20 kg")
		r.readQuantities()
		if len(r.quantities) != 1 || r.quantities[0].Comparator != want {
			t.Errorf("%q 20 kg: %+v, want comparator %d", cue, r.quantities, want)
		}
	}
	for _, cue := range sortedKeys(comparatorsAfter) {
		want := comparatorsAfter[cue]
		r := newReading("The bag has 20 kg " + cue)
		r.readQuantities()
		if len(r.quantities) != 1 || r.quantities[0].Comparator != want {
			t.Errorf("20 kg %q: %+v, want comparator %d", cue, r.quantities, want)
		}
	}
}

func TestComparatorsMeetTheirNegation(t *testing.T) {
	for _, test := range []struct {
		a, b string
		same bool
	}{
		{"The bag must not exceed 20 kg.", "The bag has at most 20 kg.", true},
		{"Bags of less than 20 kg are rejected.", "Bags have at least 20 kg.", true},
		{"Don't carry more than 20 kg.", "Carry 20 kg at the most.", true},
		{"Bags over 20 kg are weighed.", "Bags have at most 20 kg.", false},
	} {
		a, b := Analyze(Input{Text: test.a}), Analyze(Input{Text: test.b})
		qa, qb := &a.Quantities[0], &b.Quantities[0]
		if same := sameValue(qa, qb) && upper(qa.Comparator) == upper(qb.Comparator); same != test.same {
			t.Errorf("%q and %q say the same: %v, want %v (%d, %d)", test.a, test.b, same, test.same, qa.Comparator, qb.Comparator)
		}
	}
}
