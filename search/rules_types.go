package search

import "waymark/store"

// Limits of the contract.
const (
	MaxQueryLength       = 2000 // characters
	MaxLimit             = 100  // results of one page
	DefaultRuleLimit     = 10
	DefaultDocumentLimit = 20
	DefaultListLimit     = 50
	DefaultCurateLimit   = 50
)

// Asker is who asks and through which tool; it goes into the activity record.
type Asker struct{ Workspace, Agent, Tool string }

// RuleQuery is the input of search_trail_rules.
type RuleQuery struct {
	Query    string   `json:"query"`
	Trails   []string `json:"trails,omitempty"`
	Domains  []string `json:"domains,omitempty"`
	Clusters []string `json:"clusters,omitempty"`
	Limit    int      `json:"limit,omitempty"`
	Cursor   string   `json:"cursor,omitempty"`
	Explain  bool     `json:"explain,omitempty"`
}

// State says how a search of rules ended.
type State string

// The three states of an answer.
const (
	StateOK       State = "ok"
	StateNoMatch  State = "no_match"
	StateDegraded State = "degraded"
)

// RuleAnswer is the output of search_trail_rules. Total counts every rule that
// matched in the scope, on all pages.
type RuleAnswer struct {
	State        State         `json:"state"`
	Reason       string        `json:"reason,omitempty"`
	Query        string        `json:"query"`
	StoreVersion uint64        `json:"store_version"`
	Total        int           `json:"total"`
	NextCursor   string        `json:"next_cursor"`
	Results      []RuleHit     `json:"results"`
	Conflicts    []Conflict    `json:"conflicts"`
	Explain      *QueryExplain `json:"explain,omitempty"`
}

// TrailName is a Trail as an answer names it.
type TrailName struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// RuleHit is one rule of an answer.
type RuleHit struct {
	Rank         int         `json:"rank"`
	ID           string      `json:"id"`
	Text         string      `json:"text"`
	Title        string      `json:"title,omitempty"`
	Class        store.Class `json:"class"`
	ClassDerived bool        `json:"class_derived,omitempty"`
	Trail        TrailName   `json:"trail"`
	Domain       string      `json:"domain"`
	Cluster      string      `json:"cluster"`
	Tags         []string    `json:"tags"`
	AppliesWhen  []string    `json:"applies_when,omitempty"`
	Source       string      `json:"source,omitempty"`
	Strength     Strength    `json:"strength"`
	Matched      Matched     `json:"matched"`
	Explain      *HitExplain `json:"explain,omitempty"`
}

// Strength says how surely a hit answers the query.
type Strength string

// Direct hits answer the query nine times out of ten on the tuning sets; related
// ones speak to its subject.
const (
	Direct  Strength = "direct"
	Related Strength = "related"
)

// Conflict names two rules on the page that cannot both be obeyed.
type Conflict struct {
	Rules  [2]string    `json:"rules"`
	Trails [2]TrailName `json:"trails"`
	Kind   string       `json:"kind"`
	Point  string       `json:"point"`
}

// BrainQuery is the input of get_brain_context.
type BrainQuery struct {
	Trail string `json:"trail"`
	Query string `json:"query"`
	Limit int    `json:"limit,omitempty"`
}

// BrainTrail is a Trail with its counts.
type BrainTrail struct {
	ID          string `json:"id"`
	Name        string `json:"name"`
	Description string `json:"description"`
	Owner       string `json:"owner"`
	Rules       int    `json:"rules"`
	Domains     int    `json:"domains"`
}

// BrainAnswer is the output of get_brain_context: a Trail, and the answer of
// search_trail_rules on it.
type BrainAnswer struct {
	Trail BrainTrail `json:"trail"`
	RuleAnswer
}

// DomainQuery is the input of list_trail_domains_and_tags.
type DomainQuery struct {
	Trails []string `json:"trails,omitempty"`
}

// Count is a name with the number of approved rules that carry it.
type Count struct {
	Name  string `json:"name"`
	Rules int    `json:"rules"`
}

// DomainCount is a domain with its clusters.
type DomainCount struct {
	Name     string  `json:"name"`
	Rules    int     `json:"rules"`
	Clusters []Count `json:"clusters"`
}

// TrailDomains is one Trail with its domains and tags.
type TrailDomains struct {
	Trail   TrailName     `json:"trail"`
	Rules   int           `json:"rules"`
	Domains []DomainCount `json:"domains"`
	Tags    []Count       `json:"tags"`
}

// DomainAnswer is the output of list_trail_domains_and_tags.
type DomainAnswer struct {
	StoreVersion uint64         `json:"store_version"`
	Trails       []TrailDomains `json:"trails"`
}
