package ingest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"waymark/store"
)

// plan is what an import would change, worked out against one state of the
// store.
type plan struct {
	w       *Writer
	request Request
	days    dayFormat
	report  *Report

	trails    *trailBook
	rules     []*ruleChange // in the order of the input
	ruleByID  map[string]*ruleChange
	documents []*documentChange // in the order of paths
	removals  []documentRemoval
}

// documentChange is a document to be stored.
type documentChange struct {
	document store.Document
	item     int
}

// documentRemoval is a document to be removed.
type documentRemoval struct {
	id   string
	item int
}

// makePlan reads the input and compares it with the store.
func (w *Writer) makePlan(ctx context.Context, request Request) (*plan, error) {
	days, err := findDayFormat(request.DateFormat)
	if err != nil {
		return nil, err
	}
	p := &plan{w: w, request: request, days: days, report: &Report{Plan: request.Plan}, ruleByID: map[string]*ruleChange{}}
	var pages, tables []File
	files := slices.Clone(request.Files)
	slices.SortStableFunc(files, func(a, b File) int { return cmp.Compare(a.Path, b.Path) })
	for _, f := range files {
		switch {
		case request.Kind == KindDocuments || request.Kind == KindAny && isDocument(f.Path):
			pages = append(pages, f)
		case isTable(f.Path):
			tables = append(tables, f)
		default:
			reason := "what kind of file this is cannot be seen from its name; known are .md, .jsonl, .csv and .xlsx"
			if request.Kind != KindAny {
				reason = fmt.Sprintf("files of %s are .jsonl, .csv or .xlsx", request.Kind)
			}
			p.report.refuse(request.Kind, "", &InputError{File: f.Path, Err: ErrBadFile, Reason: reason})
		}
	}
	for _, u := range request.Unread {
		p.report.refuse(KindDocuments, "", readFailure(u))
	}
	documents, err := p.parse(ctx, pages)
	if err != nil {
		return nil, err
	}
	err = w.options.Store.View(request.Workspace, func(tx *store.ReadTx) error {
		stored, err := tx.Trails()
		if err != nil {
			return err
		}
		p.trails = newTrailBook(stored)
		if err := p.planTables(tx, tables); err != nil {
			return err
		}
		return p.planDocuments(tx, documents)
	})
	return p, err
}

