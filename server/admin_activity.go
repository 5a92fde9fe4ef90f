package server

import "waymark/store"

// ActivityPage is a page of a Trail's activity, newest first.
type ActivityPage struct {
	Records    []store.Activity `json:"records"`
	NextCursor string           `json:"next_cursor"`
}

const maxActivityPage = 1000

func (s *Server) activityRoutes() []route {
	return []route{{method: "GET", pattern: "/v1/activity/{trail}", access: workspaces, about: "Lists the searches that returned rules of a Trail, newest first; limit and cursor page through them.",
		query: []queryParameter{{"limit", "How many records to return at most: 50 unless given, 1 to 1000."}, {"cursor", "next_cursor of the page before."}},
		out:   ActivityPage{}, handle: func(r *request) (any, error) {
			t, err := s.findTrail(r)
			if err != nil {
				return nil, err
			}
			limit, err := queryNumber(r, "limit", 50)
			if err != nil {
				return nil, err
			}
			// What was asked a moment ago is to be seen: records wait at most a
			// second to be written together.
			if err := s.options.Activity.Flush(); err != nil {
				return nil, err
			}
			page := ActivityPage{}
			page.Records, page.NextCursor, err = s.store.Activities(r.caller.Workspace, t.ID, r.URL.Query().Get("cursor"), min(max(limit, 1), maxActivityPage))
			if page.Records == nil {
				page.Records = []store.Activity{}
			}
			return page, err
		}}}
}
