package server

import (
	"errors"
	"log/slog"
	"net/http"

	"waymark/search"
	"waymark/tool"
)

// errorEnvelope is how every failure is sent.
type errorEnvelope struct {
	Error *search.Error `json:"error"`
}

// publicError turns any error into one that a caller may see. What is not ours
// is logged here, once, and told only as "internal".
func (s *Server) publicError(err error) *search.Error {
	var known *search.Error
	if errors.As(err, &known) {
		return known
	}
	if known := translate(err); known != nil {
		return known
	}
	s.log.Error("a call failed", slog.Any("error", err))
	return search.Errorf(search.CodeInternal, "Look at the daemon's log.", "The daemon failed to answer.")
}

func statusOf(e *search.Error) int {
	if status, ok := statuses[e.Code]; ok {
		return status
	}
	return http.StatusInternalServerError
}

func (s *Server) fail(w http.ResponseWriter, err error) {
	e := s.publicError(err)
	s.write(w, statusOf(e), errorEnvelope{e})
}

// answer is what a route's handler returns on success; nil stands for an empty
// object.
func (s *Server) write(w http.ResponseWriter, status int, answer any) {
	if answer == nil {
		answer = struct{}{}
	}
	body, err := tool.WriteAnswer(answer)
	if err != nil {
		s.log.Error("an answer could not be written", slog.Any("error", err))
		http.Error(w, `{"error":{"code":"internal","message":"The daemon failed to answer.","hint":"Look at the daemon's log."}}`, http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	// A caller that went away is no failure of ours.
	_, _ = w.Write(body)
}
