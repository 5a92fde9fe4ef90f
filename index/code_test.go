package index

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestPack(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for width := range 33 {
		for _, n := range []int{0, 1, 7, 8, 9, 127, 128} {
			numbers := make([]uint32, n)
			for i := range numbers {
				numbers[i] = uint32(rng.Uint64() & (1<<width - 1))
			}
			if n > 0 && width > 0 {
				numbers[n-1] |= 1 << (width - 1)
			}
			if got := packWidth(numbers); n > 0 && got != width {
				t.Fatalf("packWidth() = %d, want %d", got, width)
			}
			packed := appendPacked([]byte{9}, numbers, width)
			if len(packed) != 1+packedSize(n, width) {
				t.Fatalf("%d numbers of %d bits take %d bytes, want %d", n, width, len(packed)-1, packedSize(n, width))
			}
			got := make([]uint32, n)
			unpack(got, append(packed[1:], make([]byte, packSlack)...), width)
			if !slices.Equal(got, numbers) {
				t.Fatalf("%d numbers of %d bits: unpacked %v, want %v", n, width, got, numbers)
			}
		}
	}
}

func TestPostings(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 1))
	for _, df := range []int{1, 2, 127, 128, 129, 255, 256, 257, 1000} {
		for _, spread := range []int{1, 3, 1000, 1 << 20} {
			var want []posting
			row := uint32(rng.IntN(spread))
			for range df {
				want = append(want, posting{row, uint32(rng.IntN(3) * rng.IntN(spread))})
				row += 1 + uint32(rng.IntN(spread))
			}
			var got []posting
			var list postings
			list.open(append(appendPostings(nil, want), make([]byte, packSlack)...), df)
			for n := list.next(); n > 0; n = list.next() {
				for i := range n {
					got = append(got, posting{list.rows[i], list.frequencies[i]})
				}
			}
			if !slices.Equal(got, want) {
				t.Fatalf("%d postings: got %v, want %v", df, got, want)
			}
		}
	}
}

func TestDictionary(t *testing.T) {
	for _, n := range []int{0, 1, 15, 16, 17, 500} {
		var terms []string
		for i := range n {
			terms = append(terms, fmt.Sprintf("stem:%o%s", i*7, strings.Repeat("long", i%40)))
		}
		if n > 1 {
			terms = append(terms, "", "日本語", strings.Repeat("x", 300))
		}
		slices.Sort(terms)
		terms = slices.Compact(terms)
		groups, data := encodeDictionary(terms)
		d := &dictionary{terms: len(terms), groups: groups, data: data}
		for i, term := range terms {
			if got := d.find(term); got != i {
				t.Errorf("find(%q) = %d, want %d", term, got, i)
			}
			for _, other := range []string{term + "\x00", term + "z", strings.TrimSuffix(term, "g")} {
				if want, there := slices.BinarySearch(terms, other); (d.find(other) >= 0) != there || there && d.find(other) != want {
					t.Errorf("find(%q) = %d, want %d: %v", other, d.find(other), want, there)
				}
			}
		}
		var read []string
		reader := termReader{dictionary: d}
		for term, more := reader.next(); more; term, more = reader.next() {
			read = append(read, string(term))
		}
		if !slices.Equal(read, terms) {
			t.Errorf("read %q, want %q", read, terms)
		}
	}
}

