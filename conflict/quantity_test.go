package conflict

import (
	"math"
	"testing"
)

func TestNumbers(t *testing.T) {
	for _, test := range []struct {
		text string
		want float64
	}{
		{"12", 12}, {"5,000", 5000}, {"1,250,000", 1250000}, {"1.250.000", 1250000}, {"2.5", 2.5}, {"10k", 10000}, {"1.5 million", 1.5e6}, {"3 thousand", 3000},
		{"twelve", 12}, {"twenty-five", 25}, {"one hundred and fifty", 150}, {"two thousand", 2000}, {"a hundred", 100}, {"half a", 0.5}, {"three quarters of an", 0.75}, {"a quarter of an", 0.25},
		{"one and a half", 1.5}, {"two-thirds", 2.0 / 3}, {"1/2", 0.5}, {"thirty (15)", 15}, {"1st", 1}, {"third", 3},
	} {
		r := newReading(test.text + " hours")
		n, ok := r.numberAt(0)
		if !ok || math.Abs(n.value-test.want) > 1e-9 {
			t.Errorf("numberAt(%q) = %v, %v, want %v", test.text, n.value, ok, test.want)
		}
	}
}

func quantitiesOf(text string) []quantity {
	a := Analyze(Input{Text: text})
	return a.Quantities
}

func TestQuantities(t *testing.T) {
	for _, test := range []struct {
		text       string
		dimension  string
		low, high  float64
		comparator comparator
		role       quantityRole
	}{
		{"Orders over 5,000 USD need an approval.", "USD", 5000, 5000, over, roleLimit},
		{"Orders over $5,000 need an approval.", "USD", 5000, 5000, over, roleLimit},
		{"Orders above USD 10k need an approval.", "USD", 10000, 10000, over, roleLimit},
		{"Orders of 5,000 EUR and more are signed by the head.", "EUR", 5000, 5000, atLeast, roleLimit},
		{"The head approves orders up to 5,000 EUR.", "EUR", 5000, 5000, atMost, roleLimit},
		{"Up to 1,000 EUR the team lead signs.", "EUR", 1000, 1000, atMost, roleLimit},
		{"Hotels are paid up to 150 EUR per night.", "EUR", 150, 150, atMost, roleValue},
		{"A discount of 8 percent is granted.", "percent", 8, 8, equal, roleValue},
		{"The rate is 5 %.", "percent", 5, 5, equal, roleValue},
		{"Material is stored at 2 to 8 °C.", "temperature", 2, 8, between, roleValue},
		{"The fridge is held between 2 and 8 °C.", "temperature", 2, 8, between, roleValue},
		{"Bolts are tightened to 0.5 bar.", "pressure", 50000, 50000, equal, roleValue},
		{"Bolts are tightened to 500 mbar.", "pressure", 50000, 50000, equal, roleValue},
		{"Bolts are tightened to 110 Nm.", "torque", 110, 110, equal, roleValue},
		{"Vehicles drive at 20 km/h.", "speed", 20, 20, equal, roleValue},
		{"Pallets weigh at most 1.2 tonnes.", "mass", 1.2e6, 1.2e6, atMost, roleValue},
		{"Trenches deeper than 1.25 m are shored.", "length", 1.25, 1.25, equal, roleValue},
		{"Keep records for ten years.", "time", 87600, 87600, equal, roleValue},
		{"Passwords have at least 12 characters.", "count", 12, 12, atLeast, roleValue},
		{"The speed limit is 10 km/h.", "speed", 10, 10, atMost, roleValue},
		{"The minimum is 3 people.", "count", 3, 3, atLeast, roleValue},
		{"Assets are depreciated over five years.", "time", 43800, 43800, equal, roleValue},
		{"Visitors leave by 8 pm.", "clock", 1200, 1200, atMost, roleDeadline},
		{"Visiting ends at 9.30 pm.", "clock", 1290, 1290, equal, roleValue},
		{"Deliveries are unloaded between 7 and 9 am.", "clock", 420, 540, between, roleValue},
		{"The report is due by 31 March.", "date", 3*31 + 31, 3*31 + 31, atMost, roleDeadline},
		{"The report is sent by Friday.", "weekday", 5, 5, atMost, roleDeadline},
		{"Changes are recorded by the 12th.", "time", 288, 288, atMost, roleDeadline},
	} {
		qs := quantitiesOf(test.text)
		if len(qs) != 1 {
			t.Errorf("%q has %d quantities, want 1: %+v", test.text, len(qs), qs)
			continue
		}
		q := qs[0]
		if q.Dimension != test.dimension || math.Abs(q.Low-test.low) > 1e-6*test.low || math.Abs(q.High-test.high) > 1e-6*test.high || q.Comparator != test.comparator || q.Role != test.role {
			t.Errorf("%q = %s %v..%v comparator %d role %d, want %s %v..%v %d %d", test.text, q.Dimension, q.Low, q.High, q.Comparator, q.Role, test.dimension, test.low, test.high, test.comparator, test.role)
		}
	}
}

func TestNamesAreNoQuantities(t *testing.T) {
	for _, text := range []string{"Trucks report at gate 2.", "Rooms on floor 3 are locked.", "ISO 27001 applies.", "Use form HS-12.", "See section 7.3 first.", "The oven on line 4 is cleaned.", "Report to building 12."} {
		if qs := quantitiesOf(text); len(qs) != 0 {
			t.Errorf("%q has quantities: %+v", text, qs)
		}
	}
}

func TestSameValueInAnotherNotation(t *testing.T) {
	for _, test := range []struct {
		a, b string
		want bool
	}{
		{"within two days", "within 48 hours", true},
		{"within one month", "within 30 days", true},
		{"within five working days", "within one week", true},
		{"within half an hour", "within 30 minutes", true},
		{"within three quarters of an hour", "within 45 minutes", true},
		{"within two working days", "within two weeks", false},
		{"within four weeks", "within 30 days", false},
		{"within 24 hours", "within 72 hours", false},
	} {
		a, b := quantitiesOf("Reply "+test.a+"."), quantitiesOf("Reply "+test.b+".")
		if len(a) != 1 || len(b) != 1 {
			t.Errorf("%q, %q: %d and %d quantities, want one each", test.a, test.b, len(a), len(b))
			continue
		}
		if got := sameValue(&a[0], &b[0]); got != test.want {
			t.Errorf("%q is %q: %v, want %v", test.a, test.b, got, test.want)
		}
	}
}
