package mcp

import (
	"fmt"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"waymark/tool"
)

// describe makes the protocol's description of each tool, by name.
func describe(tools []*tool.Tool) (map[string]*sdk.Tool, error) {
	described := map[string]*sdk.Tool{}
	no := false
	for _, t := range tools {
		output, err := outputSchema(t.Output)
		if err != nil {
			return nil, fmt.Errorf("describe the tool %q: %w", t.Name, err)
		}
		described[t.Name] = &sdk.Tool{
			Name: t.Name, Title: t.Title, Description: t.Description,
			InputSchema: t.InputSchema(), OutputSchema: output,
			Annotations: &sdk.ToolAnnotations{Title: t.Title, ReadOnlyHint: true, DestructiveHint: &no, IdempotentHint: true, OpenWorldHint: &no},
		}
	}
	return described, nil
}
