package conflict

import (
	"math"
	"testing"
)

func TestFrequencies(t *testing.T) {
	for _, test := range []struct {
		text       string
		want       float64
		comparator comparator
	}{
		{"Backups run daily.", 365, equal},
		{"Rates are updated every January.", 1, equal},
		{"Passwords are changed every 90 days.", 8760.0 / 24 / 90, equal},
		{"Talks are held twice a year.", 2, equal},
		{"Risks are reviewed at least once a year.", 1, atLeast},
		{"Risks are reviewed no more than three times a year.", 3, atMost},
		{"Risks are reviewed each quarter.", 4, equal},
		{"Risks are reviewed every second year.", 0.5, equal},
		{"Ladders are inspected once every twelve months.", 1, equal},
		{"Drills take place once in two years.", 0.5, equal},
		{"A six-monthly check is done.", 2, equal},
		{"Samples are taken every half hour.", 17520, equal},
		{"Samples are taken every 30 minutes.", 17520, equal},
		{"One sample is taken per shift.", 1095, equal},
		{"There is one talk a year.", 1, equal},
		{"The calibration interval is six months.", 2, equal},
		{"Gauges are checked at intervals of no more than three months.", 4, equal},
		{"The eye wash is flushed on the first of the month.", 12, equal},
		{"Boxes are counted on the last working day of each month.", 12, equal},
		{"Boxes are counted at the end of each week.", 52.14, equal},
		{"The list is checked every Friday.", 52.14, equal},
		{"Reports are sent on a weekly basis.", 52.14, equal},
		{"We deploy several times a day.", 1095, equal},
	} {
		a := Analyze(Input{Text: test.text})
		if len(a.Frequencies) != 1 {
			t.Errorf("%q has %d frequencies, want 1: %+v", test.text, len(a.Frequencies), a.Frequencies)
			continue
		}
		f := a.Frequencies[0]
		if math.Abs(f.PerYear-test.want) > 0.01*test.want || f.Comparator != test.comparator {
			t.Errorf("%q = %v times a year, comparator %d, want %v, %d", test.text, f.PerYear, f.Comparator, test.want, test.comparator)
		}
	}
}

func TestEventsAreFrequencies(t *testing.T) {
	for _, text := range []string{"Hands are washed before each contact.", "Boards are cleaned after every use.", "Sign the book every time."} {
		a := Analyze(Input{Text: text})
		if len(a.Frequencies) != 1 || a.Frequencies[0].Event == 0 {
			t.Errorf("%q has frequencies %+v, want one event", text, a.Frequencies)
		}
	}
}

func TestFrequenciesThatDiffer(t *testing.T) {
	for _, test := range []struct {
		a, b string
		want bool
	}{
		{"daily", "once a month", true},
		{"daily", "every working day", false},
		{"at least once a year", "every month", false},
		{"every month", "at least once a year", false},
		{"no more than once a year", "every month", true},
		{"every two weeks", "fortnightly", false},
		{"every quarter", "four times a year", false},
		{"weekly", "every time", true},
	} {
		a, b := Analyze(Input{Text: "Check it " + test.a + "."}), Analyze(Input{Text: "Check it " + test.b + "."})
		if len(a.Frequencies) != 1 || len(b.Frequencies) != 1 {
			t.Errorf("%q, %q: no frequency each", test.a, test.b)
			continue
		}
		if got := frequenciesDiffer(&a.Frequencies[0], &b.Frequencies[0]) > 0.5; got != test.want {
			t.Errorf("%q against %q differ: %v, want %v", test.a, test.b, got, test.want)
		}
	}
}
