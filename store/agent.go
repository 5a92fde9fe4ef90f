package store

import (
	"cmp"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.etcd.io/bbolt"
)

// tokenPrefix lets people and secret scanners see what a token is for.
const tokenPrefix = "wmk_"

// tokenOwner is what the token's hash leads to.
type tokenOwner struct {
	Workspace string `cbor:"1,keyasint"`
	Agent     string `cbor:"2,keyasint"`
}

// CreateAgent makes an agent with the tools that it may call, and returns it
// with its token. The token is not stored and cannot be had again, only
// replaced. The name must be unique in its workspace in the form of [FoldName];
// otherwise the error is an *ExistsError.
func (s *Store) CreateAgent(workspace, name string, tools []string) (Agent, string, error) {
	var agent Agent
	var token string
	err := s.Update(workspace, func(tx *Tx) (err error) {
		agent, token, err = tx.CreateAgent(name, tools)
		return err
	})
	if err != nil {
		return Agent{}, "", err
	}
	return agent, token, nil
}

// CreateAgent is [Store.CreateAgent] within the transaction.
func (tx *Tx) CreateAgent(name string, tools []string) (Agent, string, error) {
	agent := Agent{Name: strings.TrimSpace(name), Tools: toolSet(tools), Created: tx.now, Updated: tx.now}
	var token string
	err := tx.atomically(func() (err error) {
		if agent.ID, err = tx.newID(); err != nil {
			return err
		}
		if err := checkAgent(agent); err != nil {
			return err
		}
		if _, err := tx.AgentByName(name); err == nil {
			return &ExistsError{Kind: "agent", Field: "name", Value: agent.Name}
		} else if !errors.Is(err, ErrNotFound) {
			return err
		}
		token, err = tx.giveToken(&agent)
		return err
	})
	if err != nil {
		return Agent{}, "", fmt.Errorf("create agent: %w", err)
	}
	return agent, token, nil
}

// RotateToken gives an agent a new token. The old one is worth nothing from
// then on.
func (s *Store) RotateToken(workspace, id string) (Agent, string, error) {
	var agent Agent
	var token string
	err := s.Update(workspace, func(tx *Tx) (err error) {
		agent, token, err = tx.RotateToken(id)
		return err
	})
	if err != nil {
		return Agent{}, "", err
	}
	return agent, token, nil
}

// RotateToken is [Store.RotateToken] within the transaction.
func (tx *Tx) RotateToken(id string) (agent Agent, token string, err error) {
	err = tx.atomically(func() error {
		if agent, err = tx.Agent(id); err != nil {
			return err
		}
		if err := tx.journal.delete(tx.global.Bucket(topTokens), agent.TokenHash); err != nil {
			return err
		}
		agent.Updated = tx.now
		token, err = tx.giveToken(&agent)
		return err
	})
	if err != nil {
		return Agent{}, "", fmt.Errorf("rotate token: %w", err)
	}
	return agent, token, nil
}

// giveToken makes a token for an agent and stores both.
func (tx *Tx) giveToken(agent *Agent) (string, error) {
	random, err := tx.store.secret()
	if err != nil {
		return "", err
	}
	token := tokenPrefix + base64.RawURLEncoding.EncodeToString(random)
	hash := sha256.Sum256([]byte(token))
	agent.TokenHash = hash[:]
	owner, err := encodeRecord(agent.TokenHash, tokenOwner{tx.workspace, agent.ID})
	if err != nil {
		return "", err
	}
	if err := tx.journal.put(tx.global.Bucket(topTokens), agent.TokenHash, owner); err != nil {
		return "", err
	}
	return token, tx.putRecord(bucketAgents, []byte(agent.ID), *agent)
}

// SetTools says which tools an agent may call.
func (s *Store) SetTools(workspace, id string, tools []string) (Agent, error) {
	return update(s, workspace, func(tx *Tx) (Agent, error) { return tx.SetTools(id, tools) })
}

// SetTools is [Store.SetTools] within the transaction.
func (tx *Tx) SetTools(id string, tools []string) (agent Agent, err error) {
	err = tx.atomically(func() error {
		if agent, err = tx.Agent(id); err != nil {
			return err
		}
		tools = toolSet(tools)
		if slices.Equal(tools, agent.Tools) {
			return nil
		}
		agent.Tools, agent.Updated = tools, tx.now
		if err := checkAgent(agent); err != nil {
			return err
		}
		return tx.putRecord(bucketAgents, []byte(id), agent)
	})
	if err != nil {
		return Agent{}, fmt.Errorf("set tools: %w", err)
	}
	return agent, nil
}

