package index

import (
	"math"
	"testing"

	"waymark/store"
)

// TestViews: on a day, rules outside their effective days and expired documents
// do not count, and their words change no score.
func TestViews(t *testing.T) {
	f := newFakeStore()
	rule := func(id, from, until string) {
		f.putRule(store.Rule{ID: id, Version: 1, Text: "hotel " + id, EffectiveFrom: from, EffectiveUntil: until})
	}
	rule("always", "", "")
	rule("from", "1970-01-11", "")
	rule("until", "", "1970-01-20")
	rule("within", "1970-01-11", "1970-01-20")
	document := func(id, from, until string) {
		f.putDocument(store.Document{ID: id, Title: id, ValidFrom: from, ValidUntil: until, Passages: []store.Passage{{Text: "hotel"}, {Text: "badge"}}})
	}
	document("always", "", "")
	document("upcoming", "1970-02-01", "")
	document("ends", "", "1970-01-20")
	s := acquire(t, openTest(t, f, testOptions("")))
	for _, test := range []struct {
		day       int32
		rules     string
		documents string
	}{
		{math.MinInt32 + 1, "always until", "always ends upcoming"},
		{9, "always until", "always ends upcoming"},
		{10, "always from until within", "always ends upcoming"},
		{19, "always from until within", "always ends upcoming"},
		{20, "always from", "always upcoming"},
		{math.MaxInt32, "always from", "always upcoming"},
	} {
		for c, want := range map[*Collection]string{s.Rules: test.rules, s.Documents: test.documents} {
			v := c.View(test.day)
			got, rows := "", 0
			for _, item := range v.InOrder() {
				first, end := v.RowsOf(item)
				if v.ItemCounts(item) {
					got += " " + v.ID(item)
					rows += end - first
				}
				if v.Counts(first) != v.ItemCounts(item) || v.Counting().Contains(first) != v.ItemCounts(item) || !v.Live(item) {
					t.Errorf("%s: day %d: the rows of %q count differently", c.kind, test.day, v.ID(item))
				}
			}
			if got != " "+want {
				t.Errorf("%s: on day %d count%s, want %s", c.kind, test.day, got, want)
			}
			df := rows
			if c.kind == Documents {
				df /= 2
			}
			if v.N() != rows || v.DF("stem:hotel") != df {
				t.Errorf("%s: day %d: N, DF = %d, %d, want %d, %d", c.kind, test.day, v.N(), v.DF("stem:hotel"), rows, df)
			}
			if held := v.RowsWith("stem:hotel").Count(); held != len(v.InOrder()) {
				t.Errorf("%s: day %d: RowsWith() has %d rows, want those of all %d items", c.kind, test.day, held, len(v.InOrder()))
			}
		}
	}
	if a, b := s.Rules.View(10), s.Rules.View(19); a != b {
		t.Error("days 10 and 19 have two views, want one: the same rules count")
	}
}

// TestEmptyWorkspace: nothing is nothing, not a panic.
func TestEmptyWorkspace(t *testing.T) {
	s := acquire(t, openTest(t, newFakeStore(), testOptions("")))
	for _, c := range []*Collection{s.Rules, s.Documents} {
		v := c.View(0)
		v.Score([]QueryTerm{{"stem:hotel", 1}}, nil, nil)
		if c.Rows() != 0 || c.Items() != 0 || v.N() != 0 || v.DF("stem:hotel") != 0 || v.IDF("stem:hotel") != math.Log(2) {
			t.Errorf("%s: %d rows, %d items, N %d, IDF %v", c.kind, c.Rows(), c.Items(), v.N(), v.IDF("stem:hotel"))
		}
		if c.Find("a") != -1 || c.ID(0) != "" || c.ItemOf(0) != -1 || c.Live(0) || v.Counts(0) || v.ItemCounts(-1) || v.HasVectors() {
			t.Errorf("%s: an item was found", c.kind)
		}
		for _, best := range v.BankMaxima() {
			if !math.IsInf(float64(best), -1) {
				t.Errorf("%s: maximum of the bank = %v, want none", c.kind, best)
			}
		}
	}
}

