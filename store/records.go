package store

import "time"

// Status is the state of a rule version: draft → approved → retired.
type Status string

// The three states of a rule version. Only approved versions are searched.
const (
	StatusDraft    Status = "draft"
	StatusApproved Status = "approved"
	StatusRetired  Status = "retired"
)

// Class is what kind of statement a rule makes, in the deontic terms of
// LegalRuleML.
type Class string

// The seven rule classes.
const (
	ClassObligation     Class = "obligation"
	ClassProhibition    Class = "prohibition"
	ClassPermission     Class = "permission"
	ClassRecommendation Class = "recommendation"
	ClassDefinition     Class = "definition"
	ClassProcedure      Class = "procedure"
	ClassException      Class = "exception"
)

// Workspace is the wall between tenants: nothing stored in one can be reached
// from another.
type Workspace struct {
	ID      string    `cbor:"1,keyasint" json:"id"`
	Name    string    `cbor:"2,keyasint" json:"name"`
	Created time.Time `cbor:"3,keyasint" json:"created"`
}

// Trail is the set of rules and procedures a company wrote down for one
// process.
type Trail struct {
	ID          string    `cbor:"1,keyasint" json:"id"`
	Name        string    `cbor:"2,keyasint" json:"name"`
	Description string    `cbor:"3,keyasint,omitempty" json:"description,omitempty"`
	Owner       string    `cbor:"4,keyasint,omitempty" json:"owner,omitempty"`
	Created     time.Time `cbor:"5,keyasint" json:"created"`
	Updated     time.Time `cbor:"6,keyasint" json:"updated"`
}

// Rule is one version of one statement in a Trail. ID and TrailID never
// change; Version counts from 1. EffectiveFrom and EffectiveUntil are calendar
// days written 2006-01-02, empty when open; both ends are in force.
type Rule struct {
	ID             string    `cbor:"1,keyasint" json:"id"`
	TrailID        string    `cbor:"2,keyasint" json:"trail_id"`
	Version        int       `cbor:"3,keyasint" json:"version"`
	Status         Status    `cbor:"4,keyasint" json:"status"`
	Text           string    `cbor:"5,keyasint" json:"text"`
	Title          string    `cbor:"6,keyasint,omitempty" json:"title,omitempty"`
	Class          Class     `cbor:"7,keyasint" json:"class"`
	ClassDerived   bool      `cbor:"8,keyasint,omitempty" json:"class_derived,omitempty"`
	Domain         string    `cbor:"9,keyasint,omitempty" json:"domain,omitempty"`
	Cluster        string    `cbor:"10,keyasint,omitempty" json:"cluster,omitempty"`
	Tags           []string  `cbor:"11,keyasint,omitempty" json:"tags,omitempty"`
	AppliesWhen    []string  `cbor:"12,keyasint,omitempty" json:"applies_when,omitempty"`
	EffectiveFrom  string    `cbor:"13,keyasint,omitempty" json:"effective_from,omitempty"`
	EffectiveUntil string    `cbor:"14,keyasint,omitempty" json:"effective_until,omitempty"`
	Source         string    `cbor:"15,keyasint,omitempty" json:"source,omitempty"`
	Supersedes     []string  `cbor:"16,keyasint,omitempty" json:"supersedes,omitempty"`
	Author         string    `cbor:"17,keyasint,omitempty" json:"author,omitempty"`
	Created        time.Time `cbor:"18,keyasint" json:"created"`
	Approved       time.Time `cbor:"19,keyasint,omitzero" json:"approved,omitzero"`
	Approver       string    `cbor:"20,keyasint,omitempty" json:"approver,omitempty"`
}

// RuleHead says which versions of a rule matter: InForce is the approved one
// (0: none), Draft the one waiting for approval (0: none), Latest the highest
// number given out. A retired rule has neither.
type RuleHead struct {
	ID      string `cbor:"1,keyasint" json:"id"`
	TrailID string `cbor:"2,keyasint" json:"trail_id"`
	InForce int    `cbor:"3,keyasint,omitempty" json:"in_force,omitempty"`
	Draft   int    `cbor:"4,keyasint,omitempty" json:"draft,omitempty"`
	Latest  int    `cbor:"5,keyasint" json:"latest"`
}

// RuleEvent is one line of a rule's history: who did what when. Action is one
// of created, edited, approved, superseded, retired, discarded, deleted.
type RuleEvent struct {
	RuleID  string    `cbor:"1,keyasint" json:"rule_id"`
	Version int       `cbor:"2,keyasint" json:"version"`
	Action  string    `cbor:"3,keyasint" json:"action"`
	By      string    `cbor:"4,keyasint,omitempty" json:"by,omitempty"`
	At      time.Time `cbor:"5,keyasint" json:"at"`
	Note    string    `cbor:"6,keyasint,omitempty" json:"note,omitempty"`
}

