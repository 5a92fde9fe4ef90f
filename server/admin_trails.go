package server

import (
	"waymark/ingest"
	"waymark/search"
	"waymark/store"
)

// trailEdit is what can be changed of a Trail; absent fields stay.
type trailEdit struct {
	Name        *string `json:"name,omitempty"`
	Description *string `json:"description,omitempty"`
	Owner       *string `json:"owner,omitempty"`
}

func (e trailEdit) apply(t *store.Trail) {
	for _, f := range []struct {
		from *string
		to   *string
	}{{e.Name, &t.Name}, {e.Description, &t.Description}, {e.Owner, &t.Owner}} {
		if f.from != nil {
			*f.to = *f.from
		}
	}
}

func (r *request) change() ingest.Change {
	return ingest.Change{Workspace: r.caller.Workspace, By: "operator", ConfirmConflicts: r.URL.Query().Get("confirm_conflicts") == "true"}
}

func (s *Server) trailRoutes() []route {
	return []route{
		{method: "GET", pattern: "/v1/trails", access: workspaces, about: "Lists the Trails of the workspace.", out: []store.Trail{},
			handle: func(r *request) (any, error) { return orEmpty(s.store.Trails(r.caller.Workspace)) }},
		{method: "POST", pattern: "/v1/trails", access: workspaces, about: "Creates a Trail.", in: trailEdit{}, out: store.Trail{},
			handle: func(r *request) (any, error) {
				in, err := decode[trailEdit](r)
				if err != nil {
					return nil, err
				}
				var t store.Trail
				in.apply(&t)
				return s.options.Writer.CreateTrail(r.Context(), r.change(), t)
			}},
		{method: "GET", pattern: "/v1/trails/{trail}", access: workspaces, about: "Shows a Trail, by name or id.", out: store.Trail{},
			handle: func(r *request) (any, error) { return s.findTrail(r) }},
		{method: "PATCH", pattern: "/v1/trails/{trail}", access: workspaces, about: "Edits a Trail.", in: trailEdit{}, out: store.Trail{},
			handle: func(r *request) (any, error) {
				in, err := decode[trailEdit](r)
				if err != nil {
					return nil, err
				}
				t, err := s.findTrail(r)
				if err != nil {
					return nil, err
				}
				in.apply(&t)
				return s.options.Writer.EditTrail(r.Context(), r.change(), t)
			}},
		{method: "DELETE", pattern: "/v1/trails/{trail}", access: workspaces, about: "Deletes a Trail with its rules and its activity.",
			handle: func(r *request) (any, error) {
				t, err := s.findTrail(r)
				if err != nil {
					return nil, err
				}
				return nil, s.options.Writer.DeleteTrail(r.Context(), r.change(), t.ID)
			}},
	}
}

// findTrail finds the Trail of the path by id, or by a name that fits one.
func (s *Server) findTrail(r *request) (store.Trail, error) {
	return s.trailNamed(r.caller.Workspace, r.PathValue("trail"))
}

func (s *Server) trailNamed(workspace, name string) (store.Trail, error) {
	all, err := s.store.Trails(workspace)
	if err != nil {
		return store.Trail{}, err
	}
	return search.FindTrail(all, name)
}
