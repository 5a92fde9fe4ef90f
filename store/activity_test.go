package store

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

// minute returns a record of a search so many minutes into a day.
func minute(trail string, n int) Activity {
	return Activity{
		Time: time.Date(2026, 5, 4, 0, n, 0, 0, time.UTC), TrailID: trail, Agent: "Claude", Tool: "search_trail_rules",
		Query: fmt.Sprintf("query %d", n), Filters: map[string][]string{"domains": {"Finance"}, "trails": {"a", "b"}},
		Rules: []RankedRule{{ID: "r1", Rank: 1}, {ID: "r2", Rank: 3}}, Conflicts: [][2]string{{"r1", "r2"}}, Milliseconds: 2.25,
	}
}

func TestActivities(t *testing.T) {
	s, w, trail, _ := filled(t, testOptions(t))
	other, err := s.CreateTrail(w, Trail{Name: "Other"})
	if err != nil {
		t.Fatal(err)
	}
	var want []Activity
	for _, n := range []int{5, 1, 9, 3, 7} { // not in order of time
		if err := s.AppendActivity(w, []Activity{minute(trail, n), minute(other.ID, n), minute("deleted", n)}); err != nil {
			t.Fatal(err)
		}
		want = append(want, minute(trail, n))
	}
	// Two at the same time: the one that came later is newer.
	twin := minute(trail, 9)
	twin.Query = "twin"
	if err := s.AppendActivity(w, []Activity{twin}); err != nil {
		t.Fatal(err)
	}
	want = append(want, twin)
	slices.SortStableFunc(want, func(a, b Activity) int { return a.Time.Compare(b.Time) })
	slices.Reverse(want)

	for _, limit := range []int{0, 1, 2, 3, 6, 7} {
		var got []Activity
		cursor := ""
		for pages := 0; pages < 10; pages++ {
			page, next, err := s.Activities(w, trail, cursor, limit)
			if err != nil {
				t.Fatal(err)
			}
			if limit > 0 && len(page) > limit || len(page) == 0 {
				t.Errorf("page of %d records, limit %d", len(page), limit)
			}
			got = append(got, page...)
			if cursor = next; next == "" {
				break
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("Activities() in pages of %d (-want +got):\n%s", limit, diff)
		}
	}
	for _, cursor := range []string{"x", "00", "zz", "0011223344556677"} {
		_, _, err := s.Activities(w, trail, cursor, 0)
		wantField(t, "Activities", err, "activity", "cursor")
	}
	if _, _, err := s.Activities(w, "nowhere", "", 0); !errors.Is(err, ErrNotFound) {
		t.Errorf("Activities() of no trail = %v, want ErrNotFound", err)
	}
	if err := s.Check(t.Context()); err != nil {
		t.Errorf("Check() = %v", err)
	}
}

func TestActivityIsRepaired(t *testing.T) {
	options := testOptions(t)
	options.Now = still
	s, w, trail, _ := filled(t, options)
	if err := s.AppendActivity(w, []Activity{{TrailID: trail, Query: "a\xffb", Filters: map[string][]string{"trails": {"\xff"}}}}); err != nil {
		t.Fatal(err)
	}
	got, _, err := s.Activities(w, trail, "", 0)
	want := []Activity{{Time: still(), TrailID: trail, Query: "a\uFFFDb", Filters: map[string][]string{"trails": {"\uFFFD"}}}}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("Activities() (-want +got), %v:\n%s", err, diff)
	}
}

func TestRetain(t *testing.T) {
	options := testOptions(t)
	options.Now = func() time.Time { return time.Date(2026, 5, 4, 1, 0, 0, 0, time.UTC) }
	for _, c := range []struct {
		age     time.Duration
		records int
		want    []int // minutes that stay in the first Trail
		other   int   // records that stay in the second
	}{
		{0, 0, []int{50, 40, 30, 20, 10}, 2},
		{30 * time.Minute, 0, []int{50, 40, 30}, 1},
		{0, 2, []int{50, 40}, 2},
		{45 * time.Minute, 1, []int{50}, 1},
		{time.Minute, 0, nil, 0},
		{24 * time.Hour, 5, []int{50, 40, 30, 20, 10}, 2},
	} {
		options.Path = testOptions(t).Path
		s, w, trail, _ := filled(t, options)
		other, err := s.CreateTrail(w, Trail{Name: "Other"})
		if err != nil {
			t.Fatal(err)
		}
		var records []Activity
		for _, n := range []int{30, 10, 50, 20, 40} {
			records = append(records, minute(trail, n))
		}
		records = append(records, minute(other.ID, 5), minute(other.ID, 55))
		if err := s.AppendActivity(w, records); err != nil {
			t.Fatal(err)
		}
		deleted, err := s.Retain(w, c.age, c.records)
		if want := 7 - len(c.want) - c.other; deleted != want || err != nil {
			t.Errorf("Retain(%v, %d) = %d, %v, want %d", c.age, c.records, deleted, err, want)
		}
		var got []int
		left, _, err := s.Activities(w, trail, "", 0)
		for _, activity := range left {
			got = append(got, activity.Time.Minute())
		}
		if !slices.Equal(got, c.want) || err != nil {
			t.Errorf("Retain(%v, %d) left %v, %v, want %v", c.age, c.records, got, err, c.want)
		}
		if left, _, err := s.Activities(w, other.ID, "", 0); len(left) != c.other || err != nil {
			t.Errorf("Retain(%v, %d) left %d in the other trail, %v, want %d", c.age, c.records, len(left), err, c.other)
		}
		if version, _ := s.Version(w); version != 3 {
			t.Errorf("Version() after Retain() = %d, want 3", version)
		}
	}
}

