package server

import (
	"encoding/json"
	"slices"

	"waymark/ingest"
	"waymark/search"
	"waymark/store"
)

// RuleChange is the answer to adding, editing or approving a rule: the rule as it
// stands, and the conflicts inside its Trail that were confirmed.
type RuleChange struct {
	Rule      store.Rule        `json:"rule"`
	Conflicts []ingest.Conflict `json:"conflicts"`
}

// RuleView is a rule with every version that matters.
type RuleView struct {
	Rule         store.Rule     `json:"rule"`
	Head         store.RuleHead `json:"head"`
	Draft        *store.Rule    `json:"draft,omitempty"`
	SupersededBy []string       `json:"superseded_by"`
}

// confirming is the parameter that goes on although there is a conflict.
var confirming = []queryParameter{{"confirm_conflicts", "true goes on although the rule conflicts with others of its Trail."}}

type ruleNote struct {
	Note string `json:"note,omitempty"`
}

func (s *Server) ruleRoutes() []route {
	w := s.options.Writer
	byID := func(f func(*request, string) (any, error)) func(*request) (any, error) {
		return func(r *request) (any, error) { return f(r, r.PathValue("rule")) }
	}
	return []route{
		{method: "GET", pattern: "/v1/rules", access: workspaces, about: "Lists rules; trail and status narrow the list.",
			query: []queryParameter{{"trail", "The name or id of a Trail."}, {"status", "draft, approved or retired."}}, out: []store.Rule{}, handle: s.listRules},
		{method: "POST", pattern: "/v1/rules", access: workspaces, about: "Adds a rule as a draft, or in force with status approved. A conflict inside the Trail is refused unless confirm_conflicts=true.",
			query: confirming, in: ingest.RuleInput{}, out: RuleChange{}, handle: func(r *request) (any, error) {
				in, err := s.newRule(r)
				if err != nil {
					return nil, err
				}
				return changed(w.AddRule(r.Context(), r.change(), in))
			}},
		{method: "POST", pattern: "/v1/rules/check", access: workspaces, about: "Lists the conflicts that adding a rule would meet; stores nothing.",
			in: ingest.RuleInput{}, out: []ingest.Conflict{}, handle: func(r *request) (any, error) {
				in, err := s.newRule(r)
				if err != nil {
					return nil, err
				}
				return orEmpty(w.CheckRule(r.Context(), r.caller.Workspace, in))
			}},
		{method: "GET", pattern: "/v1/rules/{rule}/compare/{other}", access: workspaces, about: "Compares two rules, of one Trail or of two: a list of the conflict between them, empty when there is none.",
			out: []ingest.Conflict{}, handle: byID(func(r *request, id string) (any, error) {
				c, found, err := w.CompareRules(r.caller.Workspace, id, r.PathValue("other"))
				if err != nil || !found {
					return []ingest.Conflict{}, err
				}
				return []ingest.Conflict{c}, nil
			})},
		{method: "GET", pattern: "/v1/rules/{rule}", access: workspaces, about: "Shows a rule with its draft.", out: RuleView{}, handle: byID(s.showRule)},
		{method: "PATCH", pattern: "/v1/rules/{rule}", access: workspaces, about: "Edits a rule: its draft, or a new draft of one in force. Absent fields stay.",
			query: confirming, in: ingest.RuleInput{}, out: RuleChange{}, handle: byID(func(r *request, id string) (any, error) {
				in, err := decode[ingest.RuleInput](r)
				if err != nil {
					return nil, err
				}
				fields, err := givenFields(r.body)
				if err != nil {
					return nil, err
				}
				return changed(w.EditRule(r.Context(), r.change(), id, in, fields))
			})},
		{method: "POST", pattern: "/v1/rules/{rule}/approve", access: workspaces, about: "Puts the draft of a rule in force and retires what it supersedes; its conflicts are shown again.", out: RuleChange{},
			handle: byID(func(r *request, id string) (any, error) {
				rules, conflicts, err := w.ApproveRules(r.Context(), r.change(), id)
				if err != nil {
					return nil, err
				}
				return changed(rules[0], conflicts, nil)
			})},
		{method: "POST", pattern: "/v1/rules/{rule}/retire", access: workspaces, about: "Takes a rule out of force.", in: ruleNote{}, out: RuleView{},
			handle: byID(func(r *request, id string) (any, error) {
				in, err := decode[ruleNote](r)
				if err != nil {
					return nil, err
				}
				if err := w.RetireRule(r.Context(), r.change(), id, in.Note); err != nil {
					return nil, err
				}
				return s.showRule(r, id)
			})},
		{method: "POST", pattern: "/v1/rules/{rule}/discard", access: workspaces, about: "Gives up the draft of a rule.",
			handle: byID(func(r *request, id string) (any, error) { return nil, w.DiscardDraft(r.Context(), r.change(), id) })},
		{method: "GET", pattern: "/v1/rules/{rule}/history", access: workspaces, about: "Lists what happened to a rule, oldest first.", out: []store.RuleEvent{},
			handle: byID(func(r *request, id string) (any, error) { return orEmpty(s.store.RuleHistory(r.caller.Workspace, id)) })},
		{method: "DELETE", pattern: "/v1/rules/{rule}", access: workspaces, about: "Deletes a rule that never was in force.",
			handle: byID(func(r *request, id string) (any, error) { return nil, w.DeleteRule(r.Context(), r.change(), id) })},
	}
}

