package conflict

import (
	"strings"
	"testing"
)

func TestEveryKind(t *testing.T) {
	for _, test := range []struct {
		kind  Kind
		a, b  string
		point string // of both values
	}{
		{KindDeontic, "Reworked parts must not be shipped to customers.", "Reworked parts may be shipped to customers after a second inspection.", "must not be shipped against may be shipped"},
		{KindDeontic, "Multi-factor authentication is mandatory for remote access.", "For remote access multi-factor authentication is optional.", "mandatory against optional"},
		{KindDeontic, "Late fees are charged on overdue invoices.", "No late fees are charged on overdue invoices.", "charged against not charged"},
		{KindDeontic, "Overtime must be approved beforehand.", "Overtime does not need prior approval.", "must be approved against does not need"},
		{KindDeontic, "Deliveries after 6 pm are refused.", "Deliveries after 6 pm are accepted.", "refused against accepted"},
		{KindThreshold, "Passwords are exactly eight characters long.", "Passwords must have at least 12 characters.", "exactly eight characters long against at least 12 characters"},
		{KindThreshold, "Purchase orders over 5,000 USD need the approval of the department head.", "The department head approves purchase orders above 10,000 USD.", "over 5,000 USD against above 10,000 USD"},
		{KindThreshold, "The storage temperature is between 2 and 8 °C.", "The storage temperature is 15 to 25 °C.", "between 2 and 8 °C against 15 to 25 °C"},
		{KindThreshold, "A discount of at most 5 % may be granted to resellers.", "Resellers are granted a discount of 8 percent.", "at most 5 % against 8 percent"},
		{KindDeadline, "Data breaches have to be reported within 72 hours.", "A data breach is reported within one week.", "within 72 hours against within one week"},
		{KindDeadline, "Travel claims are submitted no later than ten days after the trip.", "Travel claims are submitted within 30 days of the end of the trip.", "no later than ten days after the trip against within 30 days"},
		{KindDeadline, "Accidents must be reported the same day.", "Accidents are reported within one week.", "the same day against within one week"},
		{KindFrequency, "Bank accounts are reconciled daily.", "The reconciliation of bank accounts takes place once a month.", "daily against once a month"},
		{KindFrequency, "Samples are taken every 30 minutes.", "One sample is taken per shift.", "every 30 minutes against one sample"},
		{KindFrequency, "Gauges are calibrated annually.", "The calibration interval for gauges is six months.", "annually against six months"},
		{KindActor, "Credit notes are approved by the financial controller.", "The sales director approves credit notes.", "financial controller against sales director"},
		{KindActor, "Bank details are changed by two clerks.", "A single clerk changes bank details.", "two clerks against single clerk"},
		{KindActor, "Sick notes are sent to the line manager.", "Sick notes are sent to HR.", "line manager against HR"},
		{KindObject, "Purchase requests are entered in Coupa.", "Purchase requests are entered in SAP.", "Coupa against SAP"},
		{KindObject, "Non-conforming parts are placed in the red bin.", "Put non-conforming parts in the yellow bin.", "red bin against yellow bin"},
		{KindObject, "Engineers' hotels are booked in Pathfinder.", "Engineers' hotels are booked through HotelDirect; Pathfinder is not used.", "Pathfinder against HotelDirect"},
		{KindCondition, "Catalogue items can be ordered without a requisition.", "Every order, including catalogue items, starts with an approved requisition.", "without a requisition"},
		{KindCondition, "A leaking container is moved only if the safety officer is present.", "A leaking container is moved at once, even if the safety officer is not present.", "only if the safety officer is present against even if"},
		{KindCondition, "An antibiotic may be started before the culture has been taken.", "An antibiotic must not be started before the culture has been taken.", "before the culture has been taken against not before the culture"},
	} {
		v := Compare(Analyze(Input{Text: test.a}), Analyze(Input{Text: test.b}))
		if v.Tier == TierNone {
			t.Errorf("%q and %q: none (%.2f), want a %s conflict", test.a, test.b, v.Score, test.kind)
			continue
		}
		if !strings.Contains(v.Point, strings.ReplaceAll(test.point, "the same day", "same day")) {
			t.Errorf("%q and %q: point %q, want %q in it", test.a, test.b, v.Point, test.point)
		}
		if v.Kind != test.kind {
			t.Errorf("%q and %q: kind %s, want %s", test.a, test.b, v.Kind, test.kind)
		}
	}
}