// TestRowsAndItems: rows, items and ids lead to each other.
func TestRowsAndItems(t *testing.T) {
	a := newAuthor(8, 300)
	m := openTest(t, a.store, testOptions(""))
	for range 3 {
		for range 300 {
			a.step()
		}
		refresh(t, m)
	}
	s := acquire(t, m)
	for _, c := range []*Collection{s.Rules, s.Documents} {
		seen := NewBitmap(c.Rows())
		before := ""
		for _, item := range c.InOrder() {
			id := c.ID(item)
			if c.Find(id) != item || id <= before {
				t.Fatalf("%s: Find(%q) = %d, want %d, and after %q", c.kind, id, c.Find(id), item, before)
			}
			before = id
			one := NewBitmap(c.Items())
			one.Set(item)
			first, end := c.RowsOf(item)
			rows := c.RowsOfItems(one)
			if rows.Count() != end-first || end == first {
				t.Fatalf("%s: %q has rows %d to %d, RowsOfItems() %d", c.kind, id, first, end, rows.Count())
			}
			for row := first; row < end; row++ {
				if c.ItemOf(row) != item || !rows.Contains(row) || c.HasVector(row) != (c.Vector(row) != nil) {
					t.Fatalf("%s: row %d is of item %d, want %d", c.kind, row, c.ItemOf(row), item)
				}
				seen.Set(row)
			}
			checkStored(t, a.store, c, item)
		}
		live := c.LiveRows()
		for row := range c.Rows() {
			if live.Contains(row) != seen.Contains(row) || seen.Contains(row) != (c.ItemOf(row) >= 0) {
				t.Fatalf("%s: row %d: live %v, of an item %v, ItemOf %d", c.kind, row, live.Contains(row), seen.Contains(row), c.ItemOf(row))
			}
		}
		if n := live.Count() - c.WithVector().Count(); n != c.RowsWithoutVector() || n == 0 {
			t.Errorf("%s: RowsWithoutVector() = %d, want %d and some", c.kind, c.RowsWithoutVector(), n)
		}
	}
}

// checkStored compares what an item gives back with what was stored.
func checkStored(t *testing.T, f *fakeStore, c *Collection, item int) {
	t.Helper()
	first, end := c.RowsOf(item)
	if c.kind == Rules {
		want := f.rules[c.ID(item)]
		got := c.Rule(item)
		meta := c.RuleMeta(item)
		if got.Text != want.Text || got.Version != want.Version || c.RuleOrNil(item) != got || meta.Place.TrailID != want.TrailID ||
			meta.Place.TrailName != f.trails[want.TrailID].Name || meta.EffectiveUntil != parseDay(want.EffectiveUntil) {
			t.Errorf("Rule(%q) = %+v, %+v, want %+v", c.ID(item), got, meta, want)
		}
		pieces := splitSentences(want.Text)
		for i, row := 0, first; row < end; i, row = i+1, row+1 {
			if got := c.Passage(row).Text; got != pieces[i] {
				t.Errorf("rule %q: row %d has %q, want %q", c.ID(item), i, got, pieces[i])
			}
		}
		return
	}
	want := f.documents[c.ID(item)]
	got := c.Document(item)
	if got.Title != want.Title || got.Raw != nil || got.Passages != nil || c.RuleOrNil(item) != nil || c.DocumentMeta(item).Path != want.Path {
		t.Errorf("Document(%q) = %+v, want %+v", c.ID(item), got, want)
	}
	for i, p := range want.Passages {
		if got := c.Passage(first + i); got.Text != p.Text || got.StartLine != p.StartLine || len(got.Headings) != len(p.Headings) {
			t.Errorf("document %q: passage %d is %+v, want %+v", c.ID(item), i, got, p)
		}
	}
}
