package tool

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"waymark/search"
)

var sample = []Parameter{
	{Name: "query", Type: Text, MaxLength: 10},
	{Name: "tier", Type: Text, Values: []string{"T1", "meta"}},
	{Name: "names", Type: TextList, MaxItems: 3, MaxLength: 5},
	{Name: "limit", Type: Whole, Min: 1, Max: 100},
	{Name: "free", Type: Whole},
	{Name: "explain", Type: YesNo},
}

// TestArgumentsWhoseMeaningIsSure are taken.
func TestArgumentsWhoseMeaningIsSure(t *testing.T) {
	for _, c := range []struct {
		raw  string
		want map[string]any
	}{
		{``, map[string]any{}},
		{` `, map[string]any{}},
		{`null`, map[string]any{}},
		{`{}`, map[string]any{}},
		{"\n{}\n", map[string]any{}},
		{`{"query": "a"}`, map[string]any{"query": "a"}},
		{`{"query": ""}`, map[string]any{"query": ""}},
		{`{"query": 5}`, map[string]any{"query": "5"}},
		{`{"query": 1e3}`, map[string]any{"query": "1e3"}},
		{`{"query": null}`, map[string]any{}},
		{`{"query": "0123456789"}`, map[string]any{"query": "0123456789"}},
		{`{"query": "ÄÖÜÄÖÜÄÖÜÄ"}`, map[string]any{"query": "ÄÖÜÄÖÜÄÖÜÄ"}},
		{`{"tier": "t1"}`, map[string]any{"tier": "T1"}},
		{`{"tier": " META "}`, map[string]any{"tier": "meta"}},
		{`{"tier": " "}`, map[string]any{"tier": ""}},
		{`{"names": []}`, map[string]any{"names": []string{}}},
		{`{"names": null}`, map[string]any{}},
		{`{"names": "a"}`, map[string]any{"names": []string{"a"}}},
		{`{"names": 7}`, map[string]any{"names": []string{"7"}}},
		{`{"names": ["a", 7, "a"]}`, map[string]any{"names": []string{"a", "7", "a"}}},
		{`{"limit": 10}`, map[string]any{"limit": 10}},
		{`{"limit": "10"}`, map[string]any{"limit": 10}},
		{`{"limit": " 10 "}`, map[string]any{"limit": 10}},
		{`{"limit": 10.0}`, map[string]any{"limit": 10}},
		{`{"limit": 1e1}`, map[string]any{"limit": 10}},
		{`{"limit": 0}`, map[string]any{"limit": 1}},
		{`{"limit": -7}`, map[string]any{"limit": 1}},
		{`{"limit": 101}`, map[string]any{"limit": 100}},
		{`{"limit": 1e300}`, map[string]any{"limit": 100}},
		{`{"limit": 1e999}`, map[string]any{"limit": 100}},
		{`{"limit": -1e999}`, map[string]any{"limit": 1}},
		{`{"limit": null}`, map[string]any{}},
		{`{"free": -3}`, map[string]any{"free": -3}},
		{`{"free": 1e300}`, map[string]any{"free": 1<<31 - 1}},
		{`{"explain": true}`, map[string]any{"explain": true}},
		{`{"explain": "Yes"}`, map[string]any{"explain": true}},
		{`{"explain": "FALSE"}`, map[string]any{"explain": false}},
		{`{"explain": " no "}`, map[string]any{"explain": false}},
		{`{"query": "a", "query": "b"}`, map[string]any{"query": "b"}},
	} {
		got, err := readArguments([]byte(c.raw), sample)
		if err != nil {
			t.Errorf("readArguments(%s): %v", c.raw, err)
			continue
		}
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("readArguments(%s) (-want +got):\n%s", c.raw, d)
		}
	}
}

