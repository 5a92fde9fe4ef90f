package tool

import (
	"context"

	"waymark/search"
)

var queryParameter = Parameter{Name: "query", Type: Text, Required: true, MaxLength: search.MaxQueryLength,
	Description: "What you want to know, in plain words. Codes such as PO-1234 are found exactly; \"quoted words\" ask for the phrase; a leading - leaves a word out."}

func searchTrailRules() *Tool {
	return define(Tool{
		Name:  "search_trail_rules",
		Title: "Search Trail Rules",
		Description: "Searches the rules and procedures that the company wrote down in its Trails (invoices, payroll, and so on) by meaning and by words, and returns the closest matches, best first, each with its Trail and what in the query it matched. " +
			"Use it before acting, to see which rules speak to the action. Conflicting rules are both returned and the conflict is named; no winner is picked. " +
			"It does not decide whether a rule applies: read the results and judge. An empty result means that nothing stored matched. For documents (policies, decisions) use kb_search.",
		Parameters: []Parameter{queryParameter,
			{Name: "trails", Type: TextList, Description: "Trail names or ids. Leave it out to search every Trail of the workspace."},
			{Name: "domains", Type: TextList, Description: "Domain names, as list_trail_domains_and_tags gives them. Only rules in a domain of one of these names are searched; the same name in two Trails matches both."},
			{Name: "clusters", Type: TextList, Description: "Cluster names, matched the same way. Together with domains a rule must be in both."},
			{Name: "limit", Type: Whole, Default: search.DefaultRuleLimit, Min: 1, Max: search.MaxLimit, Description: "How many rules to return at most."},
			{Name: "cursor", Type: Text, MaxLength: 500, Description: "next_cursor of an earlier answer: the next page of that answer."},
			{Name: "explain", Type: YesNo, Default: false, Description: "True adds the parts of each rule's score and what the search counted."},
		},
	}, func(ctx context.Context, s *search.Service, c Caller, in search.RuleQuery) (*search.RuleAnswer, error) {
		return s.SearchRules(ctx, search.Asker{Workspace: c.Workspace, Agent: c.Agent, Tool: "search_trail_rules"}, in)
	})
}

func getBrainContext() *Tool {
	return define(Tool{
		Name:  "get_brain_context",
		Title: "Get Brain Context",
		Description: "Returns one Trail (name, description, owner, counts) together with its rules that match a query: exactly the rules, order and scores of search_trail_rules on that one Trail. " +
			"Use it when you know which Trail governs the task; use search_trail_rules when you do not.",
		Parameters: []Parameter{
			{Name: "trail", Type: Text, Required: true, Description: "The Trail's name or id."},
			queryParameter,
			{Name: "limit", Type: Whole, Default: search.DefaultRuleLimit, Min: 1, Max: search.MaxLimit, Description: "How many rules to return at most."},
		},
		DefaultOn: true,
	}, func(ctx context.Context, s *search.Service, c Caller, in search.BrainQuery) (*search.BrainAnswer, error) {
		return s.BrainContext(ctx, search.Asker{Workspace: c.Workspace, Agent: c.Agent, Tool: "get_brain_context"}, in)
	})
}

func listTrailDomains() *Tool {
	return define(Tool{
		Name:        "list_trail_domains_and_tags",
		Title:       "List Trail Domains and Tags",
		Description: "Lists each Trail's domains, their clusters, and its tags, each with the number of approved rules. Use it to learn the names that search_trail_rules takes as domains and clusters. It returns no rule texts.",
		Parameters: []Parameter{
			{Name: "trails", Type: TextList, Description: "Trail names or ids. Leave it out for every Trail of the workspace."},
		},
		DefaultOn: true,
	}, func(ctx context.Context, s *search.Service, c Caller, in search.DomainQuery) (*search.DomainAnswer, error) {
		return s.TrailDomains(ctx, c.Workspace, in)
	})
}
