package mcp

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"waymark/tool"
)

const promptName = "check_action"

func (s *servers) addPrompt(server *sdk.Server) {
	server.AddPrompt(&sdk.Prompt{
		Name: promptName, Title: "Check an action against the rules",
		Description: "Looks up which company rules speak to an action before it is taken, and reports what they demand.",
		Arguments: []*sdk.PromptArgument{
			{Name: "action", Title: "Action", Description: "What is about to be done, in plain words.", Required: true},
			{Name: "trail", Title: "Trail", Description: "Only the rules of this Trail."},
			{Name: "domain", Title: "Domain", Description: "Only the rules in this domain."},
			{Name: "cluster", Title: "Cluster", Description: "Only the rules in this cluster."},
			{Name: "tag", Title: "Tag", Description: "A tag whose rules matter most."},
		},
	}, checkAction)
}

// checkAction writes the prompt for the tools that the caller has.
func checkAction(ctx context.Context, request *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
	arguments := request.Params.Arguments
	action := strings.TrimSpace(arguments["action"])
	if action == "" {
		return nil, refuse(jsonrpc.CodeInvalidParams, `The argument "action" is missing. Send what is about to be done, in plain words.`)
	}
	caller := tool.CallerFrom(ctx)
	var b strings.Builder
	fmt.Fprintf(&b, "I am about to do this:\n\n%s\n\nBefore I do, check it against our rules.\n\n", quote(action))
	var filters []string
	for _, name := range []string{"trail", "domain", "cluster"} {
		if value := strings.TrimSpace(arguments[name]); value != "" {
			filters = append(filters, fmt.Sprintf("%ss: [%s]", name, quote(value)))
		}
	}
	switch {
	case caller.May("search_trail_rules"):
		b.WriteString("1. Call search_trail_rules with the action as the query")
		if len(filters) > 0 {
			b.WriteString(" and " + strings.Join(filters, ", "))
		}
		b.WriteString(". If the action has several parts, ask once for each.\n")
	case caller.May("get_brain_context") && strings.TrimSpace(arguments["trail"]) != "":
		fmt.Fprintf(&b, "1. Call get_brain_context with trail: %s and the action as the query.\n", quote(strings.TrimSpace(arguments["trail"])))
	default:
		b.WriteString("1. Call list_trail_domains_and_tags, choose each Trail that may govern the action, and call get_brain_context on it with the action as the query.\n")
	}
	if tag := strings.TrimSpace(arguments["tag"]); tag != "" {
		fmt.Fprintf(&b, "   Look first at rules that carry the tag %s.\n", quote(tag))
	}
	b.WriteString("2. For each rule that applies, quote it with its id and its Trail, and say what it demands, forbids or permits here. Leave out rules that do not apply.\n" +
		"3. If rules conflict, show both and ask me; do not pick one.\n" +
		"4. If nothing matches, say that no stored rule speaks to it.\n" +
		"5. End with one line: go ahead, go ahead under these conditions, or stop.\n")
	return &sdk.GetPromptResult{Description: "Check an action against the rules",
		Messages: []*sdk.PromptMessage{{Role: "user", Content: &sdk.TextContent{Text: b.String()}}}}, nil
}

// promptArguments are the names that a value can be completed for.
var promptArguments = []string{"trail", "domain", "cluster", "tag"}

func completes(ref *sdk.CompleteReference, name string) bool {
	switch ref.Type {
	case "ref/prompt":
		return ref.Name == promptName && slices.Contains(promptArguments, name)
	case "ref/resource":
		return ref.URI == documentScheme+"{id}" && name == "id"
	}
	return false
}
