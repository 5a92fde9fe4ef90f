package analysis

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// reading writes what a query was read as in short: its terms with their counts
// (? for optional ones), then phrases, exclusions, codes and what else it holds.
func reading(q *Query) string {
	var parts []string
	for _, t := range q.Terms {
		w := strings.TrimPrefix(t.Term, stemSpace)
		if t.Count > 1 {
			w += fmt.Sprintf("*%d", t.Count)
		}
		if t.Optional {
			w += "?"
		}
		parts = append(parts, w)
	}
	for _, p := range q.Phrases {
		parts = append(parts, fmt.Sprintf("phrase<%s>", p.Text))
	}
	for _, e := range q.Excluded {
		parts = append(parts, fmt.Sprintf("not<%s>", e.Text))
	}
	for _, c := range q.Codes {
		parts = append(parts, fmt.Sprintf("code<%s>", c.Text))
	}
	for _, n := range q.Numbers {
		parts = append(parts, fmt.Sprintf("number<%s %s>", q.Text[n.Start:n.End], n.Unit))
	}
	for _, n := range q.Negations {
		parts = append(parts, fmt.Sprintf("negation<%s>", q.Text[n.Start:n.End]))
	}
	if q.OnlyCodes {
		parts = append(parts, "only-codes")
	}
	return strings.Join(parts, " ")
}

func TestParseQuery(t *testing.T) {
	a := New()
	for _, c := range []struct{ text, want string }{
		{"", ""},
		{" \n ", ""},
		{"?!", ""},
		{"who is it", ""},
		{"who approves approvals and approval", "approv*3"},
		{"approval -travel", "approv not<travel>"},
		{`approval -"for travel"`, "approv not<for travel>"},
		{"-travel", "not<travel>"},
		{`-"travel"`, "not<travel>"},
		{"travel -travel", "travel not<travel>"},
		{"multi-site approval", "multi site multisit? approv"},
		{"approval -multi-site", "approv not<multi-site>"},
		{"approval -PO-1234", "approv not<PO-1234>"},
		{"approval -报销单", "approv not<报销单>"},
		{"approval -税 x", "approv x not<税>"},
		{"approval -max_daily", "approv not<max_daily>"},
		{"approval -café x", "approv x not<café>"},
		{"approval -2.4.10", "approv not<2.4.10>"},
		{"approval -5G", "approv not<5G>"},
		{"- item", "item"},
		{"a - b", "b"},
		{"5 -3", "num:5 num:3 number<5 > number<3 >"},
		{"below -18 °C", "num:18 c number<18 >"},
		{"since -2026-12-01", "sinc num:2026 num:12 num:1 code:2026-12-01 code<2026-12-01> number<2026 > number<12 > number<01 >"},
		{"fee -$500", "fee dollar num:500 number<$500 USD>"},
		{"--force", "forc"},
		{"pre-approval-free", "pre approv free"},
		{"approval–travel", "approv travel"},
		{"approval –travel", "approv travel"},
		{"(-travel)", "travel"},
		{"-not allowed", "allow not<not>"},
		{"steps:\n-approve\n-pay", "step approv pay"},
		{"approve\n-pay\n  -sign", "approv pay sign"},
		{"approve -travel\npay", "approv pay not<travel>"},
		{"-.NET", "net"},
		{`"for travel"`, "travel phrase<for travel>"},
		{`the "in force" date`, "forc date phrase<in force>"},
		{`what is “in force”?`, "forc phrase<in force>"},
		{`„in Kraft“ «en vigueur» 「有効」`, "kraft en vigueur gram:有効 phrase<in Kraft> phrase<en vigueur> phrase<有効>"},
		{`("for travel")`, "travel phrase<for travel>"},
		{`19" rack or 21" rack`, "num:19 rack*2 num:21 number<19 > number<21 >"},
		{`a "lonely quote`, "lone quot"},
		{`lonely quote"`, "lone quot"},
		{`"" "  " "?"`, ""},
		{`"one" two "three`, "one two three phrase<one>"},
		{`say "a"b" now`, "say b now phrase<a\"b>"},
		{"'single quotes'", "singl quot"},
		{"PO-1234", "po num:1234 code:po1234 code<PO-1234> only-codes"},
		{`"PO-1234"`, "po num:1234 code:po1234 phrase<PO-1234> code<PO-1234> only-codes"},
		{"the W-2?", "code:w2 code<W-2> only-codes"},
		{"ISO 27001 and C++", "iso num:27001 code:iso27001? code:c++ code<ISO 27001> code<C++> only-codes"},
		{"iso 27001", "iso num:27001 code:iso27001? number<27001 >"},
		{"pay 5000", "pay num:5000 code:pay5000? number<5000 >"},
		{"form W-2", "form code:w2 code<W-2>"},
		{"max_daily_amount", "max daili amount maxdailyamount? code<max_daily_amount>"},
		{"2.4.10", "code:2.4.10 code<2.4.10> only-codes"},
		{"not without PO-1, except never", "without po code:po1 except never code<PO-1> negation<not> negation<without> negation<except> negation<never>"},
		{"No. 5 but no refund", "num:5 refund number<5 > negation<no>"},
		{"over $1,000 within 30 days", "dollar num:1000 within num:30 day number<$1,000 USD> number<30 day>"},
		{"AND OR NOT (a:b) [x TO y] f~2 *?", "b x y f num:2 number<2 > negation<NOT>"},
		{"100%", "num:100 percent number<100 percent>"},
	} {
		if got := reading(a.ParseQuery(c.text)); got != c.want {
			t.Errorf("ParseQuery(%q)\n got %s\nwant %s", c.text, got, c.want)
		}
	}
}

