package conflict

import "testing"

func TestActors(t *testing.T) {
	for _, test := range []struct {
		text     string
		want     string
		relation relation
		office   bool
		count    int
	}{
		{"The CFO approves the budget.", "the CFO", relationAgent, true, 0},
		{"The budget is approved by the head of finance.", "the head of finance", relationAgent, true, 0},
		{"Orders need the approval of the plant manager.", "the plant manager", relationSource, true, 0},
		{"Orders need sign-off from the head of purchasing.", "the head of purchasing", relationSource, true, 0},
		{"Sick notes are sent to the line manager.", "the line manager", relationRecipient, true, 0},
		{"Inform the security officer.", "the security officer", relationRecipient, true, 0},
		{"Bank details are changed by two clerks.", "two clerks", relationAgent, true, 2},
		{"Screening is the task of the requesting department.", "the requesting department", relationAgent, true, 0},
		{"It is up to the head of year to decide.", "the head of year", relationAgent, true, 0},
		{"The choice is for the staff conference to make.", "the staff conference", relationAgent, true, 0},
		{"Travel is booked by Fabian.", "Fabian", relationAgent, true, 0},
		{"Samples are listed by whoever takes them.", "whoever takes them", relationAgent, true, 0},
		{"The on-call engineer decides about rollbacks.", "the on-call engineer", relationAgent, true, 0},
		{"The scaffolder checks the scaffold.", "the scaffolder", relationAgent, true, 0},
		{"Visitors sign the book.", "visitors", relationAgent, false, 0},
	} {
		a := Analyze(Input{Text: test.text})
		var got []actor
		for _, c := range a.Clauses {
			got = append(got, c.Actors...)
		}
		if len(got) != 1 || got[0].Text != test.want || got[0].Relation != test.relation || got[0].Office != test.office || got[0].Count != test.count {
			t.Errorf("actors of %q = %+v, want %q relation %d office %v count %d", test.text, got, test.want, test.relation, test.office, test.count)
		}
	}
}

func TestNoActors(t *testing.T) {
	for _, text := range []string{"Notices are sent by e-mail.", "Bills are paid by bank transfer.", "A doctor's note is required.", "At least one meeting is held."} {
		for _, c := range Analyze(Input{Text: text}).Clauses {
			if len(c.Actors) > 0 {
				t.Errorf("%q has actors: %+v", text, c.Actors)
			}
		}
	}
}

func TestOnlyWho(t *testing.T) {
	for _, test := range []struct {
		text string
		want bool
	}{
		{"Only the procurement team may sign contracts.", true},
		{"Press enquiries are answered by the communications team only.", true},
		{"Nobody but the vet may give antibiotics.", true},
		{"Invoices are sent by e-mail only.", false},
		{"The procurement team signs contracts.", false},
	} {
		a := Analyze(Input{Text: test.text})
		if got := a.Clauses[0].OnlyWho; got != test.want {
			t.Errorf("%q binds who acts: %v, want %v", test.text, got, test.want)
		}
	}
}
