package conflict

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

var (
	reportFlag = flag.Bool("report", false, "print the evaluation")
	linesFlag  = flag.String("lines", "", "write one JSON line of verdict for each pair to this file")
	errorsFlag = flag.String("errors", "", "print the pairs of this writer that are judged wrong")
)

// tally counts verdicts.
type tally struct{ conflicts, none, namedTrue, namedFalse, checkTrue, checkFalse int }

func (t *tally) add(p *labelledPair, v Verdict) {
	named, check := v.Tier == TierConflict, v.Tier != TierNone
	if p.conflict() {
		t.conflicts++
		t.namedTrue += count(named)
		t.checkTrue += count(check)
	} else {
		t.none++
		t.namedFalse += count(named)
		t.checkFalse += count(check)
	}
}

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}

func ratio(a, b int) float64 {
	if b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}

func prf(right, wrong, all int) string {
	p, r := ratio(right, right+wrong), ratio(right, all)
	f := 0.0
	if p+r > 0 {
		f = 2 * p * r / (p + r)
	}
	return fmt.Sprintf("P %.2f R %.2f F1 %.2f", p, r, f)
}

func (t *tally) String() string {
	return fmt.Sprintf("%3d conflicts %3d none · conflict %s · check %s", t.conflicts, t.none,
		prf(t.namedTrue, t.namedFalse, t.conflicts), prf(t.checkTrue, t.checkFalse, t.conflicts))
}

// report prints figures per writer, per kind and per reason.
func report(pairs []*labelledPair) string {
	var b strings.Builder
	writers, kindsOf, reasons := map[string]*tally{}, map[string]*tally{}, map[string]*tally{}
	get := func(m map[string]*tally, k string) *tally {
		if m[k] == nil {
			m[k] = &tally{}
		}
		return m[k]
	}
	for _, p := range pairs {
		v := p.verdict()
		get(writers, p.Writer).add(p, v)
		if p.conflict() {
			get(kindsOf, p.Kind+p.Type).add(p, v)
		} else {
			get(reasons, p.Why).add(p, v)
		}
	}
	for _, k := range sortedKeys(writers) {
		fmt.Fprintf(&b, "%-14s %v\n", k, writers[k])
	}
	for _, k := range sortedKeys(kindsOf) {
		t := kindsOf[k]
		fmt.Fprintf(&b, "  kind %-20s %3d: conflict %.2f check %.2f\n", k, t.conflicts, ratio(t.namedTrue, t.conflicts), ratio(t.checkTrue, t.conflicts))
	}
	for _, k := range sortedKeys(reasons) {
		t := reasons[k]
		fmt.Fprintf(&b, "  why  %-20s %3d: conflict %.2f check %.2f\n", k, t.none, ratio(t.namedFalse, t.none), ratio(t.checkFalse, t.none))
	}
	return b.String()
}

func sortedKeys[V any](m map[string]V) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// TestReport prints the evaluation of all pairs with the shipped weights:
//
//	go test ./conflict -run TestReport -report [-pairs 'a.jsonl,b*.jsonl'] [-lines out.jsonl]
func TestReport(t *testing.T) {
	if !*reportFlag && *linesFlag == "" && *errorsFlag == "" {
		t.Skip("only with -report, -lines or -errors")
	}
	pairs := allPairs(t)
	if *reportFlag {
		var tuned, held []*labelledPair
		for _, p := range pairs {
			if heldOut(p.Writer) {
				held = append(held, p)
			} else {
				tuned = append(tuned, p)
			}
		}
		fmt.Printf("writers tuned on\n%s\nwriters held out\n%s\n", report(tuned), report(held))
		if *pairFiles == "" {
			conflicts, none := normPairs(t, -1)
			var even, odd []*labelledPair
			for _, p := range append(conflicts, none...) {
				p.Writer = "norm"
				if trainContract(p.Contract) {
					even = append(even, p)
				} else {
					odd = append(odd, p)
				}
			}
			fmt.Printf("contracts trained on\n%s\ncontracts held out\n%s\n", report(even), report(odd))
		}
	}
	if *reportFlag && *pairFiles == "" {
		_, company := readCompany(t)
		fmt.Printf("sample company\n%s%s\n", report(company), companyNoise(t, nil))
	}
	if *linesFlag != "" {
		file, err := os.Create(*linesFlag)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		encoder := json.NewEncoder(file)
		for _, p := range pairs {
			v := p.verdict()
			line := struct {
				ID      string  `json:"id"`
				Verdict Tier    `json:"verdict"`
				Kind    Kind    `json:"kind"`
				Point   string  `json:"point"`
				Score   float64 `json:"score"`
			}{p.ID, v.Tier, v.Kind, v.Point, v.Score}
			if err := encoder.Encode(line); err != nil {
				t.Fatal(err)
			}
		}
	}
	if *errorsFlag != "" {
		if *errorsFlag == "norm" {
			conflicts, none := normPairs(t, 400)
			pairs = nil
			for _, p := range append(conflicts, none...) {
				if trainContract(p.Contract) {
					p.Writer = "norm"
					pairs = append(pairs, p)
				}
			}
		}
		if *errorsFlag == "company" {
			_, pairs = readCompany(t)
		}
		printErrors(pairs, *errorsFlag)
	}
}

// trainContract splits the contracts into two halves.
func trainContract(id string) bool {
	if id == "" {
		return false
	}
	return (id[len(id)-1]-'0')%2 == 0
}

func printErrors(pairs []*labelledPair, writer string) {
	for _, p := range pairs {
		if p.Writer != writer || heldOut(p.Writer) {
			continue
		}
		v := p.verdict()
		switch {
		case p.conflict() && v.Tier == TierNone:
			fmt.Printf("MISSED ")
		case !p.conflict() && v.Tier != TierNone:
			fmt.Printf("FALSE-%s ", v.Tier)
		default:
			continue
		}
		pr, ok := p.pairing()
		fmt.Printf("%s %s%s %.2f kind=%s\n   A %s\n   B %s\n   want %s\n   got  %s\n", p.ID, p.Kind, p.Why, v.Score, v.Kind, p.A, p.B, p.Point, v.Point)
		if ok {
			for _, e := range pr.explain() {
				fmt.Printf("      %s\n", e)
			}
		}
	}
}
