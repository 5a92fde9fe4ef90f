package conflict

import (
	"flag"
	"fmt"
	"testing"
)

var pointsFlag = flag.Bool("points", false, "print the points of all true conflicts found, beside what the writers asked for")

func TestPrintPoints(t *testing.T) {
	if !*pointsFlag {
		t.Skip("only with -points")
	}
	for _, p := range allPairs(t) {
		if !p.conflict() || heldOut(p.Writer) {
			continue
		}
		v := p.verdict()
		if v.Tier == TierConflict {
			fmt.Printf("%s %s/%s\n   A %s\n   B %s\n   want %s\n   got  %s\n", p.ID, p.Kind, v.Kind, p.A, p.B, p.Point, v.Point)
		}
	}
}
