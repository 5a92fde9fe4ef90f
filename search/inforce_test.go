package search

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func mustDay(t *testing.T, text string) Day {
	t.Helper()
	d, ok := ParseDay(text)
	if !ok {
		t.Fatalf("ParseDay(%q) failed", text)
	}
	return d
}

// facts builds a document from a line of words: status, then from=, until=,
// verified=, recheck=, path=, and the marks template and unreadable.
func facts(t *testing.T, status string, fields ...string) DocumentFacts {
	t.Helper()
	f := DocumentFacts{ID: "d", Path: "universal/d.md", Status: status, ValidFrom: NoDay, ValidUntil: NoDay, LastVerified: NoDay, RecheckBy: NoDay}
	for i := 0; i+1 < len(fields); i += 2 {
		switch name, value := fields[i], fields[i+1]; name {
		case "from":
			f.ValidFrom = mustDay(t, value)
		case "until":
			f.ValidUntil = mustDay(t, value)
		case "verified":
			f.LastVerified = mustDay(t, value)
		case "recheck":
			f.RecheckBy = mustDay(t, value)
		case "path":
			f.Path = value
		case "template":
			f.Template = true
		case "unreadable":
			f.Unreadable = true
		default:
			t.Fatalf("unknown field %q", name)
		}
	}
	return f
}

func TestInForceDocumentAlone(t *testing.T) {
	type row struct {
		day, status string
		fields      []string
		want        bool
	}
	day := "2026-12-01"
	var rows []row
	add := func(day, status string, want bool, fields ...string) {
		rows = append(rows, row{day, status, fields, want})
	}
	for status, want := range map[string]bool{
		"active": true, "accepted": true, "approved": true, "Active": true, "ACCEPTED": true, " approved ": true, "Accepted ": true, "\tactive\n": true,
		"": false, " ": false, "draft": false, "proposed": false, "deprecated": false, "superseded": false, "rejected": false, "withdrawn": false,
		"retired": false, "final": false, "in force": false, "activ": false, "not active": false, "accepted by the board": false, "unknown": false, "inactive": false,
	} {
		add(day, status, want)
		add(day, status, want, "from", "2026-01-01", "until", "2026-12-31")
		add(day, status, false, "until", "2026-11-30")
	}
	// Both ends of the window are in.
	for d, want := range map[string]bool{"2026-02-28": false, "2026-03-01": true, "2026-06-15": true, "2026-08-31": true, "2026-09-01": false} {
		add(d, "active", want, "from", "2026-03-01", "until", "2026-08-31")
	}
	add("2026-03-01", "active", true, "from", "2026-03-01", "until", "2026-03-01")
	add("2026-03-02", "active", false, "from", "2026-03-01", "until", "2026-03-01")
	add("2026-03-01", "active", false, "from", "2026-03-02", "until", "2026-03-01")
	// Leap days and year ends.
	add("2028-02-29", "active", true, "from", "2028-02-29")
	add("2028-02-28", "active", false, "from", "2028-02-29")
	add("2028-02-29", "active", true, "until", "2028-02-29")
	add("2028-03-01", "active", false, "until", "2028-02-29")
	add("2026-12-31", "active", true, "until", "2026-12-31")
	add("2027-01-01", "active", false, "until", "2026-12-31")
	add("1969-12-31", "active", true, "from", "1969-12-31", "until", "1969-12-31")
	add("1969-12-30", "active", false, "from", "1969-12-31")
	// The inbox, by any spelling of its path.
	for path, want := range map[string]bool{
		"memory/inbox/a.md": false, "memory/inbox/x/y.md": false, "Memory/Inbox/a.md": false, "./memory/inbox/a.md": false, "memory//inbox/a.md": false,
		`memory\inbox\a.md`: false, "/memory/inbox/a.md": false,
		"memory/accepted/a.md": true, "memory/inbox.md": true, "notes/memory/inbox/a.md": true, "memory/inboxes/a.md": true,
	} {
		add(day, "active", want, "path", path)
	}
	// Unknown never governs.
	add(day, "active", false, "unreadable", "")
	add(day, "active", false, "template", "")
	// Staleness is advice.
	add(day, "active", true, "recheck", "2020-01-01")
	add(day, "active", true, "verified", "2000-01-01")
	if len(rows) < 80 {
		t.Fatalf("only %d rows", len(rows))
	}
	for _, r := range rows {
		got, why := facts(t, r.status, r.fields...).Qualifies(mustDay(t, r.day))
		if got != r.want || got == (why != "") {
			t.Errorf("status %q %v on %s: Qualifies = %v (%q), want %v", r.status, r.fields, r.day, got, why, r.want)
		}
	}
}