// newRule reads a rule that is not stored yet. Its Trail is found here, so that
// a wrong name is answered with those that there are.
func (s *Server) newRule(r *request) (ingest.RuleInput, error) {
	in, err := decode[ingest.RuleInput](r)
	if err != nil || in.Trail == "" {
		return in, err
	}
	t, err := s.trailNamed(r.caller.Workspace, in.Trail)
	in.Trail = t.ID
	return in, err
}

func changed(rule store.Rule, conflicts []ingest.Conflict, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	if conflicts == nil {
		conflicts = []ingest.Conflict{}
	}
	return RuleChange{rule, conflicts}, nil
}

// givenFields names the fields that a body sets.
func givenFields(body []byte) ([]string, error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(body, &fields); err != nil {
		return nil, search.Errorf(search.CodeInvalidArgument, "Send the fields to change as one JSON object.", "The body is not a JSON object.")
	}
	names := []string{}
	for name := range fields {
		names = append(names, name)
	}
	slices.Sort(names)
	return names, nil
}

func (s *Server) listRules(r *request) (any, error) {
	filter := store.RuleFilter{Status: store.Status(r.URL.Query().Get("status"))}
	if filter.Status != "" && !slices.Contains(store.Statuses, filter.Status) {
		return nil, search.Errorf(search.CodeInvalidArgument, "Send status as draft, approved or retired.", "The argument \"status\" does not take %q.", filter.Status)
	}
	if name := r.URL.Query().Get("trail"); name != "" {
		t, err := s.trailNamed(r.caller.Workspace, name)
		if err != nil {
			return nil, err
		}
		filter.TrailID = t.ID
	}
	return orEmpty(s.store.Rules(r.caller.Workspace, filter))
}

func (s *Server) showRule(r *request, id string) (any, error) {
	var view RuleView
	err := s.store.View(r.caller.Workspace, func(tx *store.ReadTx) (err error) {
		if view.Rule, err = tx.Rule(id); err != nil {
			return err
		}
		if view.Head, err = tx.RuleHead(id); err != nil {
			return err
		}
		if view.Head.Draft != 0 && view.Head.InForce != 0 {
			draft, err := tx.RuleVersion(id, view.Head.Draft)
			if err != nil {
				return err
			}
			view.Draft = &draft
		}
		view.SupersededBy, err = tx.SupersededBy(id)
		return err
	})
	if err != nil {
		return nil, err
	}
	if view.SupersededBy == nil {
		view.SupersededBy = []string{}
	}
	return view, nil
}
