package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"

	"go.etcd.io/bbolt"
)

// CheckError is what Check found wrong, at most 100 findings in the order of
// the file.
type CheckError struct{ Findings []error }

// Error lists all findings.
func (e *CheckError) Error() string {
	texts := make([]string, len(e.Findings))
	for i, finding := range e.Findings {
		texts[i] = finding.Error()
	}
	return strings.Join(texts, "; ")
}

// Unwrap returns the findings, each of which is ErrCorrupt.
func (e *CheckError) Unwrap() []error { return e.Findings }

// Check reads the whole database and returns a *CheckError when it is not
// sound: a page is damaged, a value fails its checksum, records contradict each
// other, or the change log does not add up to the content. It may run beside
// readers and writers and sees the state of when it began.
func (s *Store) Check(ctx context.Context) error {
	root, pages, findings, err := s.beginCheck()
	if err != nil {
		return fmt.Errorf("check store: %w", err)
	}
	defer guard(root.Rollback)
	c := &check{ctx: ctx, root: root, findings: findings}
	damaged := pages.check(s.file)
	c.findings = append(c.findings, damaged...)
	if len(damaged) == 0 {
		err = guard(c.run)
	}
	switch {
	case errors.Is(err, ErrCorrupt):
		c.findings = append(c.findings, err)
	case err != nil:
		return fmt.Errorf("check store: %w", err)
	}
	if len(c.findings) > 0 {
		return fmt.Errorf("check store: %w", &CheckError{c.findings})
	}
	return nil
}

// beginCheck begins a read transaction and finds its meta page, before commits
// write over it. The pages that it leads to stay while the transaction is open.
//
// Where the other meta page is damaged, that is a finding: bbolt then takes the
// one that is sound, as it must after a crash while writing it, and the last
// transaction may be lost.
func (s *Store) beginCheck() (root *bbolt.Tx, m meta, findings []error, err error) {
	s.writing.Lock()
	defer s.writing.Unlock()
	if s.closed {
		return nil, m, nil, ErrClosed
	}
	if s.broken != nil {
		return nil, m, nil, s.broken
	}
	err = guard(func() (err error) {
		root, err = s.db.Begin(false)
		return err
	})
	if err != nil {
		return nil, m, nil, err
	}
	metas, err := readMetas(s.file)
	if err == nil {
		m, err = metaOf(metas, uint64(root.ID()))
	}
	if err == nil {
		err = m.checkSize(s.file)
	}
	if err != nil {
		return nil, m, nil, errors.Join(err, guard(root.Rollback))
	}
	if len(metas) < 2 {
		findings = append(findings, corruptf("one of the meta pages, 0 and 1, fails its checksum"))
	}
	return root, m, findings, nil
}

// metaOf returns the meta of a transaction.
func metaOf(metas []meta, transaction uint64) (meta, error) {
	for _, m := range metas {
		if m.transaction == transaction {
			return m, nil
		}
	}
	return meta{}, corruptf("the meta page of transaction %d is gone", transaction)
}

// check is a check of the content under way.
type check struct {
	ctx      context.Context
	root     *bbolt.Tx
	findings []error

	// Of the workspace that is being checked:
	tx     *ReadTx
	where  string
	tokens int
}

// report notes a finding.
func (c *check) report(format string, arguments ...any) {
	if len(c.findings) < maxFindings {
		c.findings = append(c.findings, corruptf("%s%s", c.where, fmt.Sprintf(format, arguments...)))
	}
}

// run checks the content. The error says that the check could not go on.
func (c *check) run() error {
	top := map[string]bool{}
	err := c.root.ForEach(func(name []byte, _ *bbolt.Bucket) error {
		top[string(name)] = true
		return nil
	})
	if err != nil {
		return err
	}
	for _, name := range [][]byte{topMeta, topNames, topTokens, topWorkspaces} {
		if !top[string(name)] {
			return corruptf("bucket %q is missing", name)
		}
	}
	if len(top) > 4 {
		c.report("there are %d top buckets, want 4", len(top))
	}
	workspaces := 0
	err = c.root.Bucket(topWorkspaces).ForEach(func(id, value []byte) error {
		if value != nil {
			c.report("key %q among the workspaces is not a bucket", id)
			return nil
		}
		workspaces++
		return c.workspace(string(id))
	})
	if err != nil {
		return err
	}
	c.where = ""
	if n := c.root.Bucket(topNames).Stats().KeyN; n != workspaces {
		c.report("there are %d names for %d workspaces", n, workspaces)
	}
	if n := c.root.Bucket(topTokens).Stats().KeyN; n != c.tokens {
		c.report("there are %d tokens for %d agents", n, c.tokens)
	}
	return nil
}

// workspace checks one workspace.
func (c *check) workspace(id string) error {
	bucket, err := workspaceBucket(c.root, id)
	if err != nil {
		return err
	}
	c.where = fmt.Sprintf("workspace %q: ", id)
	c.tx = &ReadTx{workspace: id, root: bucket}
	if err := c.buckets(bucket); err != nil {
		return err
	}
	for _, step := range []func() error{
		c.info, c.trails, c.rules, c.ruleMarks, c.versions, c.history,
		c.documents, c.documentParts, c.agents, c.vectors, c.activity, c.log,
	} {
		if err := c.ctx.Err(); err != nil {
			return err
		}
		if err := step(); errors.Is(err, ErrNotFound) {
			c.report("%v", err) // something that is referred to
		} else if err != nil {
			return fmt.Errorf("%s%w", c.where, err)
		}
	}
	return nil
}

// buckets checks that a workspace has the buckets that it must have and nothing
// else.
func (c *check) buckets(workspace *bbolt.Bucket) error {
	known := map[string]bool{}
	for b := bucketTrails; b < bucketEnd; b++ {
		known[b.String()] = true
		if _, err := c.tx.bucket(b); err != nil {
			return err
		}
	}
	return workspace.ForEach(func(key, value []byte) error {
		if value != nil || !known[string(key)] {
			c.report("has an unknown key %q", key)
		}
		return nil
	})
}

// info checks the record of a workspace against the names.
func (c *check) info() error {
	workspace, err := c.tx.Workspace()
	if err != nil {
		return err
	}
	if workspace.ID != c.tx.workspace {
		c.report("says that its id is %q", workspace.ID)
	}
	folded := []byte(FoldName(workspace.Name))
	id, err := unseal(codecBytes, folded, c.root.Bucket(topNames).Get(folded))
	if err != nil {
		return fmt.Errorf("name %q: %w", workspace.Name, err)
	}
	if string(id) != workspace.ID {
		c.report("has the name %q, which leads to %q", workspace.Name, id)
	}
	return nil
}

// mark checks that a key which says it all is there and sound.
func (c *check) mark(b bucket, key []byte) error {
	value, err := c.tx.get(b, key)
	if err != nil {
		return err
	}
	if value == nil {
		c.report("%s: key %q is missing", b, key)
		return nil
	}
	if body, err := unseal(codecMark, key, value); err != nil || len(body) > 0 {
		c.report("%s: key %q has a damaged value", b, key)
	}
	return nil
}

// each visits the keys of a bucket that begin with prefix.
func (c *check) each(b bucket, prefix []byte, visit func(key, value []byte) error) error {
	n := 0
	for p, err := range c.tx.scan(b, prefix) {
		if err != nil {
			return err
		}
		if n++; n%1024 == 0 && c.ctx.Err() != nil {
			return c.ctx.Err()
		}
		if err := visit(bytes.Clone(p.key), p.value); err != nil {
			return fmt.Errorf("%s %q: %w", b, p.key, err)
		}
	}
	return nil
}
