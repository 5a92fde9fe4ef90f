package store

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
)

// trails checks every Trail.
func (c *check) trails() error {
	return c.each(bucketTrails, nil, func(key, value []byte) error {
		trail, err := decodeRecord[Trail](key, value)
		if err != nil {
			return err
		}
		if trail.ID != string(key) {
			c.report("trail %q is stored as %q", trail.ID, key)
		}
		if err := checkTrail(trail); err != nil {
			c.report("trail %q: %v", trail.ID, err)
		}
		return nil
	})
}

// documents checks that every document has all its parts.
func (c *check) documents() error {
	return c.each(bucketDocuments, []byte{kindDocument}, func(key, value []byte) error {
		document, err := decodeRecord[Document](key, value)
		if err != nil {
			return err
		}
		if document.ID != string(key[1:]) {
			c.report("document %q is stored as %q", document.ID, key[1:])
			return nil
		}
		if document, err = c.tx.Document(document.ID, WholeDocument); err != nil {
			return err
		}
		if err := checkDocument(document); err != nil {
			c.report("document %q: %v", document.ID, err)
		}
		return c.mark(bucketDocuments, pairKey(kindPath, document.Path, document.ID))
	})
}

// documentParts checks that every part belongs to a document.
func (c *check) documentParts() error {
	return c.each(bucketDocuments, nil, func(key, _ []byte) error {
		id, path, ok := string(key[1:]), "", true
		switch key[0] {
		case kindDocument:
			return nil
		case kindPassages, kindRaw:
		case kindPath:
			path, id, ok = splitPair(key)
		default:
			ok = false
		}
		if !ok {
			c.report("documents: unknown key %q", key)
			return nil
		}
		document, err := c.tx.Document(id, DocumentOnly)
		if errors.Is(err, ErrNotFound) || err == nil && key[0] == kindPath && document.Path != path {
			c.report("documents: key %q belongs to no document", key)
			return nil
		}
		return err
	})
}

// agents checks every agent and that its token leads to it.
func (c *check) agents() error {
	names := map[string]bool{}
	return c.each(bucketAgents, nil, func(key, value []byte) error {
		agent, err := decodeRecord[Agent](key, value)
		if err != nil {
			return err
		}
		if agent.ID != string(key) {
			c.report("agent %q is stored as %q", agent.ID, key)
		}
		if err := checkAgent(agent); err != nil {
			c.report("agent %q: %v", agent.ID, err)
		}
		folded := FoldName(agent.Name)
		if names[folded] {
			c.report("two agents have the name %q", agent.Name)
		}
		names[folded] = true
		c.tokens++
		owner, err := decodeRecord[tokenOwner](agent.TokenHash, c.root.Bucket(topTokens).Get(agent.TokenHash))
		if err != nil {
			return fmt.Errorf("token: %w", err)
		}
		if owner.Workspace != c.tx.workspace || owner.Agent != agent.ID {
			c.report("the token of agent %q leads to %+v", agent.ID, owner)
		}
		return nil
	})
}

// vectors checks that the vectors of a model are alike.
func (c *check) vectors() error {
	dimensions := map[string]int{}
	return c.each(bucketVectors, nil, func(key, value []byte) error {
		model, hash, ok := splitPrefixed(key)
		if !ok || len(hash) != sha256.Size {
			c.report("vectors: unknown key %q", key)
			return nil
		}
		vector, err := decodeFloats(key, value)
		if err != nil {
			return err
		}
		want, known := dimensions[model]
		if !known {
			want = len(vector)
			dimensions[model] = want
		}
		if len(vector) == 0 || len(vector) != want || slices.ContainsFunc(vector, notFinite) {
			c.report("vector %x of model %q is not one of %d finite dimensions", hash, model, want)
		}
		return nil
	})
}

// activity checks that every record is about a Trail.
func (c *check) activity() error {
	return c.each(bucketActivity, nil, func(key, value []byte) error {
		activity, err := decodeRecord[Activity](key, value)
		if err != nil {
			return err
		}
		trail, rest, ok := splitPrefixed(key)
		if !ok || len(rest) != 16 || trail != activity.TrailID || !bytes.HasPrefix(key, activityKey(trail, activity.Time, 0)[:len(key)-8]) {
			c.report("activity: key %q holds a record of trail %q at %s", key, activity.TrailID, activity.Time)
			return nil
		}
		if _, err := c.tx.Trail(trail); errors.Is(err, ErrNotFound) {
			c.report("activity of trail %q, which does not exist", trail)
			return nil
		} else if err != nil {
			return err
		}
		return nil
	})
}
