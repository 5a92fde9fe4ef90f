package store

import (
	"bytes"
	"encoding/base64"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAgentLife(t *testing.T) {
	options := testOptions(t)
	options.Now = days()
	s, w, _, _ := filled(t, options)
	agent, token, err := s.CreateAgent(w, " Claude ", []string{"kb_search", "kb_get", "kb_search"})
	if err != nil {
		t.Fatal(err)
	}
	if agent.Name != "Claude" || agent.ID == "" || agent.Created.IsZero() || cmp.Diff([]string{"kb_get", "kb_search"}, agent.Tools) != "" {
		t.Errorf("CreateAgent() = %+v", agent)
	}
	random, err := base64.RawURLEncoding.DecodeString(strings.TrimPrefix(token, "wmk_"))
	if !strings.HasPrefix(token, "wmk_") || err != nil || len(random) != 32 {
		t.Errorf("token = %q, want wmk_ and 32 bytes in base64url", token)
	}
	wantOwner(t, s, token, w, agent)
	if found, err := s.AgentByName(w, "CLAUDE"); err != nil || cmp.Diff(agent, found) != "" {
		t.Errorf("AgentByName() = %+v, %v", found, err)
	}

	enabled, err := s.SetTools(w, agent.ID, []string{"search_trail_rules"})
	if err != nil || cmp.Diff([]string{"search_trail_rules"}, enabled.Tools) != "" || !enabled.Updated.After(agent.Updated) {
		t.Errorf("SetTools() = %+v, %v", enabled, err)
	}
	wantOwner(t, s, token, w, enabled)
	same, err := s.SetTools(w, agent.ID, []string{"search_trail_rules"})
	if err != nil || !same.Updated.Equal(enabled.Updated) {
		t.Errorf("SetTools() of the same = %+v, %v, want no change", same, err)
	}
	rotated, fresh, err := s.RotateToken(w, agent.ID)
	if err != nil || fresh == token {
		t.Fatalf("RotateToken() = %q, %v", fresh, err)
	}
	wantOwner(t, s, fresh, w, rotated)
	wantNoOwner(t, s, token)

	second, _, err := s.CreateAgent(w, "Codex", nil)
	if err != nil {
		t.Fatal(err)
	}
	agents, err := s.Agents(w)
	if diff := cmp.Diff([]Agent{rotated, second}, agents); diff != "" || err != nil {
		t.Errorf("Agents() (-want +got), %v:\n%s", err, diff)
	}
	if err := s.Check(t.Context()); err != nil {
		t.Errorf("Check() = %v", err)
	}
	if err := s.DeleteAgent(w, agent.ID); err != nil {
		t.Fatal(err)
	}
	wantNoOwner(t, s, fresh)
	for what, err := range map[string]error{
		"Agent":       func() error { _, err := s.Agent(w, agent.ID); return err }(),
		"AgentByName": func() error { _, err := s.AgentByName(w, "Claude"); return err }(),
		"SetTools":    func() error { _, err := s.SetTools(w, agent.ID, nil); return err }(),
		"RotateToken": func() error { _, _, err := s.RotateToken(w, agent.ID); return err }(),
		"DeleteAgent": s.DeleteAgent(w, agent.ID),
	} {
		var missing *NotFoundError
		if !errors.As(err, &missing) || missing.Kind != "agent" {
			t.Errorf("%s of a deleted agent = %v, want a NotFoundError", what, err)
		}
	}
	if err := s.Check(t.Context()); err != nil {
		t.Errorf("Check() = %v", err)
	}
}

// wantOwner fails the test unless the token is the agent's.
func wantOwner(t *testing.T, s *Store, token, workspace string, agent Agent) {
	t.Helper()
	w, got, err := s.AgentByToken(token)
	if diff := cmp.Diff(agent, got); diff != "" || w != workspace || err != nil {
		t.Errorf("AgentByToken() = %q, %v, want %q (-want +got):\n%s", w, err, workspace, diff)
	}
}

// wantNoOwner fails the test unless the token is worth nothing.
func wantNoOwner(t *testing.T, s *Store, token string) {
	t.Helper()
	w, agent, err := s.AgentByToken(token)
	if !errors.Is(err, ErrNotFound) || w != "" || agent.ID != "" {
		t.Errorf("AgentByToken() = %q, %+v, %v, want ErrNotFound", w, agent, err)
	}
	if token != "" && strings.Contains(err.Error(), token) {
		t.Errorf("AgentByToken() = %q repeats the token", err)
	}
}

func TestTokensAreNotStored(t *testing.T) {
	options := testOptions(t)
	s, w, _, _ := filled(t, options)
	_, token, err := s.CreateAgent(w, "Agent", nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, other := range []string{"", "wmk_", token[:len(token)-1], token + "A", strings.ToLower(token), " " + token} {
		wantNoOwner(t, s, other)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile(options.Path)
	if err != nil {
		t.Fatal(err)
	}
	random, err := base64.RawURLEncoding.DecodeString(strings.TrimPrefix(token, "wmk_"))
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(file, []byte(token[4:])) || bytes.Contains(file, random) {
		t.Error("the token is in the database file")
	}
}

func TestInvalidAgents(t *testing.T) {
	s, w, _, _ := filled(t, testOptions(t))
	create := func(name string, tools ...string) error {
		_, _, err := s.CreateAgent(w, name, tools)
		return err
	}
	if err := create("Agent"); err != nil {
		t.Fatal(err)
	}
	var exists *ExistsError
	if err := create(" AGENT"); !errors.As(err, &exists) || exists.Kind != "agent" {
		t.Errorf("CreateAgent() of a taken name = %v, want an ExistsError", err)
	}
	wantField(t, "CreateAgent", create(" "), "agent", "name")
	wantField(t, "CreateAgent", create("a\tb"), "agent", "name")
	wantField(t, "CreateAgent", create("Other", "kb_search", ""), "agent", "tools[0]")
	if agents, err := s.Agents(w); err != nil || len(agents) != 1 {
		t.Errorf("Agents() = %d, %v, want 1", len(agents), err)
	}
}

func TestSameNameInTwoWorkspaces(t *testing.T) {
	s, w, _, _ := filled(t, testOptions(t))
	other, err := s.CreateWorkspace("Other")
	if err != nil {
		t.Fatal(err)
	}
	first, firstToken, err := s.CreateAgent(w, "Agent", nil)
	if err != nil {
		t.Fatal(err)
	}
	second, secondToken, err := s.CreateAgent(other.ID, "Agent", nil)
	if err != nil {
		t.Fatal(err)
	}
	wantOwner(t, s, firstToken, w, first)
	wantOwner(t, s, secondToken, other.ID, second)
}
