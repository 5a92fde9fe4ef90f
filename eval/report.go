package eval

import (
	"fmt"
	"io"
	"slices"
)

// Question is one judged question. Kind groups questions in the report; a
// question without a relevant item is a negative: nothing answers it.
type Question struct {
	ID        string          `json:"id"`
	Kind      string          `json:"kind"`
	Query     string          `json:"query"`
	Grades    map[string]int  `json:"grades"`
	Forbidden map[string]bool `json:"forbidden,omitempty"`
}

// Negative tells whether nothing answers the question.
func (q Question) Negative() bool {
	for _, g := range q.Grades {
		if g > 0 {
			return false
		}
	}
	return true
}

// Report is the outcome of a run, in all and by kind of question.
type Report struct {
	Set    string  `json:"set"`
	Groups []Group `json:"groups"`
}

// Group is the questions of one kind.
type Group struct {
	Kind      string           `json:"kind"`
	Questions int              `json:"questions"`
	Negatives int              `json:"negatives"`
	Metrics   map[string]Value `json:"metrics,omitempty"`
	// Refused is the share of answerable questions that got nothing, Answered the
	// share of negatives that got something, Stale the share of questions that
	// have a forbidden item and got it.
	Refused  Value `json:"answerable_refused"`
	Answered Value `json:"negatives_answered"`
	Stale    Value `json:"forbidden_served"`
	// Difference is each metric minus that of the run it is compared with, paired
	// by question.
	Difference map[string]Value `json:"difference,omitempty"`
}

// Measure scores a run, and compares it with another when that is not nil.
func Measure(set string, questions []Question, run, other Run) *Report {
	r := &Report{Set: set}
	kinds := []string{"all"}
	for _, q := range questions {
		if !slices.Contains(kinds, q.Kind) && q.Kind != "" {
			kinds = append(kinds, q.Kind)
		}
	}
	slices.Sort(kinds[1:])
	if len(kinds) == 2 {
		kinds = kinds[:1]
	}
	for _, kind := range kinds {
		r.Groups = append(r.Groups, measureGroup(kind, questions, run, other))
	}
	return r
}

func measureGroup(kind string, questions []Question, run, other Run) Group {
	g := Group{Kind: kind, Metrics: map[string]Value{}}
	samples, differences := map[string][]float64{}, map[string][]float64{}
	var refused, answered, stale []float64
	share := func(list *[]float64, yes bool) {
		x := 0.0
		if yes {
			x = 1
		}
		*list = append(*list, x)
	}
	for _, q := range questions {
		if kind != "all" && q.Kind != kind {
			continue
		}
		g.Questions++
		got := run[q.ID]
		if len(q.Forbidden) > 0 {
			share(&stale, slices.ContainsFunc(got, func(id string) bool { return q.Forbidden[id] }))
		}
		if q.Negative() {
			g.Negatives++
			share(&answered, len(got) > 0)
			continue
		}
		share(&refused, len(got) == 0)
		m, before := Score(got, q.Grades), Score(other[q.ID], q.Grades)
		old := before.values()
		for i, v := range m.values() {
			samples[v.Name] = append(samples[v.Name], *v.Value)
			differences[v.Name] = append(differences[v.Name], *v.Value-*old[i].Value)
		}
	}
	for name, sample := range samples {
		g.Metrics[name] = summarise(sample)
	}
	if other != nil {
		g.Difference = map[string]Value{}
		for name, sample := range differences {
			g.Difference[name] = summarise(sample)
		}
	}
	g.Refused, g.Answered, g.Stale = summarise(refused), summarise(answered), summarise(stale)
	return g
}

// Write prints the report as a table for people.
func (r *Report) Write(w io.Writer) {
	var names Metrics
	fmt.Fprintf(w, "%s\n%-22s %5s %5s", r.Set, "kind", "n", "neg")
	for _, v := range names.values() {
		fmt.Fprintf(w, "  %-13s", v.Name)
	}
	fmt.Fprintf(w, "  %-8s %-8s %-8s\n", "refused", "neg.answ", "stale")
	for _, g := range r.Groups {
		fmt.Fprintf(w, "%-22s %5d %5d", g.Kind, g.Questions, g.Negatives)
		for _, v := range names.values() {
			fmt.Fprintf(w, "  %.4f ±%.3f ", g.Metrics[v.Name].Mean, g.Metrics[v.Name].Half)
		}
		fmt.Fprintf(w, "  %.3f    %.3f    %.3f\n", g.Refused.Mean, g.Answered.Mean, g.Stale.Mean)
		if g.Difference != nil {
			fmt.Fprintf(w, "%-34s", "   difference")
			for _, v := range names.values() {
				fmt.Fprintf(w, "  %+.4f ±%.3f", g.Difference[v.Name].Mean, g.Difference[v.Name].Half)
			}
			fmt.Fprintln(w)
		}
	}
}
