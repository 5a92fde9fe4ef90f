package store

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
)

// model is what a workspace should hold, kept in plain maps. It knows nothing of
// keys, logs or transactions.
type model struct {
	trails    map[string]Trail
	rules     map[string]*modelRule
	documents map[string]Document
	version   uint64
	random    *rand.Rand
	next      int
}

// modelRule is a rule with all its versions; version n is versions[n-1].
type modelRule struct {
	trail    string
	versions []modelVersion
}

type modelVersion struct {
	text       string
	status     Status
	supersedes []string
	approved   bool // now or once
}

// worked returns a store with a workspace in which so many random operations
// were done.
func worked(t testing.TB, seed uint64, steps int) (s *Store, workspace string) {
	t.Helper()
	s = openTest(t, testOptions(t))
	w, err := s.CreateWorkspace("Acme")
	if err != nil {
		t.Fatal(err)
	}
	m := newModel(seed)
	for range steps {
		m.step(t, s, w.ID)
	}
	return s, w.ID
}

func newModel(seed uint64) *model {
	return &model{
		trails:    map[string]Trail{},
		rules:     map[string]*modelRule{},
		documents: map[string]Document{},
		random:    rand.New(rand.NewPCG(seed, 1)),
	}
}

func TestStoreIsAsTheModelSays(t *testing.T) {
	for seed := range uint64(4) {
		options := testOptions(t)
		s := openTest(t, options)
		w, err := s.CreateWorkspace("Acme")
		if err != nil {
			t.Fatal(err)
		}
		m := newModel(seed)
		for step := range 400 {
			m.step(t, s, w.ID)
			if step%20 == 0 {
				m.compare(t, s, w.ID)
			}
			if step%80 == 79 {
				if err := s.Check(t.Context()); err != nil {
					t.Errorf("Check() = %v", err)
				}
				if err := s.Close(); err != nil {
					t.Fatal(err)
				}
				s = openTest(t, options)
			}
			if t.Failed() {
				t.Fatalf("seed %d, step %d", seed, step)
			}
		}
		m.compare(t, s, w.ID)
		if len(m.rules) < 10 || len(m.documents) < 5 || m.version < 100 {
			t.Errorf("seed %d did little: %d rules, %d documents, version %d", seed, len(m.rules), len(m.documents), m.version)
		}
	}
}

// step does one random operation on both sides, or several as one transaction.
func (m *model) step(t testing.TB, s *Store, w string) {
	t.Helper()
	if m.random.IntN(10) > 0 {
		var changed bool
		err := s.Update(w, func(tx *Tx) error {
			changed = m.operation(t, tx)
			return nil
		})
		if err != nil {
			t.Errorf("Update() = %v", err)
		}
		if changed {
			m.version++
		}
		return
	}
	// Several operations, half of the time taken back.
	before := m.copy()
	back := m.random.IntN(2) == 0
	enough := errors.New("enough")
	changed := false
	err := s.Update(w, func(tx *Tx) error {
		for range 1 + m.random.IntN(6) {
			changed = m.operation(t, tx) || changed
		}
		if back {
			return enough
		}
		return nil
	})
	switch {
	case back && err != enough:
		t.Errorf("Update() = %v, want %v", err, enough)
	case back:
		*m = *before
	case err != nil:
		t.Errorf("Update() = %v", err)
	case changed:
		m.version++
	}
}

// operation does one random operation and reports whether it changed content.
func (m *model) operation(t testing.TB, tx *Tx) bool {
	t.Helper()
	switch n := m.random.IntN(100); {
	case n < 6 || len(m.trails) == 0:
		return m.createTrail(t, tx)
	case n < 10:
		return m.updateTrail(t, tx)
	case n < 12:
		return m.deleteTrail(t, tx)
	case n < 35:
		return m.addRule(t, tx)
	case n < 50:
		return m.editRule(t, tx)
	case n < 62:
		return m.approveRule(t, tx)
	case n < 67:
		return m.retireRule(t, tx)
	case n < 72:
		return m.discardDraft(t, tx)
	case n < 78:
		return m.deleteRule(t, tx)
	case n < 92:
		return m.putDocument(t, tx)
	}
	return m.deleteDocument(t, tx)
}

func (m *model) createTrail(t testing.TB, tx *Tx) bool {
	m.next++
	trail, err := tx.CreateTrail(Trail{ID: fmt.Sprintf("trail-%d", m.next), Name: fmt.Sprintf("Trail %d", m.random.IntN(5))})
	if err != nil {
		t.Errorf("CreateTrail() = %v", err)
	}
	m.trails[trail.ID] = trail
	return true
}

