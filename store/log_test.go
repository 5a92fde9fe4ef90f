package store

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.etcd.io/bbolt"
)

// bucketBytes returns all keys and values of the buckets of a workspace, each as
// bucket, key and value.
func bucketBytes(t testing.TB, s *Store, workspace string, keep func(bucket) bool) [][3]string {
	t.Helper()
	var all [][3]string
	err := s.View(workspace, func(tx *ReadTx) error {
		for b := bucketTrails; b < bucketEnd; b++ {
			if !keep(b) {
				continue
			}
			for p, err := range tx.scan(b, nil) {
				if err != nil {
					return err
				}
				all = append(all, [3]string{b.String(), string(p.key), string(p.value)})
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// replay applies the change log of one workspace to the empty content of
// another, and to its change log.
func replay(t testing.TB, from *Store, workspace string, to *Store, copied string) {
	t.Helper()
	err := from.View(workspace, func(tx *ReadTx) error {
		return tx.eachPart(0, func(version uint64, part logPart) (bool, error) {
			return true, to.db.Update(func(root *bbolt.Tx) error {
				all := root.Bucket(topWorkspaces).Bucket([]byte(copied))
				for _, entry := range part.Entries {
					in := all.Bucket([]byte(entry.Bucket.String()))
					var err error
					if entry.Value == nil {
						err = in.Delete(entry.Key)
					} else {
						err = in.Put(entry.Key, entry.Value)
					}
					if err != nil {
						return err
					}
				}
				return nil
			})
		})
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestReplayGivesTheSameBytes(t *testing.T) {
	s, w := worked(t, 3, 400)
	fresh := openTest(t, testOptions(t))
	copied, err := fresh.CreateWorkspace("Copy")
	if err != nil {
		t.Fatal(err)
	}
	replay(t, s, w, fresh, copied.ID)
	want := bucketBytes(t, s, w, bucket.logged)
	got := bucketBytes(t, fresh, copied.ID, bucket.logged)
	if len(want) < 100 {
		t.Fatalf("only %d keys to compare", len(want))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("content after replaying the change log (-want +got):\n%s", diff)
	}
}

func TestChanges(t *testing.T) {
	s, w, trail, rule := filled(t, testOptions(t))
	err := s.Update(w, func(tx *Tx) error {
		for _, id := range []string{"b", "a", "c"} {
			if _, err := tx.PutDocument(Document{ID: id, Path: id + ".md", Tier: "meta"}); err != nil {
				return err
			}
			if _, err := tx.AddRule(Rule{ID: id, TrailID: trail, Text: "Text.", Class: ClassDefinition}, ""); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	agent, _, err := s.CreateAgent(w, "Agent", nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.AddRule(w, Rule{ID: "new", TrailID: trail, Text: "Text.", Class: ClassDefinition, Status: StatusApproved, Supersedes: []string{rule}}, ""); err != nil {
		t.Fatal(err)
	}
	if err := s.DeleteDocument(w, "b"); err != nil {
		t.Fatal(err)
	}
	want := []Change{
		{Version: 1, Trails: []string{trail}},
		{Version: 2, Rules: []string{rule}},
		{Version: 3, Rules: []string{"a", "b", "c"}, Documents: []string{"a", "b", "c"}},
		{Version: 4, Agents: []string{agent.ID}},
		{Version: 5, Rules: slices.Sorted(slices.Values([]string{rule, "new"}))},
		{Version: 6, Documents: []string{"b"}},
	}
	got, err := s.Changes(w, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	for i := range got {
		if got[i].At.IsZero() {
			t.Errorf("change %d has no time", got[i].Version)
		}
		got[i].At = want[0].At
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Changes(0) (-want +got):\n%s", diff)
	}
	for _, c := range []struct {
		after uint64
		limit int
		want  []uint64
	}{
		{0, 2, []uint64{1, 2}},
		{2, 3, []uint64{3, 4, 5}},
		{5, 3, []uint64{6}},
		{6, 0, nil},
		{1000, 0, nil},
		{math.MaxUint64, 0, nil},
	} {
		changes, err := s.Changes(w, c.after, c.limit)
		if err != nil {
			t.Fatal(err)
		}
		var versions []uint64
		for _, change := range changes {
			versions = append(versions, change.Version)
		}
		if !slices.Equal(versions, c.want) {
			t.Errorf("Changes(%d, %d) = versions %v, want %v", c.after, c.limit, versions, c.want)
		}
	}
}

func TestLargeChangeIsCutIntoParts(t *testing.T) {
	s, w, _, _ := filled(t, testOptions(t))
	err := s.Update(w, func(tx *Tx) error {
		for n := range 20 {
			raw := []byte(strings.Repeat("x", 30_000))
			if _, err := tx.PutDocument(Document{ID: fmt.Sprintf("%02d", n), Path: "x.md", Tier: "meta", Raw: raw}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	parts := 0
	for _, pair := range bucketBytes(t, s, w, func(b bucket) bool { return b == bucketChanges }) {
		version, _, _ := splitChange([]byte(pair[1]))
		if version == 3 {
			parts++
			if len(pair[2]) > partSize+31_000 {
				t.Errorf("a part has %d bytes, want at most %d", len(pair[2]), partSize+31_000)
			}
		}
	}
	if parts < 5 {
		t.Errorf("version 3 has %d parts, want several", parts)
	}
	changes, err := s.Changes(w, 2, 1)
	if err != nil || len(changes) != 1 || len(changes[0].Documents) != 20 {
		t.Errorf("Changes(2, 1) = %v, %v, want one change of 20 documents", changes, err)
	}
}

func TestVectorsAndActivityChangeNoVersion(t *testing.T) {
	s, w, trail, _ := filled(t, testOptions(t))
	before := bucketBytes(t, s, w, func(b bucket) bool { return b.logged() || b == bucketChanges })
	if err := s.PutVectors(w, "model", []Hash{HashText("a")}, [][]float32{{1, 2}}); err != nil {
		t.Fatal(err)
	}
	if err := s.AppendActivity(w, []Activity{{TrailID: trail}}); err != nil {
		t.Fatal(err)
	}
	after := bucketBytes(t, s, w, func(b bucket) bool { return b.logged() || b == bucketChanges })
	if diff := cmp.Diff(before, after); diff != "" {
		t.Errorf("vectors and activity changed content (-before +after):\n%s", diff)
	}
}

func TestSameAgainChangesNothing(t *testing.T) {
	s, w, trail, id := filled(t, testOptions(t))
	document := Document{ID: "travel", Path: "travel.md", Title: "Travel", Tier: "meta", Raw: []byte("# Travel\n"), Tags: []string{"travel"}}
	if _, err := s.PutDocument(w, document); err != nil {
		t.Fatal(err)
	}
	before := commits(t, s)
	rule, err := s.Rule(w, id)
	if err != nil {
		t.Fatal(err)
	}
	rule.Text = " " + rule.Text
	if _, err := s.EditRule(w, rule, "bob"); err != nil {
		t.Error(err)
	}
	if _, err := s.UpdateTrail(w, Trail{ID: trail, Name: " Invoices "}); err != nil {
		t.Error(err)
	}
	if _, err := s.PutDocument(w, document); err != nil {
		t.Error(err)
	}
	if used := commits(t, s) - before; used != 0 {
		t.Errorf("the same content again took %d commits, want none", used)
	}
	document.Passages = []Passage{{StartLine: 1, EndLine: 1, Text: "Travel"}}
	if _, err := s.PutDocument(w, document); err != nil {
		t.Error(err)
	}
	if used := commits(t, s) - before; used != 1 {
		t.Errorf("other passages took %d commits, want 1", used)
	}
}

func TestKeysAreApart(t *testing.T) {
	for _, c := range [][2][]byte{
		{numberedKey("a", 1), numberedKey("a\x00", 1)},
		{pairKey(kindTrailRule, "a", "bc"), pairKey(kindTrailRule, "ab", "c")},
		{kindKey(kindRuleHead, "ta"), pairKey(kindTrailRule, "", "a")},
	} {
		if bytes.HasPrefix(c[0], c[1]) || bytes.HasPrefix(c[1], c[0]) {
			t.Errorf("keys %q and %q are not apart", c[0], c[1])
		}
	}
}
