package searchtest

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"slices"

	"waymark/ingest"
	"waymark/search"
	"waymark/store"
	"waymark/store/storetest"
	"waymark/tool"
)

// Space is one workspace of a world.
type Space struct {
	*World
	ID string
}

// Space makes a workspace.
func (w *World) Space(name string) *Space {
	w.t.Helper()
	return &Space{World: w, ID: storetest.Workspace(w.t, w.Store, name)}
}

// Change is who changes the workspace in tests.
func (s *Space) Change() ingest.Change { return ingest.Change{Workspace: s.ID, By: "tester"} }

// AddTrail makes a Trail with that id and name.
func (s *Space) AddTrail(id, name string) {
	s.t.Helper()
	if _, err := s.Writer.CreateTrail(s.t.Context(), s.Change(), store.Trail{ID: id, Name: name}); err != nil {
		s.t.Fatal(err)
	}
}

// AddRules imports rules, approved unless they say otherwise. A Trail that does
// not exist is made.
func (s *Space) AddRules(rules ...ingest.RuleInput) {
	s.t.Helper()
	var file bytes.Buffer
	e := json.NewEncoder(&file)
	for _, r := range rules {
		if r.Status == "" {
			r.Status = store.StatusApproved
		}
		if err := e.Encode(r); err != nil {
			s.t.Fatal(err)
		}
	}
	s.imports(ingest.Request{Workspace: s.ID, By: "tester", KeepStatus: true, Files: []ingest.File{{Path: "rules.jsonl", Data: file.Bytes()}}})
}

// AddDocuments imports markdown files, by path.
func (s *Space) AddDocuments(files map[string]string) {
	s.t.Helper()
	q := ingest.Request{Workspace: s.ID, By: "tester"}
	for _, path := range slices.Sorted(maps.Keys(files)) {
		q.Files = append(q.Files, ingest.File{Path: path, Data: []byte(files[path])})
	}
	s.imports(q)
}

func (s *Space) imports(q ingest.Request) {
	s.t.Helper()
	report, err := s.Writer.Import(s.t.Context(), q)
	if err != nil {
		s.t.Fatal(err)
	}
	if !report.OK() {
		s.t.Fatalf("Import: %+v", report.Items)
	}
}

// Rules searches the rules.
func (s *Space) Rules(q search.RuleQuery) *search.RuleAnswer {
	s.t.Helper()
	a, err := s.Service.SearchRules(s.t.Context(), search.Asker{Workspace: s.ID, Agent: "tester", Tool: "search_trail_rules"}, q)
	if err != nil {
		s.t.Fatalf("SearchRules(%+v): %v", q, err)
	}
	return a
}

// Documents searches the documents.
func (s *Space) Documents(q search.DocumentQuery) *search.DocumentAnswer {
	s.t.Helper()
	a, err := s.Service.SearchDocuments(s.t.Context(), s.ID, q)
	if err != nil {
		s.t.Fatalf("SearchDocuments(%+v): %v", q, err)
	}
	return a
}

// Call runs a tool as an operator and returns the bytes that a transport sends:
// the answer, or the error in its envelope.
func (s *Space) Call(name string, arguments any) string {
	s.t.Helper()
	raw, err := json.Marshal(arguments)
	if err != nil {
		s.t.Fatal(err)
	}
	answer, err := s.Tools.Call(s.t.Context(), tool.Caller{Workspace: s.ID}, name, raw)
	var known *search.Error
	if errors.As(err, &known) {
		answer = map[string]any{"error": known}
	} else if err != nil {
		s.t.Fatalf("Call(%q, %s): %v", name, raw, err)
	}
	body, err := tool.WriteAnswer(answer)
	if err != nil {
		s.t.Fatal(err)
	}
	return string(body)
}

// RuleIDs lists the ids of an answer in rank order.
func RuleIDs(a *search.RuleAnswer) []string {
	ids := []string{}
	for _, r := range a.Results {
		ids = append(ids, r.ID)
	}
	return ids
}

// DocumentIDs lists the ids of an answer in rank order.
func DocumentIDs(a *search.DocumentAnswer) []string {
	ids := []string{}
	for _, h := range a.Hits {
		ids = append(ids, h.ID)
	}
	return ids
}
