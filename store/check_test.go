package store

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"go.etcd.io/bbolt"
)

// broken is a store whose parts can be broken one at a time.
type broken struct {
	t        *testing.T
	root     *bbolt.Tx
	all      *bbolt.Bucket // of the workspace
	trail    string
	rule     string // in force
	document string
	agent    Agent
}

// in returns a bucket of the workspace.
func (b broken) in(name bucket) *bbolt.Bucket { return b.all.Bucket([]byte(name.String())) }

// set writes a sound value.
func (b broken) set(name bucket, key []byte, record any) {
	b.t.Helper()
	value, err := encodeRecord(key, record)
	if err == nil {
		err = b.in(name).Put(key, value)
	}
	if err != nil {
		b.t.Fatal(err)
	}
}

// change rewrites the record of a key.
func change[T any](b broken, name bucket, key []byte, fn func(*T)) {
	b.t.Helper()
	record, err := decodeRecord[T](key, b.in(name).Get(key))
	if err != nil {
		b.t.Fatal(err)
	}
	fn(&record)
	b.set(name, key, record)
}

// drop deletes a key that must be there.
func (b broken) drop(in *bbolt.Bucket, key []byte) {
	b.t.Helper()
	if in.Get(key) == nil {
		b.t.Fatalf("there is no key %q to drop", key)
	}
	if err := in.Delete(key); err != nil {
		b.t.Fatal(err)
	}
}

// put writes a value as it is.
func (b broken) put(in *bbolt.Bucket, key, value []byte) {
	b.t.Helper()
	if err := in.Put(key, value); err != nil {
		b.t.Fatal(err)
	}
}

// mark writes a key that says it all.
func (b broken) mark(name bucket, key []byte) { b.put(b.in(name), key, seal(codecMark, key, nil)) }

