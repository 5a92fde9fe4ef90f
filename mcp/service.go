package mcp

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"slices"

	"waymark/search"
	"waymark/store"
	"waymark/tool"
)

// ruleTools are the tools that show rules: whoever has one of them may also read
// a rule by its id.
var ruleTools = []string{"search_trail_rules", "get_brain_context"}

// service is the backend of the daemon.
type service struct{ Options }

func (s *service) call(ctx context.Context, c tool.Caller, name string, arguments []byte) (answer any, err error) {
	// The SDK runs a call on a goroutine of its own, where a panic would end the
	// daemon.
	defer func() {
		if p := recover(); p != nil {
			s.Log.Error("a call panicked", slog.String("tool", name), slog.Any("panic", p), slog.String("stack", string(debug.Stack())))
			answer, err = nil, errInternal()
		}
	}()
	answer, err = s.Registry.Call(ctx, c, name, arguments)
	return answer, s.public(err)
}

func errInternal() error {
	return search.Errorf(search.CodeInternal, "Look at the daemon's log.", "The daemon failed to answer.")
}

// rule finds what a search could return today, and nothing else: another
// workspace's rule, a draft and an id that does not exist answer alike.
func (s *service) rule(_ context.Context, c tool.Caller, id string) (*ruleText, error) {
	if !slices.ContainsFunc(ruleTools, c.May) {
		return nil, search.Errorf(search.CodeToolNotEnabled, fmt.Sprintf("An operator enables one with: waymark agent enable %s %s", c.Agent, ruleTools[0]),
			"No tool that shows rules is enabled for the agent %q.", c.Agent)
	}
	if c.Workspace == "" {
		return nil, search.Errorf(search.CodeWorkspaceMissing, "Name the workspace of the call, or call with an agent's token.", "The call names no workspace.")
	}
	var found ruleText
	err := s.Store.View(c.Workspace, func(tx *store.ReadTx) error {
		head, err := tx.RuleHead(id)
		if err != nil {
			return err
		}
		if head.InForce == 0 {
			return store.ErrNotInForce
		}
		if found.Rule, err = tx.RuleVersion(id, head.InForce); err != nil {
			return err
		}
		trail, err := tx.Trail(found.TrailID)
		found.Trail = search.TrailName{ID: trail.ID, Name: trail.Name}
		return err
	})
	if errors.Is(err, store.ErrNotFound) || errors.Is(err, store.ErrNotInForce) || err == nil && !s.effective(found.Rule) {
		return nil, search.Errorf(search.CodeUnknownRule, "Use the id of a result of search_trail_rules.", "There is no rule %q in force.", id)
	}
	if err != nil {
		return nil, s.public(err)
	}
	return &found, nil
}

func (s *service) effective(r store.Rule) bool {
	today := search.DayOf(s.Now(), s.Zone)
	from, fromRead := search.ParseDay(r.EffectiveFrom)
	until, untilRead := search.ParseDay(r.EffectiveUntil)
	return fromRead && untilRead && from <= today && (until == search.NoDay || today <= until)
}

// public turns any error into one that a caller may see, as the JSON routes do.
func (s *service) public(err error) error {
	var known *search.Error
	if err == nil || errors.As(err, &known) {
		return err
	}
	if errors.Is(err, store.ErrClosed) {
		return search.Errorf(search.CodeNotReady, "Try again when the daemon runs again.", "The daemon is ending.")
	}
	if errors.Is(err, context.Canceled) {
		return err
	}
	s.Log.Error("a call failed", slog.Any("error", err))
	return errInternal()
}

// enabled lists the tools that a caller has now; an agent's may have changed
// since the caller was identified.
func (s *service) enabled(c tool.Caller) ([]string, error) {
	if c.Operator() {
		return tool.Names(), nil
	}
	var now store.Agent
	err := s.Store.View(c.Workspace, func(tx *store.ReadTx) (err error) {
		now, err = tx.AgentByName(c.Agent)
		return err
	})
	return now.Tools, err
}
