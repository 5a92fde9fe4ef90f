package store

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"go.etcd.io/bbolt"
)

// CreateWorkspace makes an empty workspace. Its name must be unique in the form
// of [FoldName]; otherwise the error is an *ExistsError.
func (s *Store) CreateWorkspace(name string) (Workspace, error) {
	var workspace Workspace
	err := s.write(func(root *bbolt.Tx, journal *journal) error {
		id, err := s.newWorkspaceID()
		if err != nil {
			return err
		}
		workspace = Workspace{ID: id, Name: strings.TrimSpace(name), Created: s.clock()}
		if err := setName(root, journal, workspace, ""); err != nil {
			return err
		}
		bucket, err := root.Bucket(topWorkspaces).CreateBucket([]byte(id))
		if err != nil {
			return fmt.Errorf("make bucket of workspace %q: %w", id, err)
		}
		journal.structural = true
		return fillWorkspace(bucket, workspace)
	})
	if err != nil {
		return Workspace{}, fmt.Errorf("create workspace %q: %w", name, err)
	}
	return workspace, nil
}

// fillWorkspace writes what a new workspace consists of.
func fillWorkspace(bucket *bbolt.Bucket, workspace Workspace) error {
	for b := bucketTrails; b < bucketEnd; b++ {
		if _, err := bucket.CreateBucket([]byte(b.String())); err != nil {
			return fmt.Errorf("make bucket %q: %w", b, err)
		}
	}
	value, err := encodeRecord(keyWorkspace, workspace)
	if err != nil {
		return err
	}
	return bucket.Bucket([]byte(bucketInfo.String())).Put(keyWorkspace, value)
}

// setName checks the name of a workspace and enters it among the names, in
// place of the folded name that it had.
func setName(root *bbolt.Tx, journal *journal, workspace Workspace, had string) error {
	check := &problems{kind: "workspace"}
	check.name("name", workspace.Name)
	if err := check.err(); err != nil {
		return err
	}
	names := root.Bucket(topNames)
	folded := FoldName(workspace.Name)
	if folded == had {
		return nil
	}
	if names.Get([]byte(folded)) != nil {
		return &ExistsError{Kind: "workspace", Field: "name", Value: workspace.Name}
	}
	if err := journal.delete(names, []byte(had)); err != nil {
		return err
	}
	return journal.put(names, []byte(folded), seal(codecBytes, []byte(folded), []byte(workspace.ID)))
}

// Workspaces returns all workspaces in order of their folded names.
func (s *Store) Workspaces() ([]Workspace, error) {
	var all []Workspace
	err := s.read(func(root *bbolt.Tx) error {
		return root.Bucket(topWorkspaces).ForEachBucket(func(id []byte) error {
			workspace, err := readWorkspace(root, string(id))
			all = append(all, workspace)
			return err
		})
	})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(all, func(a, b Workspace) int {
		return cmp.Compare(FoldName(a.Name), FoldName(b.Name))
	})
	return all, nil
}

// FindWorkspace returns the workspace with that id, or else with that name. The
// error is a *NotFoundError when there is neither.
func (s *Store) FindWorkspace(nameOrID string) (Workspace, error) {
	var workspace Workspace
	err := s.read(func(root *bbolt.Tx) (err error) {
		id := nameOrID
		if _, err := workspaceBucket(root, id); err != nil {
			folded := []byte(FoldName(nameOrID))
			value := root.Bucket(topNames).Get(folded)
			if value == nil {
				return err
			}
			body, err := unseal(codecBytes, folded, value)
			if err != nil {
				return fmt.Errorf("name %q: %w", nameOrID, err)
			}
			id = string(body)
		}
		workspace, err = readWorkspace(root, id)
		return err
	})
	return workspace, err
}

// RenameWorkspace changes the name of a workspace, under the conditions of
// CreateWorkspace. It does not change the workspace's version.
func (s *Store) RenameWorkspace(id, name string) (Workspace, error) {
	var workspace Workspace
	err := s.write(func(root *bbolt.Tx, journal *journal) (err error) {
		workspace, err = readWorkspace(root, id)
		if err != nil {
			return err
		}
		had := FoldName(workspace.Name)
		workspace.Name = strings.TrimSpace(name)
		if err := setName(root, journal, workspace, had); err != nil {
			return err
		}
		bucket, err := workspaceBucket(root, id)
		if err != nil {
			return err
		}
		value, err := encodeRecord(keyWorkspace, workspace)
		if err != nil {
			return err
		}
		return journal.put(bucket.Bucket([]byte(bucketInfo.String())), keyWorkspace, value)
	})
	if err != nil {
		return Workspace{}, fmt.Errorf("rename workspace: %w", err)
	}
	return workspace, nil
}

// DeleteWorkspace deletes a workspace with all that is in it. The tokens of its
// agents are worth nothing afterwards.
func (s *Store) DeleteWorkspace(id string) error {
	err := s.write(func(root *bbolt.Tx, journal *journal) error {
		bucket, err := workspaceBucket(root, id)
		if err != nil {
			return err
		}
		tx := &ReadTx{workspace: id, root: bucket}
		workspace, err := readWorkspace(root, id)
		if err != nil {
			return err
		}
		for agent, err := range records[Agent](tx, bucketAgents, nil) {
			if err != nil {
				return err
			}
			if err := journal.delete(root.Bucket(topTokens), agent.TokenHash); err != nil {
				return err
			}
		}
		if err := journal.delete(root.Bucket(topNames), []byte(FoldName(workspace.Name))); err != nil {
			return err
		}
		if err := root.Bucket(topWorkspaces).DeleteBucket([]byte(id)); err != nil {
			return fmt.Errorf("delete bucket of workspace %q: %w", id, err)
		}
		journal.structural = true
		return nil
	})
	if err != nil {
		return fmt.Errorf("delete workspace: %w", err)
	}
	return nil
}

// readWorkspace returns the record of a workspace.
func readWorkspace(root *bbolt.Tx, id string) (Workspace, error) {
	bucket, err := workspaceBucket(root, id)
	if err != nil {
		return Workspace{}, err
	}
	return (&ReadTx{workspace: id, root: bucket}).Workspace()
}

// Workspace returns the record of the transaction's workspace.
func (tx *ReadTx) Workspace() (Workspace, error) {
	workspace, ok, err := find[Workspace](tx, bucketInfo, keyWorkspace)
	if err == nil && !ok {
		err = corruptf("workspace %q has no record", tx.workspace)
	}
	return workspace, err
}