func TestPhraseFind(t *testing.T) {
	a := New()
	for _, c := range []struct{ phrase, text, want string }{
		{"for travel", "Approval for travel is needed.", "for travel"},
		{"for travel", "Travel for approval", ""},
		{"for travel", "for all travel", ""},
		{"For Travel", "FOR, TRAVEL", "FOR, TRAVEL"},
		{"approvals", "an approval", ""},
		{"approval", "two approvals, one approval", "approval"},
		{"po 1234", "form PO-1234 here", "PO-1234"},
		{"PO-1234", "form po 1234 here", "po 1234"},
		{"PO-1234", "PO1234", "PO1234"},
		{"multi-site", "multi site", "multi site"},
		{"cafe", "a café", "café"},
		{"café", "a cafe", ""},
		{"1,000", "over 1000 now", "1000"},
		{"2.4.10", "v2.4.10", "v2.4.10"},
		{"部门主管", "需要部门主管批准", "部门主管"},
		{"主管部门", "需要部门主管批准", ""},
		{"max daily amount", "set max_daily_amount", "max_daily_amount"},
		{"not to be", "to be or not to be", "not to be"},
		{"a a b", "a a a b", "a a b"},
		{"C++", "C and C++", "C++"},
		{"company card", "the company's card", "company's card"},
	} {
		p := a.ParseQuery(`"` + c.phrase + `"`).Phrases[0]
		got := ""
		if start, end, ok := p.Find(a.Analyze(c.text)); ok {
			got = c.text[start:end]
		}
		if got != c.want {
			t.Errorf("phrase %q in %q is at %q, want %q", c.phrase, c.text, got, c.want)
		}
		if got != "" {
			held := map[string]bool{}
			for _, token := range a.Analyze(c.text) {
				held[token.Term] = true
			}
			if i := slices.IndexFunc(p.Terms, func(term string) bool { return !held[term] }); i >= 0 && c.text != "a café" {
				t.Errorf("phrase %q stands in %q, which lacks its term %q", c.phrase, c.text, p.Terms[i])
			}
		}
	}
}

func TestExclusionIn(t *testing.T) {
	a := New()
	for _, c := range []struct {
		query, text string
		want        bool
	}{
		{"x -travel", "Travel is paid", true},
		{"x -travel", "travelling is paid", true},
		{"x -travel", "trips are paid", false},
		{`x -"travels"`, "travel is paid", false},
		{`x -"for travel"`, "paid for travel", true},
		{`x -"for travel"`, "travel paid for", false},
		{"x -PO-1234", "form po 1234", true},
		{"x -PO-1234", "form PO-1243", false},
		{"x -W-2", "form W-4", false},
		{"x -multi-site", "multi-site teams", true},
		{"x -not", "may not travel", true},
		{"x -部门主管", "需要部门主管批准", true},
		{"x -部门主管", "主管部门", false},
	} {
		q := a.ParseQuery(c.query)
		if len(q.Excluded) != 1 {
			t.Fatalf("ParseQuery(%q) excludes %d things, want 1", c.query, len(q.Excluded))
		}
		if got := q.Excluded[0].In(a.Analyze(c.text)); got != c.want {
			t.Errorf("%q excludes %q: %v, want %v", c.query, c.text, got, c.want)
		}
	}
}

func FuzzParseQuery(f *testing.F) {
	for _, text := range []string{`a -b "c d" -"e`, "-PO-1234 ISO 27001", "\"\x80\" -\u0301", "--- -- -5 -a-b", "“a” „b“ «c» 報告 -報"} {
		f.Add(text, text)
	}
	a := New()
	f.Fuzz(func(t *testing.T, query, text string) {
		q := a.ParseQuery(query)
		for _, term := range q.Terms {
			if term.Term == "" || term.Count < 1 || !strings.Contains(query, term.Text) {
				t.Fatalf("ParseQuery(%q) has the term %+v", query, term)
			}
		}
		for _, e := range q.Excluded {
			if !strings.Contains(query, e.Text) || len(e.Phrase.words) == 0 {
				t.Fatalf("ParseQuery(%q) excludes %+v", query, e)
			}
		}
		last := 0
		for _, m := range q.Matcher().Match(text) {
			if text[m.Start:m.End] != m.Text || query[m.QueryStart:m.QueryEnd] != m.Query || m.Start < last || m.Text == "" {
				t.Fatalf("Match(%q, %q) has %+v", query, text, m)
			}
			last = m.Start
		}
	})
}
