package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"waymark/search"
)

// promise is a line of demo.jsonl with what its answer must show.
type promise struct {
	demoQuestion
	Expect struct {
		First     string    `json:"first"`
		Present   []string  `json:"present"`
		Absent    []string  `json:"absent"`
		State     string    `json:"state"`
		Conflict  [2]string `json:"conflict"`
		Abstained bool      `json:"abstained"`
	} `json:"expect"`
}

func promises(t *testing.T) []promise {
	t.Helper()
	data, err := company.ReadFile(companyRoot + "/demo.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	var all []promise
	lines := bufio.NewScanner(bytes.NewReader(data))
	for lines.Scan() {
		var p promise
		d := json.NewDecoder(strings.NewReader(lines.Text()))
		d.DisallowUnknownFields()
		if err := d.Decode(&p); err != nil {
			t.Fatalf("%s: %v", lines.Text(), err)
		}
		all = append(all, p)
	}
	return all
}

// TestTheDemoKeepsItsPromises asks its questions through the socket, as an agent
// would.
func TestTheDemoKeepsItsPromises(t *testing.T) {
	p, output := sampleCompany(t)
	all := promises(t)
	if len(all) < 6 {
		t.Errorf("the demo has %d questions", len(all))
	}
	for _, q := range all {
		t.Run(q.Caption, func(t *testing.T) {
			if !strings.Contains(output, q.Caption) {
				t.Errorf("the demo does not show %q", q.Caption)
			}
			o := p.run(t, "call", q.Tool, string(q.Arguments)).want(t, 0)
			answer := document[struct {
				search.RuleAnswer
				Hits      []search.DocumentHit `json:"hits"`
				Abstained bool                 `json:"abstained"`
			}](t, o)
			var ids []string
			for _, hit := range answer.Results {
				ids = append(ids, hit.ID)
			}
			for _, hit := range answer.Hits {
				ids = append(ids, hit.ID)
			}
			if want := q.Expect.First; want != "" && (len(ids) == 0 || ids[0] != want) {
				t.Errorf("%s = %v, want %s first", q.Arguments, ids, want)
			}
			for _, id := range q.Expect.Present {
				if !slices.Contains(ids, id) {
					t.Errorf("%s = %v, want %s among them", q.Arguments, ids, id)
				}
			}
			for _, id := range q.Expect.Absent {
				if slices.Contains(ids, id) {
					t.Errorf("%s = %v, want %s left out", q.Arguments, ids, id)
				}
			}
			if want := q.Expect.State; want != "" && (string(answer.State) != want || len(ids) > 0) {
				t.Errorf("%s = %v in state %q, want none in state %q", q.Arguments, ids, answer.State, want)
			}
			if q.Expect.Abstained && (!answer.Abstained || len(ids) > 0) {
				t.Errorf("%s = %v, want an abstention", q.Arguments, ids)
			}
			if want := q.Expect.Conflict; want[0] != "" {
				if !slices.ContainsFunc(answer.Conflicts, func(c search.Conflict) bool {
					return c.Rules == want || c.Rules == [2]string{want[1], want[0]}
				}) {
					t.Errorf("%s names the conflicts %+v, want %v among them", q.Arguments, answer.Conflicts, want)
				}
			}
		})
	}
	for _, say := range []string{"matched ", "meaning ", "W-2 exactly", "No rule matches.", "Abstained (", "superseded by", "These two rules conflict"} {
		if !strings.Contains(output, say) {
			t.Errorf("the demo does not show %q:\n%s", say, output)
		}
	}
}

// TestDemoAsksAQuestionOfYourOwn runs the command as it is typed, on a daemon
// that is gone afterwards.
func TestDemoAsksAQuestionOfYourOwn(t *testing.T) {
	if testing.Short() {
		t.Skip("it loads the sample company once more")
	}
	o := bare(t, "demo", "may I work from abroad?").want(t, 0, "A daemon was started in a temporary directory", "“may I work from abroad?”", "The documents that speak to it", "GDL-")
	if o.stderr != "" {
		t.Errorf("the demo writes %q to stderr", o.stderr)
	}
}