func (m *model) updateTrail(t testing.TB, tx *Tx) bool {
	id := pick(m, m.trails)
	trail := m.trails[id]
	trail.Owner = fmt.Sprintf("Owner %d", m.random.IntN(3))
	got, err := tx.UpdateTrail(trail)
	if err != nil {
		t.Errorf("UpdateTrail(%q) = %v", id, err)
	}
	changed := trail.Owner != m.trails[id].Owner
	m.trails[id] = got
	return changed
}

func (m *model) deleteTrail(t testing.TB, tx *Tx) bool {
	id := pick(m, m.trails)
	if err := tx.DeleteTrail(id, "ann"); err != nil {
		t.Errorf("DeleteTrail(%q) = %v", id, err)
	}
	delete(m.trails, id)
	for rule, r := range m.rules {
		if r.trail == id {
			delete(m.rules, rule)
		}
	}
	return true
}

// someRules returns up to two ids of rules that exist.
func (m *model) someRules() []string {
	var ids []string
	for range m.random.IntN(3) {
		if id := pick(m, m.rules); id != "" && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids
}

func (m *model) addRule(t testing.TB, tx *Tx) bool {
	m.next++
	status := Statuses[m.random.IntN(3)]
	rule := Rule{
		ID: fmt.Sprintf("rule-%d", m.next), TrailID: pick(m, m.trails), Status: status,
		Text: fmt.Sprintf("Text %d.", m.next), Class: ClassObligation, Supersedes: m.someRules(),
	}
	got, err := tx.AddRule(rule, "ann")
	if err != nil {
		t.Errorf("AddRule(%q) = %v", rule.ID, err)
		return true
	}
	version := modelVersion{text: rule.Text, status: status, supersedes: rule.Supersedes}
	m.rules[rule.ID] = &modelRule{trail: rule.TrailID, versions: []modelVersion{version}}
	if status == StatusApproved {
		// The id is new, so no rule can supersede it.
		m.rules[rule.ID].versions[0].status = StatusDraft
		m.approve(rule.ID)
	}
	if got.Status != status {
		t.Errorf("AddRule(%q) = %s, want %s", rule.ID, got.Status, status)
	}
	return true
}

func (m *model) editRule(t testing.TB, tx *Tx) bool {
	id := pick(m, m.rules)
	if id == "" {
		_, err := tx.EditRule(Rule{ID: "nobody", Text: "Text."}, "ann")
		wantErr(t, "EditRule", "nobody", err, ErrNotFound)
		return false
	}
	r := m.rules[id]
	base := r.draft()
	if base == 0 {
		base = r.current()
	}
	had := r.versions[base-1]
	edited := had
	switch m.random.IntN(4) {
	case 0: // the same again
	case 1:
		edited.supersedes = slices.DeleteFunc(m.someRules(), func(other string) bool { return other == id })
	default:
		m.next++
		edited.text = fmt.Sprintf("Text %d.", m.next)
	}
	got, err := tx.EditRule(Rule{ID: id, Text: edited.text, Class: ClassObligation, Supersedes: edited.supersedes}, "bob")
	if err != nil {
		t.Errorf("EditRule(%q) = %v", id, err)
		return false
	}
	if edited.text == had.text && slices.Equal(edited.supersedes, had.supersedes) {
		if got.Version != base {
			t.Errorf("EditRule(%q) without a change = version %d, want %d", id, got.Version, base)
		}
		return false
	}
	if had.status == StatusDraft {
		r.versions[base-1] = edited
	} else {
		edited.status, edited.approved = StatusDraft, false
		r.versions = append(r.versions, edited)
		base = len(r.versions)
	}
	if got.Version != base {
		t.Errorf("EditRule(%q) = version %d, want %d", id, got.Version, base)
	}
	return true
}

func (m *model) approveRule(t testing.TB, tx *Tx) bool {
	id := pick(m, m.rules)
	_, err := tx.ApproveRule(id, "cid")
	r := m.rules[id]
	switch {
	case id == "":
		wantErr(t, "ApproveRule", id, err, ErrNotFound)
	case r.draft() == 0:
		wantErr(t, "ApproveRule", id, err, ErrNoDraft)
	case m.blocked(id):
		wantErr(t, "ApproveRule", id, err, ErrSuperseded)
	default:
		wantErr(t, "ApproveRule", id, err, nil)
		m.approve(id)
		return true
	}
	return false
}

// blocked reports whether a rule in force supersedes the rule, other than one
// that its draft supersedes.
func (m *model) blocked(id string) bool {
	draft := m.rules[id].versions[m.rules[id].draft()-1]
	for other, r := range m.rules {
		if n := r.inForce(); n != 0 && slices.Contains(r.versions[n-1].supersedes, id) && !slices.Contains(draft.supersedes, other) {
			return true
		}
	}
	return false
}

// approve puts the draft of a rule in force.
func (m *model) approve(id string) {
	r := m.rules[id]
	draft := r.draft()
	if n := r.inForce(); n != 0 {
		r.versions[n-1].status = StatusRetired
	}
	r.versions[draft-1].status, r.versions[draft-1].approved = StatusApproved, true
	for _, old := range r.versions[draft-1].supersedes {
		if m.rules[old] != nil {
			m.rules[old].retire()
		}
	}
}

func (m *model) retireRule(t testing.TB, tx *Tx) bool {
	id := pick(m, m.rules)
	err := tx.RetireRule(id, "ann", "no longer needed")
	switch {
	case id == "":
		wantErr(t, "RetireRule", id, err, ErrNotFound)
	case m.rules[id].inForce() == 0:
		wantErr(t, "RetireRule", id, err, ErrNotInForce)
	default:
		wantErr(t, "RetireRule", id, err, nil)
		m.rules[id].retire()
		return true
	}
	return false
}

func (m *model) discardDraft(t testing.TB, tx *Tx) bool {
	id := pick(m, m.rules)
	err := tx.DiscardDraft(id, "ann")
	switch {
	case id == "":
		wantErr(t, "DiscardDraft", id, err, ErrNotFound)
	case m.rules[id].draft() == 0:
		wantErr(t, "DiscardDraft", id, err, ErrNoDraft)
	default:
		wantErr(t, "DiscardDraft", id, err, nil)
		if r := m.rules[id]; len(r.versions) == 1 {
			delete(m.rules, id)
		} else {
			r.versions[r.draft()-1].status = StatusRetired
		}
		return true
	}
	return false
}

func (m *model) deleteRule(t testing.TB, tx *Tx) bool {
	id := pick(m, m.rules)
	err := tx.DeleteRule(id, "ann")
	switch {
	case id == "":
		wantErr(t, "DeleteRule", id, err, ErrNotFound)
	case slices.ContainsFunc(m.rules[id].versions, func(v modelVersion) bool { return v.approved }):
		wantErr(t, "DeleteRule", id, err, ErrWasApproved)
	default:
		wantErr(t, "DeleteRule", id, err, nil)
		delete(m.rules, id)
		return true
	}
	return false
}

func (m *model) putDocument(t testing.TB, tx *Tx) bool {
	id := fmt.Sprintf("document-%d", m.random.IntN(30))
	document := Document{
		ID: id, Path: fmt.Sprintf("docs/%d.md", m.random.IntN(10)), Title: "Title", Tier: "meta",
		Tags:     []string{"a", "b"}[:m.random.IntN(3)],
		Raw:      []byte(fmt.Sprintf("# Heading %d\n", m.random.IntN(2))),
		Passages: []Passage{{Headings: []string{"Heading"}, StartLine: 1, EndLine: 1, Text: "Heading"}},
		Imported: time.Unix(int64(m.random.IntN(2)), 0).UTC(),
	}
	if len(document.Tags) == 0 {
		document.Tags = nil
	}
	if _, err := tx.PutDocument(document); err != nil {
		t.Errorf("PutDocument(%q) = %v", id, err)
	}
	had, ok := m.documents[id]
	m.documents[id] = document
	return !ok || !gocmp.Equal(had, document)
}

func (m *model) deleteDocument(t testing.TB, tx *Tx) bool {
	id := pick(m, m.documents)
	err := tx.DeleteDocument(id)
	if id == "" {
		wantErr(t, "DeleteDocument", id, err, ErrNotFound)
		return false
	}
	wantErr(t, "DeleteDocument", id, err, nil)
	delete(m.documents, id)
	return true
}

// compare compares everything that can be read with the model.
func (m *model) compare(t testing.TB, s *Store, w string) {
	t.Helper()
	err := s.View(w, func(tx *ReadTx) error {
		m.compareTrails(t, tx)
		m.compareRules(t, tx)
		m.compareDocuments(t, tx)
		version, err := tx.Version()
		if version != m.version {
			t.Errorf("Version() = %d, want %d", version, m.version)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

func (m *model) compareTrails(t testing.TB, tx *ReadTx) {
	t.Helper()
	var want []Trail
	for _, trail := range m.trails {
		want = append(want, trail)
	}
	slices.SortFunc(want, func(a, b Trail) int { return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.ID, b.ID)) })
	got, err := tx.Trails()
	if diff := gocmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("Trails() (-want +got), %v:\n%s", err, diff)
	}
}

func (m *model) compareRules(t testing.TB, tx *ReadTx) {
	t.Helper()
	line := func(id string, version int, v modelVersion) string {
		return fmt.Sprintf("%s@%d %s %q %q", id, version, v.status, v.text, v.supersedes)
	}
	shown := func(rule Rule) string {
		return line(rule.ID, rule.Version, modelVersion{text: rule.Text, status: rule.Status, supersedes: rule.Supersedes})
	}
	filters := []RuleFilter{{}, {Status: StatusDraft}, {Status: StatusApproved}, {Status: StatusRetired}}
	for id := range m.trails {
		filters = append(filters, RuleFilter{TrailID: id}, RuleFilter{TrailID: id, Status: StatusApproved})
	}
	for _, filter := range filters {
		var want []string
		for _, id := range sortedKeys(m.rules) {
			r := m.rules[id]
			version := r.current()
			switch filter.Status {
			case StatusDraft:
				version = r.draft()
			case StatusApproved:
				version = r.inForce()
			case StatusRetired:
				if r.inForce() != 0 || r.draft() != 0 {
					version = 0
				}
			}
			if version != 0 && (filter.TrailID == "" || filter.TrailID == r.trail) {
				want = append(want, line(id, version, r.versions[version-1]))
			}
		}
		var got []string
		for rule, err := range tx.Rules(filter) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, shown(rule))
		}
		if diff := gocmp.Diff(want, got); diff != "" {
			t.Errorf("Rules(%+v) (-want +got):\n%s", filter, diff)
		}
	}
	for _, id := range sortedKeys(m.rules) {
		r := m.rules[id]
		for n, version := range r.versions {
			rule, err := tx.RuleVersion(id, n+1)
			if got, want := shown(rule), line(id, n+1, version); got != want || err != nil {
				t.Errorf("RuleVersion(%q, %d) = %s, %v, want %s", id, n+1, got, err, want)
			}
		}
		var want []string
		for _, other := range sortedKeys(m.rules) {
			if slices.Contains(m.rules[other].claims(), id) {
				want = append(want, other)
			}
		}
		got, err := tx.SupersededBy(id)
		if !slices.Equal(got, want) || err != nil {
			t.Errorf("SupersededBy(%q) = %v, %v, want %v", id, got, err, want)
		}
	}
}