func TestMeta(t *testing.T) {
	a := newAuthor(4, 100)
	var rules []RuleMeta
	var documents []DocumentMeta
	ruleWriter, documentWriter := newMetaWriter(), newMetaWriter()
	for i := range 100 {
		r, d := a.rule(fmt.Sprint("rule ", i)), a.document(fmt.Sprint("document ", i))
		d.Supersedes, d.SupersededBy, d.Contradicts, d.Template = a.list(2), a.list(2), a.list(2), i%7 == 0
		e, err := newRuleEntry("Trail é", r, nil)
		if err != nil {
			t.Fatal(err)
		}
		rules = append(rules, *e.rule)
		documents = append(documents, *newDocumentMeta(&d))
		ruleWriter.rule(&rules[i])
		documentWriter.document(&documents[i])
	}
	gotRules, err := newMetaReader(ruleWriter.bytes(Rules)).rules(100)
	if diff := cmp.Diff(rules, gotRules, cmpopts.EquateEmpty()); diff != "" || err != nil {
		t.Errorf("rules differ (-want +got), %v:\n%s", err, diff)
	}
	if gotRules[0].Place.TrailKey != "trail é" {
		t.Errorf("folded name of a Trail = %q", gotRules[0].Place.TrailKey)
	}
	gotDocuments, err := newMetaReader(documentWriter.bytes(Documents)).documents(100)
	if diff := cmp.Diff(documents, gotDocuments, cmpopts.EquateEmpty()); diff != "" || err != nil {
		t.Errorf("documents differ (-want +got), %v:\n%s", err, diff)
	}
}

func TestDays(t *testing.T) {
	for text, want := range map[string]int32{
		"1970-01-01": 0, "1970-01-02": 1, "1969-12-31": -1, "2026-12-01": 20788, "": NoDay, "2026-13-01": NoDay, "tomorrow": NoDay,
	} {
		if got := parseDay(text); got != want {
			t.Errorf("parseDay(%q) = %d, want %d", text, got, want)
		}
	}
	for _, day := range []int32{NoDay, 0, 1, -1, math.MaxInt32, math.MinInt32 + 1} {
		r := &metaReader{data: appendDay(nil, day)}
		if got := r.day(); got != day || r.err() != nil {
			t.Errorf("day %d was read as %d, %v", day, got, r.err())
		}
	}
}

// FuzzMeta: bytes that are no meta section are an error, never a panic.
func FuzzMeta(f *testing.F) {
	a := newAuthor(4, 10)
	w := newMetaWriter()
	for i := range 5 {
		d := a.document(fmt.Sprint(i))
		w.document(newDocumentMeta(&d))
	}
	f.Add(w.bytes(Documents), 5)
	f.Add([]byte{1, 1, 'x', 1, 0, 0, 0, 0}, 1)
	f.Fuzz(func(t *testing.T, data []byte, items int) {
		items &= 0xff
		if all, err := newMetaReader(data).documents(items); err == nil && len(all) != items {
			t.Errorf("%d documents, want %d", len(all), items)
		}
		if all, err := newMetaReader(data).rules(items); err == nil && len(all) != items {
			t.Errorf("%d rules, want %d", len(all), items)
		}
	})
}

// FuzzManifest: bytes that are no manifest are an error, never a panic.
func FuzzManifest(f *testing.F) {
	whole := &manifest{Version: 7, Change: []byte{1}, Segments: []manifestSegment{{"1.seg", []byte{5}}}}
	data, err := whole.encode()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := decodeManifest(data)
		if err != nil {
			return
		}
		for _, s := range m.Segments {
			unpackRows(s.Dead, 100)
		}
	})
}

// FuzzSegment changes a byte of a segment and makes the checksums fit again:
// what then opens may be wrong, but opening it does not panic.
func FuzzSegment(f *testing.F) {
	a := newAuthor(4, 10)
	for range 30 {
		a.step()
	}
	m := open(a.store, testAnalyzer, testOptions(""))
	entries := entriesOf(f, m)
	images := [][]byte{build(f, m, Rules, entries[Rules]).image, build(f, m, Documents, entries[Documents]).image}
	f.Add(0, 12, byte(1))
	f.Add(1, 1000, byte(255))
	f.Fuzz(func(t *testing.T, which, at int, change byte) {
		image := aligned(len(images[which&1]))
		copy(image, images[which&1])
		at &= math.MaxInt
		image[at%len(image)] ^= change
		h := &head{}
		copy(asBytes(h), image)
		h.Checksum = h.sum()
		copy(image, asBytes(h))
		if s, err := newSegment(image, m.made); err == nil {
			s.dictionary.find("stem:invoic")
			for item := range s.items {
				s.id(item)
			}
		}
	})
}
