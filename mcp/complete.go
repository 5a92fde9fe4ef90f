package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"waymark/search"
	"waymark/tool"
)

// maxCompletions is the protocol's limit.
const maxCompletions = 100

// complete lists the values that go on from what was typed: names of Trails,
// domains, clusters and tags, and ids of documents, as far as the caller's tools
// show them. A caller whose tools show none gets an empty list.
func (s *servers) complete(ctx context.Context, request *sdk.CompleteRequest) (*sdk.CompleteResult, error) {
	p := request.Params
	result := &sdk.CompleteResult{Completion: sdk.CompletionResultDetails{Values: []string{}}}
	if !completes(p.Ref, p.Argument.Name) {
		return result, nil
	}
	chosen := map[string]string{}
	if p.Context != nil {
		chosen = p.Context.Arguments
	}
	values, err := s.names(ctx, p.Argument.Name, chosen)
	var known *search.Error
	if errors.As(err, &known) {
		return result, nil
	}
	if err != nil {
		return nil, err
	}
	values = startingWith(values, p.Argument.Value)
	shown := values[:min(len(values), maxCompletions)]
	result.Completion = sdk.CompletionResultDetails{Values: shown, Total: len(values), HasMore: len(values) > len(shown)}
	return result, nil
}

func (s *servers) names(ctx context.Context, argument string, chosen map[string]string) ([]string, error) {
	if argument == "id" {
		return s.documentIDs(ctx)
	}
	var query search.DomainQuery
	if trail := chosen["trail"]; trail != "" && argument != "trail" {
		query.Trails = []string{trail}
	}
	arguments, err := json.Marshal(query)
	if err != nil {
		return nil, fmt.Errorf("write the arguments of a completion: %w", err)
	}
	answer, err := s.backend.call(ctx, tool.CallerFrom(ctx), "list_trail_domains_and_tags", arguments)
	if err != nil {
		return nil, err
	}
	trails, isList := answer.(*search.DomainAnswer)
	if !isList {
		return nil, fmt.Errorf("list_trail_domains_and_tags answered with a %T", answer)
	}
	var names []string
	for _, t := range trails.Trails {
		names = append(names, namesOf(t, argument, chosen["domain"])...)
	}
	return names, nil
}

func namesOf(t search.TrailDomains, argument, domain string) []string {
	var names []string
	switch argument {
	case "trail":
		return []string{t.Trail.Name}
	case "tag":
		for _, tag := range t.Tags {
			names = append(names, tag.Name)
		}
	case "domain":
		for _, d := range t.Domains {
			names = append(names, d.Name)
		}
	case "cluster":
		for _, d := range t.Domains {
			if domain != "" && !strings.EqualFold(domain, d.Name) {
				continue
			}
			for _, c := range d.Clusters {
				names = append(names, c.Name)
			}
		}
	}
	return names
}

// documentIDs lists the ids of all documents, page by page.
func (s *servers) documentIDs(ctx context.Context) ([]string, error) {
	var ids []string
	query := search.ListQuery{Limit: search.MaxLimit}
	for {
		arguments, err := json.Marshal(query)
		if err != nil {
			return nil, fmt.Errorf("write the arguments of kb_list: %w", err)
		}
		answer, err := s.backend.call(ctx, tool.CallerFrom(ctx), "kb_list", arguments)
		if err != nil {
			return nil, err
		}
		list, isList := answer.(*search.ListAnswer)
		if !isList {
			return nil, fmt.Errorf("kb_list answered with a %T", answer)
		}
		for _, d := range list.Documents {
			ids = append(ids, d.ID)
		}
		if list.NextCursor == "" {
			return ids, nil
		}
		query.Cursor = list.NextCursor
	}
}

// startingWith keeps the values that begin with what was typed, or hold it after
// those, each once and in order.
func startingWith(values []string, typed string) []string {
	slices.Sort(values)
	values = slices.Compact(values)
	typed = strings.ToLower(strings.TrimSpace(typed))
	var begin, within []string
	for _, v := range values {
		switch at := strings.Index(strings.ToLower(v), typed); {
		case at == 0:
			begin = append(begin, v)
		case at > 0:
			within = append(within, v)
		}
	}
	return append(append([]string{}, begin...), within...)
}