// DeleteAgent deletes an agent. Its token is worth nothing from then on.
func (s *Store) DeleteAgent(workspace, id string) error {
	return s.Update(workspace, func(tx *Tx) error { return tx.DeleteAgent(id) })
}

// DeleteAgent is [Store.DeleteAgent] within the transaction.
func (tx *Tx) DeleteAgent(id string) error {
	err := tx.atomically(func() error {
		agent, err := tx.Agent(id)
		if err != nil {
			return err
		}
		if err := tx.journal.delete(tx.global.Bucket(topTokens), agent.TokenHash); err != nil {
			return err
		}
		return tx.delete(bucketAgents, []byte(id))
	})
	if err != nil {
		return fmt.Errorf("delete agent: %w", err)
	}
	return nil
}

// Agents returns all agents of a workspace in order of folded name.
func (s *Store) Agents(workspace string) ([]Agent, error) {
	return view(s, workspace, (*ReadTx).Agents)
}

// Agents is [Store.Agents] within the transaction.
func (tx *ReadTx) Agents() ([]Agent, error) {
	all, err := collect(records[Agent](tx, bucketAgents, nil))
	slices.SortFunc(all, func(a, b Agent) int { return cmp.Compare(FoldName(a.Name), FoldName(b.Name)) })
	return all, err
}

// Agent returns the agent with that id, or a *NotFoundError.
func (s *Store) Agent(workspace, id string) (Agent, error) {
	return view(s, workspace, func(tx *ReadTx) (Agent, error) { return tx.Agent(id) })
}

// Agent is [Store.Agent] within the transaction.
func (tx *ReadTx) Agent(id string) (Agent, error) {
	agent, ok, err := find[Agent](tx, bucketAgents, []byte(id))
	if err == nil && !ok {
		err = &NotFoundError{Kind: "agent", ID: id}
	}
	return agent, err
}

// AgentByName returns the agent with that name, or a *NotFoundError.
func (s *Store) AgentByName(workspace, name string) (Agent, error) {
	return view(s, workspace, func(tx *ReadTx) (Agent, error) { return tx.AgentByName(name) })
}

// AgentByName is [Store.AgentByName] within the transaction.
func (tx *ReadTx) AgentByName(name string) (Agent, error) {
	folded := FoldName(name)
	for agent, err := range records[Agent](tx, bucketAgents, nil) {
		if err != nil {
			return Agent{}, err
		}
		if FoldName(agent.Name) == folded {
			return agent, nil
		}
	}
	return Agent{}, &NotFoundError{Kind: "agent", ID: name}
}

// AgentByToken returns the agent whose token this is, with the id of its
// workspace, or a *NotFoundError that does not repeat the token. What is looked
// up is the token's hash: how long that takes tells nothing about other tokens.
func (s *Store) AgentByToken(token string) (workspace string, agent Agent, err error) {
	hash := sha256.Sum256([]byte(token))
	err = s.read(func(root *bbolt.Tx) error {
		value := root.Bucket(topTokens).Get(hash[:])
		if value == nil {
			return &NotFoundError{Kind: "token"}
		}
		owner, err := decodeRecord[tokenOwner](hash[:], value)
		if err != nil {
			return fmt.Errorf("token: %w", err)
		}
		bucket, err := workspaceBucket(root, owner.Workspace)
		if err != nil {
			return err
		}
		workspace = owner.Workspace
		agent, err = (&ReadTx{workspace: workspace, root: bucket}).Agent(owner.Agent)
		if err == nil && subtle.ConstantTimeCompare(agent.TokenHash, hash[:]) != 1 {
			err = corruptf("token of agent %q", owner.Agent)
		}
		return err
	})
	if err != nil {
		return "", Agent{}, err
	}
	return workspace, agent, nil
}

// toolSet returns the names of tools trimmed, sorted and each once.
func toolSet(tools []string) []string {
	set := trimmedSet(tools)
	slices.Sort(set)
	return set
}

// checkAgent returns what is wrong with an agent.
func checkAgent(agent Agent) error {
	check := &problems{kind: "agent"}
	check.name("name", agent.Name)
	check.list("tools", agent.Tools, check.name)
	return check.err()
}
