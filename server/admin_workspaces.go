package server

import (
	"strings"

	"waymark/search"
	"waymark/store"
)

type named struct {
	Name string `json:"name"`
}

func (n named) check() error {
	if strings.TrimSpace(n.Name) == "" {
		return search.Errorf(search.CodeInvalidArgument, "Send a name.", "The argument \"name\" is missing.")
	}
	return nil
}

func (s *Server) workspaceRoutes() []route {
	return []route{
		{method: "GET", pattern: "/v1/workspaces", access: operators, about: "Lists the workspaces.", out: []store.Workspace{},
			handle: func(*request) (any, error) { return orEmpty(s.store.Workspaces()) }},
		{method: "POST", pattern: "/v1/workspaces", access: operators, about: "Creates a workspace.", in: named{}, out: store.Workspace{},
			handle: func(r *request) (any, error) {
				in, err := decode[named](r)
				if err == nil {
					err = in.check()
				}
				if err != nil {
					return nil, err
				}
				return s.store.CreateWorkspace(in.Name)
			}},
		{method: "PATCH", pattern: "/v1/workspaces/{workspace}", access: operators, about: "Renames a workspace.", in: named{}, out: store.Workspace{},
			handle: func(r *request) (any, error) {
				in, err := decode[named](r)
				if err == nil {
					err = in.check()
				}
				if err != nil {
					return nil, err
				}
				w, err := s.store.FindWorkspace(r.PathValue("workspace"))
				if err != nil {
					return nil, err
				}
				return s.store.RenameWorkspace(w.ID, in.Name)
			}},
		{method: "DELETE", pattern: "/v1/workspaces/{workspace}", access: operators, about: "Deletes a workspace with everything in it.",
			handle: func(r *request) (any, error) {
				w, err := s.store.FindWorkspace(r.PathValue("workspace"))
				if err != nil {
					return nil, err
				}
				if err := s.store.DeleteWorkspace(w.ID); err != nil {
					return nil, err
				}
				return nil, s.options.Index.Drop(w.ID)
			}},
	}
}

// orEmpty answers an empty list where there is nothing to list.
func orEmpty[T any](list []T, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	if list == nil {
		list = []T{}
	}
	return list, nil
}
