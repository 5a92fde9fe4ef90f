package search

import "waymark/store"

// DocumentQuery is the input of kb_search.
type DocumentQuery struct {
	Query          string `json:"query"`
	Tier           string `json:"tier,omitempty"`
	Category       string `json:"category,omitempty"`
	Status         string `json:"status,omitempty"`
	DocType        string `json:"doc_type,omitempty"`
	Limit          int    `json:"limit,omitempty"`
	InForce        bool   `json:"in_force,omitempty"`
	Abstain        bool   `json:"abstain,omitempty"`
	Verbose        bool   `json:"verbose,omitempty"`
	ValidityState  string `json:"validity_state,omitempty"`
	IncludeExpired bool   `json:"include_expired,omitempty"`
	AsOf           string `json:"as_of,omitempty"`
	Cursor         string `json:"cursor,omitempty"`
	Explain        bool   `json:"explain,omitempty"`
}

// AbstainReason says why a search with abstain returned nothing.
type AbstainReason string

// The four reasons to abstain.
const (
	NoTerms       AbstainReason = "no_terms"
	NoSignalMatch AbstainReason = "no_signal_match"
	OutOfScope    AbstainReason = "out_of_scope"
	NotInForce    AbstainReason = "not_in_force"
)

// DocumentAnswer is the output of kb_search. Query and the fields of a hit that
// are pointers are present in the verbose shape, or where they deviate.
type DocumentAnswer struct {
	Query         *string            `json:"query,omitempty"`
	Hits          []DocumentHit      `json:"hits"`
	TotalReturned int                `json:"total_returned"`
	StoreVersion  uint64             `json:"store_version"`
	Abstained     *bool              `json:"abstained,omitempty"`
	AbstainReason AbstainReason      `json:"abstain_reason,omitempty"`
	Reason        string             `json:"reason,omitempty"`
	Conflicts     []DocumentConflict `json:"conflicts,omitempty"`
	NextCursor    string             `json:"next_cursor,omitempty"`
	Explain       *QueryExplain      `json:"explain,omitempty"`
}

// DocumentHit is one document of an answer.
type DocumentHit struct {
	ID           string      `json:"id"`
	Title        string      `json:"title"`
	Snippet      string      `json:"snippet"`
	Path         *string     `json:"path,omitempty"`
	Score        *float64    `json:"score,omitempty"`
	Status       *string     `json:"status,omitempty"`
	Type         *string     `json:"type,omitempty"`
	Freshness    *Freshness  `json:"freshness,omitempty"`
	InForce      *bool       `json:"in_force,omitempty"`
	SupersededBy []string    `json:"superseded_by,omitempty"`
	Section      *string     `json:"section,omitempty"`
	Lines        *[2]int     `json:"lines,omitempty"`
	Strength     *Strength   `json:"strength,omitempty"`
	Matched      *Matched    `json:"matched,omitempty"`
	Explain      *HitExplain `json:"explain,omitempty"`
}

// DocumentConflict names two documents on the page of which one declares that
// it contradicts the other.
type DocumentConflict struct {
	Documents [2]string `json:"documents"`
	Declared  string    `json:"declared_by"`
}

// GetQuery is the input of kb_get.
type GetQuery struct {
	ID      string `json:"id"`
	Verbose bool   `json:"verbose,omitempty"`
	Cursor  string `json:"cursor,omitempty"`
	AsOf    string `json:"as_of,omitempty"`
}

