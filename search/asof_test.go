package search_test

import (
	"strings"
	"testing"
	"time"

	"waymark/search"
	"waymark/search/searchtest"
)

// allOf is a search that shows everything it can.
func allOf(query string) search.DocumentQuery {
	return search.DocumentQuery{Query: query, Limit: search.MaxLimit, Verbose: true, Explain: true}
}

// TestAsOfIsTheAnswerOfThatDay: for any day, as_of gives the bytes that a clock on
// that day gives without it.
func TestAsOfIsTheAnswerOfThatDay(t *testing.T) {
	for seed := range uint64(rounds(3)) {
		s := searchtest.Open(t, searchtest.Options{ReviewDueAfterDays: 30}).Space("w")
		r := searchtest.NewRandom(s, seed+120)
		r.Fill(10, 60)
		for range rounds(60) {
			day := r.Day()
			if day == "" {
				day = searchtest.Today
			}
			for _, c := range r.Calls(1) {
				if !strings.HasPrefix(c.Tool, "kb_") {
					continue
				}
				// A page that has a next one is sealed with its arguments.
				if c.Tool != "kb_get" && c.Tool != "kb_outline" {
					c.Arguments["limit"] = 100
				}
				delete(c.Arguments, "as_of")
				s.SetDay(day)
				want := s.Call(c.Tool, c.Arguments)
				s.SetDay("2031-05-17")
				c.Arguments["as_of"] = day
				if got := s.Call(c.Tool, c.Arguments); got != want {
					t.Fatalf("seed %d, %s %v:\n%son the day itself:\n%s", seed, c.Tool, c.Arguments, got, want)
				}
			}
		}
	}
}

// TestTheDayIsThatOfTheZone: a validity that ends on a day ends at midnight of the
// configured zone, daylight saving included.
func TestTheDayIsThatOfTheZone(t *testing.T) {
	zone, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Skipf("no time zone data: %v", err)
	}
	s := searchtest.Open(t, searchtest.Options{Zone: zone}).Space("w")
	s.AddDocuments(map[string]string{
		"universal/winter.md": "---\nstatus: active\ntitle: Hotels in winter\nvalid_until: 2026-03-28\n---\nHotel nights.\n",
		"universal/summer.md": "---\nstatus: active\ntitle: Hotels in summer\nvalid_from: 2026-03-29\nvalid_until: 2026-10-25\n---\nHotel nights.\n",
		"universal/leap.md":   "---\nstatus: active\ntitle: Hotels on leap days\nvalid_from: 2028-02-29\nvalid_until: 2028-02-29\n---\nHotel nights.\n",
	})
	for _, c := range []struct{ at, want string }{
		{"2026-03-28T22:59:59Z", "winter"}, // 23:59:59 in Berlin
		{"2026-03-28T23:00:00Z", "summer"}, // midnight; the hour skipped is two hours later
		{"2026-03-29T21:59:59Z", "summer"}, // 23:59:59, one hour nearer by now
		{"2026-10-25T00:30:00Z", "summer"}, // 02:30 for the first time
		{"2026-10-25T22:59:59Z", "summer"},
		{"2026-10-25T23:00:00Z", ""},
		{"2028-02-28T22:59:59Z", ""},
		{"2028-02-28T23:00:00Z", "leap"},
		{"2028-02-29T22:59:59Z", "leap"},
		{"2028-02-29T23:00:00Z", ""},
	} {
		at, err := time.Parse(time.RFC3339, c.at)
		if err != nil {
			t.Fatal(err)
		}
		s.SetTime(at)
		got := strings.Join(searchtest.DocumentIDs(s.Documents(search.DocumentQuery{Query: "hotel nights", InForce: true})), " ")
		if got != prefixed("universal-", c.want) {
			t.Errorf("in force at %s: %q, want %q", c.at, got, prefixed("universal-", c.want))
		}
	}
}

func prefixed(prefix, name string) string {
	if name == "" {
		return ""
	}
	return prefix + name
}

func TestBadDays(t *testing.T) {
	s := searchtest.Open(t, searchtest.Options{}).Space("w")
	for _, day := range []string{"today", "2026-13-01", "2026-02-29", "2026-2-9", "31.12.2026", "2026-12-01T00:00:00Z", "20261201", " "} {
		_, err := s.Service.SearchDocuments(t.Context(), s.ID, search.DocumentQuery{Query: "hotel", AsOf: day})
		wantCode(t, err, search.CodeInvalidArgument)
		_, err = s.Service.GetDocument(t.Context(), s.ID, search.GetQuery{ID: "x", AsOf: day})
		wantCode(t, err, search.CodeInvalidArgument)
		_, err = s.Service.ListDocuments(t.Context(), s.ID, search.ListQuery{AsOf: day})
		wantCode(t, err, search.CodeInvalidArgument)
		_, err = s.Service.Outline(t.Context(), s.ID, search.OutlineQuery{AsOf: day})
		wantCode(t, err, search.CodeInvalidArgument)
		_, err = s.Service.Curate(t.Context(), s.ID, search.CurateQuery{AsOf: day})
		wantCode(t, err, search.CodeInvalidArgument)
	}
	for _, day := range []string{"0001-01-01", "1969-12-31", "2028-02-29", "9999-12-31"} {
		s.Documents(search.DocumentQuery{Query: "hotel", AsOf: day})
	}
}
