package store

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestVectors(t *testing.T) {
	s, w, trail, _ := filled(t, testOptions(t))
	random := rand.New(rand.NewPCG(1, 1))
	var hashes []Hash
	var vectors [][]float32
	for n := range 50 {
		hashes = append(hashes, HashText(fmt.Sprint("text ", n)))
		vector := make([]float32, 8)
		for i := range vector {
			vector[i] = float32(random.NormFloat64())
		}
		vectors = append(vectors, vector)
	}
	vectors[0][0], vectors[0][1] = math.SmallestNonzeroFloat32, -math.MaxFloat32
	err := s.Update(w, func(tx *Tx) error {
		if _, err := tx.AddRule(Rule{TrailID: trail, Text: "text 0", Class: ClassObligation}, ""); err != nil {
			return err
		}
		return tx.PutVectors("model", hashes[:40], vectors[:40])
	})
	if err != nil {
		t.Fatal(err)
	}
	got, err := s.GetVectors(w, "model", hashes)
	want := append(append([][]float32{}, vectors[:40]...), make([][]float32, 10)...)
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("GetVectors() (-want +got), %v:\n%s", err, diff)
	}
	missing, err := s.MissingVectors(w, "model", append(hashes[38:], hashes[40], hashes[0]))
	if diff := cmp.Diff([]int{2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, missing); diff != "" || err != nil {
		t.Errorf("MissingVectors() (-want +got), %v:\n%s", err, diff)
	}
	for _, model := range []string{"mode", "model2", "", "nodel", strings.Repeat("x", 70_000)} {
		got, err := s.GetVectors(w, model, hashes[:1])
		missing, missingErr := s.MissingVectors(w, model, hashes[:1])
		if err != nil || got[0] != nil || missingErr != nil || len(missing) != 1 {
			t.Errorf("model %.10q has a vector (%v, %v) or not (%v, %v)", model, got, err, missing, missingErr)
		}
	}
	if err := s.PutVectors(w, "another model", hashes[:3], [][]float32{{1}, {2}, {3}}); err != nil {
		t.Fatal(err)
	}
	if err := s.PutVectors(w, "zodel", hashes[:1], [][]float32{{1}}); err != nil {
		t.Fatal(err)
	}
	models, err := s.VectorModels(w)
	if diff := cmp.Diff([]string{"another model", "model", "zodel"}, models); diff != "" || err != nil {
		t.Errorf("VectorModels() (-want +got), %v:\n%s", err, diff)
	}
	if err := s.DeleteModel(w, "model"); err != nil {
		t.Fatal(err)
	}
	models, err = s.VectorModels(w)
	if diff := cmp.Diff([]string{"another model", "zodel"}, models); diff != "" || err != nil {
		t.Errorf("VectorModels() after DeleteModel() (-want +got), %v:\n%s", err, diff)
	}
	if err := s.Check(t.Context()); err != nil {
		t.Errorf("Check() = %v", err)
	}
}

func TestInvalidVectors(t *testing.T) {
	s, w, _, _ := filled(t, testOptions(t))
	a, b := HashText("a"), HashText("b")
	if err := s.PutVectors(w, "model", []Hash{a}, [][]float32{{1, 2}}); err != nil {
		t.Fatal(err)
	}
	nan, infinite := float32(math.NaN()), float32(math.Inf(-1))
	for _, c := range []struct {
		model   string
		hashes  []Hash
		vectors [][]float32
		field   string
	}{
		{"", []Hash{b}, [][]float32{{1, 2}}, "model"},
		{"model", []Hash{b}, nil, "vectors"},
		{"model", []Hash{b}, [][]float32{{1, 2, 3}}, "vectors[0]"},
		{"model", []Hash{b}, [][]float32{{}}, "vectors[0]"},
		{"other", []Hash{a, b}, [][]float32{{1}, {1, 2}}, "vectors[1]"},
		{"model", []Hash{a, b}, [][]float32{{3, 4}, {1, nan}}, "vectors[1]"},
		{"model", []Hash{b}, [][]float32{{infinite, 1}}, "vectors[0]"},
	} {
		wantField(t, "PutVectors", s.PutVectors(w, c.model, c.hashes, c.vectors), "vectors", c.field)
	}
	got, err := s.GetVectors(w, "model", []Hash{a, b})
	if diff := cmp.Diff([][]float32{{1, 2}, nil}, got); diff != "" || err != nil {
		t.Errorf("GetVectors() after refusals (-want +got), %v:\n%s", err, diff)
	}
}

func TestVectorsAreTakenBack(t *testing.T) {
	s, w, _, _ := filled(t, testOptions(t))
	stop := errors.New("stop")
	err := s.Update(w, func(tx *Tx) error {
		if err := tx.PutVectors("model", []Hash{HashText("a")}, [][]float32{{1}}); err != nil {
			return err
		}
		return stop
	})
	if err != stop {
		t.Fatal(err)
	}
	if models, err := s.VectorModels(w); err != nil || len(models) != 0 {
		t.Errorf("VectorModels() = %v, %v, want none", models, err)
	}
}
