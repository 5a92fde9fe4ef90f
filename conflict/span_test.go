package conflict

import (
	"strings"
	"testing"
)

func TestConditionsAndExceptions(t *testing.T) {
	for _, test := range []struct {
		text string
		kind spanKind
		want string
	}{
		{"If the supplier agrees, invoices are paid in euros.", spanCondition, "if the supplier agrees"},
		{"Invoices are paid in euros if the supplier agrees.", spanCondition, "if the supplier agrees"},
		{"When a laptop, phone or tablet is lost, call the hotline.", spanCondition, "when a laptop, phone or tablet is lost"},
		{"Contracts are signed after legal has reviewed them.", spanCondition, "after legal has reviewed them"},
		{"Before a supplier is added, the team screens it.", spanCondition, "before a supplier is added"},
		{"In Cincinnati the shift supervisor orders parts.", spanCondition, "in Cincinnati"},
		{"For purchases of 3,000 EUR and more, two quotes are obtained.", spanCondition, "for purchases of 3,000 EUR and more"},
		{"During the drill nobody uses the lift.", spanCondition, "during the drill"},
		{"Cash is not accepted, except for the canteen.", spanException, "except for the canteen"},
		{"Cash is not accepted unless the card reader is broken.", spanException, "unless the card reader is broken"},
		{"Smoking is prohibited other than in the shelters.", spanException, "other than in the shelters"},
		{"Cash is not accepted, apart from the canteen.", spanException, "apart from the canteen"},
		{"Prepayment is prohibited, save for rent and insurance.", spanException, "save for rent and insurance"},
		{"USB sticks are forbidden with the exception of those issued by IT.", spanException, "with the exception of those issued by IT"},
		{"Items may be ordered without a requisition.", spanWithout, "without a requisition"},
		{"Invoices without a purchase order are returned.", spanWithout, "without a purchase order"},
	} {
		a := Analyze(Input{Text: test.text})
		found := ""
		for _, c := range a.Clauses {
			fs := map[spanKind][]fragment{spanCondition: c.Condition, spanException: c.Exception, spanWithout: c.Without}[test.kind]
			for _, f := range fs {
				found += f.Text + "|"
			}
		}
		if strings.TrimSuffix(found, "|") != test.want {
			t.Errorf("%q: %q, want %q", test.text, found, test.want)
		}
	}
}

func TestEverySpanOpener(t *testing.T) {
	templates := []string{"Cash is accepted %s the guest pays a fee.", "Cash is accepted %s cards.", "The guest %s pays in cash signs the slip.", "The money %s is paid in cash is counted.", "Cash is taken, %s cards fail.", "The fee does %s cards.", "Cash is taken, %s cards.", "%s pays in cash signs the slip.", "The fee is %s cards.", "Cash is taken, %s the guest pays."}
	for _, opener := range sortedKeys(spanOpeners) {
		if spanOpeners[opener] == spanMain {
			continue
		}
		found := false
		for _, template := range templates {
			r := newReading(strings.Replace(template, "%s", opener, 1))
			r.readQuantities()
			for _, s := range r.readSpans(0, len(r.tokens)-1) {
				found = found || s.kind == spanOpeners[opener] && strings.HasSuffix(opener, r.word(s.marker-1))
			}
		}
		if !found {
			t.Errorf("%q opens nothing of kind %d in any template", opener, spanOpeners[opener])
		}
	}
}

func TestClauses(t *testing.T) {
	for _, test := range []struct {
		text   string
		themes []string
		verbs  []string
	}{
		{"Purchase requests are entered in Coupa.", []string{"purchase requests"}, []string{"entered"}},
		{"Employees record their working hours in Tempo.", []string{"working hours"}, []string{"record"}},
		{"Record working hours on paper.", []string{"working hours"}, []string{"Record"}},
		{"Parents send absence notes to the teacher.", []string{"absence notes"}, []string{"send"}},
		{"The CFO approves purchase orders over 5,000 USD.", []string{"purchase orders"}, []string{"approves"}},
		{"Minutes are written by the assistant and archived by HR.", []string{"minutes"}, []string{"written"}},
		{"Claims must be handed in within 30 days; late claims are not paid.", []string{"claims", "late claims"}, []string{"handed", "paid"}},
		{"Sharing accounts is forbidden.", []string{"accounts"}, []string{"Sharing"}},
		{"The use of private phones is prohibited.", []string{"private phones"}, []string{"use"}},
		{"Patients may keep and take their own inhalers.", []string{"own inhalers", "own inhalers"}, []string{"keep", "take"}},
		{"It is the driver, not the clerk, who records damage.", []string{"damage"}, []string{"records"}},
		{"Employees who travel abroad must register their trip.", []string{"trip"}, []string{"register"}},
		{"Buyers who decide on awards accept no gifts.", []string{"gifts"}, []string{"accept"}},
		{"Fire drills take place twice a year.", []string{"fire drills"}, []string{"take"}},
		{"Splitting orders to avoid the limit is forbidden.", []string{"orders"}, []string{"Splitting"}},
	} {
		a := Analyze(Input{Text: test.text})
		var themes, verbs []string
		for _, c := range a.Clauses {
			themes, verbs = append(themes, c.Theme), append(verbs, c.Verb)
		}
		if strings.Join(themes, "|") != strings.Join(test.themes, "|") || strings.Join(verbs, "|") != strings.Join(test.verbs, "|") {
			t.Errorf("%q: themes %q verbs %q, want %q %q", test.text, themes, verbs, test.themes, test.verbs)
		}
	}
}

func TestParagraphsAndItemsAreSentences(t *testing.T) {
	a := Analyze(Input{Text: "Invoices are paid by transfer\n\nSuppliers are told by e-mail\n- Late invoices are returned"})
	var verbs []string
	for _, c := range a.Clauses {
		verbs = append(verbs, c.Verb)
	}
	if strings.Join(verbs, " ") != "paid told returned" {
		t.Errorf("verbs %q, want paid told returned", verbs)
	}
}

func TestLabelsAreConditions(t *testing.T) {
	a, b := Analyze(Input{Text: "Priority 1: an engineer is on site within 4 hours."}), Analyze(Input{Text: "Priority 2: an engineer is on site within 24 hours."})
	if v := Compare(a, b); v.Tier == TierConflict {
		t.Errorf("Compare of two priorities = %+v, want no conflict", v)
	}
}
