package store

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"reflect"
	"strings"
	"testing"
)

// sample fills a database with something of everything and returns its bytes
// and all that can be read from it.
func sample(t *testing.T, options Options) ([]byte, map[string]string) {
	t.Helper()
	s, w, trail, _ := filled(t, options)
	err := s.Update(w, func(tx *Tx) error {
		for n := range 60 {
			rule := Rule{
				ID: fmt.Sprintf("rule-%03d", n), TrailID: trail, Class: ClassObligation,
				Text: strings.Repeat(fmt.Sprintf("Clause %d of the policy. ", n), 1+n%40),
			}
			if _, err := tx.AddRule(rule, "ann"); err != nil {
				return err
			}
			document := Document{
				ID: fmt.Sprintf("document-%03d", n), Path: fmt.Sprintf("docs/%d.md", n), Title: "Title", Tier: "meta",
				Raw: []byte(strings.Repeat("# Heading\n", n)), Passages: []Passage{{StartLine: 1, EndLine: n + 1, Text: "Heading"}},
			}
			if _, err := tx.PutDocument(document); err != nil {
				return err
			}
			if err := tx.PutVectors("model", []Hash{HashText(rule.Text)}, [][]float32{make([]float32, 64)}); err != nil {
				return err
			}
			if err := tx.AppendActivity([]Activity{{TrailID: trail, Query: "policy", Tool: "search"}}); err != nil {
				return err
			}
		}
		_, _, err := tx.CreateAgent("agent", []string{"search"})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	// Deleting leaves free pages behind.
	for n := range 15 {
		if err := s.DeleteRule(w, fmt.Sprintf("rule-%03d", n*3), "ann"); err != nil {
			t.Fatal(err)
		}
	}
	content, err := readAll(s)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile(options.Path)
	if err != nil {
		t.Fatal(err)
	}
	return file, content
}

// readAll reads everything that a store has. Each piece is shown as text under a
// name of its own.
func readAll(s *Store) (map[string]string, error) {
	all := map[string]string{}
	workspaces, err := s.Workspaces()
	if err != nil {
		return nil, err
	}
	for _, w := range workspaces {
		all["workspace "+w.ID] = fmt.Sprint(w)
		err := s.View(w.ID, func(tx *ReadTx) error {
			add := func(what string, value any, err error) error {
				all[w.ID+" "+what] = fmt.Sprintf("%+v", value)
				return err
			}
			trails, err := tx.Trails()
			err = errors.Join(err, add("trails", trails, nil))
			for _, trail := range trails {
				activities, _, e := tx.Activities(trail.ID, "", 0)
				err = errors.Join(err, add("activity "+trail.ID, activities, e))
			}
			rules, e := collect(tx.Rules(RuleFilter{}))
			err = errors.Join(err, add("rules", rules, e))
			var hashes []Hash
			for _, rule := range rules {
				hashes = append(hashes, HashText(rule.Text))
				history, e := tx.RuleHistory(rule.ID)
				err = errors.Join(err, add("history "+rule.ID, history, e))
			}
			vectors, e := tx.GetVectors("model", hashes)
			err = errors.Join(err, add("vectors", vectors, e))
			documents, e := collect(tx.Documents(WholeDocument))
			err = errors.Join(err, add("documents", documents, e))
			agents, e := tx.Agents()
			err = errors.Join(err, add("agents", agents, e))
			changes, e := tx.Changes(0, 0)
			return errors.Join(err, add("changes", changes, e))
		})
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

// use opens a damaged file and reads, checks and writes. It fails the test when
// an answer is wrong without an error. It returns the first error.
func use(t *testing.T, options Options, want map[string]string) error {
	t.Helper()
	s, err := Open(options)
	if err != nil {
		return err
	}
	defer s.Close()
	checked := s.Check(t.Context())
	got, err := readAll(s)
	if err == nil && checked == nil && !reflect.DeepEqual(got, want) {
		t.Errorf("a damaged file is read without an error, but not as it was")
	}
	workspaces, _ := s.Workspaces()
	for _, w := range workspaces {
		_, wrote := s.CreateTrail(w.ID, Trail{Name: "Travel"})
		err = errors.Join(err, wrote)
	}
	return errors.Join(checked, err)
}

func TestFlippedBytes(t *testing.T) {
	options := testOptions(t)
	sound, want := sample(t, options)
	metas, err := readMetas(strings.NewReader(string(sound)))
	if err != nil {
		t.Fatal(err)
	}
	used := int(newestMeta(metas).pages * newestMeta(metas).pageSize)
	random := rand.New(rand.NewPCG(7, 7))
	rounds := 100
	if testing.Short() {
		rounds = 20
	}
	noticed := 0
	for range rounds {
		damaged := append([]byte{}, sound...)
		at := random.IntN(used)
		if random.IntN(2) == 0 { // page headers and elements are where it hurts
			at = at/4096*4096 + random.IntN(64)
		}
		damaged[at] ^= 1 << random.IntN(8)
		if err := os.WriteFile(options.Path, damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := use(t, options, want); err != nil {
			noticed++
			if !errors.Is(err, ErrCorrupt) && !errors.Is(err, ErrNotDatabase) {
				t.Errorf("byte %d flipped: %v, want ErrCorrupt", at, err)
			}
		}
		if t.Failed() {
			t.Fatalf("byte %d of %d flipped", at, used)
		}
	}
	// Free pages, padding and the older meta page may be damaged unnoticed.
	if noticed < rounds/4 {
		t.Errorf("%d of %d flipped bytes were noticed", noticed, rounds)
	}
}

func TestTruncatedFile(t *testing.T) {
	options := testOptions(t)
	sound, want := sample(t, options)
	metas, err := readMetas(strings.NewReader(string(sound)))
	if err != nil {
		t.Fatal(err)
	}
	used := int(newestMeta(metas).pages * newestMeta(metas).pageSize)
	for _, size := range []int{1, 15, 100, 4095, 4096, 4097, 8191, 8192, 8193, 16384, used / 3, used / 2, used - 4096, used - 1} {
		if err := os.WriteFile(options.Path, sound[:size], 0o600); err != nil {
			t.Fatal(err)
		}
		err := use(t, options, want)
		if !errors.Is(err, ErrCorrupt) && !errors.Is(err, ErrNotDatabase) {
			t.Errorf("file cut to %d of %d bytes: %v, want ErrCorrupt", size, used, err)
		}
		if size >= 4096 && !errors.Is(err, ErrCorrupt) {
			t.Errorf("file cut to %d of %d bytes: %v, want ErrCorrupt", size, used, err)
		}
	}
}

func TestTruncatedWhileOpen(t *testing.T) {
	options := testOptions(t)
	sound, _ := sample(t, options)
	s := openTest(t, options)
	if err := os.Truncate(options.Path, 4*4096); err != nil {
		t.Fatal(err)
	}
	if _, err := readAll(s); !errors.Is(err, ErrCorrupt) {
		t.Errorf("reading = %v, want ErrCorrupt", err)
	}
	if err := s.Check(t.Context()); !errors.Is(err, ErrCorrupt) {
		t.Errorf("Check() = %v, want ErrCorrupt", err)
	}
	for range 2 {
		if _, err := s.CreateWorkspace("Other"); !errors.Is(err, ErrCorrupt) {
			t.Errorf("CreateWorkspace() = %v, want ErrCorrupt", err)
		}
	}
	if err := s.Close(); err != nil {
		t.Errorf("Close() = %v", err)
	}
	// The lock is free and the file can be put back.
	if err := os.WriteFile(options.Path, sound, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := openTest(t, options).Check(t.Context()); err != nil {
		t.Errorf("Check() of the file put back = %v", err)
	}
}

func TestDamageNamesThePage(t *testing.T) {
	options := testOptions(t)
	sound, _ := sample(t, options)
	metas, err := readMetas(strings.NewReader(string(sound)))
	if err != nil {
		t.Fatal(err)
	}
	root := newestMeta(metas).root
	for name, damage := range map[string]func(page []byte){
		"wrong number": func(page []byte) { page[0]++ },
		"wrong type":   func(page []byte) { page[8] = 0x40 },
		"too long":     func(page []byte) { page[14] = 0xff },
		"element":      func(page []byte) { page[pageHeader+6] = 0xff },
	} {
		damaged := append([]byte{}, sound...)
		damage(damaged[root*4096:][:4096])
		if err := os.WriteFile(options.Path, damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := Open(options)
		if want := fmt.Sprintf("page %d ", root); !errors.Is(err, ErrCorrupt) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: Open() = %v, want ErrCorrupt that names %q", name, err, want)
		}
	}
}

func TestPageCycle(t *testing.T) {
	options := testOptions(t)
	sound, _ := sample(t, options)
	metas, err := readMetas(strings.NewReader(string(sound)))
	if err != nil {
		t.Fatal(err)
	}
	m := newestMeta(metas)
	cycles := 0
	for id := uint64(2); id < m.pages; id++ {
		damaged := append([]byte{}, sound...)
		page := damaged[id*m.pageSize:][:m.pageSize]
		if order.Uint16(page[8:]) != branchPage || order.Uint64(page) != id {
			continue
		}
		order.PutUint64(page[pageHeader+8:], id) // its first child is itself
		c := m.check(strings.NewReader(string(damaged)))
		if len(c) > 0 {
			cycles++
		}
	}
	if cycles == 0 {
		t.Error("no page that leads to itself was noticed")
	}
}

// FuzzPages checks that no content of a file makes the check of its pages panic
// or run on.
func FuzzPages(f *testing.F) {
	options := testOptions(f)
	s, _, _, _ := filled(f, options)
	s.Close()
	file, err := os.Open(options.Path)
	if err != nil {
		f.Fatal(err)
	}
	defer file.Close()
	content := make([]byte, 8*4096)
	if _, err := io.ReadFull(file, content); err != nil {
		f.Fatal(err)
	}
	f.Add(uint16(3), uint16(0), []byte{9})
	f.Add(uint16(4), uint16(8), []byte{1, 0, 255, 255})
	f.Fuzz(func(t *testing.T, page, offset uint16, change []byte) {
		damaged := append([]byte{}, content...)
		copy(damaged[int(page%8)*4096+int(offset%4096):], change)
		metas, err := readMetas(strings.NewReader(string(damaged)))
		if err != nil {
			return
		}
		for _, m := range metas {
			if m.pages < 1<<20 {
				m.check(strings.NewReader(string(damaged)))
			}
		}
	})
}
