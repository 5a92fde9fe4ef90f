package analysis

import (
	"fmt"
	"strings"
	"testing"
)

func TestMatch(t *testing.T) {
	a := New()
	for _, c := range []struct{ query, text, want string }{
		{"approve invoices", "Approval of invoices, approved by the invoice desk", "approve~Approval:stem invoices~invoices:exact! approve~approved:stem invoices~invoice:stem"},
		{"approval approve", "approve an approval", "approve~approve:exact! approval~approval:exact!"},
		{"the policy", "The policies of the firm", "policy~policies:stem"},
		{"travel -hotel", "hotel and travel", "travel~travel:exact!"},
		{"PO-1234", "Use PO-1234 or po 1234, not PO-1243.", "PO-1234~PO-1234:code! PO-1234~po 1234:code! PO~PO:part"},
		{"form po 1234", "Form PO-1234", "form~Form:exact! po 1234~PO-1234:code!"},
		{"PO-1234", "PO. 1234", "PO~PO:part 1234~1234:part"},
		{"max daily amount", "max_daily_amount and daily", "max daily amount~max_daily_amount:code! daily~daily:exact!"},
		{"ISO 27001", "ISO/IEC 27001:2022, ISO 27002", "ISO 27001~ISO/IEC 27001:code! ISO~ISO:part"},
		{"$1,000 dollars", "Over $1,000, 1,000 euros or 1000", "$1,000~$1,000:number! $1,000~1,000:number $1,000~1000:number!"},
		{"24/7", "24/7 or 24 of 7", "24/7~24/7:code! 24~24:number! 7~7:number!"},
		{"e-mail", "email and e-mail", "e-mail~email:exact! e~e:exact! mail~mail:exact!"},
		{"email", "e-mail", "email~e-mail:exact!"},
		{"café", "Cafe, CAFÉ", "café~Cafe:folded café~CAFÉ:exact!"},
		{"部门主管 报销", "出差报销需要部门主管批准", "报销~报销:exact! 部门主管~部门主管:exact!"},
		{"规则规", "规则", "规则~规则:exact!"},
		{"rule 10.3(a)", "Rule 10.3(a)(ii), rule 10.3(a)", "rule~Rule:exact! 10.3~10.3:part rule~rule:exact! 10.3(a)~10.3(a):code!"},
		{"five percent 5", "5% and five per cent", "5~5:number! percent~%:exact! five~five:exact!"},
		{"", "anything", ""},
		{"anything", "", ""},
	} {
		var got []string
		for _, m := range a.ParseQuery(c.query).Matcher().Match(c.text) {
			mark := ""
			if m.Exact {
				mark = "!"
			}
			got = append(got, fmt.Sprintf("%s~%s:%s%s", m.Query, m.Text, m.Kind, mark))
		}
		if got := strings.Join(got, " "); got != c.want {
			t.Errorf("%q in %q\n got %s\nwant %s", c.query, c.text, got, c.want)
		}
	}
}

func TestDistinct(t *testing.T) {
	a := New()
	matches := a.ParseQuery("approve travel").Matcher().Match("Travel approval: approve TRAVEL; approvals, approval")
	var got []string
	for _, m := range Distinct(matches) {
		got = append(got, m.Query+"~"+m.Text)
	}
	if got, want := strings.Join(got, " "), "travel~Travel approve~approval approve~approve approve~approvals"; got != want {
		t.Errorf("Distinct = %s, want %s", got, want)
	}
}

func TestMatchTokens(t *testing.T) {
	a := New()
	m := a.ParseQuery("PO-1234 for travel").Matcher()
	for _, text := range []string{"", "travel on PO-1234", "PO 1234 travels"} {
		if got, want := fmt.Sprint(m.MatchTokens(text, a.Analyze(text))), fmt.Sprint(m.Match(text)); got != want {
			t.Errorf("MatchTokens(%q) = %s, want %s", text, got, want)
		}
	}
}