func TestCheckFindsWhatIsBroken(t *testing.T) {
	for _, c := range []struct {
		name  string
		spoil func(b broken)
		want  string
	}{
		{"flipped bit", func(b broken) {
			value := clone(b.in(bucketTrails).Get([]byte(b.trail)))
			value[len(value)-1] ^= 1
			b.put(b.in(bucketTrails), []byte(b.trail), value)
		}, "fails its checksum"},
		{"value under another key", func(b broken) {
			b.put(b.in(bucketTrails), []byte("other"), clone(b.in(bucketTrails).Get([]byte(b.trail))))
		}, "fails its checksum"},
		{"codec", func(b broken) {
			b.put(b.in(bucketTrails), []byte("other"), seal(9, []byte("other"), nil))
		}, "codec 9"},
		{"unknown field", func(b broken) {
			b.set(bucketTrails, []byte("other"), map[int]string{99: "x"})
		}, "decode"},
		{"trail under another id", func(b broken) {
			b.set(bucketTrails, []byte("other"), Trail{ID: "another", Name: "X"})
		}, `trail "another" is stored as "other"`},
		{"trail without a name", func(b broken) {
			change(b, bucketTrails, []byte(b.trail), func(r *Trail) { r.Name = "" })
		}, "name is missing"},
		{"missing trail", func(b broken) { b.drop(b.in(bucketTrails), []byte(b.trail)) }, "which does not exist"},
		{"missing version", func(b broken) {
			b.drop(b.in(bucketVersions), numberedKey(b.rule, 1))
		}, "version 1 of rule"},
		{"version without a rule", func(b broken) {
			b.set(bucketVersions, numberedKey("ghost", 1), Rule{ID: "ghost"})
		}, "belongs to no rule"},
		{"version beyond the head", func(b broken) {
			b.set(bucketVersions, numberedKey(b.rule, 9), Rule{ID: b.rule})
		}, "belongs to no rule"},
		{"status against head", func(b broken) {
			change(b, bucketRules, kindKey(kindRuleHead, b.rule), func(r *RuleHead) { r.InForce = 0 })
		}, "its head says retired"},
		{"impossible head", func(b broken) {
			change(b, bucketRules, kindKey(kindRuleHead, b.rule), func(r *RuleHead) { r.Draft = 7 })
		}, "impossible head"},
		{"head under another id", func(b broken) {
			change(b, bucketRules, kindKey(kindRuleHead, b.rule), func(r *RuleHead) { r.ID = "other" })
		}, "is stored as"},
		{"in force without approval", func(b broken) {
			change(b, bucketVersions, numberedKey(b.rule, 1), func(r *Rule) { r.Approved = time.Time{} })
		}, "was not approved"},
		{"cluster without domain", func(b broken) {
			change(b, bucketVersions, numberedKey(b.rule, 1), func(r *Rule) { r.Cluster = "Records" })
		}, "cluster is given without a domain"},
		{"other trail", func(b broken) {
			change(b, bucketVersions, numberedKey(b.rule, 1), func(r *Rule) { r.TrailID = "other" })
		}, `in trail "other"`},
		{"missing trail mark", func(b broken) {
			b.drop(b.in(bucketRules), pairKey(kindTrailRule, b.trail, b.rule))
		}, "is missing"},
		{"mark of another trail", func(b broken) {
			b.mark(bucketRules, pairKey(kindTrailRule, "other", b.rule))
		}, `is marked to be in "other"`},
		{"mark of no rule", func(b broken) {
			b.mark(bucketRules, pairKey(kindTrailRule, b.trail, "ghost"))
		}, "about a rule that does not exist"},
		{"missing superseded mark", func(b broken) {
			b.drop(b.in(bucketRules), pairKey(kindSupersedes, "old", b.rule))
		}, "is missing"},
		{"superseded mark without reason", func(b broken) {
			b.mark(bucketRules, pairKey(kindSupersedes, "other", b.rule))
		}, "and does not"},
		{"superseded mark of a draft", func(b broken) {
			b.mark(bucketRules, pairKey(kindSupersedes, "other", "draft"))
		}, "was never approved"},
		{"damaged mark", func(b broken) {
			key := pairKey(kindTrailRule, b.trail, b.rule)
			b.put(b.in(bucketRules), key, seal(codecMark, key, []byte("x")))
		}, "has a damaged value"},
		{"unknown kind of rule key", func(b broken) { b.mark(bucketRules, []byte("x")) }, "unknown key"},
		{"missing history", func(b broken) { b.drop(b.in(bucketHistory), numberedKey("draft", 1)) }, "has no history"},
		{"gap in history", func(b broken) { b.drop(b.in(bucketHistory), numberedKey(b.rule, 1)) }, "begins with approved"},
		{"history of a rule that is gone", func(b broken) {
			b.set(bucketHistory, numberedKey("zz", 1), RuleEvent{RuleID: "zz", Action: ActionCreated})
		}, "gone without having been deleted"},
		{"deleted and there", func(b broken) {
			b.set(bucketHistory, numberedKey("draft", 2), RuleEvent{RuleID: "draft", Action: ActionDeleted})
		}, "was deleted and is still there"},
		{"event of another rule", func(b broken) {
			b.set(bucketHistory, numberedKey("draft", 2), RuleEvent{RuleID: "other", Action: ActionEdited})
		}, "holds an event of rule"},
		{"missing passages", func(b broken) {
			b.drop(b.in(bucketDocuments), kindKey(kindPassages, b.document))
		}, "has no passages"},
		{"missing raw bytes", func(b broken) { b.drop(b.in(bucketDocuments), kindKey(kindRaw, b.document)) }, "raw bytes"},
		{"missing path", func(b broken) {
			b.drop(b.in(bucketDocuments), pairKey(kindPath, "travel.md", b.document))
		}, "is missing"},
		{"path of no document", func(b broken) {
			b.mark(bucketDocuments, pairKey(kindPath, "travel.md", "ghost"))
		}, "belongs to no document"},
		{"other path of a document", func(b broken) {
			b.mark(bucketDocuments, pairKey(kindPath, "other.md", b.document))
		}, "belongs to no document"},
		{"raw bytes of no document", func(b broken) {
			key := kindKey(kindRaw, "ghost")
			b.put(b.in(bucketDocuments), key, seal(codecBytes, key, nil))
		}, "belongs to no document"},
		{"unknown kind of document key", func(b broken) { b.mark(bucketDocuments, []byte("x")) }, "unknown key"},
		{"document with a bad day", func(b broken) {
			change(b, bucketDocuments, kindKey(kindDocument, b.document), func(d *Document) { d.ValidFrom = "x" })
		}, "valid_from"},
		{"missing token", func(b broken) { b.drop(b.root.Bucket(topTokens), b.agent.TokenHash) }, "token"},
		{"token of nobody", func(b broken) {
			b.put(b.root.Bucket(topTokens), []byte("x"), seal(codecBytes, []byte("x"), nil))
		}, "2 tokens for 1 agents"},
		{"token of another agent", func(b broken) {
			value, err := encodeRecord(b.agent.TokenHash, tokenOwner{"elsewhere", b.agent.ID})
			if err != nil {
				b.t.Fatal(err)
			}
			b.put(b.root.Bucket(topTokens), b.agent.TokenHash, value)
		}, "elsewhere"},
		{"two agents of a name", func(b broken) {
			b.set(bucketAgents, []byte("twin"), Agent{ID: "twin", Name: "AGENT", TokenHash: b.agent.TokenHash})
		}, "two agents have the name"},
		{"vectors of two lengths", func(b broken) {
			key := vectorKey("model", HashText("z"))
			b.put(b.in(bucketVectors), key, encodeFloats(key, []float32{1, 2, 3}))
		}, "finite dimensions"},
		{"vector key", func(b broken) { b.mark(bucketVectors, []byte("\x00\x01mx")) }, "unknown key"},
		{"activity of no trail", func(b broken) {
			b.set(bucketActivity, activityKey("ghost", still(), 1), Activity{TrailID: "ghost", Time: still()})
		}, `activity of trail "ghost"`},
		{"activity at another time", func(b broken) {
			b.set(bucketActivity, activityKey(b.trail, still(), 9), Activity{TrailID: b.trail, Time: still().Add(time.Hour)})
		}, "holds a record"},
		{"gap in the log", func(b broken) { b.drop(b.in(bucketChanges), changeKey(2, 0)) }, "want version 2, part 0"},
		{"change outside of the log", func(b broken) {
			change(b, bucketTrails, []byte(b.trail), func(r *Trail) { r.Owner = "Eve" })
		}, "not as the change log says"},
		{"deletion outside of the log", func(b broken) {
			b.drop(b.in(bucketHistory), numberedKey(b.rule, 2))
		}, "of the change log are missing"},
		{"log of another bucket", func(b broken) {
			change(b, bucketChanges, changeKey(1, 0), func(p *logPart) { p.Entries[0].Bucket = bucketVectors })
		}, "is about vectors"},
		{"cut log", func(b broken) {
			change(b, bucketChanges, changeKey(5, 0), func(p *logPart) { p.Last = false })
		}, "is not complete"},
		{"missing bucket", func(b broken) {
			if err := b.all.DeleteBucket([]byte("history")); err != nil {
				b.t.Fatal(err)
			}
		}, `bucket "history"`},
		{"unknown bucket", func(b broken) {
			if _, err := b.all.CreateBucket([]byte("extra")); err != nil {
				b.t.Fatal(err)
			}
		}, `unknown key "extra"`},
		{"unknown top bucket", func(b broken) {
			if _, err := b.root.CreateBucket([]byte("extra")); err != nil {
				b.t.Fatal(err)
			}
		}, "5 top buckets"},
		{"missing name", func(b broken) { b.drop(b.root.Bucket(topNames), []byte("acme")) }, `name "Acme"`},
		{"name of nobody", func(b broken) {
			b.put(b.root.Bucket(topNames), []byte("ghost"), seal(codecBytes, []byte("ghost"), nil))
		}, "2 names for 1 workspaces"},
		{"missing workspace record", func(b broken) { b.drop(b.in(bucketInfo), keyWorkspace) }, "has no record"},
		{"no bucket among the workspaces", func(b broken) {
			b.put(b.root.Bucket(topWorkspaces), []byte("x"), []byte("y"))
		}, "is not a bucket"},
	} {
		s, w, trail, _ := filled(t, testOptions(t))
		b := broken{t: t, trail: trail, rule: "rule", document: "travel"}
		err := s.Update(w, func(tx *Tx) error {
			for _, rule := range []Rule{
				{ID: "old", TrailID: trail, Text: "Old.", Class: ClassObligation, Status: StatusApproved},
				{ID: "rule", TrailID: trail, Text: "New.", Class: ClassObligation, Status: StatusApproved, Supersedes: []string{"old"}},
				{ID: "draft", TrailID: trail, Text: "Draft.", Class: ClassObligation},
			} {
				if _, err := tx.AddRule(rule, "ann"); err != nil {
					return err
				}
			}
			if _, err := tx.PutDocument(Document{ID: "travel", Path: "travel.md", Tier: "meta", Raw: []byte("x")}); err != nil {
				return err
			}
			return tx.PutVectors("model", []Hash{HashText("a")}, [][]float32{{1, 2}})
		})
		if err != nil {
			t.Fatal(err)
		}
		if b.agent, _, err = s.CreateAgent(w, "Agent", nil); err != nil {
			t.Fatal(err)
		}
		if _, err := s.CreateTrail(w, Trail{ID: "spare", Name: "Spare"}); err != nil {
			t.Fatal(err)
		}
		if err := s.Check(t.Context()); err != nil {
			t.Fatalf("%s: Check() before = %v", c.name, err)
		}
		err = s.db.Update(func(root *bbolt.Tx) error {
			b.root, b.all = root, root.Bucket(topWorkspaces).Bucket([]byte(w))
			c.spoil(b)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		err = s.Check(t.Context())
		var findings *CheckError
		if !errors.As(err, &findings) || !errors.Is(err, ErrCorrupt) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: Check() = %v, want a finding with %q", c.name, err, c.want)
		}
	}
}

func TestCheckStops(t *testing.T) {
	s, _, _, _ := filled(t, testOptions(t))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.Check(ctx); !errors.Is(err, context.Canceled) || errors.Is(err, ErrCorrupt) {
		t.Errorf("Check() of a cancelled context = %v, want Canceled", err)
	}
}

func TestCheckBesideWriters(t *testing.T) {
	s, w, trail, _ := filled(t, testOptions(t))
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for n := 0; ; n++ {
			select {
			case <-stop:
				return
			default:
			}
			rule, err := s.AddRule(w, Rule{TrailID: trail, Text: "Text.", Class: ClassObligation}, "")
			if err == nil && n%3 == 0 {
				err = s.DeleteRule(w, rule.ID, "")
			}
			if err != nil {
				t.Error(err)
				return
			}
		}
	}()
	for range 15 {
		if err := s.Check(t.Context()); err != nil {
			t.Errorf("Check() beside a writer = %v", err)
		}
	}
	close(stop)
	<-stopped
}
