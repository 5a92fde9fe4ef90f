package mcp

import (
	"context"

	"waymark/search"
	"waymark/store"
	"waymark/tool"
)

// backend is what stands behind a server: the tools and rules of the daemon, or,
// in a bridge, the word that there is no daemon.
type backend interface {
	// call runs a tool. Its errors are those of tool.Registry.
	call(ctx context.Context, c tool.Caller, name string, arguments []byte) (any, error)
	// rule reads a rule that is in force today.
	rule(ctx context.Context, c tool.Caller, id string) (*ruleText, error)
}

// ruleText is a rule with the name of its Trail.
type ruleText struct {
	store.Rule
	Trail search.TrailName
}
