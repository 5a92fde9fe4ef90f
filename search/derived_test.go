package search

import (
	"testing"

	"waymark/index"
)

// TestDerived: a value is made once for a state and a day, anew for another, and
// no workspace waits for another.
func TestDerived(t *testing.T) {
	var d derived[int]
	made := 0
	get := func(workspace string, of derivedState, day Day) int {
		return d.get(workspace, of, day, func() int { made++; return made })
	}
	one, two := derivedState{&index.Collection{}, 1}, derivedState{&index.Collection{}, 2}
	for i, c := range []struct {
		workspace string
		of        derivedState
		day       Day
		want      int
	}{
		{"a", one, 1, 1}, {"a", one, 1, 1}, {"a", one, 2, 2}, {"a", one, 1, 1}, {"b", one, 1, 3},
		{"a", two, 1, 4}, {"a", two, 1, 4}, {"a", one, 1, 5}, {"b", one, 1, 3}, {"a", derivedState{one.collection, 2}, 1, 6},
	} {
		if got := get(c.workspace, c.of, c.day); got != c.want {
			t.Errorf("call %d: %d, want %d", i, got, c.want)
		}
	}
	for day := range Day(100) {
		get("a", one, day)
	}
	if n := len(d.byWorkspace["a"].byDay); n > keptDays {
		t.Errorf("%d days are kept, want at most %d", n, keptDays)
	}
	if of := d.byWorkspace["a"].of; of != one {
		t.Errorf("%+v is kept beside the current state", of)
	}
	slow := make(chan struct{})
	begun := make(chan struct{})
	done := make(chan int)
	go func() {
		done <- d.get("slow", one, 1, func() int { close(begun); <-slow; return 7 })
	}()
	<-begun
	if got := get("b", one, 1); got != 3 {
		t.Errorf("beside a slow workspace: %d, want 3", got)
	}
	close(slow)
	if got := <-done; got != 7 {
		t.Errorf("the slow workspace: %d, want 7", got)
	}
}
