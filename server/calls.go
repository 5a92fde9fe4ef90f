package server

import (
	"encoding/json"
	"net/http"

	"waymark/search"
	"waymark/tool"
)

// maxBatch is how many calls one batch holds.
const maxBatch = 100

// batchCall is one call of a batch.
type batchCall struct {
	Tool      string          `json:"tool"`
	Arguments json.RawMessage `json:"arguments,omitempty"`
}

// batchAnswer is what one call of a batch gave: an answer or an error.
type batchAnswer struct {
	Result any           `json:"result,omitempty"`
	Error  *search.Error `json:"error,omitempty"`
}

func (s *Server) callRoutes() []route {
	return []route{
		{method: "POST", pattern: "/v1/call/{tool}", access: callers, about: "Calls a tool with its arguments as the body; see /v1/tools.",
			handle: func(r *request) (any, error) {
				s.calls.add(r.PathValue("tool"))
				return s.options.Registry.Call(r.Context(), r.caller, r.PathValue("tool"), r.body)
			}},
		{method: "POST", pattern: "/v1/batch", access: callers, about: "Calls up to 100 tools in order; each gives a result or an error.",
			in: []batchCall{}, out: []batchAnswer{}, handle: s.batch},
		{method: "GET", pattern: "/v1/tools", access: callers, about: "Lists the tools that the caller may use, with their parameters.",
			out: []ToolDescription{}, handle: func(r *request) (any, error) { return describeTools(s.options.Registry.For(r.caller)), nil }},
	}
}

func (s *Server) batch(r *request) (any, error) {
	calls, err := decode[[]batchCall](r)
	if err != nil {
		return nil, err
	}
	if len(calls) > maxBatch {
		return nil, search.Errorf(search.CodeTooLarge, "Send at most 100 calls in a batch.", "The batch has %d calls.", len(calls))
	}
	answers := make([]batchAnswer, len(calls))
	for i, c := range calls {
		s.calls.add(c.Tool)
		result, err := s.options.Registry.Call(r.Context(), r.caller, c.Tool, c.Arguments)
		if err != nil {
			answers[i].Error = s.publicError(err)
			continue
		}
		answers[i].Result = result
	}
	return answers, nil
}

// ToolDescription is a tool as /v1/tools lists it.
type ToolDescription struct {
	Name        string                 `json:"name"`
	Title       string                 `json:"title"`
	Description string                 `json:"description"`
	Parameters  []ParameterDescription `json:"parameters"`
}

// ParameterDescription is a parameter of a tool.
type ParameterDescription struct {
	Name        string   `json:"name"`
	Type        string   `json:"type"`
	Required    bool     `json:"required"`
	Default     any      `json:"default,omitempty"`
	Minimum     int      `json:"minimum,omitempty"`
	Maximum     int      `json:"maximum,omitempty"`
	Values      []string `json:"values,omitempty"`
	Description string   `json:"description"`
}

func describeTools(tools []*tool.Tool) []ToolDescription {
	list := []ToolDescription{}
	for _, t := range tools {
		d := ToolDescription{Name: t.Name, Title: t.Title, Description: t.Description, Parameters: []ParameterDescription{}}
		for _, p := range t.Parameters {
			d.Parameters = append(d.Parameters, ParameterDescription{p.Name, p.Type.String(), p.Required, p.Default, p.Min, p.Max, p.Values, p.Description})
		}
		list = append(list, d)
	}
	return list
}

func (s *Server) healthRoutes() []route {
	alive := func(*request) (any, error) { return map[string]string{"status": "alive"}, nil }
	return []route{
		{method: "GET", pattern: "/livez", access: anyone, about: "Says that the process lives.", handle: alive},
		{method: "GET", pattern: "/readyz", access: anyone, about: "Says that calls are answered; not_ready until then.", handle: func(*request) (any, error) {
			if !s.ready.Load() {
				return nil, errNotReady()
			}
			return map[string]string{"status": "ready"}, nil
		}},
		{method: "GET", pattern: "/metrics", access: operators, about: "Counters in the Prometheus text format.", stream: func(w http.ResponseWriter, _ *request) error {
			w.Header().Set("Content-Type", "text/plain; version=0.0.4")
			return s.calls.write(w, s.options.Activity.Dropped())
		}},
		{method: "GET", pattern: "/v1/status", access: operators, about: "The state of the daemon and of every workspace.", out: Status{}, handle: s.status},
	}
}
