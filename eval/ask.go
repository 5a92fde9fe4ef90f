package eval

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"sync"

	"golang.org/x/sync/errgroup"
)

// Caller runs a tool with JSON arguments: client.Client does.
type Caller interface {
	CallRaw(ctx context.Context, tool string, arguments []byte) ([]byte, error)
}

// concurrency is how many questions are asked at once.
const concurrency = 4

// Ask puts every question to the daemon and collects the ids returned.
func Ask(ctx context.Context, c Caller, questions []Asked) (Run, error) {
	run := Run{}
	var mu sync.Mutex
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(concurrency)
	for _, q := range questions {
		group.Go(func() error {
			arguments := maps.Clone(q.Arguments)
			if arguments == nil {
				arguments = map[string]any{}
			}
			arguments["query"] = q.Query
			if _, given := arguments["limit"]; !given {
				arguments["limit"] = 100
			}
			body, err := json.Marshal(arguments)
			if err != nil {
				return err
			}
			answer, err := c.CallRaw(ctx, q.Tool, body)
			if err != nil {
				return fmt.Errorf("question %s: %w", q.ID, err)
			}
			var ids struct {
				Results []struct{ ID string } `json:"results"`
				Hits    []struct{ ID string } `json:"hits"`
			}
			if err := json.Unmarshal(answer, &ids); err != nil {
				return fmt.Errorf("question %s: %w", q.ID, err)
			}
			list := []string{}
			for _, hit := range append(ids.Results, ids.Hits...) {
				list = append(list, hit.ID)
			}
			mu.Lock()
			defer mu.Unlock()
			run[q.ID] = list
			return nil
		})
	}
	return run, group.Wait()
}

// Questions strips the calls.
func Questions(asked []Asked) []Question {
	all := make([]Question, len(asked))
	for i, a := range asked {
		all[i] = a.Question
	}
	return all
}