// parse reads the documents on all processors, in order.
func (p *plan) parse(ctx context.Context, files []File) ([]*documentChange, error) {
	options := DocumentOptions{ADRStatus: p.request.ADRStatus, PEP: p.request.PEP, Passages: p.w.cutter()}
	parsed := make([]*documentChange, len(files))
	failed := make([]error, len(files))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, f := range files {
		group.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			d, err := ParseDocument(f.Path, f.Data, options)
			parsed[i], failed[i] = &documentChange{document: d}, err
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	var good []*documentChange
	for i, err := range failed {
		var bad *InputError
		switch {
		case errors.As(err, &bad):
			p.report.refuse(KindDocuments, "", bad)
		case err != nil:
			return nil, err
		default:
			good = append(good, parsed[i])
		}
	}
	return good, nil
}

// planDocuments gives every document its action, and finds those that are gone.
func (p *plan) planDocuments(tx *store.ReadTx, parsed []*documentChange) error {
	if len(parsed) == 0 && !p.request.Prune {
		return nil
	}
	stored := map[string]store.Document{}
	for d, err := range tx.Documents(store.DocumentOnly) {
		if err != nil {
			return err
		}
		stored[d.ID] = d
	}
	owner := p.owners(parsed, stored)
	ids := map[string]string{} // of paths
	for _, d := range stored {
		ids[d.Path] = d.ID
	}
	for id, path := range owner {
		ids[path] = id
	}
	known := map[string]bool{}
	for id := range stored {
		known[fold(id)] = true
	}
	for id := range owner {
		known[fold(id)] = true
	}
	seen := map[string]bool{}
	for _, c := range parsed {
		d := &c.document
		if seen[d.Path] {
			p.report.refuse(KindDocuments, d.ID, &InputError{File: d.Path, Err: ErrBadFile,
				Reason: fmt.Sprintf("the file %q comes twice, or two names differ in their Unicode form only", d.Path)})
			continue
		}
		seen[d.Path] = true
		if owner[d.ID] != d.Path {
			p.report.refuse(KindDocuments, d.ID, &InputError{File: d.Path, Field: "id", Err: ErrBadFile,
				Reason: fmt.Sprintf("the id %q belongs to %q already; give this document an id of its own in its front matter", d.ID, owner[d.ID])})
			continue
		}
		for _, list := range []*[]string{&d.Supersedes, &d.SupersededBy, &d.Contradicts} {
			*list = resolvePaths(*list, d.Path, ids)
		}
		if slices.Contains(d.Supersedes, d.ID) {
			d.Problems = append(d.Problems, store.Problem{Line: 1, Field: "supersedes", Reason: "the document names itself, which supersedes nothing"})
		}
		item := Item{File: d.Path, Kind: KindDocuments, ID: d.ID, Action: Added}
		if old, found := stored[d.ID]; found {
			same, err := sameDocument(tx, old, *d)
			if err != nil {
				return err
			}
			switch {
			case same:
				item.Action = Unchanged
			case old.Path != d.Path:
				item.Action, item.Reason = Changed, fmt.Sprintf("moved from %q", old.Path)
			default:
				item.Action = Changed
			}
		}
		p.noteUnknown(*d, known)
		for _, q := range d.Problems {
			p.report.Notes = append(p.report.Notes, Note{File: d.Path, Line: q.Line, Field: q.Field, Reason: q.Reason, Fatal: q.Fatal})
		}
		if c.item = p.report.add(item); item.Action != Unchanged {
			p.documents = append(p.documents, c)
		}
	}
	return p.planRemovals(stored, owner)
}

// noteUnknown notes the names of documents that no document has: a slip of the
// pen in supersedes leaves the old document in force.
func (p *plan) noteUnknown(d store.Document, known map[string]bool) {
	for _, list := range []struct {
		field string
		names []string
	}{{"supersedes", d.Supersedes}, {"superseded_by", d.SupersededBy}, {"contradicts", d.Contradicts}} {
		for _, name := range list.names {
			if !known[fold(name)] {
				p.report.Notes = append(p.report.Notes, Note{File: d.Path, Line: 1, Field: list.field,
					Reason: fmt.Sprintf("there is no document %q", name)})
			}
		}
	}
}

// owners tells which path every id of the input belongs to. Where two files give
// one id, it is the path that has it in the store, else the first.
func (p *plan) owners(parsed []*documentChange, stored map[string]store.Document) map[string]string {
	owner := map[string]string{}
	for _, c := range parsed {
		id, path := c.document.ID, c.document.Path
		if _, taken := owner[id]; !taken || stored[id].Path == path {
			owner[id] = path
		}
	}
	return owner
}

// planRemovals finds the stored documents that the input does not have. A file
// that was refused or could not be read is not gone.
func (p *plan) planRemovals(stored map[string]store.Document, owner map[string]string) error {
	present := map[string]bool{}
	for _, f := range p.request.Files {
		if clean, err := cleanPath(f.Path); err == nil {
			present[clean] = true
		}
	}
	unread := map[string]bool{}
	for _, u := range p.request.Unread {
		if clean, err := cleanPath(u.Path); err == nil {
			unread[clean] = true
		}
	}
	taken := map[string]bool{} // paths whose document has an id
	for _, path := range owner {
		taken[path] = true
	}
	var gone []string
	for id, d := range stored {
		_, kept := owner[id]
		switch {
		case kept, unread[d.Path], present[d.Path] && !taken[d.Path]:
		default:
			gone = append(gone, id)
		}
	}
	slices.Sort(gone)
	if !p.request.Prune {
		p.report.Missing = gone
		return nil
	}
	if loss := float64(len(gone)) / float64(max(1, len(stored))); !p.request.AllowMassLoss && len(gone) > 0 && (loss > MaxLoss || len(gone) == len(stored)) {
		return fmt.Errorf("%w: %d of the %d stored documents are not among the %d files of this import; "+
			"is it the right folder, and all of it? Allow the loss if it is", ErrMassLoss, len(gone), len(stored), len(p.request.Files))
	}
	for _, id := range gone {
		item := p.report.add(Item{File: stored[id].Path, Kind: KindDocuments, ID: id, Action: Removed})
		p.removals = append(p.removals, documentRemoval{id, item})
	}
	return nil
}

// resolvePaths replaces paths of documents by their ids. A path counts from the
// folder of the document that names it, or from the imported folder.
func resolvePaths(names []string, from string, ids map[string]string) []string {
	var out []string
	for _, name := range names {
		if isDocument(name) {
			for _, p := range []string{path.Join(path.Dir(from), name), strings.TrimPrefix(path.Clean("/"+name), "/")} {
				if id, ok := ids[p]; ok {
					name = id
					break
				}
			}
		}
		if !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

// sameDocument tells whether a stored document is what a file says.
func sameDocument(tx *store.ReadTx, old, new store.Document) (bool, error) {
	if old.Hash != new.Hash || old.Path != new.Path {
		return false, nil
	}
	old, err := tx.Document(old.ID, store.WithPassages)
	if err != nil {
		return false, err
	}
	lists := func(d store.Document) [][]string {
		return [][]string{d.Tags, d.AppliesWhen, d.Supersedes, d.SupersededBy, d.Contradicts}
	}
	// What is left of the fields follows from the bytes, whose hash is the same,
	// and from how they were read: whoever changes the reading changes a field,
	// a problem or a passage.
	return old.Title == new.Title && old.Status == new.Status && old.Tier == new.Tier && old.Category == new.Category &&
		old.Type == new.Type && old.Timestamp == new.Timestamp && old.Template == new.Template && old.Owner == new.Owner &&
		slices.EqualFunc(lists(old), lists(new), slices.Equal) && slices.Equal(old.Problems, new.Problems) &&
		slices.EqualFunc(old.Passages, new.Passages, func(a, b store.Passage) bool {
			return a.Text == b.Text && a.StartLine == b.StartLine && a.EndLine == b.EndLine && slices.Equal(a.Headings, b.Headings)
		}), nil
}