func TestWriterFlushesWithinTheInterval(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, w, trail, _ := filled(t, testOptions(t))
		writer := NewActivityWriter(s, 0, func(err error) { t.Error(err) })
		before := commits(t, s)
		for n := range 20 {
			if err := writer.Add(w, minute(trail, n)); err != nil {
				t.Fatal(err)
			}
		}
		synctest.Wait()
		if used := commits(t, s) - before; used != 0 {
			t.Errorf("%d commits before the interval, want none", used)
		}
		time.Sleep(DefaultFlushInterval)
		synctest.Wait()
		if got, _, err := s.Activities(w, trail, "", 0); len(got) != 20 || err != nil {
			t.Errorf("Activities() after the interval = %d, %v, want 20", len(got), err)
		}
		if used := commits(t, s) - before; used != 1 {
			t.Errorf("%d commits, want 1", used)
		}
		if err := writer.Add(w, minute(trail, 30)); err != nil {
			t.Fatal(err)
		}
		if err := writer.Close(); err != nil {
			t.Fatal(err)
		}
		if got, _, err := s.Activities(w, trail, "", 0); len(got) != 21 || err != nil {
			t.Errorf("Activities() after Close() = %d, %v, want 21", len(got), err)
		}
		if err := writer.Add(w, minute(trail, 31)); !errors.Is(err, ErrClosed) {
			t.Errorf("Add() after Close() = %v, want ErrClosed", err)
		}
		if err := writer.Close(); err != nil {
			t.Errorf("second Close() = %v", err)
		}
		s.Close()
	})
}

func TestWriterKeepsWhatFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		options := testOptions(t)
		s, w, trail, _ := filled(t, options)
		s.Close()
		options.ReadOnly = true
		s = openTest(t, options) // every write fails
		failures := 0
		writer := NewActivityWriter(s, time.Second, func(err error) {
			if !errors.Is(err, ErrReadOnly) {
				t.Error(err)
			}
			failures++
		})
		for range 3 {
			for n := range flushSize - 1 {
				if err := writer.Add(w, minute(trail, n)); err != nil {
					t.Fatal(err)
				}
			}
			time.Sleep(time.Second)
			synctest.Wait()
		}
		if failures != 3 {
			t.Errorf("%d failures, want 3", failures)
		}
		if writer.count != 3*(flushSize-1) || len(writer.waiting[w]) != writer.count {
			t.Errorf("%d records wait, want %d", writer.count, 3*(flushSize-1))
		}
		if err := writer.Add(w, make([]Activity, maxWaiting)...); err != nil {
			t.Fatal(err)
		}
		if want := uint64(3 * (flushSize - 1)); writer.Dropped() != want || writer.count != maxWaiting {
			t.Errorf("%d records were dropped and %d wait, want %d and %d", writer.Dropped(), writer.count, want, maxWaiting)
		}
		if err := writer.Close(); !errors.Is(err, ErrReadOnly) {
			t.Errorf("Close() = %v, want ErrReadOnly", err)
		}
		s.Close()
	})
}

func TestWriterDoesNotWaitWhenMuchIsWaiting(t *testing.T) {
	s, w, trail, _ := filled(t, testOptions(t))
	other, err := s.CreateWorkspace("Other")
	if err != nil {
		t.Fatal(err)
	}
	writer := NewActivityWriter(s, time.Hour, func(err error) { t.Error(err) })
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for n := range flushSize / 4 {
				if err := errors.Join(writer.Add(w, minute(trail, n%60)), writer.Add(other.ID), writer.Add("gone", minute(trail, 1))); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	for range 1000 {
		got, _, err := s.Activities(w, trail, "", 1)
		if err != nil {
			t.Fatal(err)
		}
		if len(got) > 0 {
			break
		}
		time.Sleep(5 * time.Millisecond)
	}
	if err := writer.Close(); err != nil {
		t.Fatal(err)
	}
	if got, _, err := s.Activities(w, trail, "", 0); len(got) != flushSize || err != nil {
		t.Errorf("Activities() = %d, %v, want %d", len(got), err, flushSize)
	}
	if writer.Dropped() != 0 {
		t.Errorf("Dropped() = %d, want 0", writer.Dropped())
	}
}