func (m *model) compareDocuments(t testing.TB, tx *ReadTx) {
	t.Helper()
	var want []Document
	paths := map[string][]string{}
	for _, id := range sortedKeys(m.documents) {
		want = append(want, m.documents[id])
		paths[m.documents[id].Path] = append(paths[m.documents[id].Path], id)
	}
	got, err := collect(tx.Documents(WholeDocument))
	if diff := gocmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("Documents() (-want +got), %v:\n%s", err, diff)
	}
	for n := range 10 {
		path := fmt.Sprintf("docs/%d.md", n)
		found, err := tx.DocumentsByPath(path)
		var ids []string
		for _, document := range found {
			if document.Raw != nil || document.Passages != nil {
				t.Errorf("DocumentsByPath(%q) has passages or raw bytes", path)
			}
			ids = append(ids, document.ID)
		}
		if !slices.Equal(ids, paths[path]) || err != nil {
			t.Errorf("DocumentsByPath(%q) = %v, %v, want %v", path, ids, err, paths[path])
		}
	}
}

// copy returns a model that shares nothing with this one but its random source
// and the numbers that it gave out.
func (m *model) copy() *model {
	c := newModel(0)
	c.random, c.version = m.random, m.version
	c.next = m.next + 1000
	for id, trail := range m.trails {
		c.trails[id] = trail
	}
	for id, r := range m.rules {
		c.rules[id] = &modelRule{trail: r.trail, versions: slices.Clone(r.versions)}
	}
	for id, document := range m.documents {
		c.documents[id] = document
	}
	return c
}

func (r *modelRule) with(status Status) int {
	return 1 + slices.IndexFunc(r.versions, func(v modelVersion) bool { return v.status == status })
}

func (r *modelRule) inForce() int { return r.with(StatusApproved) }

func (r *modelRule) draft() int { return r.with(StatusDraft) }

func (r *modelRule) current() int {
	return cmp.Or(r.inForce(), r.draft(), len(r.versions))
}

func (r *modelRule) retire() {
	for i := range r.versions {
		r.versions[i].status = StatusRetired
	}
}

// claims returns what the last approved version supersedes.
func (r *modelRule) claims() []string {
	for _, version := range slices.Backward(r.versions) {
		if version.approved {
			return version.supersedes
		}
	}
	return nil
}

// pick returns a random key, or "" when there is none.
func pick[T any](m *model, from map[string]T) string {
	keys := sortedKeys(from)
	if len(keys) == 0 {
		return ""
	}
	return keys[m.random.IntN(len(keys))]
}

func sortedKeys[T any](from map[string]T) []string {
	var keys []string
	for key := range from {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

// wantErr fails the test unless err is what is wanted.
func wantErr(t testing.TB, what, id string, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("%s(%q) = %v, want %v", what, id, err, want)
	}
}
