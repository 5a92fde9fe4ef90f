package conflict

import "testing"

// BenchmarkPage compares the 45 pairs of a page of ten rules of the sample company.
func BenchmarkPage(b *testing.B) {
	rules, _ := readCompany(b)
	as := make([]*Analysis, 10)
	for i := range as {
		as[i] = Analyze(rules[i*7].input())
	}
	b.ReportAllocs()
	for b.Loop() {
		CompareAll(as)
	}
}

// BenchmarkTrail compares one rule with 200 others, as when it is added.
func BenchmarkTrail(b *testing.B) {
	rules, _ := readCompany(b)
	as := make([]*Analysis, 200)
	for i := range as {
		as[i] = Analyze(rules[i].input())
	}
	one := Analyze(Input{Text: sampleRule})
	b.ReportAllocs()
	for b.Loop() {
		for _, a := range as {
			Compare(one, a)
		}
	}
}

func BenchmarkAnalyze(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		Analyze(Input{Text: sampleRule})
	}
}

func BenchmarkDecode(b *testing.B) {
	data := Analyze(Input{Text: sampleRule}).Encode()
	b.ReportMetric(float64(len(data)), "bytes")
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Decode(data); err != nil {
			b.Fatal(err)
		}
	}
}
