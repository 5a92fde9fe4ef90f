package server

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"

	"waymark/search"
	"waymark/store"
	"waymark/tool"
)

// The headers of the contract, section 10. Their values are percent-encoded,
// since names may hold any character.
const (
	workspaceHeader = "Waymark-Workspace"
	agentHeader     = "Waymark-Agent"
)

type peerKey struct{}

// peer is what the kernel said of the connection, or why it said nothing.
type peer struct {
	credentials Credentials
	err         error
}

// connContext asks the kernel once a connection who is at its other end.
func connContext(ctx context.Context, c net.Conn) context.Context {
	unixConn, ok := c.(*net.UnixConn)
	if !ok {
		return context.WithValue(ctx, peerKey{}, peer{err: errors.New("not a Unix socket")})
	}
	credentials, err := peerCredentials(unixConn)
	return context.WithValue(ctx, peerKey{}, peer{credentials, err})
}

// identify tells who calls: an agent by its token, or an operator by the
// kernel's word. An operator may act as a named agent of a workspace, so that no
// secret needs to lie in a host's configuration. Where the call runs in no
// workspace, as those on workspaces themselves, one that an operator names for
// all calls is not looked for: it may not exist yet.
func (s *Server) identify(r *http.Request, inWorkspace bool) (tool.Caller, error) {
	if authorization := r.Header.Get("Authorization"); authorization != "" {
		return s.identifyAgent(authorization)
	}
	p, known := r.Context().Value(peerKey{}).(peer)
	if !known || p.err != nil || !s.options.Operators.Allow(p.credentials) {
		return tool.Caller{}, search.Errorf(search.CodeUnauthorized, "Send an agent's token as \"Authorization: Bearer TOKEN\".",
			"The user %d may not administer this daemon, and the call carries no token.", p.credentials.UID)
	}
	name, err := headerName(r, agentHeader)
	if err != nil || name == "" && !inWorkspace {
		return tool.Caller{}, err
	}
	workspace, err := s.namedWorkspace(r)
	if err != nil || name == "" {
		return tool.Caller{Workspace: workspace}, err
	}
	if workspace == "" {
		return tool.Caller{}, search.Errorf(search.CodeWorkspaceMissing, "Name the workspace of the agent.", "The call acts as an agent and names no workspace.")
	}
	agent, err := s.store.AgentByName(workspace, name)
	if errors.Is(err, store.ErrNotFound) {
		return tool.Caller{}, search.Errorf(search.CodeUnknownAgent, "List the agents with: waymark agent list", "There is no agent %q in this workspace.", name)
	}
	if err != nil {
		return tool.Caller{}, err
	}
	return agentCaller(workspace, agent), nil
}

func (s *Server) identifyAgent(authorization string) (tool.Caller, error) {
	scheme, token, _ := strings.Cut(authorization, " ")
	if strings.EqualFold(scheme, "Bearer") {
		workspace, agent, err := s.store.AgentByToken(strings.TrimSpace(token))
		if err == nil {
			return agentCaller(workspace, agent), nil
		}
		if !errors.Is(err, store.ErrNotFound) {
			return tool.Caller{}, err
		}
	}
	return tool.Caller{}, search.Errorf(search.CodeUnauthorized, "Ask an operator for a token: waymark agent rotate NAME",
		"The token is not that of an agent.")
}

func agentCaller(workspace string, a store.Agent) tool.Caller {
	return tool.Caller{Workspace: workspace, Agent: a.Name, Tools: a.Tools}
}

func headerName(r *http.Request, header string) (string, error) {
	name, err := url.PathUnescape(r.Header.Get(header))
	if err != nil {
		return "", search.Errorf(search.CodeInvalidArgument, "Percent-encode the header's value.", "The header %s cannot be read: %v.", header, err)
	}
	return strings.TrimSpace(name), nil
}

// namedWorkspace finds the workspace that an operator's call names, or the
// configured one; empty when there is neither.
func (s *Server) namedWorkspace(r *http.Request) (string, error) {
	name, err := headerName(r, workspaceHeader)
	if err != nil {
		return "", err
	}
	named := name != ""
	if !named {
		name = s.options.Workspace
	}
	if name == "" {
		return "", nil
	}
	w, err := s.store.FindWorkspace(name)
	if errors.Is(err, store.ErrNotFound) {
		if !named {
			// The configured workspace may not be created yet: then the call
			// names none.
			return "", nil
		}
		return "", search.Errorf(search.CodeUnknownWorkspace, "List the workspaces with: waymark workspace list", "There is no workspace %q.", name)
	}
	if err != nil {
		return "", fmt.Errorf("find the workspace %q: %w", name, err)
	}
	return w.ID, nil
}
