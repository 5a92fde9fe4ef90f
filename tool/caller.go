package tool

import (
	"fmt"
	"slices"
	"strings"

	"waymark/search"
)

// Caller is who asks: an agent bound to one workspace, or an operator who names
// the workspace of each call.
type Caller struct {
	// Workspace is the id of the workspace; empty when an operator named none.
	Workspace string
	// Agent is the agent's name; empty for an operator.
	Agent string
	// Tools are the names of the tools enabled for the agent. An operator may
	// use all of them.
	Tools []string
}

// Operator reports whether the caller is an operator.
func (c Caller) Operator() bool { return c.Agent == "" }

// May reports whether the caller may use a tool.
func (c Caller) May(name string) bool { return c.Operator() || slices.Contains(c.Tools, name) }

func (c Caller) check(t *Tool) error {
	if !c.May(t.Name) {
		return search.Errorf(search.CodeToolNotEnabled,
			fmt.Sprintf("An operator enables it with: waymark agent enable %s %s", c.Agent, t.Name),
			"The tool %q is not enabled for the agent %q.", t.Name, c.Agent)
	}
	if strings.TrimSpace(c.Workspace) == "" {
		return search.Errorf(search.CodeWorkspaceMissing, "Name the workspace of the call, or call with an agent's token.",
			"The call names no workspace.")
	}
	return nil
}