// TestArgumentsThatAreRefused: by name, saying what the argument takes.
func TestArgumentsThatAreRefused(t *testing.T) {
	for _, c := range []struct {
		raw  string
		code search.Code
		says string
	}{
		{`{"query": ["a"]}`, search.CodeInvalidArgument, `The argument "query" takes a text, not a list.`},
		{`{"query": {}}`, search.CodeInvalidArgument, `The argument "query" takes a text, not an object.`},
		{`{"query": true}`, search.CodeInvalidArgument, `The argument "query" takes a text, not true.`},
		{`{"query": "01234567890"}`, search.CodeTooLarge, `The argument "query" has 11 characters; at most 10 are read.`},
		{`{"tier": "T9"}`, search.CodeInvalidArgument, `The argument "tier" takes a text, not the text "T9".`},
		{`{"names": {"a": 1}}`, search.CodeInvalidArgument, `The argument "names" takes a list of texts, not an object.`},
		{`{"names": [["a"]]}`, search.CodeInvalidArgument, `The argument "names" takes a list of texts, not a list.`},
		{`{"names": [null]}`, search.CodeInvalidArgument, `The argument "names" takes a list of texts, not null.`},
		{`{"names": ["a", "b", "c", "d"]}`, search.CodeTooLarge, `The argument "names" has 4 members.`},
		{`{"names": ["abcdef"]}`, search.CodeTooLarge, `The argument "names" has 6 characters; at most 5 are read.`},
		{`{"limit": 1.5}`, search.CodeInvalidArgument, `The argument "limit" takes a whole number, not the number 1.5.`},
		{`{"limit": "ten"}`, search.CodeInvalidArgument, `The argument "limit" takes a whole number, not the text "ten".`},
		{`{"limit": ""}`, search.CodeInvalidArgument, `The argument "limit" takes a whole number, not the text "".`},
		{`{"limit": "NaN"}`, search.CodeInvalidArgument, `The argument "limit" takes a whole number, not the text "NaN".`},
		{`{"limit": "inf"}`, search.CodeInvalidArgument, `The argument "limit" takes a whole number, not the text "inf".`},
		{`{"limit": "0x1p4"}`, search.CodeInvalidArgument, `The argument "limit" takes a whole number, not the text "0x1p4".`},
		{`{"limit": "0x10"}`, search.CodeInvalidArgument, `The argument "limit" takes a whole number, not the text "0x10".`},
		{`{"limit": true}`, search.CodeInvalidArgument, `The argument "limit" takes a whole number, not true.`},
		{`{"limit": [1]}`, search.CodeInvalidArgument, `The argument "limit" takes a whole number, not a list.`},
		{`{"explain": 1}`, search.CodeInvalidArgument, `The argument "explain" takes true or false, not the number 1.`},
		{`{"explain": "maybe"}`, search.CodeInvalidArgument, `The argument "explain" takes true or false, not the text "maybe".`},
		{`{"explian": true}`, search.CodeUnknownArgument, `There is no argument "explian".`},
		{`{"z": 1, "Query": "a", "a": 2}`, search.CodeUnknownArgument, `There is no argument "Query" or "a" or "z".`},
		{`[]`, search.CodeInvalidArgument, `The arguments are not a JSON object.`},
		{`"query"`, search.CodeInvalidArgument, `The arguments are not a JSON object.`},
		{`{"query": "a"`, search.CodeInvalidArgument, `The arguments are not JSON: `},
		{`{"query": "a"} x`, search.CodeInvalidArgument, `The arguments are not JSON: `},
		{`{"query": "a"} {}`, search.CodeInvalidArgument, `The arguments are not JSON: `},
		{`{'query': 'a'}`, search.CodeInvalidArgument, `The arguments are not JSON: `},
		{"{\"query\": \"a\x00\"}", search.CodeInvalidArgument, `The arguments are not JSON: `},
		{"\xef\xbb\xbf{}", search.CodeInvalidArgument, `The arguments are not JSON: `},
		{"{\"query\": \"\xff\"}", search.CodeInvalidArgument, `The arguments are not valid UTF-8.`},
		{strings.Repeat("[", 20_000), search.CodeInvalidArgument, `The arguments are not JSON: `},
		{`{"query": "` + strings.Repeat("a", MaxArgumentBytes) + `"}`, search.CodeTooLarge, `The arguments are `},
	} {
		got, err := readArguments([]byte(c.raw), sample)
		var e *search.Error
		if got != nil || !errors.As(err, &e) {
			t.Errorf("readArguments(%.60s) = %v, %v; want an error", c.raw, got, err)
			continue
		}
		if e.Code != c.code || !strings.HasPrefix(e.Message, c.says) || e.Hint == "" {
			t.Errorf("readArguments(%.60s) = %s %q, hint %q; want %s %q", c.raw, e.Code, e.Message, e.Hint, c.code, c.says)
		}
		if len(e.Message) > 400 {
			t.Errorf("readArguments(%.60s): a message of %d bytes", c.raw, len(e.Message))
		}
	}
}

func TestUnknownArgumentsNameTheKnownOnes(t *testing.T) {
	_, err := readArguments([]byte(`{"limits": 3}`), sample)
	var e *search.Error
	if !errors.As(err, &e) || len(e.Valid) != len(sample) || e.Valid[0] != "limit" {
		t.Fatalf("%+v, want every known argument, limit first", err)
	}
	for _, p := range sample {
		if !slices.Contains(e.Valid, p.Name) || !strings.Contains(e.Hint, p.Name) {
			t.Errorf("%q is not named: %+v", p.Name, e)
		}
	}
	_, err = readArguments([]byte(`{"tier": "T2"}`), sample)
	if !errors.As(err, &e) || !slices.Equal(e.Valid, []string{"T1", "meta"}) || e.Hint != "Send tier as one of: T1, meta." {
		t.Errorf("%+v, want the values that tier takes", err)
	}
}

// FuzzArguments: whatever is sent gives values of the declared types, or an error
// of the contract.
func FuzzArguments(f *testing.F) {
	for _, seed := range []string{`{}`, `{"query": "a", "names": ["b"], "limit": "10", "explain": "yes"}`, `{"limit": 1e999}`, `{"tier": "T1"}`, "\xff", `[`, `{"a":{"b":[null]}}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		got, err := readArguments(raw, sample)
		if err != nil {
			var e *search.Error
			if !errors.As(err, &e) || e.Message == "" || e.Hint == "" {
				t.Fatalf("readArguments(%q): %v", raw, err)
			}
			if _, err := json.Marshal(e); err != nil {
				t.Fatalf("the error of %q cannot be sent: %v", raw, err)
			}
			return
		}
		for name, v := range got {
			want := map[string]string{"query": "string", "tier": "string", "names": "[]string", "limit": "int", "free": "int", "explain": "bool"}[name]
			if typed := fmt.Sprintf("%T", v); typed != want {
				t.Fatalf("readArguments(%q): %s is %s, want %s", raw, name, typed, want)
			}
		}
		if n, ok := got["limit"].(int); ok && (n < 1 || n > 100) {
			t.Fatalf("readArguments(%q): limit %d", raw, n)
		}
	})
}
