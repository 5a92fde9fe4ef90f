package search

import (
	"path"
	"strings"
)

// InboxPrefix is the folder whose documents wait for review and never govern.
const InboxPrefix = "memory/inbox/"

// Freshness says how a document stands towards its validity days.
type Freshness string

// The four states; all but Fresh are shown on a compact hit.
const (
	Fresh    Freshness = "fresh"
	Stale    Freshness = "stale"
	Expired  Freshness = "expired"
	Upcoming Freshness = "upcoming"
)

// DocumentFacts is what the in-force predicate reads of a document. Days that
// were not given are NoDay. Unreadable is set when the front matter, or a
// validity day in it, could not be read.
type DocumentFacts struct {
	ID, Path, Status                               string
	ValidFrom, ValidUntil, LastVerified, RecheckBy Day
	Template, Unreadable                           bool
	Supersedes                                     []string
}

// inForceStatuses are the statuses that govern.
var inForceStatuses = map[string]bool{"active": true, "accepted": true, "approved": true}

// replacedStatuses are the statuses of documents that once governed and were
// taken out of force by name.
var replacedStatuses = map[string]bool{"superseded": true, "deprecated": true}

// NormalStatus folds a status as written to the form that is compared: trimmed
// and lower case.
func NormalStatus(status string) string { return strings.ToLower(strings.TrimSpace(status)) }

// InInbox tells whether a document's path lies under the inbox.
func InInbox(p string) bool {
	return strings.HasPrefix(strings.ToLower(path.Clean("/"+strings.ReplaceAll(p, "\\", "/"))), "/"+InboxPrefix)
}

// Unexpired tells whether the document's validity has not ended before the day.
func (f DocumentFacts) Unexpired(day Day) bool { return f.ValidUntil == NoDay || day <= f.ValidUntil }

// Qualifies applies the tests of the in-force predicate that look at the
// document alone: a status that governs, a validity window that holds the day
// (both ends in), not in the inbox, and nothing unknown. The text says which
// test failed, and is empty when none did.
func (f DocumentFacts) Qualifies(day Day) (bool, string) {
	switch {
	case f.Unreadable:
		return false, "its front matter could not be read"
	case f.Template:
		return false, "it is a template or a README"
	case f.Status == "":
		return false, "it has no status"
	case !inForceStatuses[NormalStatus(f.Status)]:
		return false, "its status is " + NormalStatus(f.Status)
	case InInbox(f.Path):
		return false, "it lies in the inbox"
	case f.ValidFrom != NoDay && day < f.ValidFrom:
		return false, "it is valid only from " + f.ValidFrom.String()
	case !f.Unexpired(day):
		return false, "it was valid until " + f.ValidUntil.String()
	}
	return true, ""
}

// FreshnessOn gives the document's freshness on a day. dueAfter is the number of
// days after which a verification is old; 0 switches that rule off. Expired
// wins over upcoming, and both over stale.
func (f DocumentFacts) FreshnessOn(day Day, dueAfter int) Freshness {
	switch {
	case !f.Unexpired(day):
		return Expired
	case f.ValidFrom != NoDay && f.ValidFrom > day:
		return Upcoming
	case f.recheckPassed(day):
		return Stale
	case f.RecheckBy == NoDay && dueAfter > 0 && (f.LastVerified == NoDay || int(day)-int(f.LastVerified) > dueAfter):
		return Stale
	}
	return Fresh
}

// recheckPassed is the narrow sense of stale that validity_state filters by.
func (f DocumentFacts) recheckPassed(day Day) bool { return f.RecheckBy != NoDay && f.RecheckBy < day }

// Standing is what one document is on one day.
type Standing struct {
	InForce   bool
	Freshness Freshness
	Replaced  bool   // superseded or deprecated: by its status, or by a document in force
	Why       string // why it is not in force; empty when it is
	// ReplacedBy are the ids of documents in force that supersede this one, in
	// id order.
	ReplacedBy []string
}

// Govern gives the standing of every document on a day, in the order of the
// input. A document that another one supersedes is not in force when that other
// one passes the tests of Qualifies. A document that supersedes itself excludes
// nobody, and neither do the members of a cycle exclude each other.
func Govern(docs []DocumentFacts, day Day, dueAfter int) []Standing {
	out := make([]Standing, len(docs))
	edges := supersessionEdges(docs)
	for i, f := range docs {
		ok, why := f.Qualifies(day)
		out[i] = Standing{InForce: ok, Why: why, Freshness: f.FreshnessOn(day, dueAfter),
			Replaced: replacedStatuses[NormalStatus(f.Status)]}
	}
	qualifies := make([]bool, len(docs))
	for i := range out {
		qualifies[i] = out[i].InForce
	}
	for _, e := range edges {
		if !qualifies[e.newer] {
			continue
		}
		s := &out[e.older]
		s.ReplacedBy = append(s.ReplacedBy, docs[e.newer].ID)
		s.Replaced = true
		if s.InForce {
			s.InForce, s.Why = false, "it is superseded by "+docs[e.newer].ID
		}
	}
	return out
}
