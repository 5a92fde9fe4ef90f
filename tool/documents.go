package tool

import (
	"context"

	"waymark/search"
)

var (
	tierParameter     = Parameter{Name: "tier", Type: Text, Values: []string{"T1", "T2", "T3", "T4", "meta"}, Description: "Only documents of this tier."}
	categoryParameter = Parameter{Name: "category", Type: Text, Description: "Only documents of this category within a tier."}
	asOfParameter     = Parameter{Name: "as_of", Type: Text, Description: "A day, as 2006-01-02, on which to judge what is in force; today when left out."}
)

func kbSearch() *Tool {
	return define(Tool{
		Name:  "kb_search",
		Title: "KB Search",
		Description: "Full-text and meaning search across the governance knowledge base (policies, decisions, guides). Returns ranked hits with snippets; fetch a hit's full text with kb_get(id). " +
			"Set in_force when you want only guidance that currently applies: superseded, deprecated, expired and upcoming documents are then left out, not only ranked down. " +
			"Set abstain to be told plainly (abstained: true, with a reason) that no document governs the question, instead of a weak keyword match. " +
			"Not for the rules of a Trail: use search_trail_rules.",
		Parameters: []Parameter{queryParameter,
			tierParameter, categoryParameter,
			{Name: "status", Type: Text, Description: "Only documents of this front-matter status, such as active."},
			{Name: "doc_type", Type: Text, Description: "Only documents of this type, such as decision."},
			{Name: "limit", Type: Whole, Default: search.DefaultDocumentLimit, Min: 1, Max: search.MaxLimit, Description: "How many hits to return at most."},
			{Name: "in_force", Type: YesNo, Default: false, Description: "True returns only documents that govern on the day: status active, accepted or approved, inside the validity window, not superseded, not in the inbox."},
			{Name: "abstain", Type: YesNo, Default: false, Description: "True returns no hits and abstained: true when the query has no signal in title, tags or applies_when of any document in scope."},
			{Name: "verbose", Type: YesNo, Default: false, Description: "True returns every field of every hit; false only what deviates."},
			{Name: "validity_state", Type: Text, Description: "Audit facet: expired, stale (recheck_by has passed), or expiring_within:N (days, 0 to 36500)."},
			{Name: "include_expired", Type: YesNo, Default: false, Description: "True lets documents past valid_until appear; they carry freshness: expired."},
			asOfParameter,
			{Name: "cursor", Type: Text, MaxLength: 500, Description: "next_cursor of an earlier answer: the next page of that answer."},
			{Name: "explain", Type: YesNo, Default: false, Description: "True adds the parts of each hit's score and what the search counted."},
		},
		DefaultOn: true,
	}, func(ctx context.Context, s *search.Service, c Caller, in search.DocumentQuery) (*search.DocumentAnswer, error) {
		return s.SearchDocuments(ctx, c.Workspace, in)
	})
}

func kbGet() *Tool {
	return define(Tool{
		Name:        "kb_get",
		Title:       "KB Get",
		Description: "Returns one document of the knowledge base by id, whatever its state, with its text, its standing today, what supersedes it and what contradicts it. Use it after kb_search to read a hit.",
		Parameters: []Parameter{
			{Name: "id", Type: Text, Required: true, MaxLength: 500, Description: "The document's id."},
			{Name: "verbose", Type: YesNo, Default: false, Description: "True returns every metadata field, also the empty ones."},
			{Name: "cursor", Type: Text, MaxLength: 500, Description: "next_cursor of an earlier answer: the next part of a long text."},
			asOfParameter,
		},
		DefaultOn: true,
	}, func(ctx context.Context, s *search.Service, c Caller, in search.GetQuery) (*search.GetAnswer, error) {
		return s.GetDocument(ctx, c.Workspace, in)
	})
}

func kbList() *Tool {
	return define(Tool{
		Name:        "kb_list",
		Title:       "KB List",
		Description: "Lists the documents of the knowledge base by id, optionally of one tier or category, with what deviates from being in force. Use kb_search to find documents about something.",
		Parameters: []Parameter{tierParameter, categoryParameter,
			{Name: "limit", Type: Whole, Default: search.DefaultListLimit, Min: 1, Max: search.MaxLimit, Description: "How many documents to return at most."},
			{Name: "cursor", Type: Text, MaxLength: 500, Description: "next_cursor of an earlier answer: the next page of that answer."},
			asOfParameter,
		},
		DefaultOn: true,
	}, func(ctx context.Context, s *search.Service, c Caller, in search.ListQuery) (*search.ListAnswer, error) {
		return s.ListDocuments(ctx, c.Workspace, in)
	})
}

func kbOutline() *Tool {
	return define(Tool{
		Name:        "kb_outline",
		Title:       "KB Outline",
		Description: "Gives the shape of the knowledge base: tiers and categories with the number of documents and of those in force. Use it to learn the values that kb_search takes as tier and category.",
		Parameters:  []Parameter{asOfParameter},
		DefaultOn:   true,
	}, func(ctx context.Context, s *search.Service, c Caller, in search.OutlineQuery) (*search.OutlineAnswer, error) {
		return s.Outline(ctx, c.Workspace, in)
	})
}

func kbCurate() *Tool {
	return define(Tool{
		Name:        "kb_curate",
		Title:       "KB Curate",
		Description: "Lists the documents that someone should look at again: past recheck_by, verified too long ago or never, expired; most overdue first, each with the reason. For the people who keep the knowledge base, not for answering a question.",
		Parameters: []Parameter{
			{Name: "limit", Type: Whole, Default: search.DefaultCurateLimit, Min: 1, Max: search.MaxLimit, Description: "How many documents to return at most."},
			asOfParameter,
		},
	}, func(ctx context.Context, s *search.Service, c Caller, in search.CurateQuery) (*search.CurateAnswer, error) {
		return s.Curate(ctx, c.Workspace, in)
	})
}
