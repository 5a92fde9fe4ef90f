package server

import (
	"os"

	"waymark/index"
)

// Status is what /v1/status answers.
type Status struct {
	Version    string            `json:"version"`
	PID        int               `json:"pid"`
	Started    string            `json:"started"`
	Database   string            `json:"database"`
	Model      string            `json:"model"`
	Workspaces []WorkspaceStatus `json:"workspaces"`
	Settings   any               `json:"settings,omitempty"`
}

// WorkspaceStatus is the state of one workspace.
type WorkspaceStatus struct {
	ID    string       `json:"id"`
	Name  string       `json:"name"`
	Index index.Health `json:"index"`
}

func (s *Server) status(*request) (any, error) {
	all, err := s.store.Workspaces()
	if err != nil {
		return nil, err
	}
	answer := Status{Version: s.options.Version, PID: os.Getpid(), Started: s.started.UTC().Format("2006-01-02T15:04:05Z"),
		Database: s.store.Path(), Model: s.options.Model, Workspaces: []WorkspaceStatus{}, Settings: s.options.Settings}
	for _, w := range all {
		h, err := s.options.Index.Health(w.ID)
		if err != nil {
			return nil, err
		}
		answer.Workspaces = append(answer.Workspaces, WorkspaceStatus{w.ID, w.Name, h})
	}
	return answer, nil
}