func TestFreshness(t *testing.T) {
	const day = "2026-12-01"
	for _, c := range []struct {
		fields   []string
		dueAfter int
		want     Freshness
	}{
		{nil, 0, Fresh},
		{[]string{"until", "2026-11-30"}, 0, Expired},
		{[]string{"until", "2026-12-01"}, 0, Fresh},
		{[]string{"from", "2026-12-02"}, 0, Upcoming},
		{[]string{"from", "2026-12-01"}, 0, Fresh},
		{[]string{"from", "2027-01-01", "until", "2026-01-01"}, 0, Expired},
		{[]string{"recheck", "2026-11-30"}, 0, Stale},
		{[]string{"recheck", "2026-12-01"}, 0, Fresh},
		{[]string{"recheck", "2026-11-30", "until", "2026-11-29"}, 0, Expired},
		{nil, 90, Stale},
		{[]string{"verified", "2026-09-02"}, 90, Fresh},
		{[]string{"verified", "2026-09-01"}, 90, Stale},
		{[]string{"verified", "2020-01-01", "recheck", "2027-01-01"}, 90, Fresh},
		{[]string{"verified", "2020-01-01"}, 0, Fresh},
	} {
		if got := facts(t, "active", c.fields...).FreshnessOn(mustDay(t, day), c.dueAfter); got != c.want {
			t.Errorf("%v, due after %d: FreshnessOn = %q, want %q", c.fields, c.dueAfter, got, c.want)
		}
	}
}

func TestTheDayIsThatOfTheZone(t *testing.T) {
	for _, c := range []struct{ instant, zone, want string }{
		{"2026-12-01T00:30:00Z", "America/New_York", "2026-11-30"},
		{"2026-12-01T00:30:00Z", "Pacific/Kiritimati", "2026-12-01"},
		{"2026-12-01T11:00:00Z", "Pacific/Kiritimati", "2026-12-02"},
		{"2026-03-29T00:59:59Z", "Europe/Vienna", "2026-03-29"}, // the hour that summer time skips
		{"2026-03-28T23:00:00Z", "Europe/Vienna", "2026-03-29"},
		{"2026-10-24T22:00:00Z", "Europe/Vienna", "2026-10-25"},
		{"2026-10-25T22:59:59Z", "Europe/Vienna", "2026-10-25"}, // 25 hours long
		{"2026-10-25T23:00:00Z", "Europe/Vienna", "2026-10-26"},
	} {
		zone, err := time.LoadLocation(c.zone)
		if err != nil {
			t.Fatal(err)
		}
		instant, err := time.Parse(time.RFC3339, c.instant)
		if err != nil {
			t.Fatal(err)
		}
		if got := DayOf(instant, zone).String(); got != c.want {
			t.Errorf("DayOf(%s, %s) = %s, want %s", c.instant, c.zone, got, c.want)
		}
	}
}

// graph builds documents a, b, c … from lines "id status supersedes…".
func graph(lines ...[]string) []DocumentFacts {
	var docs []DocumentFacts
	for _, l := range lines {
		docs = append(docs, DocumentFacts{ID: l[0], Path: l[0] + ".md", Status: l[1], ValidFrom: NoDay, ValidUntil: NoDay, LastVerified: NoDay, RecheckBy: NoDay, Supersedes: l[2:]})
	}
	return docs
}