// GetAnswer is the output of kb_get.
type GetAnswer struct {
	ID                 string          `json:"id"`
	Title              string          `json:"title"`
	Path               string          `json:"path"`
	Tier               string          `json:"tier"`
	Category           string          `json:"category"`
	Type               string          `json:"type"`
	Status             string          `json:"status"`
	InForce            bool            `json:"in_force"`
	WhyNot             string          `json:"why_not_in_force,omitempty"`
	Freshness          Freshness       `json:"freshness"`
	SupersededBy       []string        `json:"superseded_by"`
	Supersedes         []string        `json:"supersedes"`
	Contradicts        []string        `json:"contradicts"`
	ContradictedBy     []string        `json:"contradicted_by"`
	ContentHash        string          `json:"content_hash"`
	StoreVersion       uint64          `json:"store_version"`
	Text               string          `json:"text"`
	NextCursor         string          `json:"next_cursor,omitempty"`
	Description        *string         `json:"description,omitempty"`
	Tags               *[]string       `json:"tags,omitempty"`
	AppliesWhen        *[]string       `json:"applies_when,omitempty"`
	Owner              *string         `json:"owner,omitempty"`
	Timestamp          *string         `json:"timestamp,omitempty"`
	ValidFrom          *string         `json:"valid_from,omitempty"`
	ValidUntil         *string         `json:"valid_until,omitempty"`
	LastVerified       *string         `json:"last_verified,omitempty"`
	RecheckBy          *string         `json:"recheck_by,omitempty"`
	VerificationSource *string         `json:"verification_source,omitempty"`
	Problems           []store.Problem `json:"problems,omitempty"`
}

// ListQuery is the input of kb_list.
type ListQuery struct {
	Tier     string `json:"tier,omitempty"`
	Category string `json:"category,omitempty"`
	Limit    int    `json:"limit,omitempty"`
	Cursor   string `json:"cursor,omitempty"`
	AsOf     string `json:"as_of,omitempty"`
}

// ListedDocument is one line of kb_list.
type ListedDocument struct {
	ID        string    `json:"id"`
	Title     string    `json:"title"`
	Tier      string    `json:"tier"`
	Category  string    `json:"category"`
	Type      string    `json:"type,omitempty"`
	Status    string    `json:"status"`
	InForce   bool      `json:"in_force"`
	Freshness Freshness `json:"freshness"`
}

// ListAnswer is the output of kb_list.
type ListAnswer struct {
	Documents    []ListedDocument `json:"documents"`
	Total        int              `json:"total"`
	StoreVersion uint64           `json:"store_version"`
	NextCursor   string           `json:"next_cursor"`
}

// OutlineQuery is the input of kb_outline.
type OutlineQuery struct {
	AsOf string `json:"as_of,omitempty"`
}

// OutlineCount is a tier with its documents and categories.
type OutlineCount struct {
	Name       string          `json:"name"`
	Documents  int             `json:"documents"`
	InForce    int             `json:"in_force"`
	Categories []CategoryCount `json:"categories"`
}

// CategoryCount is a category of a tier with its documents.
type CategoryCount struct {
	Name      string `json:"name"`
	Documents int    `json:"documents"`
	InForce   int    `json:"in_force"`
}

// OutlineAnswer is the output of kb_outline.
type OutlineAnswer struct {
	Documents    int            `json:"documents"`
	InForce      int            `json:"in_force"`
	StoreVersion uint64         `json:"store_version"`
	Tiers        []OutlineCount `json:"tiers"`
}

// CurateQuery is the input of kb_curate.
type CurateQuery struct {
	Limit int    `json:"limit,omitempty"`
	AsOf  string `json:"as_of,omitempty"`
}

// CurateEntry is a document to look at again. DaysOverdue is 0 for one that was
// never verified.
type CurateEntry struct {
	ID          string    `json:"id"`
	Title       string    `json:"title"`
	Reason      string    `json:"reason"`
	DaysOverdue int       `json:"days_overdue"`
	Freshness   Freshness `json:"freshness"`
	Owner       string    `json:"owner,omitempty"`
}

// CurateAnswer is the output of kb_curate. Total counts all that are due.
type CurateAnswer struct {
	Documents    []CurateEntry `json:"documents"`
	Total        int           `json:"total"`
	StoreVersion uint64        `json:"store_version"`
}
