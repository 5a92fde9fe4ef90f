package mcp

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"

	"waymark/search"
)

// failure is the structured content of a call that failed: the contract's
// envelope, section 8.
type failure struct {
	Error *search.Error `json:"error"`
}

// outputSchema describes what a tool's structured content may be: an answer of
// the type, or a failure. Clients hold failures against the schema too, so one
// that describes answers only would turn every failure into a broken answer.
func outputSchema(answer reflect.Type) (json.RawMessage, error) {
	root, err := plainSchema(answer)
	if err != nil {
		return nil, err
	}
	failed, err := plainSchema(reflect.TypeFor[failure]())
	if err != nil {
		return nil, err
	}
	root.Properties["error"] = failed.Properties["error"]
	root.Properties["error"].Description = "What failed and what to do next; only in a result with isError."
	root.PropertyOrder = append(root.PropertyOrder, "error")
	root.AnyOf = []*jsonschema.Schema{{Required: root.Required}, {Required: failed.Required}}
	root.Required = nil
	text, err := json.Marshal(root)
	if err != nil {
		return nil, fmt.Errorf("write the schema of %v: %w", answer, err)
	}
	return text, nil
}

// plainSchema is the schema of a type with single types only, and open to
// members that a later version adds: hosts keep a schema longer than a daemon
// runs.
func plainSchema(t reflect.Type) (*jsonschema.Schema, error) {
	// An error holds further errors, which the library cannot describe.
	also := &jsonschema.Schema{Type: "array", Description: "Further failures of the same call, of the same form.", Items: &jsonschema.Schema{Type: "object"}}
	s, err := jsonschema.ForType(t, &jsonschema.ForOptions{TypeSchemas: map[reflect.Type]*jsonschema.Schema{reflect.TypeFor[[]*search.Error](): also}})
	if err != nil {
		return nil, fmt.Errorf("describe %v: %w", t, err)
	}
	simplify(s)
	return s, nil
}

func simplify(s *jsonschema.Schema) {
	if s == nil {
		return
	}
	if s.Types = slices.DeleteFunc(s.Types, func(t string) bool { return t == "null" }); len(s.Types) == 1 {
		s.Type, s.Types = s.Types[0], nil
	}
	if s.Properties != nil {
		s.AdditionalProperties = nil
	}
	for _, p := range s.Properties {
		simplify(p)
	}
	simplify(s.Items)
	simplify(s.AdditionalProperties)
}
