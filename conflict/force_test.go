package conflict

import (
	"fmt"
	"testing"
)

func TestForceOfSentences(t *testing.T) {
	for _, test := range []struct {
		text string
		want force
	}{
		{"Invoices must be paid within 30 days.", forceMust},
		{"Invoices shall be paid.", forceMust},
		{"The buyer has to sign.", forceMust},
		{"Overtime requires an approval.", forceMust},
		{"Helmets are mandatory.", forceMust},
		{"Staff should lock their screens.", forceShould},
		{"Staff may work from home.", forceMay},
		{"Employees are entitled to a day off.", forceMay},
		{"It is possible to pay in cash.", forceMay},
		{"Visitors must not enter.", forceMustNot},
		{"Visitors must also not enter.", forceMustNot},
		{"Cash is never accepted.", forceMustNot},
		{"No visitor may enter the lab.", forceMustNot},
		{"Nobody enters the lab.", forceMustNot},
		{"Do not use the lift.", forceMustNot},
		{"Smoking is prohibited.", forceMustNot},
		{"Under no circumstances is the door opened.", forceMustNot},
		{"A quote is not required.", forceNeedNot},
		{"No quote is needed.", forceNeedNot},
		{"Staff need not wear a tie.", forceNeedNot},
		{"It is left to the manager whether a note is sent.", forceNeedNot},
		{"The door is locked at night.", forceNone},
		{"Lock the door at night.", forceNone},
		// Cues that are none.
		{"Prohibited items must be handed in.", forceMust},
		{"The weight must not exceed 20 kg.", forceMust},
		{"Don't order more than 20 pallets.", forceMust},
		{"Nobody else signs the permit.", forceNone},
		{"Salaries are not paid in euros but in the currency of the country.", forceNone},
		{"The meeting takes place in May.", forceNone},
	} {
		a := Analyze(Input{Text: test.text})
		if len(a.Clauses) == 0 || a.Clauses[0].Force != test.want {
			t.Errorf("force of %q = %v, want %v", test.text, forcesOf(a), test.want)
		}
	}
}

func forcesOf(a *Analysis) (f []force) {
	for _, c := range a.Clauses {
		f = append(f, c.Force)
	}
	return f
}

// cueTemplates are sentences with a place for a cue; every cue must give its force
// in one of them.
var cueTemplates = []string{
	"The lift %s used by guests.", "Guests %s use the lift.", "Guests %s to use the lift.", "Use of the lift is %s.", "Using the lift is %s.", "The use of the lift %s.", "Guests are %s use the lift.", "Guests are %s.", "Guests %s the lift.",
	"%s uses the lift.", "%s the guests use the lift.", "%s may the lift be used.", "The lift is %s guests.", "The lift is %s the guests.", "Guests use the lift %s.", "The lift %s to be used.", "Guests %s using the lift.", "%s lift is used.", "There is %s to use the lift.", "%s guests is the lift used.", "The rule %s the use of the lift.", "A pass is %s for guests.", "The use is %s.", "It %s to use the lift.",
}

func TestEveryForceCue(t *testing.T) {
	for _, cue := range sortedKeys(forceCues) {
		want := forceCues[cue]
		found := false
		for _, template := range cueTemplates {
			a := Analyze(Input{Text: fmt.Sprintf(template, cue)})
			for _, f := range forcesOf(a) {
				found = found || f == want
			}
		}
		if !found {
			t.Errorf("%q gives %v in no template", cue, want)
		}
	}
}
