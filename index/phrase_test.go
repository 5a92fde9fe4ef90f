package index

import (
	"fmt"
	"strings"
	"testing"

	"waymark/store"
)

func TestPhrase(t *testing.T) {
	f := newFakeStore()
	f.trails["t"] = store.Trail{ID: "t", Name: "Travel"}
	for i, r := range []store.Rule{
		{Text: "The manager approves the invoice."},
		{Text: "The invoice the manager approves."},
		{Text: "Managers approve invoices."},
		{Text: "Ask first.", Title: "Manager approves"},
		{Text: "Ask the manager.", Title: "Approves"},
		{Text: "To be or not to be paid under PO-1234."},
		{Text: "Not to be opened", Domain: "Night Trains"},
		{Text: "Das Café öffnet."},
	} {
		r.ID, r.TrailID, r.Version = fmt.Sprint(i), "t", 1
		f.putRule(r)
	}
	f.putDocument(store.Document{ID: "d", Title: "Hotel limits", Description: "Night rates", Passages: []store.Passage{
		{Text: "Stay within the limit.", Headings: []string{"In the city", "At night"}}, {Text: "Ask the manager."}}})
	s := acquire(t, openTest(t, f, testOptions("")))
	for phrase, want := range map[string]string{
		"manager approves":             "0 1 3",
		"MANAGER approves":             "0 1 3",
		"the manager approves":         "0 1",
		"managers approve":             "2",
		"approves the invoice manager": "",
		"not to be":                    "5 6",
		"to be or not to be":           "5",
		"po-1234":                      "5",
		"travel night":                 "6",
		"café":                         "7",
		"unknown words":                "",
		"":                             "",
	} {
		if got := phraseIDs(s.Rules, phrase); got != want {
			t.Errorf("Phrase(%q) = %q, want %q", phrase, got, want)
		}
	}
	for phrase, want := range map[string]string{
		"hotel limits": "d d", "night rates stay": "d", "city at night": "d", "ask the manager": "d",
	} {
		if got := phraseIDs(s.Documents, phrase); got != want {
			t.Errorf("Phrase(%q) of documents = %q, want %q", phrase, got, want)
		}
	}
}

// phraseIDs are the ids of the items of the rows with a phrase.
func phraseIDs(c *Collection, phrase string) string {
	rows := c.View(0).Phrase(testAnalyzer.Analyze(phrase))
	var ids []string
	for _, item := range c.InOrder() {
		for row, end := c.RowsOf(item); row < end; row++ {
			if rows.Contains(row) {
				ids = append(ids, c.ID(item))
			}
		}
	}
	return strings.Join(ids, " ")
}