func TestSupersession(t *testing.T) {
	for _, c := range []struct {
		name    string
		docs    []DocumentFacts
		inForce map[string]bool
		by      map[string][]string
		cycles  [][]string
	}{
		{"one replaces another", graph([]string{"a", "active"}, []string{"b", "active", "a"}), map[string]bool{"b": true}, map[string][]string{"a": {"b"}}, nil},
		{"a chain leaves the newest", graph([]string{"a", "active"}, []string{"b", "active", "a"}, []string{"c", "active", "b"}), map[string]bool{"c": true}, map[string][]string{"a": {"b"}, "b": {"c"}}, nil},
		{"a draft replaces nobody", graph([]string{"a", "active"}, []string{"b", "draft", "a"}), map[string]bool{"a": true}, nil, nil},
		{"a superseded one still hides what it replaced only if it qualifies", graph([]string{"a", "active"}, []string{"b", "superseded", "a"}, []string{"c", "active", "b"}), map[string]bool{"a": true, "c": true}, map[string][]string{"b": {"c"}}, nil},
		{"a self-link excludes nobody", graph([]string{"a", "active", "a"}), map[string]bool{"a": true}, nil, [][]string{{"a"}}},
		{"a cycle of two excludes nobody", graph([]string{"a", "active", "b"}, []string{"b", "active", "a"}), map[string]bool{"a": true, "b": true}, nil, [][]string{{"a", "b"}}},
		{"a cycle of three excludes nobody, but its tail", graph([]string{"a", "active", "b"}, []string{"b", "active", "c"}, []string{"c", "active", "a", "d"}, []string{"d", "active"}),
			map[string]bool{"a": true, "b": true, "c": true}, map[string][]string{"d": {"c"}}, [][]string{{"a", "b", "c"}}},
		{"two replace one", graph([]string{"z", "active", "a"}, []string{"a", "active"}, []string{"b", "approved", "a"}), map[string]bool{"z": true, "b": true}, map[string][]string{"a": {"b", "z"}}, nil},
		{"named twice counts once", graph([]string{"a", "active"}, []string{"b", "active", "a", "a", "a.md"}), map[string]bool{"b": true}, map[string][]string{"a": {"b"}}, nil},
		{"an unknown name is nobody", graph([]string{"a", "active", "gone"}), map[string]bool{"a": true}, nil, nil},
		{"case and path", graph([]string{"ADR-1", "active"}, []string{"p", "active"}, []string{"n", "active", "adr-1", "p.md"}), map[string]bool{"n": true}, map[string][]string{"ADR-1": {"n"}, "p": {"n"}}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			standing := Govern(c.docs, mustDay(t, "2026-12-01"), 0)
			for i, s := range standing {
				id := c.docs[i].ID
				if s.InForce != c.inForce[id] {
					t.Errorf("%s in force = %v (%s), want %v", id, s.InForce, s.Why, c.inForce[id])
				}
				if d := cmp.Diff(c.by[id], s.ReplacedBy); d != "" {
					t.Errorf("%s replaced by (-want +got):\n%s", id, d)
				}
			}
			if d := cmp.Diff(c.cycles, SupersessionCycles(c.docs)); d != "" {
				t.Errorf("cycles (-want +got):\n%s", d)
			}
		})
	}
}

func TestASupersederOutsideItsWindowReplacesNobody(t *testing.T) {
	docs := graph([]string{"old", "active"}, []string{"new", "active", "old"})
	docs[1].ValidFrom = mustDay(t, "2027-01-01")
	for day, want := range map[string]bool{"2026-12-31": true, "2027-01-01": false} {
		if got := Govern(docs, mustDay(t, day), 0)[0].InForce; got != want {
			t.Errorf("old in force on %s = %v, want %v", day, got, want)
		}
	}
}

func TestALongChainIsNoProblem(t *testing.T) {
	lines := [][]string{{"d0", "active"}}
	for i := 1; i < 50_000; i++ {
		lines = append(lines, []string{fmt.Sprint("d", i), "active", fmt.Sprint("d", i-1)})
	}
	inForce := 0
	for _, s := range Govern(graph(lines...), mustDay(t, "2026-12-01"), 0) {
		if s.InForce {
			inForce++
		}
	}
	if inForce != 1 {
		t.Errorf("%d documents in force, want 1", inForce)
	}
}
