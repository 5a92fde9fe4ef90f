package analysis

import "testing"

// rule44 is a rule of 44 words, the mean of the corpora, with a code, amounts
// and punctuation.
const rule44 = `Purchase orders above $5,000 must be approved by the department head and a finance manager before form PO-1234 ` +
	`is sent to the supplier; invoices without an approved order are returned within 10 business days, unless the supplier's ` +
	`contract states otherwise or the CFO agrees in writing.`

func BenchmarkAnalyze(b *testing.B) {
	a := New()
	b.ReportAllocs()
	for b.Loop() {
		a.Analyze(rule44)
	}
}

func BenchmarkAppend(b *testing.B) {
	a := New()
	var tokens []Token
	b.ReportAllocs()
	for b.Loop() {
		tokens = a.Append(tokens[:0], rule44)
	}
}

func BenchmarkAnalyzeCold(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		b.StopTimer()
		a := New()
		b.StartTimer()
		a.Analyze(rule44)
	}
}

func BenchmarkParseQuery(b *testing.B) {
	a := New()
	b.ReportAllocs()
	for b.Loop() {
		a.ParseQuery("who has to approve a purchase order of more than 5000 dollars before it goes to the supplier")
	}
}

func BenchmarkMatch(b *testing.B) {
	a := New()
	q := a.ParseQuery("who has to approve a purchase order of more than 5000 dollars before it goes to the supplier").Matcher()
	b.ReportAllocs()
	for b.Loop() {
		q.Match(rule44)
	}
}
