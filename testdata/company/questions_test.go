package company_test

import (
	"slices"
	"strings"
	"testing"
	"unicode"
)

type question struct {
	ID       string         `json:"id"`
	Kind     string         `json:"kind"`
	Tool     string         `json:"tool"`
	Query    string         `json:"query"`
	Filters  map[string]any `json:"filters"`
	Relevant []judgement    `json:"relevant"`
}

type judgement struct {
	ID    string `json:"id"`
	Grade int    `json:"grade"`
}

type demoQuestion struct {
	Caption   string         `json:"caption"`
	Tool      string         `json:"tool"`
	Arguments map[string]any `json:"arguments"`
	Expect    struct {
		First     string   `json:"first"`
		Present   []string `json:"present"`
		Absent    []string `json:"absent"`
		Conflict  []string `json:"conflict"`
		State     string   `json:"state"`
		Abstained bool     `json:"abstained"`
	} `json:"expect"`
}

var tools = []string{"search_trail_rules", "kb_search"}

// wantKinds are the kinds of question and how many there must be at least.
var wantKinds = map[string]int{"paraphrase": 40, "scenario": 35, "keyword": 25, "identifier": 25, "amount": 15, "near_miss": 15, "far": 15}

func TestQuestions(t *testing.T) {
	rules, pages := rulesByID(t), documents(t)
	trails := make(map[string]trail)
	for _, tr := range lines[trail](t, "trails.jsonl") {
		trails[tr.ID] = tr
	}
	count, ids, asked := make(map[string]int), make(map[string]bool), make(map[string]bool)
	questions := lines[question](t, "questions.jsonl")
	for _, q := range questions {
		count[q.Kind]++
		key := q.Tool + q.Query
		if ids[q.ID] || (asked[key] && q.Filters == nil) {
			t.Errorf("%s is there twice", q.ID)
		}
		ids[q.ID], asked[key] = true, true
		if wantKinds[q.Kind] == 0 || !slices.Contains(tools, q.Tool) || strings.TrimSpace(q.Query) == "" {
			t.Errorf("%s: kind %q, tool %q, query %q", q.ID, q.Kind, q.Tool, q.Query)
		}
		best := 0
		for _, j := range q.Relevant {
			best = max(best, j.Grade)
			if j.Grade != 1 && j.Grade != 2 {
				t.Errorf("%s: grade %d of %s, want 1 or 2", q.ID, j.Grade, j.ID)
			}
			if q.Tool == "search_trail_rules" {
				r, ok := rules[j.ID]
				if !ok || r.Status != "approved" || (j.Grade == 2 && !r.governs()) {
					t.Errorf("%s: %s does not exist or does not govern", q.ID, j.ID)
				}
				checkRuleFilters(t, q, r, trails[r.Trail])
				checkParaphrase(t, q, j, strings.Join([]string{r.Text, r.Title, strings.Join(r.Tags, " "),
					strings.Join(r.AppliesWhen, " "), r.Domain, r.Cluster, trails[r.Trail].Name}, " "))
				continue
			}
			d, ok := pages[j.ID]
			if !ok {
				t.Errorf("%s: document %q does not exist", q.ID, j.ID)
			}
			checkDocumentFilters(t, q, d)
			checkParaphrase(t, q, j, d.signal)
		}
		if negative := q.Kind == "near_miss" || q.Kind == "far"; negative != (len(q.Relevant) == 0) || (!negative && best != 2) {
			t.Errorf("%s: a %s question with %d judgements, the best %d", q.ID, q.Kind, len(q.Relevant), best)
		}
	}
	atLeast(t, "questions", len(questions), 150)
	for kind, want := range wantKinds {
		atLeast(t, kind+" questions", count[kind], want)
	}
}

func checkRuleFilters(t *testing.T, q question, r rule, in trail) {
	t.Helper()
	for name, value := range q.Filters {
		var names []string
		for _, v := range value.([]any) {
			names = append(names, v.(string))
		}
		passes := false
		switch name {
		case "trails":
			passes = slices.Contains(names, in.ID) || slices.Contains(names, in.Name)
		case "domains":
			passes = slices.Contains(names, r.Domain)
		case "clusters":
			passes = slices.Contains(names, r.Cluster)
		}
		if !passes {
			t.Errorf("%s: %s does not pass %s %v", q.ID, r.ID, name, names)
		}
	}
}

