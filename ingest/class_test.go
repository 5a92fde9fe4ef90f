package ingest

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"waymark/store"
)

type labelled struct {
	Half, Source, Text string
	Class              store.Class
}

// labelledRules reads one half of the sentences that were labelled by hand.
func labelledRules(t *testing.T, half string) []labelled {
	t.Helper()
	data, err := os.ReadFile("testdata/classes.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	var all []labelled
	for line := range strings.Lines(string(data)) {
		var l labelled
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			t.Fatal(err)
		}
		if l.Half == half {
			all = append(all, l)
		}
	}
	return all
}

// TestDeriveClassAccuracy holds the classifier to the bar of the project, .85, on
// the half of the sentences that it was not tuned on.
func TestDeriveClassAccuracy(t *testing.T) {
	for _, half := range []string{"tune", "test"} {
		all := labelledRules(t, half)
		right := 0
		confused := map[string]int{}
		for _, l := range all {
			got := DeriveClass(l.Text)
			if got == l.Class {
				right++
			} else {
				confused[fmt.Sprintf("%s for %s", got, l.Class)]++
			}
		}
		accuracy := float64(right) / float64(len(all))
		t.Logf("%s: %d of %d right, %.3f; %v", half, right, len(all), accuracy, confused)
		if accuracy < 0.85 {
			t.Errorf("accuracy on half %q = %.3f, want at least 0.85", half, accuracy)
		}
	}
}

func BenchmarkDeriveClass(b *testing.B) {
	all := []string{"Invoices over 5,000 USD must be approved by the head of finance before they are paid.", "The Regulator may, by Rules, prescribe any circumstances in which such requirements do not apply to certain Reporting Entities."}
	for i := 0; b.Loop(); i++ {
		DeriveClass(all[i%len(all)])
	}
}
