package ingest

import (
	"errors"
	"fmt"
	"slices"

	"waymark/store"
)

// ruleChange is a row of rules on its way into the store.
type ruleChange struct {
	table int // number of the file, whose rows stand or fall together
	item  int // its line in the report
	trail *trailEntry
	rule  store.Rule  // as it should be, with the status that was asked for
	old   store.Rule  // the version that it is compared with; ID empty when new
	next  *ruleChange // the draft of the same rule, when this one is in force
	head  store.RuleHead

	dropped bool // it will not be stored, and its report says why
	queued  bool // it is in a batch, or needs none
}

// planTables reads files of Trails and then files of rules.
func (p *plan) planTables(tx *store.ReadTx, files []File) error {
	type work struct {
		table  table
		kind   Kind
		number int
	}
	var all []work
	failed := map[int]bool{}
	for number, f := range files {
		tables, err := readTables(f.Path, f.Data, p.days)
		if err != nil {
			if err := p.refuseFile(err, p.request.Kind); err != nil {
				return err
			}
			continue
		}
		for _, t := range tables {
			kind, err := t.kind(p.request.Kind)
			if err != nil {
				failed[number] = true
				if err := p.refuseFile(err, p.request.Kind); err != nil {
					return err
				}
				continue
			}
			all = append(all, work{t, kind, number})
		}
	}
	slices.SortStableFunc(all, func(a, b work) int {
		switch {
		case a.kind == b.kind:
			return 0
		case a.kind == KindTrails:
			return -1
		}
		return 1
	})
	var changes []*ruleChange
	for _, w := range all {
		if w.kind == KindTrails {
			if p.planTrails(w.table) {
				failed[w.number] = true
			}
			continue
		}
		rows, bad, err := p.planRules(tx, w.table, w.number)
		if err != nil {
			return err
		}
		if bad {
			failed[w.number] = true
		}
		changes = append(changes, rows...)
	}
	p.rules = p.settle(tx, changes, failed)
	return nil
}

// refuseFile reports an *InputError and returns any other error.
func (p *plan) refuseFile(err error, kind Kind) error {
	var bad *InputError
	if !errors.As(err, &bad) {
		return err
	}
	p.report.refuse(kind, "", bad)
	return nil
}

// refuseRow reports what is wrong with a row, each problem on a line.
func (p *plan) refuseRow(kind Kind, id string, problems []*InputError) {
	for _, e := range problems {
		p.report.refuse(kind, id, e)
	}
}

// planRules takes the rows of a file of rules, and tells whether any was wrong.
func (p *plan) planRules(tx *store.ReadTx, t table, number int) (changes []*ruleChange, bad bool, err error) {
	for _, row := range t.rows {
		r := rowReader{file: t.file, days: t.days, row: row}
		var in RuleInput
		var c *ruleChange
		if row.err != nil {
			r.problems = append(r.problems, row.err)
		} else {
			r.known(ruleColumns)
			in = r.readRule()
		}
		if len(r.problems) == 0 {
			if c, err = p.change(tx, &r, r.columns(t), in); err != nil {
				return nil, false, err
			}
		}
		if len(r.problems) > 0 {
			p.refuseRow(KindRules, in.ID, r.problems)
			bad = true
			continue
		}
		if c == nil {
			continue
		}
		c.table = number
		changes = append(changes, c)
	}
	return changes, bad, nil
}

