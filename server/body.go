package server

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"waymark/analysis"
	"waymark/search"
)

// maxBody is the largest body of a route that is not streamed.
const maxBody = 4 << 20

// maxDrained is how much of a body that is too long is read to its end all the
// same, so that the connection stays usable; a longer one ends it.
const maxDrained = 64 << 20

// readBody reads the body of a call.
func readBody(r *http.Request) ([]byte, error) {
	body, err := io.ReadAll(io.LimitReader(r.Body, maxBody+1))
	if err != nil {
		return nil, search.Errorf(search.CodeInvalidArgument, "Send the whole body.", "The body could not be read.")
	}
	if len(body) > maxBody {
		// Whether the rest comes does not change the answer.
		_, _ = io.Copy(io.Discard, io.LimitReader(r.Body, maxDrained))
		return nil, search.Errorf(search.CodeTooLarge, "Send less at once.", "The body is longer than %d bytes.", maxBody)
	}
	return body, nil
}

// decode reads a route's JSON body: one value of UTF-8, its members known and of
// the right types. Nothing at all is the zero value.
func decode[T any](r *request) (T, error) {
	var in T
	if len(bytes.TrimSpace(r.body)) == 0 {
		return in, nil
	}
	if !utf8.Valid(r.body) {
		return in, search.Errorf(search.CodeInvalidArgument, "Send the body as UTF-8.", "The body is not valid UTF-8.")
	}
	d := json.NewDecoder(bytes.NewReader(r.body))
	d.DisallowUnknownFields()
	err := d.Decode(&in)
	if err == nil {
		if _, more := d.Token(); !errors.Is(more, io.EOF) {
			err = errors.New("something follows the JSON value")
		}
	}
	if err != nil {
		return in, badBody(err, reflect.TypeFor[T]())
	}
	return in, exactNames(r.body, reflect.TypeFor[T]())
}

// exactNames refuses names that encoding/json takes in another case: what is
// edited is told by the names that are given.
func exactNames(body []byte, t reflect.Type) error {
	objects := make([]map[string]json.RawMessage, 1)
	var err error
	if t.Kind() == reflect.Slice {
		err = json.Unmarshal(body, &objects)
	} else {
		err = json.Unmarshal(body, &objects[0])
	}
	if err != nil {
		return badBody(err, t)
	}
	known := members(t)
	for _, object := range objects {
		for _, name := range slices.Sorted(maps.Keys(object)) {
			if !slices.Contains(known, name) {
				return unknownMember(name, known)
			}
		}
	}
	return nil
}

func unknownMember(name string, known []string) error {
	e := &search.Error{Code: search.CodeUnknownArgument, Message: fmt.Sprintf("There is no argument %q.", name),
		Hint: "Use one of: " + strings.Join(known, ", ") + ".", Valid: analysis.Nearest(name, known)}
	if len(known) == 0 {
		e.Hint = "Leave it out: there are none here."
	}
	return e
}

// unknownField is how the error of encoding/json begins that has no type of its
// own; TestBadBodies holds it to that.
const unknownField = "json: unknown field "

// badBody says in the contract's words why JSON is not a value of a type.
func badBody(err error, t reflect.Type) error {
	const hint = "See GET /v1/openapi.json for what the route takes."
	if quoted, isUnknown := strings.CutPrefix(err.Error(), unknownField); isUnknown {
		name, unquoting := strconv.Unquote(quoted)
		if unquoting != nil {
			name = quoted
		}
		return unknownMember(name, members(t))
	}
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &wrong) {
		if wrong.Field == "" {
			return search.Errorf(search.CodeInvalidArgument, hint, "The body takes %s, not %s.", typeWords(wrong.Type), jsonWords(wrong.Value))
		}
		return search.Errorf(search.CodeInvalidArgument, hint, "The argument %q takes %s, not %s.", wrong.Field, typeWords(wrong.Type), jsonWords(wrong.Value))
	}
	return search.Errorf(search.CodeInvalidArgument, hint, "The body is not JSON: %v.", err)
}

// members lists the JSON names of a struct's fields, or of the structs in a list.
func members(t reflect.Type) []string {
	if t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	var names []string
	for _, f := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		names = append(names, name)
	}
	return names
}

func typeWords(t reflect.Type) string {
	switch t.Kind() {
	case reflect.String:
		return "a text"
	case reflect.Bool:
		return "true or false"
	case reflect.Slice:
		return "a list"
	case reflect.Int:
		return "a whole number"
	}
	return "an object"
}

func jsonWords(value string) string {
	kind, _, _ := strings.Cut(value, " ")
	return map[string]string{"string": "a text", "number": "a number", "bool": "true or false", "array": "a list", "object": "an object"}[kind]
}