func TestEveryReason(t *testing.T) {
	for _, test := range []struct{ why, a, b string }{
		{"ladder", "Orders over 5,000 USD are approved by the department head.", "Orders over 25,000 USD are approved by the CFO."},
		{"ladder", "Payments up to 10,000 EUR need one signature.", "Payments over 10,000 EUR need two signatures."},
		{"ladder", "Unpaid leave up to five days is granted by the team lead.", "Unpaid leave of more than five days is granted by the HR director."},
		{"object", "Laptop orders are signed off by the IT manager.", "Furniture orders are signed off by the facilities manager."},
		{"object", "Contracts must be signed in blue ink.", "Letters must not be signed in blue ink."},
		{"scope", "Contractors must not place orders.", "Employees may place orders up to 500 USD."},
		{"scope", "Customers in the EU are invoiced in euros.", "Customers in the US are invoiced in US dollars."},
		{"scope", "During the night shift batches are released by the shift leader.", "During the day shift batches are released by the quality manager."},
		{"scope", "On line 1 the oven runs at 180 °C.", "On line 4 the oven runs at 200 °C."},
		{"exception", "Cash payments are not accepted, apart from the canteen.", "The canteen accepts cash."},
		{"exception", "USB sticks are forbidden except those issued by IT.", "USB sticks issued by IT may be used."},
		{"agree", "Purchase orders over 10,000 USD require approval by the CFO.", "The CFO must approve every purchase order above USD 10k."},
		{"agree", "Passwords must not be shorter than 12 characters.", "The minimum password length is twelve characters."},
		{"agree", "Contracts are reviewed by legal before signature.", "No contract is signed until legal has reviewed it."},
		{"agree", "A data breach is reported within 72 hours.", "Report data breaches no later than three days after discovery."},
		{"agree", "Samples are taken every half hour.", "A sample is drawn every 30 minutes."},
		{"complementary", "Invoices are paid within 30 days.", "Invoices are archived for ten years."},
		{"complementary", "Passwords must not be sent by e-mail.", "Passwords must not be stored in plain text."},
		{"complementary", "Drivers must not use a phone while driving.", "Drivers must carry a phone for emergencies."},
		{"stricter", "Passwords must have at least 8 characters.", "Passwords must have at least 12 characters."},
		{"stricter", "The humidity must not exceed 60 %.", "The humidity must not exceed 50 %."},
		{"stricter", "The policy is reviewed at least every two years.", "The policy is reviewed every year."},
		{"definition", "A working day is any day from Monday to Friday that is not a public holiday.", "Replies to customers are due within two working days."},
		{"definition", "Night work is any work between 11 pm and 6 am.", "Drivers do no more than ten hours in a day that includes night work."},
		{"lead-in", "Invoices are returned to the supplier in these cases:", "Invoices are not returned to the supplier."},
		{"question", "May invoices be paid in cash?", "Invoices must not be paid in cash."},
	} {
		if v := Compare(Analyze(Input{Text: test.a}), Analyze(Input{Text: test.b})); v.Tier == TierConflict {
			t.Errorf("%s: %q and %q: %s %s (%.2f), want none or check\n%s", test.why, test.a, test.b, v.Tier, v.Kind, v.Score, strings.Join(v.Evidence, "\n"))
		}
	}
}

func TestVerdictOfNothing(t *testing.T) {
	empty := Analyze(Input{})
	for _, text := range []string{"", "?", "日本語の規則です。", sampleRule} {
		if v := Compare(empty, Analyze(Input{Text: text})); v.Tier != TierNone || v.Point != "" || v.Kind != "" {
			t.Errorf("Compare(nothing, %q) = %+v, want none", text, v)
		}
	}
}

func TestVectorsOfOtherMattersSilence(t *testing.T) {
	a, b := Analyze(Input{Text: "Reworked parts must not be shipped."}), Analyze(Input{Text: "Reworked parts may be shipped."})
	a.Vector, b.Vector = []float32{1, 0}, []float32{0.8, 0.6}
	if v := Compare(a, b); v.Tier == TierNone {
		t.Errorf("Compare of near rules = %+v, want a conflict", v)
	}
	b.Vector = []float32{0, 1}
	if v := Compare(a, b); v.Tier != TierNone {
		t.Errorf("Compare of rules of other matters = %+v, want none", v)
	}
}

func TestCompareAllNamesPairsInOrder(t *testing.T) {
	texts := []string{"Reworked parts must not be shipped.", "Samples are kept for two years.", "Reworked parts may be shipped.", "Reworked parts are never shipped."}
	var as []*Analysis
	for _, s := range texts {
		as = append(as, Analyze(Input{Text: s}))
	}
	as = append(as, nil)
	var got [][2]int
	for _, p := range CompareAll(as) {
		got = append(got, [2]int{p.A, p.B})
		if v := Compare(as[p.A], as[p.B]); v.Score != p.Score || v.Point != p.Point {
			t.Errorf("CompareAll says %v of %d and %d, Compare %v", p.Verdict, p.A, p.B, v)
		}
	}
	if len(got) != 2 || got[0] != [2]int{0, 2} || got[1] != [2]int{2, 3} {
		t.Errorf("CompareAll names %v, want [[0 2] [2 3]]", got)
	}
}

func TestHeadingsAreScope(t *testing.T) {
	a := Input{Text: "Badges must not be lent.", Domain: "Contractors"}
	b := Input{Text: "Badges may be lent.", Domain: "Employees"}
	if v := Compare(Analyze(a), Analyze(b)); v.Tier == TierConflict {
		t.Errorf("Compare of rules under contractors and employees = %+v, want no conflict", v)
	}
	a.Domain, b.Domain = "", ""
	if v := Compare(Analyze(a), Analyze(b)); v.Tier != TierConflict {
		t.Errorf("Compare of the same rules without a heading = %+v, want a conflict", v)
	}
}
