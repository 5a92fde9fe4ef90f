package conflict

import "testing"

func TestDeadlines(t *testing.T) {
	for _, test := range []struct {
		text      string
		low, high float64
		side      side
		working   bool
		anchored  bool
	}{
		{"Report it within 72 hours.", 72, 72, noSide, false, false},
		{"Confirm receipt within two working days of delivery.", 48, 48, sideAfter, true, true},
		{"Claims are due no later than ten days after the trip.", 240, 240, sideAfter, false, true},
		{"Trips are booked at least 14 days before departure.", 336, 336, sideBefore, false, true},
		{"Requests are filed four weeks in advance.", 672, 672, sideBefore, false, false},
		{"Accounts are disabled after seven days.", 168, 168, sideAfter, false, false},
		{"Give two weeks' notice.", 336, 336, sideBefore, false, false},
		{"You have ten working days from the alert to update.", 240, 240, sideAfter, true, true},
		{"Report it immediately.", 0, 0, noSide, false, false},
		{"Report it the same day.", 4, 24, noSide, false, false},
		{"Reply by the end of the following working day.", 24, 72, noSide, false, false},
		{"Reply within an hour.", 1, 1, noSide, false, false},
		{"Give an estimate on the day of the call.", 4, 24, noSide, false, true},
		{"The month is closed by the third working day.", 72, 72, noSide, true, false},
	} {
		qs := quantitiesOf(test.text)
		if len(qs) != 1 {
			t.Errorf("%q has %d quantities, want 1: %+v", test.text, len(qs), qs)
			continue
		}
		q := qs[0]
		if q.Role != roleDeadline || q.Low != test.low || q.High != test.high || q.Side != test.side || q.Working != test.working || (len(q.Anchor) > 0) != test.anchored {
			t.Errorf("%q = role %d %v..%v side %d working %v anchor %v, want a deadline %v..%v %d %v %v", test.text, q.Role, q.Low, q.High, q.Side, q.Working, len(q.Anchor) > 0, test.low, test.high, test.side, test.working, test.anchored)
		}
	}
}

func TestEveryPhraseDeadline(t *testing.T) {
	for _, phrase := range sortedKeys(phraseDeadlines) {
		r := newReading("Reply " + phrase)
		r.readQuantities()
		if len(r.quantities) != 1 || r.quantities[0].Role != roleDeadline {
			t.Errorf("%q is no deadline: %+v", phrase, r.quantities)
		}
	}
}

func TestTimesThatAreNoDeadlines(t *testing.T) {
	for _, text := range []string{"Files are kept for ten years.", "The probation lasts six months.", "Leave is carried into the next year.", "Three years of service are needed."} {
		for _, q := range quantitiesOf(text) {
			if q.Role == roleDeadline {
				t.Errorf("%q has a deadline: %+v", text, q)
			}
		}
	}
}
