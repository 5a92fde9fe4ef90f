package ingest

import (
	"crypto/sha256"
	"encoding/base32"
	"slices"
	"strings"

	"waymark/store"
)

// RuleInput is a rule as an author writes it: a row of a file or a single edit.
// Lists and texts may be empty. Days are written 2006-01-02. Class and Status
// empty ask for the derived class and for a draft.
type RuleInput struct {
	Trail          string       `json:"trail"` // name or id
	ID             string       `json:"id,omitempty"`
	Text           string       `json:"text"`
	Title          string       `json:"title,omitempty"`
	Class          store.Class  `json:"class,omitempty"`
	Domain         string       `json:"domain,omitempty"`
	Cluster        string       `json:"cluster,omitempty"`
	Tags           []string     `json:"tags,omitempty"`
	AppliesWhen    []string     `json:"applies_when,omitempty"`
	Status         store.Status `json:"status,omitempty"`
	EffectiveFrom  string       `json:"effective_from,omitempty"`
	EffectiveUntil string       `json:"effective_until,omitempty"`
	Source         string       `json:"source,omitempty"`
	Supersedes     []string     `json:"supersedes,omitempty"`
}

// readRule reads one row of rules. given says which columns the file has: of a
// rule that is stored already, the others keep their value.
func (r *rowReader) readRule() RuleInput {
	in := RuleInput{
		Trail:          r.text("trail", store.MaxNameLength, false),
		ID:             r.id("id"),
		Text:           r.text("text", store.MaxTextLength, true),
		Title:          r.text("title", store.MaxNameLength, false),
		Class:          oneOf(r, "class", store.Classes),
		Domain:         r.text("domain", store.MaxNameLength, false),
		Cluster:        r.text("cluster", store.MaxNameLength, false),
		Tags:           r.list("tags", store.MaxNameLength),
		AppliesWhen:    r.list("applies_when", store.MaxNameLength),
		Status:         oneOf(r, "status", store.Statuses),
		EffectiveFrom:  r.day("effective_from"),
		EffectiveUntil: r.day("effective_until"),
		Source:         r.text("source", store.MaxPathBytes, false),
		Supersedes:     r.list("supersedes", store.MaxIDBytes),
	}
	if in.Text == "" && len(r.problems) == 0 {
		r.bad("text", "the text of the rule is missing")
	}
	return in
}

// checkRule reports what is wrong with a rule as a whole, once all its fields
// are known.
func (r *rowReader) checkRule(in RuleInput) {
	if in.Cluster != "" && in.Domain == "" {
		r.bad("cluster", "a cluster lies in a domain, and none is given")
	}
	if in.EffectiveFrom != "" && in.EffectiveUntil != "" && in.EffectiveUntil < in.EffectiveFrom {
		r.bad("effective_until", "%s lies before effective_from, %s", in.EffectiveUntil, in.EffectiveFrom)
	}
	if in.ID != "" && slices.Contains(in.Supersedes, in.ID) {
		r.bad("supersedes", "the rule names itself")
	}
}

// fields returns the rule as a row, to check an edit by the rules of a file.
func (in RuleInput) fields() map[string]field {
	fields := map[string]field{}
	for name, text := range map[string]string{"trail": in.Trail, "id": in.ID, "text": in.Text, "title": in.Title,
		"class": string(in.Class), "domain": in.Domain, "cluster": in.Cluster, "status": string(in.Status),
		"effective_from": in.EffectiveFrom, "effective_until": in.EffectiveUntil, "source": in.Source} {
		if text != "" {
			fields[name] = field{text: text}
		}
	}
	for name, items := range map[string][]string{"tags": in.Tags, "applies_when": in.AppliesWhen, "supersedes": in.Supersedes} {
		if len(items) > 0 {
			fields[name] = field{items: items, isList: true}
		}
	}
	return fields
}

// input returns a stored rule as its author would write it. A derived class is
// left out: it follows from the text.
func input(r store.Rule, trail string) RuleInput {
	in := RuleInput{Trail: trail, ID: r.ID, Text: r.Text, Title: r.Title, Class: r.Class, Domain: r.Domain,
		Cluster: r.Cluster, Tags: r.Tags, AppliesWhen: r.AppliesWhen, Status: r.Status,
		EffectiveFrom: r.EffectiveFrom, EffectiveUntil: r.EffectiveUntil, Source: r.Source, Supersedes: r.Supersedes}
	if r.ClassDerived {
		in.Class = ""
	}
	return in
}

// rule returns the record of an input, with the class derived where none is
// given. old is the version that it changes, or empty: the same text keeps the
// class that was derived for it, whatever a later release would make of it.
// Version, times and people are the store's.
func (in RuleInput) rule(trailID string, old store.Rule) store.Rule {
	r := store.Rule{ID: in.ID, TrailID: trailID, Status: in.Status, Text: in.Text, Title: in.Title, Class: in.Class,
		Domain: in.Domain, Cluster: in.Cluster, Tags: in.Tags, AppliesWhen: in.AppliesWhen,
		EffectiveFrom: in.EffectiveFrom, EffectiveUntil: in.EffectiveUntil, Source: in.Source, Supersedes: in.Supersedes}
	switch {
	case r.Class != "":
	case old.ClassDerived && old.Text == r.Text:
		r.Class, r.ClassDerived = old.Class, true
	default:
		r.Class, r.ClassDerived = DeriveClass(r.Text), true
	}
	return r
}

// sameContent tells whether two versions say the same, whatever their number,
// status, times and people.
func sameContent(a, b store.Rule) bool {
	return a.Text == b.Text && a.Title == b.Title && a.Class == b.Class && a.ClassDerived == b.ClassDerived &&
		a.Domain == b.Domain && a.Cluster == b.Cluster && slices.Equal(a.Tags, b.Tags) &&
		slices.Equal(a.AppliesWhen, b.AppliesWhen) && a.EffectiveFrom == b.EffectiveFrom &&
		a.EffectiveUntil == b.EffectiveUntil && a.Source == b.Source && slices.Equal(a.Supersedes, b.Supersedes)
}

// derivedID is the id of a rule whose author gave none: it follows from the
// Trail and the text, so that the same file read again names the same rules.
// 80 bits keep a million rules of one workspace apart but for one chance in
// two trillion.
func derivedID(trailID, text string) string {
	normal := strings.Join(strings.Fields(fold(text)), " ")
	sum := sha256.Sum256([]byte(trailID + "\x00" + normal))
	return "r-" + strings.ToLower(base32.StdEncoding.EncodeToString(sum[:10]))
}
