package client

import (
	"context"
	"net/http"
	"net/url"

	"waymark/search"
)

// CallRaw runs a tool with its arguments as JSON and returns exactly the JSON
// that the tool answered.
func (c *Client) CallRaw(ctx context.Context, tool string, arguments []byte) ([]byte, error) {
	if arguments == nil {
		arguments = []byte("{}")
	}
	return c.Raw(ctx, http.MethodPost, "/v1/call/"+url.PathEscape(tool), arguments)
}

func call[In, Out any](ctx context.Context, c *Client, tool string, in In) (*Out, error) {
	out := new(Out)
	if err := c.send(ctx, http.MethodPost, "/v1/call/"+tool, in, out); err != nil {
		return nil, err
	}
	return out, nil
}

// SearchTrailRules searches the rules of the Trails.
func (c *Client) SearchTrailRules(ctx context.Context, q search.RuleQuery) (*search.RuleAnswer, error) {
	return call[search.RuleQuery, search.RuleAnswer](ctx, c, "search_trail_rules", q)
}

// BrainContext returns one Trail with its rules that match.
func (c *Client) BrainContext(ctx context.Context, q search.BrainQuery) (*search.BrainAnswer, error) {
	return call[search.BrainQuery, search.BrainAnswer](ctx, c, "get_brain_context", q)
}

// TrailDomains lists domains, clusters and tags.
func (c *Client) TrailDomains(ctx context.Context, q search.DomainQuery) (*search.DomainAnswer, error) {
	return call[search.DomainQuery, search.DomainAnswer](ctx, c, "list_trail_domains_and_tags", q)
}

// SearchDocuments searches the knowledge base.
func (c *Client) SearchDocuments(ctx context.Context, q search.DocumentQuery) (*search.DocumentAnswer, error) {
	return call[search.DocumentQuery, search.DocumentAnswer](ctx, c, "kb_search", q)
}

// GetDocument returns one document.
func (c *Client) GetDocument(ctx context.Context, q search.GetQuery) (*search.GetAnswer, error) {
	return call[search.GetQuery, search.GetAnswer](ctx, c, "kb_get", q)
}

// ListDocuments lists documents by id.
func (c *Client) ListDocuments(ctx context.Context, q search.ListQuery) (*search.ListAnswer, error) {
	return call[search.ListQuery, search.ListAnswer](ctx, c, "kb_list", q)
}

// Outline gives the shape of the knowledge base.
func (c *Client) Outline(ctx context.Context, q search.OutlineQuery) (*search.OutlineAnswer, error) {
	return call[search.OutlineQuery, search.OutlineAnswer](ctx, c, "kb_outline", q)
}

// Curate lists documents to look at again.
func (c *Client) Curate(ctx context.Context, q search.CurateQuery) (*search.CurateAnswer, error) {
	return call[search.CurateQuery, search.CurateAnswer](ctx, c, "kb_curate", q)
}
