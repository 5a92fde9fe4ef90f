package server

import (
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"regexp"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"waymark/search"
	"waymark/tool"
)

func (s *Server) describeRoutes() []route {
	return []route{{method: "GET", pattern: "/v1/openapi.json", access: callers, about: "Describes every route.",
		handle: func(*request) (any, error) { return s.openAPI() }}}
}

var pathParameter = regexp.MustCompile(`\{(\w+)\}`)

// openAPI describes the route table and the tools, as OpenAPI 3.1.
func (s *Server) openAPI() (any, error) {
	paths := map[string]map[string]any{}
	add := func(path, method string, operation any) {
		if paths[path] == nil {
			paths[path] = map[string]any{}
		}
		paths[path][strings.ToLower(method)] = operation
	}
	failure, err := schemaOf(reflect.TypeFor[errorEnvelope]())
	if err != nil {
		return nil, err
	}
	for _, r := range s.routes() {
		if r.pattern == "/v1/call/{tool}" {
			continue
		}
		operation, err := describe(r.about, failure, typeOf(r.in), typeOf(r.out))
		if err != nil {
			return nil, fmt.Errorf("describe %s %s: %w", r.method, r.pattern, err)
		}
		var parameters []any
		for _, name := range pathParameter.FindAllStringSubmatch(r.pattern, -1) {
			parameters = append(parameters, map[string]any{"name": name[1], "in": "path", "required": true, "schema": map[string]any{"type": "string"}})
		}
		for _, p := range r.query {
			parameters = append(parameters, map[string]any{"name": p.name, "in": "query", "description": p.about, "schema": map[string]any{"type": "string"}})
		}
		if r.method == http.MethodPatch {
			// What an edit leaves out stays as it is.
			if in := typeOf(r.in); in != nil {
				schema, err := schemaOf(in)
				if err != nil {
					return nil, fmt.Errorf("describe %s %s: %w", r.method, r.pattern, err)
				}
				schema.Required = nil
				operation["requestBody"] = body(schema)
			}
		}
		if parameters != nil {
			operation["parameters"] = parameters
		}
		add(r.pattern, r.method, operation)
	}
	for _, t := range tool.All() {
		operation, err := describe(t.Description, failure, nil, t.Output)
		if err != nil {
			return nil, fmt.Errorf("describe the tool %s: %w", t.Name, err)
		}
		operation["requestBody"] = body(t.InputSchema())
		add("/v1/call/"+t.Name, "POST", operation)
	}
	return map[string]any{"openapi": "3.1.0", "info": map[string]any{"title": "Waymark", "version": s.options.Version}, "paths": paths}, nil
}

func typeOf(v any) reflect.Type {
	if v == nil {
		return nil
	}
	return reflect.TypeOf(v)
}

func schemaOf(t reflect.Type) (*jsonschema.Schema, error) {
	return jsonschema.ForType(t, &jsonschema.ForOptions{TypeSchemas: map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[search.Error]():    {Type: "object"},
		reflect.TypeFor[json.RawMessage](): {Type: "object"}, // the arguments of a call in a batch
	}})
}

func body(schema any) map[string]any {
	return map[string]any{"content": map[string]any{"application/json": map[string]any{"schema": schema}}}
}

func describe(about string, failure *jsonschema.Schema, in, out reflect.Type) (map[string]any, error) {
	ok := map[string]any{"description": "the answer"}
	if out != nil {
		schema, err := schemaOf(out)
		if err != nil {
			return nil, err
		}
		ok["content"] = body(schema)["content"]
	}
	bad := body(failure)
	bad["description"] = "an error of the contract"
	operation := map[string]any{"summary": about, "responses": map[string]any{"200": ok, "default": bad}}
	if in != nil {
		schema, err := schemaOf(in)
		if err != nil {
			return nil, err
		}
		operation["requestBody"] = body(schema)
	}
	return operation, nil
}
