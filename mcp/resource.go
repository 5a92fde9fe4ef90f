package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"waymark/search"
	"waymark/tool"
)

// The addresses of what can be read.
const (
	documentScheme = "kb://doc/"
	ruleScheme     = "trail://rule/"
)

func (s *servers) addTemplates(server *sdk.Server) {
	server.AddResourceTemplate(&sdk.ResourceTemplate{URITemplate: documentScheme + "{id}", Name: "document", Title: "Document",
		Description: "One document of the knowledge base with its standing today, whatever its state. The id is that of a hit of kb_search.", MIMEType: "text/markdown"}, nil)
	server.AddResourceTemplate(&sdk.ResourceTemplate{URITemplate: ruleScheme + "{id}", Name: "rule", Title: "Rule",
		Description: "One rule in force, in full. The id is that of a result of search_trail_rules.", MIMEType: "text/markdown"}, nil)
}

// readResource reads a document or a rule by its address, as far as the caller's
// tools show them.
func (s *servers) readResource(ctx context.Context, params *sdk.ReadResourceParams) (sdk.Result, error) {
	read := func(ctx context.Context, id string) (string, error) {
		return "", search.Errorf(search.CodeInvalidArgument, "Read "+documentScheme+"ID or "+ruleScheme+"ID.", "Nothing can be read at %q.", params.URI)
	}
	rest, isDocument := strings.CutPrefix(params.URI, documentScheme)
	if isDocument {
		read = s.readDocument
	} else if after, isRule := strings.CutPrefix(params.URI, ruleScheme); isRule {
		rest, read = after, s.readRule
	}
	id, err := url.PathUnescape(rest)
	if err != nil {
		id = rest
	}
	text, err := read(ctx, id)
	if err != nil {
		var known *search.Error
		if errors.As(err, &known) {
			return nil, protocolError(jsonrpc.CodeInvalidParams, known, map[string]any{"uri": params.URI})
		}
		return nil, err
	}
	return &sdk.ReadResourceResult{
		Cacheable: sdk.Cacheable{CacheScope: "private"},
		Contents:  []*sdk.ResourceContents{{URI: params.URI, MIMEType: "text/markdown", Text: text}},
	}, nil
}

// readDocument puts all parts of a document together. They come from one state
// of the store: a cursor does not outlive a change.
func (s *servers) readDocument(ctx context.Context, id string) (string, error) {
	var first *search.GetAnswer
	var body strings.Builder
	query := search.GetQuery{ID: id}
	for {
		arguments, err := json.Marshal(query)
		if err != nil {
			return "", fmt.Errorf("write the arguments of kb_get: %w", err)
		}
		answer, err := s.backend.call(ctx, tool.CallerFrom(ctx), "kb_get", arguments)
		if err != nil {
			return "", err
		}
		part, isDocument := answer.(*search.GetAnswer)
		if !isDocument {
			return "", fmt.Errorf("kb_get answered with a %T", answer)
		}
		if first == nil {
			first = part
		}
		body.WriteString(part.Text)
		if part.NextCursor == "" {
			whole := *first
			whole.Text, whole.NextCursor = body.String(), ""
			return documentText(&whole), nil
		}
		query.Cursor = part.NextCursor
	}
}

func (s *servers) readRule(ctx context.Context, id string) (string, error) {
	r, err := s.backend.rule(ctx, tool.CallerFrom(ctx), id)
	if err != nil {
		return "", err
	}
	return ruleResource(r), nil
}
