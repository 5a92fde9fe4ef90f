package store_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"sync"
	"testing"

	"waymark/store"
	"waymark/store/storetest"
)

// onDisk opens a store with syncs, in a directory of the test.
func onDisk(t testing.TB) *store.Store {
	options := storetest.Options(t)
	options.NoSync = false
	return storetest.OpenWith(t, options)
}

// ruleText returns text of the length of a usual rule.
func ruleText(n int) string {
	return fmt.Sprintf("Invoice %d above 5,000 USD must be approved by the head of finance before it is paid, "+
		"and the approval is kept with the invoice for seven years. Contractors follow the same rule.", n)
}

// BenchmarkAddRule is one writer: each rule is a commit of its own.
func BenchmarkAddRule(b *testing.B) {
	s := onDisk(b)
	w := storetest.Workspace(b, s, "Acme")
	invoices := trail(b, s, w, "Invoices")
	n := 0
	for b.Loop() {
		n++
		if _, err := s.AddRule(w, rule(invoices, ruleText(n)), "ann"); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkAddRule32Writers is 32 writers that share commits. An operation is
// one rule.
func BenchmarkAddRule32Writers(b *testing.B) {
	s := onDisk(b)
	w := storetest.Workspace(b, s, "Acme")
	invoices := trail(b, s, w, "Invoices")
	b.ResetTimer()
	var group sync.WaitGroup
	for writer := range 32 {
		group.Go(func() {
			for n := writer; n < b.N; n += 32 {
				if _, err := s.AddRule(w, rule(invoices, ruleText(n)), "ann"); err != nil {
					b.Error(err)
				}
			}
		})
	}
	group.Wait()
	b.StopTimer()
}

// BenchmarkAddRules is one transaction with 10,000 approved rules.
func BenchmarkAddRules(b *testing.B) {
	s := onDisk(b)
	w := storetest.Workspace(b, s, "Acme")
	invoices := trail(b, s, w, "Invoices")
	for b.Loop() {
		err := s.Update(w, func(tx *store.Tx) error {
			for n := range 10_000 {
				r := rule(invoices, ruleText(n))
				r.Status = store.StatusApproved
				if _, err := tx.AddRule(r, "ann"); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			b.Fatal(err)
		}
	}
	info, err := os.Stat(s.Path())
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(10_000*float64(b.N)/b.Elapsed().Seconds(), "rules/s")
	b.ReportMetric(float64(info.Size())/float64(b.N)/10_000, "filebytes/rule")
}

// BenchmarkPutVectors is one transaction with 10,000 vectors of 384 dimensions.
func BenchmarkPutVectors(b *testing.B) {
	s := onDisk(b)
	w := storetest.Workspace(b, s, "Acme")
	random := rand.New(rand.NewPCG(1, 2))
	vector := make([]float32, 384)
	for i := range vector {
		vector[i] = random.Float32()
	}
	n := 0
	for b.Loop() {
		hashes, vectors := make([]store.Hash, 10_000), make([][]float32, 10_000)
		for i := range hashes {
			n++
			hashes[i], vectors[i] = store.HashText(ruleText(n)), vector
		}
		if err := s.PutVectors(w, "model", hashes, vectors); err != nil {
			b.Fatal(err)
		}
	}
	info, err := os.Stat(s.Path())
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(info.Size())/float64(n), "filebytes/vector")
}

// BenchmarkRules reads 10,000 rules.
func BenchmarkRules(b *testing.B) {
	s := storetest.Open(b)
	w := storetest.Workspace(b, s, "Acme")
	invoices := trail(b, s, w, "Invoices")
	err := s.Update(w, func(tx *store.Tx) error {
		for n := range 10_000 {
			if _, err := tx.AddRule(rule(invoices, ruleText(n)), "ann"); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		n := 0
		err := s.View(w, func(tx *store.ReadTx) error {
			for _, err := range tx.Rules(store.RuleFilter{}) {
				if err != nil {
					return err
				}
				n++
			}
			return nil
		})
		if err != nil || n != 10_000 {
			b.Fatal(n, err)
		}
	}
}
