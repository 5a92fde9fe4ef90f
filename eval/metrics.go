package eval

import (
	"math"
	"sort"
)

// Judgements are the grades of the items of each question: question id → item
// id → grade. A grade above 0 is relevant.
type Judgements map[string]map[string]int

// Run is the ids that were returned for each question, best first.
type Run map[string][]string

// Metrics of one question, or their mean. They follow trec_eval: nDCG has linear
// gain, and a question that got no answer counts 0.
type Metrics struct {
	NDCG10, Recall5, Recall10, Recall100, MRR10 float64
}

// Score computes the metrics of one question.
func Score(returned []string, grades map[string]int) Metrics {
	var ideal []int
	relevant := 0
	for _, g := range grades {
		if g > 0 {
			relevant++
			ideal = append(ideal, g)
		}
	}
	if relevant == 0 {
		return Metrics{}
	}
	sort.Sort(sort.Reverse(sort.IntSlice(ideal)))
	var m Metrics
	var gain, best float64
	for i, g := range ideal[:min(10, len(ideal))] {
		best += float64(g) / math.Log2(float64(i)+2)
	}
	for i, id := range returned[:min(100, len(returned))] {
		g := grades[id]
		if g <= 0 {
			continue
		}
		if i < 10 {
			gain += float64(g) / math.Log2(float64(i)+2)
			m.Recall10++
			if m.MRR10 == 0 {
				m.MRR10 = 1 / float64(i+1)
			}
		}
		if i < 5 {
			m.Recall5++
		}
		m.Recall100++
	}
	m.NDCG10 = gain / best
	m.Recall5 /= float64(relevant)
	m.Recall10 /= float64(relevant)
	m.Recall100 /= float64(relevant)
	return m
}

// values lists the metrics with their names.
func (m *Metrics) values() []struct {
	Name  string
	Value *float64
} {
	return []struct {
		Name  string
		Value *float64
	}{{"nDCG@10", &m.NDCG10}, {"R@5", &m.Recall5}, {"R@10", &m.Recall10}, {"R@100", &m.Recall100}, {"MRR@10", &m.MRR10}}
}

// Value is the mean of a metric with the half width of its 95 % confidence
// interval, by the normal approximation.
type Value struct {
	Mean float64 `json:"mean"`
	Half float64 `json:"ci95"`
}

// summarise is the mean and interval of a sample.
func summarise(sample []float64) Value {
	n := float64(len(sample))
	if n == 0 {
		return Value{}
	}
	var sum, squares float64
	for _, x := range sample {
		sum += x
	}
	mean := sum / n
	for _, x := range sample {
		squares += (x - mean) * (x - mean)
	}
	if n == 1 {
		return Value{Mean: mean}
	}
	return Value{Mean: mean, Half: 1.96 * math.Sqrt(squares/(n-1)/n)}
}
