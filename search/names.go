package search

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"waymark/analysis"
)

// namedRule is where one rule stands, as names compare.
type namedRule struct {
	id              string
	trail           int // position in the catalogue's Trails; −1: none that is known
	domain, cluster string
	domainKey       string // folded
	clusterKey      string
}

// rulesCatalog is what names can mean in one workspace on one day: all of its
// Trails, and the domains and clusters of its approved rules.
type rulesCatalog struct {
	trails []TrailName // in name order, then id
	keys   []string    // folded names of the Trails
	rules  []namedRule // by item; zero for items that do not count on the day
	counts []bool      // by item: whether it counts on the day
}

// resolveTrails turns names and ids into positions of Trails, or reports every
// one that is wrong: the first error holds the others. An id is exact, and wins
// over a name.
func (c *rulesCatalog) resolveTrails(names []string) ([]int, *Error) {
	var found []int
	var wrong []string
	var errs []*Error
	for _, name := range names {
		if i := slices.IndexFunc(c.trails, func(t TrailName) bool { return t.ID == name }); i >= 0 {
			found = append(found, i)
			continue
		}
		var fits []int
		for i, key := range c.keys {
			if key == analysis.Fold(name) {
				fits = append(fits, i)
			}
		}
		switch len(fits) {
		case 0:
			wrong = append(wrong, name)
		case 1:
			found = append(found, fits[0])
		default:
			var ids []string
			for _, i := range fits {
				ids = append(ids, c.trails[i].ID)
			}
			errs = append(errs, &Error{Code: CodeNameAmbiguous, Message: fmt.Sprintf("The name %q fits %d Trails.", name, len(fits)),
				Hint: "Use the id of the one you mean: " + strings.Join(ids, " or ") + ".", Valid: ids})
		}
	}
	if len(wrong) > 0 {
		valid := make([]string, len(c.trails))
		for i, t := range c.trails {
			valid[i] = t.Name
		}
		errs = append(errs, unknownNames(CodeUnknownTrail, "Trail", wrong, valid))
	}
	slices.Sort(found)
	return slices.Compact(found), together(errs)
}

// together is the first of several errors, which holds the others; nil when there
// is none.
func together(errs []*Error) *Error {
	if len(errs) == 0 {
		return nil
	}
	errs[0].Also = errs[1:]
	return errs[0]
}

// resolveAreas checks domain or cluster names against those of the rules that
// keep keeps, and returns their folded forms.
func (c *rulesCatalog) resolveAreas(code Code, kind string, names []string, keep func(namedRule) bool, area func(namedRule) (name, key string)) ([]string, *Error) {
	// Each name is shown as the first rule by id writes it, which does not depend
	// on the order in which they came.
	type spelling struct{ name, id string }
	valid := map[string]spelling{} // by folded name
	for i, r := range c.rules {
		name, key := area(r)
		if c.counts[i] && key != "" && keep(r) {
			if first, seen := valid[key]; !seen || r.id < first.id {
				valid[key] = spelling{strings.TrimSpace(name), r.id}
			}
		}
	}
	var keys, wrong []string
	for _, name := range names {
		key := analysis.Fold(name)
		if _, ok := valid[key]; ok {
			keys = append(keys, key)
		} else {
			wrong = append(wrong, name)
		}
	}
	if len(wrong) == 0 {
		return keys, nil
	}
	var all []string
	for _, s := range valid {
		all = append(all, s.name)
	}
	slices.Sort(all)
	return keys, unknownNames(code, kind, wrong, all)
}

// unknownNames names every wrong name and lists every valid one, nearest to the
// first wrong one first.
func unknownNames(code Code, kind string, wrong, valid []string) *Error {
	quoted := make([]string, len(wrong))
	for i, w := range wrong {
		quoted[i] = strconv.Quote(w)
	}
	e := &Error{Code: code, Message: fmt.Sprintf("There is no %s %s in this scope.", kind, strings.Join(quoted, " and no "+kind+" ")),
		Valid: analysis.Nearest(wrong[0], valid)}
	if len(valid) == 0 {
		e.Hint = "There is none to name here; leave the filter out."
	} else {
		e.Hint = fmt.Sprintf("Use a name from \"valid\", such as %q.", e.Valid[0])
	}
	return e
}

// ruleScope is what the filters of a rule search leave.
type ruleScope struct {
	trails   []int // positions; nil: every Trail
	domains  []string
	clusters []string
}

// resolve reads the filters of a query. Every wrong name of the call is told at
// once: the first kind that is wrong gives the code, the others follow in Also.
func (c *rulesCatalog) resolve(trails, domains, clusters []string) (ruleScope, error) {
	var s ruleScope
	var errs []*Error
	note := func(e *Error) {
		if e != nil {
			errs = append(append(errs, e), e.Also...)
		}
	}
	var e *Error
	if len(trails) > 0 {
		s.trails, e = c.resolveTrails(trails)
		note(e)
	}
	// Names below a Trail are judged in the Trails that were found; when a Trail
	// is wrong, in the whole workspace, so that only names that fit nowhere are
	// reported beside it.
	whole := len(trails) == 0 || e != nil
	inTrails := func(r namedRule) bool { return whole || slices.Contains(s.trails, r.trail) }
	if len(domains) > 0 {
		s.domains, e = c.resolveAreas(CodeUnknownDomain, "domain", domains, inTrails, func(r namedRule) (string, string) { return r.domain, r.domainKey })
		note(e)
	}
	if len(clusters) > 0 {
		inDomains := func(r namedRule) bool {
			return inTrails(r) && (len(domains) == 0 || e != nil || slices.Contains(s.domains, r.domainKey))
		}
		s.clusters, e = c.resolveAreas(CodeUnknownCluster, "cluster", clusters, inDomains, func(r namedRule) (string, string) { return r.cluster, r.clusterKey })
		note(e)
	}
	if wrong := together(errs); wrong != nil {
		return ruleScope{}, wrong
	}
	return s, nil
}

// holds tells whether a rule is in the scope. With either of domains and
// clusters, rules outside any domain are left out.
func (s ruleScope) holds(r namedRule) bool {
	if s.trails != nil && !slices.Contains(s.trails, r.trail) {
		return false
	}
	if len(s.domains) == 0 && len(s.clusters) == 0 {
		return true
	}
	return r.domainKey != "" &&
		(len(s.domains) == 0 || slices.Contains(s.domains, r.domainKey)) &&
		(len(s.clusters) == 0 || slices.Contains(s.clusters, r.clusterKey))
}