// Problem is something in a document's front matter that could not be read.
// Unknown never governs: a document with a Problem whose Fatal is set is not in
// force.
type Problem struct {
	Line   int    `cbor:"1,keyasint" json:"line"`
	Field  string `cbor:"2,keyasint,omitempty" json:"field,omitempty"`
	Reason string `cbor:"3,keyasint" json:"reason"`
	Fatal  bool   `cbor:"4,keyasint,omitempty" json:"fatal,omitempty"`
}

// Passage is one searchable piece of a document. StartLine and EndLine count
// from 1 in the original file, both included.
type Passage struct {
	Headings  []string `cbor:"1,keyasint,omitempty" json:"headings,omitempty"`
	StartLine int      `cbor:"2,keyasint" json:"start_line"`
	EndLine   int      `cbor:"3,keyasint" json:"end_line"`
	Text      string   `cbor:"4,keyasint" json:"text"`
}

// Document is a markdown file of the knowledge base with its front matter read.
// The five validity days are written 2006-01-02 and empty when not given or not
// readable (then a Problem says so). Status is as written, trimmed and case
// folded. Raw holds the file's original bytes.
type Document struct {
	ID                 string    `cbor:"1,keyasint" json:"id"`
	Path               string    `cbor:"2,keyasint" json:"path"`
	Title              string    `cbor:"3,keyasint" json:"title"`
	Description        string    `cbor:"4,keyasint,omitempty" json:"description,omitempty"`
	Type               string    `cbor:"5,keyasint,omitempty" json:"type,omitempty"`
	Status             string    `cbor:"6,keyasint,omitempty" json:"status,omitempty"`
	Tier               string    `cbor:"7,keyasint" json:"tier"`
	Category           string    `cbor:"8,keyasint,omitempty" json:"category,omitempty"`
	Tags               []string  `cbor:"9,keyasint,omitempty" json:"tags,omitempty"`
	AppliesWhen        []string  `cbor:"10,keyasint,omitempty" json:"applies_when,omitempty"`
	Owner              string    `cbor:"11,keyasint,omitempty" json:"owner,omitempty"`
	Timestamp          string    `cbor:"12,keyasint,omitempty" json:"timestamp,omitempty"`
	Supersedes         []string  `cbor:"13,keyasint,omitempty" json:"supersedes,omitempty"`
	SupersededBy       []string  `cbor:"14,keyasint,omitempty" json:"superseded_by,omitempty"`
	Contradicts        []string  `cbor:"15,keyasint,omitempty" json:"contradicts,omitempty"`
	ValidFrom          string    `cbor:"16,keyasint,omitempty" json:"valid_from,omitempty"`
	ValidUntil         string    `cbor:"17,keyasint,omitempty" json:"valid_until,omitempty"`
	LastVerified       string    `cbor:"18,keyasint,omitempty" json:"last_verified,omitempty"`
	RecheckBy          string    `cbor:"19,keyasint,omitempty" json:"recheck_by,omitempty"`
	VerificationSource string    `cbor:"20,keyasint,omitempty" json:"verification_source,omitempty"`
	Template           bool      `cbor:"21,keyasint,omitempty" json:"template,omitempty"`
	Problems           []Problem `cbor:"22,keyasint,omitempty" json:"problems,omitempty"`
	Hash               string    `cbor:"23,keyasint" json:"hash"`
	Imported           time.Time `cbor:"24,keyasint" json:"imported"`
	Passages           []Passage `cbor:"25,keyasint,omitempty" json:"-"`
	Raw                []byte    `cbor:"26,keyasint" json:"-"`
}

// Agent is a named caller bound to one workspace. TokenHash is the SHA-256 of
// its token: a slow hash would add nothing, since a token is 256 random bits
// and cannot be guessed from a list.
type Agent struct {
	ID        string    `cbor:"1,keyasint" json:"id"`
	Name      string    `cbor:"2,keyasint" json:"name"`
	TokenHash []byte    `cbor:"3,keyasint" json:"-"`
	Tools     []string  `cbor:"4,keyasint,omitempty" json:"tools"`
	Created   time.Time `cbor:"5,keyasint" json:"created"`
	Updated   time.Time `cbor:"6,keyasint" json:"updated"`
}

// Activity records one search that returned rules of one Trail.
type Activity struct {
	Time         time.Time           `cbor:"1,keyasint" json:"time"`
	TrailID      string              `cbor:"2,keyasint" json:"trail_id"`
	Agent        string              `cbor:"3,keyasint,omitempty" json:"agent,omitempty"`
	Tool         string              `cbor:"4,keyasint" json:"tool"`
	Query        string              `cbor:"5,keyasint" json:"query"`
	Filters      map[string][]string `cbor:"6,keyasint,omitempty" json:"filters,omitempty"`
	Rules        []RankedRule        `cbor:"7,keyasint" json:"rules"`
	Conflicts    [][2]string         `cbor:"8,keyasint,omitempty" json:"conflicts,omitempty"`
	Milliseconds float64             `cbor:"9,keyasint" json:"milliseconds"`
}

// RankedRule is a rule id with the rank at which a search returned it.
type RankedRule struct {
	ID   string `cbor:"1,keyasint" json:"id"`
	Rank int    `cbor:"2,keyasint" json:"rank"`
}
