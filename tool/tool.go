package tool

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"waymark/analysis"
	"waymark/search"
)

// Tool is one thing that a caller can ask for. Every tool only reads.
type Tool struct {
	Name        string
	Title       string
	Description string
	Parameters  []Parameter
	// DefaultOn says whether a new agent has the tool without being given it.
	DefaultOn bool
	// Output is the Go type of the answer, from which schemas are made.
	Output reflect.Type

	run func(ctx context.Context, s *search.Service, c Caller, arguments []byte) (any, error)
}

// define makes a tool whose handler takes its arguments as a struct; the JSON
// names of the struct's fields are the names of the parameters.
func define[In, Out any](t Tool, handle func(context.Context, *search.Service, Caller, In) (*Out, error)) *Tool {
	t.Output = reflect.TypeFor[Out]()
	t.run = func(ctx context.Context, s *search.Service, c Caller, arguments []byte) (any, error) {
		var in In
		if err := json.Unmarshal(arguments, &in); err != nil {
			return nil, fmt.Errorf("read the arguments of %s: %w", t.Name, err)
		}
		out, err := handle(ctx, s, c, in)
		if err != nil {
			return nil, err
		}
		return out, nil
	}
	return &t
}

// Registry is the tools that one service answers.
type Registry struct {
	service *search.Service
	tools   []*Tool
}

// NewRegistry returns all tools over a service.
func NewRegistry(service *search.Service) *Registry {
	return &Registry{service: service, tools: All()}
}

// All lists every tool, in the order in which they are shown.
func All() []*Tool {
	return []*Tool{searchTrailRules(), getBrainContext(), listTrailDomains(), kbSearch(), kbGet(), kbList(), kbOutline(), kbCurate()}
}

// Names lists the names of all tools.
func Names() []string {
	var names []string
	for _, t := range All() {
		names = append(names, t.Name)
	}
	return names
}

// DefaultTools lists the tools that a new agent has.
func DefaultTools() []string {
	var names []string
	for _, t := range All() {
		if t.DefaultOn {
			names = append(names, t.Name)
		}
	}
	return names
}

// For lists the tools that a caller may use.
func (r *Registry) For(c Caller) []*Tool {
	var may []*Tool
	for _, t := range r.tools {
		if c.May(t.Name) {
			may = append(may, t)
		}
	}
	return may
}

// Call runs a tool with its arguments as a JSON object and returns its answer.
// Every error is a *search.Error, or a failure of the program.
func (r *Registry) Call(ctx context.Context, c Caller, name string, arguments []byte) (any, error) {
	t, err := r.find(c, name)
	if err != nil {
		return nil, err
	}
	if err := c.check(t); err != nil {
		return nil, err
	}
	values, err := readArguments(arguments, t.Parameters)
	if err != nil {
		return nil, err
	}
	clean, err := json.Marshal(values)
	if err != nil {
		return nil, fmt.Errorf("write the arguments of %s: %w", name, err)
	}
	return t.run(ctx, r.service, c, clean)
}

func (r *Registry) find(c Caller, name string) (*Tool, error) {
	for _, t := range r.tools {
		if t.Name == name {
			return t, nil
		}
	}
	var names []string
	for _, t := range r.For(c) {
		names = append(names, t.Name)
	}
	return nil, &search.Error{Code: search.CodeUnknownTool, Message: fmt.Sprintf("There is no tool %q.", shorten(name)),
		Hint: "Use one of: " + strings.Join(names, ", ") + ".", Valid: analysis.Nearest(name, names)}
}

// WriteAnswer writes an answer as every transport sends it: one line of JSON,
// no escaping of <, > and &, numbers as Go prints them.
func WriteAnswer(answer any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(answer); err != nil {
		return nil, fmt.Errorf("write the answer: %w", err)
	}
	return b.Bytes(), nil
}