func checkDocumentFilters(t *testing.T, q question, d document) {
	t.Helper()
	for name, value := range q.Filters {
		passes := false
		switch name {
		case "tier":
			passes = d.tier == value
		case "category":
			passes = d.category == value
		case "status":
			passes = strings.EqualFold(d.fields["status"], value.(string))
		case "doc_type":
			passes = d.fields["type"] == value
		case "in_force":
			status, until := strings.ToLower(d.fields["status"]), d.fields["valid_until"]
			passes = slices.Contains([]string{"active", "accepted", "approved"}, status) && d.fields["valid_from"] <= today && (until == "" || until >= today)
		case "validity_state":
			recheck, until := d.fields["recheck_by"], d.fields["valid_until"]
			passes = value == "stale" && recheck != "" && recheck < today || value == "expiring_within:31" && until >= today && until <= "2027-01-01"
		case "include_expired":
			passes = true
		}
		if !passes {
			t.Errorf("%s: %s does not pass %s %v", q.ID, d.id, name, value)
		}
	}
}

// checkParaphrase checks that a paraphrase and its answer have no content word
// in common, not even another form of one.
func checkParaphrase(t *testing.T, q question, j judgement, text string) {
	t.Helper()
	if q.Kind != "paraphrase" || j.Grade != 2 {
		return
	}
	in := contentWords(text)
	for stem, word := range contentWords(q.Query) {
		if other, ok := in[stem]; ok {
			t.Errorf("%s: %q shares %q with %q of %s", q.ID, q.Query, word, other, j.ID)
		}
	}
}

// functionWords carry no content of their own.
var functionWords = strings.Fields(`a about after again all also am an and any anyone anything are as at be because been before
	being below between both but by can could did do does down during each else ever every for from had has have he her here him himself his how i if in into
	is it its itself just may me might mine must my myself no nobody nor not now of off on once one only or our out over own s same she should so
	some somebody someone something such than that the their them then there these they this those through to too under until up us very was
	we were what when where whether which while who whom whose why will with without would you your yours`)

// contentWords maps the stem of each content word of a text to one of its
// forms: endings of plural and tense are cut, then all but five letters.
func contentWords(text string) map[string]string {
	words := make(map[string]string)
	for _, word := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if slices.Contains(functionWords, word) {
			continue
		}
		stem := word
		for _, ending := range []string{"ing", "ed", "es", "s"} {
			if cut, ok := strings.CutSuffix(stem, ending); ok && len(cut) >= 3 {
				stem = cut
				break
			}
		}
		if letters := []rune(stem); len(letters) > 5 {
			stem = string(letters[:5])
		}
		words[stem] = word
	}
	return words
}

func TestContentWords(t *testing.T) {
	for _, c := range []struct {
		a, b   string
		shared bool
	}{
		{"pays", "pay", true}, {"approval", "approve", true}, {"visited", "visits", true}, {"the", "the", false}, {"vendor", "supplier", false}, {"trip's", "trips", true},
	} {
		shared := false
		in := contentWords(c.b)
		for stem := range contentWords(c.a) {
			if _, ok := in[stem]; ok {
				shared = true
			}
		}
		if shared != c.shared {
			t.Errorf("%q and %q share a word: %v, want %v", c.a, c.b, shared, c.shared)
		}
	}
}

func TestDemo(t *testing.T) {
	rules, pages := rulesByID(t), documents(t)
	demo := lines[demoQuestion](t, "demo.jsonl")
	if len(demo) != 8 {
		t.Errorf("%d questions, want 8", len(demo))
	}
	for _, q := range demo {
		if query, _ := q.Arguments["query"].(string); query == "" || q.Caption == "" || !slices.Contains(tools, q.Tool) {
			t.Errorf("demo question %q: tool %q, arguments %v", q.Caption, q.Tool, q.Arguments)
		}
		named := slices.Concat(q.Expect.Present, q.Expect.Absent, q.Expect.Conflict)
		if q.Expect.First != "" {
			named = append(named, q.Expect.First)
		}
		for _, id := range named {
			_, isRule := rules[id]
			_, isPage := pages[id]
			if isRule != (q.Tool == "search_trail_rules") || isPage != (q.Tool == "kb_search") {
				t.Errorf("demo question %q expects %q, which is nothing that %s returns", q.Caption, id, q.Tool)
			}
		}
		if len(named) == 0 && q.Expect.State == "" && !q.Expect.Abstained {
			t.Errorf("demo question %q expects nothing", q.Caption)
		}
	}
}
