package server

import (
	"fmt"
	"slices"

	"waymark/analysis"
	"waymark/search"
	"waymark/store"
	"waymark/tool"
)

// newAgent is what creating an agent takes: its name, and tools beyond those
// that every new agent has.
type newAgent struct {
	Name   string   `json:"name"`
	Enable []string `json:"enable,omitempty"`
}

type toolNames struct {
	Tools []string `json:"tools"`
}

// AgentToken is an agent with its token, which is shown this once.
type AgentToken struct {
	Agent store.Agent `json:"agent"`
	Token string      `json:"token"`
}

func (s *Server) agentRoutes() []route {
	return []route{
		{method: "GET", pattern: "/v1/agents", access: workspaces, about: "Lists the agents of the workspace.", out: []store.Agent{},
			handle: func(r *request) (any, error) { return orEmpty(s.store.Agents(r.caller.Workspace)) }},
		{method: "POST", pattern: "/v1/agents", access: workspaces, about: "Creates an agent; its token is shown once.", in: newAgent{}, out: AgentToken{},
			handle: func(r *request) (any, error) {
				in, err := decode[newAgent](r)
				if err == nil {
					err = checkTools(in.Enable)
				}
				if err != nil {
					return nil, err
				}
				a, token, err := s.store.CreateAgent(r.caller.Workspace, in.Name, inOrder(append(tool.DefaultTools(), in.Enable...)))
				return s.agentChanged(r, AgentToken{a, token}, err)
			}},
		{method: "POST", pattern: "/v1/agents/{agent}/enable", access: workspaces, about: "Enables tools for an agent.", in: toolNames{}, out: store.Agent{},
			handle: s.setTools(func(has, named []string) []string { return append(slices.Clone(has), named...) })},
		{method: "POST", pattern: "/v1/agents/{agent}/disable", access: workspaces, about: "Disables tools for an agent.", in: toolNames{}, out: store.Agent{},
			handle: s.setTools(func(has, named []string) []string {
				return slices.DeleteFunc(slices.Clone(has), func(t string) bool { return slices.Contains(named, t) })
			})},
		{method: "POST", pattern: "/v1/agents/{agent}/rotate", access: workspaces, about: "Gives an agent a new token, shown once; the old one ends at once.", out: AgentToken{},
			handle: func(r *request) (any, error) {
				a, err := s.findAgent(r)
				if err != nil {
					return nil, err
				}
				a, token, err := s.store.RotateToken(r.caller.Workspace, a.ID)
				return s.agentChanged(r, AgentToken{a, token}, err)
			}},
		{method: "DELETE", pattern: "/v1/agents/{agent}", access: workspaces, about: "Deletes an agent.",
			handle: func(r *request) (any, error) {
				a, err := s.findAgent(r)
				if err != nil {
					return nil, err
				}
				return s.agentChanged(r, nil, s.store.DeleteAgent(r.caller.Workspace, a.ID))
			}},
	}
}

// agentChanged answers a change of an agent. The change has a store version of
// its own, though nothing that is searched is another: the index catches up with
// it, so that answers name the version that they name after a restart.
func (s *Server) agentChanged(r *request, answer any, err error) (any, error) {
	if err == nil {
		err = s.options.Index.Refresh(r.caller.Workspace)
	}
	if err != nil {
		return nil, err
	}
	return answer, nil
}

func (s *Server) findAgent(r *request) (store.Agent, error) {
	return s.store.AgentByName(r.caller.Workspace, r.PathValue("agent"))
}

func (s *Server) setTools(next func(has, named []string) []string) func(*request) (any, error) {
	return func(r *request) (any, error) {
		in, err := decode[toolNames](r)
		if err == nil {
			err = checkTools(in.Tools)
		}
		if err != nil {
			return nil, err
		}
		a, err := s.findAgent(r)
		if err != nil {
			return nil, err
		}
		a, err = s.store.SetTools(r.caller.Workspace, a.ID, inOrder(next(a.Tools, in.Tools)))
		return s.agentChanged(r, a, err)
	}
}

// checkTools refuses names that are no tools.
func checkTools(names []string) error {
	for _, name := range names {
		if !slices.Contains(tool.Names(), name) {
			return &search.Error{Code: search.CodeUnknownTool, Message: fmt.Sprintf("There is no tool %q.", name), Hint: "Use names from \"valid\".", Valid: analysis.Nearest(name, tool.Names())}
		}
	}
	return nil
}

// inOrder lists the tools that are named, in the order in which tools are shown.
func inOrder(names []string) []string {
	ordered := []string{}
	for _, name := range tool.Names() {
		if slices.Contains(names, name) {
			ordered = append(ordered, name)
		}
	}
	return ordered
}
