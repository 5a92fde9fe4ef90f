package conflict

import (
	"bufio"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
)

var describeFlag = flag.String("describe", "", "print the analysis of each line of this file")

// describe prints what an analysis holds, for people who work on the analyser.
func describe(text string) string {
	var b strings.Builder
	r := newReading(text)
	name := map[concept]string{}
	for i := range r.tokens {
		if m := r.tokens[i].means; m != 0 && name[m] == "" {
			name[m] = r.tokens[i].word
		}
	}
	names := func(cs []concept) string {
		var s []string
		for _, c := range cs {
			s = append(s, name[c])
		}
		return strings.Join(s, " ")
	}
	a := Analyze(Input{Text: text})
	roles := []string{"-", "subj", "THEME", "VERB", "comp", "ACTOR", "cond", "exc", "purp", "anch", "head"}
	forces := []string{"-", "MUST", "SHOULD", "MAY", "NEEDNOT", "MUSTNOT", "FACT"}
	for i, c := range a.Clauses {
		fmt.Fprintf(&b, "  [%d] %s cue=%q verb=%q theme=%q head=%s", i, forces[c.Force], c.Cue, c.Verb, c.Theme, name[c.Head])
		for _, f := range []struct {
			n string
			v bool
		}{{"only", c.Only}, {"univ", c.Universal}, {"inh", c.Inherits}, {"cop", c.Copula}, {"pass", c.Passive}, {"until", c.Until}} {
			if f.v {
				b.WriteString(" " + f.n)
			}
		}
		b.WriteString("\n     ")
		last := roleNone
		for _, t := range c.Terms {
			if t.Role != last {
				fmt.Fprintf(&b, " %s:", roles[t.Role])
				last = t.Role
			}
			b.WriteString(" " + name[t.Means])
		}
		b.WriteString("\n")
		for _, f := range c.Parts {
			fmt.Fprintf(&b, "      part %s %q\n", f.Opener, f.Text)
		}
		for _, f := range c.Condition {
			fmt.Fprintf(&b, "      cond %q\n", f.Text)
		}
		for _, f := range c.Exception {
			fmt.Fprintf(&b, "      exc %q\n", f.Text)
		}
		for _, f := range c.Without {
			fmt.Fprintf(&b, "      without %q\n", f.Text)
		}
		for _, x := range c.Actors {
			fmt.Fprintf(&b, "      actor %q rel=%d office=%v n=%d\n", x.Text, x.Relation, x.Office, x.Count)
		}
	}
	for _, q := range a.Quantities {
		fmt.Fprintf(&b, "   q[%d] %s %g..%g cmp=%d role=%d side=%d wd=%v unit=(%s) per=(%s) anchor=(%s) near=(%s) %q\n", q.Clause, q.Dimension, q.Low, q.High, q.Comparator, q.Role, q.Side, q.Working, names(q.Unit), names(q.Per), names(q.Anchor), names(q.Near), q.Text)
	}
	for _, f := range a.Frequencies {
		fmt.Fprintf(&b, "   f[%d] %g cmp=%d adj=%v %q\n", f.Clause, f.PerYear, f.Comparator, f.Adjective, f.Text)
	}
	return b.String()
}

var pairFlag = flag.String("pair", "", "compare two texts, separated by ||")

func TestPair(t *testing.T) {
	if *pairFlag == "" {
		t.Skip("only with -pair")
	}
	a, b, _ := strings.Cut(*pairFlag, "||")
	fmt.Printf("%s%s", describe(a), describe(b))
	x, y := Analyze(Input{Text: a}), Analyze(Input{Text: b})
	p, _ := bestPairing(x, y, cosine(nil, nil))
	fmt.Printf("clauses %d and %d\n%s\n", p.ia, p.ib, strings.Join(p.explain(), "\n"))
	for i, f := range p.features {
		if f != 0 {
			fmt.Printf("%s=%.2f ", featureNames[i], f)
		}
	}
	fmt.Printf("\n%+v\n", Compare(x, y))
}

func TestDescribe(t *testing.T) {
	if *describeFlag == "" {
		t.Skip("only with -describe")
	}
	file, err := os.Open(*describeFlag)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	scanner := bufio.NewScanner(file)
	scanner.Buffer(nil, 1<<20)
	for scanner.Scan() {
		fmt.Printf("%s\n%s", scanner.Text(), describe(scanner.Text()))
	}
}
