package server

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"waymark/search"
	"waymark/tool"
)

// access says who may use a route; a route without one is for nobody.
type access int

const (
	anyone     access = iota + 1 // health: whoever may connect
	callers                      // an operator, or an agent with its token
	operators                    // an operator, with or without a workspace
	workspaces                   // an operator who names a workspace
)

// request is one call of a route, its caller identified.
type request struct {
	*http.Request
	caller tool.Caller
	body   []byte
}

// route is one line of the table.
type route struct {
	method, pattern string
	access          access
	about           string // for the API description
	// query are the parameters of the URL that the route takes.
	query []queryParameter
	// in and out are values of the types of the body and the answer; nil: none.
	in, out any
	handle  func(*request) (any, error)
	// stream answers by itself, for bodies or answers too large for memory.
	stream func(http.ResponseWriter, *request) error
}

// queryParameter is a parameter of a route's URL.
type queryParameter struct{ name, about string }

func (s *Server) routes() []route {
	var all []route
	for _, part := range [][]route{s.healthRoutes(), s.callRoutes(), s.workspaceRoutes(), s.trailRoutes(), s.ruleRoutes(), s.agentRoutes(), s.activityRoutes(), s.transferRoutes(), s.describeRoutes()} {
		all = append(all, part...)
	}
	return all
}

// guard identifies the caller, checks what the route demands, and reads the
// body.
func (s *Server) guard(rt route) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		req := &request{Request: r}
		if rt.access != anyone {
			if !s.ready.Load() {
				s.fail(w, errNotReady())
				return
			}
			caller, err := s.identify(r, rt.access != operators)
			if err == nil {
				err = allowed(rt.access, caller)
			}
			if err != nil {
				s.fail(w, err)
				return
			}
			req.caller = caller
		}
		if err := rt.checkQuery(r.URL.RawQuery); err != nil {
			s.fail(w, err)
			return
		}
		if rt.stream != nil {
			if err := rt.stream(w, req); err != nil {
				s.fail(w, err)
			}
			return
		}
		body, err := readBody(r)
		if err != nil {
			s.fail(w, err)
			return
		}
		req.body = body
		answer, err := rt.handle(req)
		if err != nil {
			s.fail(w, err)
			return
		}
		s.write(w, http.StatusOK, answer)
	})
}

// checkQuery refuses parameters that the route does not take: a filter that is
// misspelled would otherwise be no filter.
func (rt route) checkQuery(raw string) error {
	values, err := url.ParseQuery(raw)
	if err != nil {
		return search.Errorf(search.CodeInvalidArgument, "Percent-encode the parameters of the URL.", "The parameters of the URL cannot be read: %v.", err)
	}
	known := []string{}
	for _, p := range rt.query {
		known = append(known, p.name)
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if !slices.Contains(known, name) {
			return unknownMember(name, known)
		}
	}
	return nil
}

func allowed(a access, c tool.Caller) error {
	switch a {
	case callers:
		return nil
	case operators, workspaces:
		if !c.Operator() {
			return search.Errorf(search.CodeReadOnly, "Ask an operator to do it.", "Agents only read.")
		}
		if a == workspaces && c.Workspace == "" {
			return search.Errorf(search.CodeWorkspaceMissing, "Name the workspace of the call.", "The call names no workspace.")
		}
		return nil
	}
	return search.Errorf(search.CodeUnauthorized, "Use another route.", "Nobody may use this route.")
}

// queryNumber reads a whole number of the URL's query.
func queryNumber(r *request, name string, otherwise int) (int, error) {
	text := r.URL.Query().Get(name)
	if text == "" {
		return otherwise, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		return 0, search.Errorf(search.CodeInvalidArgument, "Send "+name+" as a whole number.", "The argument %q takes a whole number, not %q.", name, text)
	}
	return n, nil
}
