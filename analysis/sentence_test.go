package analysis

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestSentences(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", ""},
		{"  \n ", ""},
		{"One. Two! Three? Four", "One.|Two!|Three?|Four"},
		{"Pay in 30 days.  Then stop.", "Pay in 30 days.|Then stop."},
		{"It costs 1.5 million. It is 2.4.10 now.", "It costs 1.5 million.|It is 2.4.10 now."},
		{"Use e.g. taxis, i.e. cabs. Walk otherwise.", "Use e.g. taxis, i.e. cabs.|Walk otherwise."},
		{"See No. 5 and Art. 12. Say no. Say yes.", "See No. 5 and Art. 12.|Say no.|Say yes."},
		{"In the U.S. The law differs. U.S. Government rules.", "In the U.S.|The law differs.|U.S. Government rules."},
		{"Dr. Smith and Ms. Jones approve. So be it.", "Dr. Smith and Ms. Jones approve.|So be it."},
		{"Acme Inc. pays. J. Smith signs.", "Acme Inc. pays.|J. Smith signs."},
		{"He said \"Stop.\" Then he left. (Really.) Yes.", "He said \"Stop.\"|Then he left.|(Really.)|Yes."},
		{"Wait... what? Yes… Fine.", "Wait... what?|Yes…|Fine."},
		{"Visit acme.com. Then call.", "Visit acme.com.|Then call."},
		{"approx. five percent etc. and more. End.", "approx. five percent etc. and more.|End."},
		{"One line\nwraps here. Next\nline.", "One line\nwraps here.|Next\nline."},
		{"# Heading\nText here.\n\nNew paragraph", "# Heading|Text here.|New paragraph"},
		{"Intro:\n- first item\n- second item\n* third", "Intro:|- first item|- second item|* third"},
		{"1. Buy it. Now.\n2. Pay it.\n(a) or this\n(iv) or that", "1. Buy it.|Now.|2. Pay it.|(a) or this|(iv) or that"},
		{"| a | b |\n| c | d |", "| a | b ||| c | d |"},
		{"Text\n## Next\nmore", "Text|## Next|more"},
		{"出差报销需要批准。部门主管批准！好吗？好", "出差报销需要批准。|部门主管批准！|好吗？|好"},
		{"他说「好。」然后走。", "他说「好。」|然后走。"},
		{"Rule 4.2. applies to all. Rule 4.3 too.", "Rule 4.2. applies to all.|Rule 4.3 too."},
		{"a.b.c Hello?!Next", "a.b.c Hello?!Next"},
		{"Fig. 3 shows it. Sec. 4 too.", "Fig. 3 shows it.|Sec. 4 too."},
		{"windows\r\nline. ends\r\n\r\nhere", "windows\r\nline. ends|here"},
	} {
		var got []string
		for _, s := range Sentences(c.text) {
			got = append(got, c.text[s.Start:s.End])
		}
		if got := strings.Join(got, "|"); got != c.want {
			t.Errorf("Sentences(%q)\n got %q\nwant %q", c.text, got, c.want)
		}
	}
}

func FuzzSentences(f *testing.F) {
	f.Add("One. Two! e.g. this.\n\n- a\n1. b 好。\xff")
	f.Fuzz(func(t *testing.T, text string) {
		// Sentences are in order, apart, trimmed, and leave out white space only.
		var rest strings.Builder
		end := 0
		for _, s := range Sentences(text) {
			if s.Start < end || s.End <= s.Start || s.End > len(text) {
				t.Fatalf("Sentences(%q) has %v after %d", text, s, end)
			}
			if got := text[s.Start:s.End]; strings.TrimSpace(got) != got {
				t.Fatalf("Sentences(%q) has %q", text, got)
			}
			rest.WriteString(text[end:s.Start])
			end = s.End
		}
		rest.WriteString(text[end:])
		if strings.TrimSpace(rest.String()) != "" {
			t.Fatalf("Sentences(%q) leaves out %q", text, rest.String())
		}
	})
}

func TestSnippet(t *testing.T) {
	long := strings.Repeat("Some words that say nothing at all. ", 20) + "Hotels over 300 dollars a night are signed off by the travel desk. " + strings.Repeat("More words that say nothing. ", 20)
	at := func(text, part string) Span {
		i := strings.Index(text, part)
		return Span{i, i + len(part)}
	}
	for _, c := range []struct {
		text  string
		found []Span
		limit int
		want  string
	}{
		{"Short text.", nil, 160, "Short text."},
		{"  Short\n\n text.  ", nil, 160, "Short text."},
		{"", nil, 160, ""},
		{long, nil, 40, "Some words that say nothing at all.…"},
		{long, []Span{at(long, "Hotels"), at(long, "night")}, 160, "…Hotels over 300 dollars a night are signed off by the travel desk. More words that say nothing. More words that say nothing. More words that say nothing. More…"},
		{long, []Span{at(long, "travel desk")}, 40, "…off by the travel desk. More words…"},
		{"one two three four five six seven", []Span{{8, 13}}, 14, "…three four…"},
		{"one two three four five six seven", []Span{{28, 33}}, 14, "…six seven"},
		{"出差报销需要部门主管批准后才能支付给员工的费用", []Span{{6, 12}}, 10, "出差报销需要部门…"},
		{"出差报销需要部门主管批准后才能支付给员工的费用", []Span{{30, 36}}, 10, "…门主管批准后才能…"},
		{strings.Repeat("x", 50), []Span{{0, 50}}, 10, "xxxxxxxx…"},
		{"a " + strings.Repeat("x", 50) + " b", []Span{{2, 52}}, 10, "…xxxxxxxx…"},
	} {
		got, at := Snippet(c.text, c.found, c.limit)
		if got != c.want {
			t.Errorf("Snippet(%.40q, %v, %d)\n got %q\nwant %q", c.text, c.found, c.limit, got, c.want)
		}
		if shown := strings.Join(strings.Fields(c.text[at.Start:at.End]), " "); shown != strings.Trim(got, ellipsis) {
			t.Errorf("Snippet(%.40q, %v, %d) = %q, but its range holds %q", c.text, c.found, c.limit, got, shown)
		}
	}
}

func FuzzSnippet(f *testing.F) {
	f.Add("one two three four five six seven eight", 4, 7, 12)
	f.Add("出差报销需要部门主管批准e\u0301e\u0301 e\u0301", 6, 9, 5)
	f.Fuzz(func(t *testing.T, text string, start, length, limit int) {
		if !utf8.ValidString(text) {
			t.Skip()
		}
		limit = 3 + limit&255
		found := []Span{}
		for start &= 0xFFFF; start < len(text) && length > 0; start += 2 * length {
			for start < len(text) && !utf8.RuneStart(text[start]) {
				start++
			}
			end := min(len(text), start+length)
			for end < len(text) && !utf8.RuneStart(text[end]) {
				end++
			}
			if end > start {
				found = append(found, Span{start, end})
			}
		}
		got, at := Snippet(text, found, limit)
		if n := utf8.RuneCountInString(got); n > limit || !utf8.ValidString(got) {
			t.Fatalf("Snippet(%q, %v, %d) = %q, %d characters", text, found, limit, got, n)
		}
		if at.Start < 0 || at.End > len(text) || at.Start > at.End {
			t.Fatalf("Snippet(%q, %v, %d) has the range %v", text, found, limit, at)
		}
		again, _ := Snippet(text, slices.Clone(found), limit)
		if again != got {
			t.Fatalf("Snippet(%q) = %q and then %q", text, got, again)
		}
	})
}
