package conflict

import (
	"strings"
	"testing"
	"time"
)

var fuzzSeeds = []string{"Only then may the head of finance sign; under no circumstances is the key to be kept by the guard.", "There is one talk a year.", "", " ", ".", "no", "not more than", "between 5 and", "If , ", "5,000 USD", "thirty (30", "it is the", "\n\n- a\n- b", "日本語の規則です。", "ﬁ ﷺ \x00\xff", "e-", "’s", "1/", "every", "within", "at the", sampleRule,
	"Nobody but the vet, who is on call, may, unless otherwise agreed, treat more than 3 cows a day; it is the farmer who pays."}

func FuzzAnalyze(f *testing.F) {
	for _, s := range fuzzSeeds {
		f.Add(s, sampleRule)
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		x, y := Analyze(Input{Text: a, Title: b}), Analyze(Input{Text: b, Tags: []string{a}, AppliesWhen: []string{a}})
		v := Compare(x, y)
		if !(v.Score >= 0 && v.Score <= 1) {
			t.Errorf("Compare(%q, %q) has score %v", a, b, v.Score)
		}
		if w := Compare(y, x); w.Tier != v.Tier {
			t.Errorf("Compare(%q, %q) is %s one way and %s the other", a, b, v.Tier, w.Tier)
		}
		z, err := Decode(x.Encode())
		if err != nil {
			t.Fatalf("Decode(Encode(%q)): %v", a, err)
		}
		if w := Compare(z, y); w.Score != v.Score {
			t.Errorf("Compare(%q, %q) = %v after storage, want %v", a, b, w.Score, v.Score)
		}
	})
}

func FuzzDecode(f *testing.F) {
	for _, s := range fuzzSeeds {
		f.Add(Analyze(Input{Text: s}).Encode())
	}
	other := Analyze(Input{Text: sampleRule})
	f.Fuzz(func(t *testing.T, data []byte) {
		a, err := Decode(data)
		if err != nil {
			return
		}
		Compare(a, other)
		if _, err := Decode(a.Encode()); err != nil {
			t.Errorf("Decode(Encode(Decode(%x))): %v", data, err)
		}
	})
}

func TestAnalyzeReadsNoMoreThanItsLimits(t *testing.T) {
	for name, text := range map[string]string{
		"words":        strings.Repeat("no more than five orders ", 1e5),
		"one word":     strings.Repeat("x", 1e6),
		"no spaces":    strings.Repeat("規則", 1e6),
		"conditions":   strings.Repeat("if when unless except without ", 1e5),
		"marks":        strings.Repeat(",.;:", 1e6),
		"numbers":      strings.Repeat("5,000 USD 3 days every 2 weeks ", 1e5),
		"coordinators": strings.Repeat("and must be kept or ", 1e5),
		"cleft":        strings.Repeat("it is the driver who ", 1e5),
	} {
		start := time.Now()
		a := Analyze(Input{Text: text})
		Compare(a, a)
		if len(a.Clauses) > MaxClauses || len(a.Quantities) > maxQuantities {
			t.Errorf("%s: %d clauses and %d quantities", name, len(a.Clauses), len(a.Quantities))
		}
		if spent := time.Since(start); spent > 2*time.Second {
			t.Errorf("%s: took %v", name, spent)
		}
	}
}