// change compares a row with the store. It returns nil for a row that needs no
// change and was reported, or has problems.
func (p *plan) change(tx *store.ReadTx, r *rowReader, columns []string, in RuleInput) (*ruleChange, error) {
	if !p.request.KeepStatus {
		in.Status = ""
	}
	c := &ruleChange{}
	var stored bool
	if in.ID != "" {
		var err error
		if stored, err = c.load(tx, in.ID, in.Status); err != nil {
			return nil, err
		}
	}
	c.trail = p.trailOf(r, in, c.head)
	if c.trail == nil {
		return nil, nil
	}
	if in.ID == "" {
		in.ID = derivedID(c.trail.trail.ID, in.Text)
		var err error
		if stored, err = c.load(tx, in.ID, in.Status); err != nil {
			return nil, err
		}
	}
	if stored && c.head.TrailID != c.trail.trail.ID {
		r.bad("trail", "the rule %q belongs to the Trail %q and cannot move", in.ID, c.head.TrailID)
		return nil, nil
	}
	if stored {
		in = keepOthers(in, input(c.old, c.trail.trail.Name), columns)
	}
	r.checkRule(in)
	if len(r.problems) > 0 {
		return nil, nil
	}
	c.rule = in.rule(c.trail.trail.ID, c.old)
	item := Item{File: r.file, Line: r.line, Kind: KindRules, ID: in.ID, Action: Added}
	if twin := p.ruleByID[in.ID]; twin != nil {
		first := p.report.Items[twin.item]
		same := sameContent(twin.rule, c.rule)
		switch {
		case same && twin.rule.Status == c.rule.Status:
			item.Action, item.Reason = Unchanged, fmt.Sprintf("the same as line %d of %s", first.Line, first.File)
			p.report.add(item)
			return nil, nil
		case same || twin.rule.Status != store.StatusApproved || c.rule.Status != store.StatusDraft || twin.next != nil:
			r.bad("id", "line %d of %s has the same id or, without ids, the same text, and differs in the rest", first.Line, first.File)
			return nil, nil
		}
		// An export has a rule in force and its draft: the draft comes second.
		twin.next = c
		if !stored {
			c.old, stored = twin.rule, true
		}
	}
	if stored {
		item.Action = Changed
		if sameContent(c.old, c.rule) && !c.movesStatus() {
			item.Action = Unchanged
		}
	}
	c.item = p.report.add(item)
	if p.ruleByID[in.ID] == nil {
		p.ruleByID[in.ID] = c
	}
	if item.Action == Unchanged {
		c.queued = true
		return nil, nil
	}
	return c, nil
}

// load reads the head of a rule and the version that a change is compared with:
// the one in force when the change should be in force, else the one that an edit
// would start from.
func (c *ruleChange) load(tx *store.ReadTx, id string, status store.Status) (bool, error) {
	head, err := tx.RuleHead(id)
	if errors.Is(err, store.ErrNotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	c.head = head
	version := head.Draft
	if version == 0 || status == store.StatusApproved && head.InForce != 0 {
		version = head.Current()
	}
	c.old, err = tx.RuleVersion(id, version)
	return true, err
}

// movesStatus tells whether the status asked for is another one than the rule
// has. A rule in force does not become a draft again.
func (c *ruleChange) movesStatus() bool {
	switch c.rule.Status {
	case store.StatusApproved:
		return c.old.Status != store.StatusApproved
	case store.StatusRetired:
		return c.old.Status != store.StatusRetired
	}
	return false
}

// trailOf finds the Trail of a row, or makes the one that it names. It returns
// nil and reports when there is none.
func (p *plan) trailOf(r *rowReader, in RuleInput, head store.RuleHead) *trailEntry {
	name := orElse(in.Trail, head.TrailID)
	if earlier := p.ruleByID[in.ID]; name == "" && earlier != nil {
		return earlier.trail
	}
	name = orElse(name, clean(p.request.Trail))
	if name == "" {
		r.bad("trail", "no Trail is named; name one in the column trail, or one for all rows that name none")
		return nil
	}
	entry, err := p.trails.find(name)
	if err != nil {
		r.bad("trail", "%v", err)
		return nil
	}
	if entry == nil {
		entry = p.trails.create(store.Trail{Name: name})
		entry.item = p.report.add(Item{File: r.file, Line: r.line, Kind: KindTrails, ID: entry.trail.ID, Action: Added,
			Reason: fmt.Sprintf("there was no Trail %q", name)})
	}
	return entry
}

// keepOthers takes from the stored rule what the columns of the file do not say.
func keepOthers(in, stored RuleInput, columns []string) RuleInput {
	has := func(name string) bool { return slices.Contains(columns, name) }
	for _, f := range []struct {
		name    string
		to, old *string
	}{
		{"text", &in.Text, &stored.Text}, {"title", &in.Title, &stored.Title}, {"domain", &in.Domain, &stored.Domain}, {"cluster", &in.Cluster, &stored.Cluster},
		{"effective_from", &in.EffectiveFrom, &stored.EffectiveFrom}, {"effective_until", &in.EffectiveUntil, &stored.EffectiveUntil},
		{"source", &in.Source, &stored.Source},
	} {
		if !has(f.name) {
			*f.to = *f.old
		}
	}
	for _, f := range []struct {
		name    string
		to, old *[]string
	}{{"tags", &in.Tags, &stored.Tags}, {"applies_when", &in.AppliesWhen, &stored.AppliesWhen}, {"supersedes", &in.Supersedes, &stored.Supersedes}} {
		if !has(f.name) {
			*f.to = *f.old
		}
	}
	if !has("class") {
		in.Class = stored.Class
	}
	return in
}
