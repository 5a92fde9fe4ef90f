package eval

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Item is one text of a judged set.
type Item struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	Text  string `json:"text"`
}

// readLines calls each for every JSON line of a file.
func readLines[T any](path string, each func(T) error) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	s := bufio.NewScanner(f)
	s.Buffer(nil, 16<<20)
	for n := 1; s.Scan(); n++ {
		if len(strings.TrimSpace(s.Text())) == 0 {
			continue
		}
		var v T
		if err := json.Unmarshal(s.Bytes(), &v); err != nil {
			return fmt.Errorf("%s:%d: %w", path, n, err)
		}
		if err := each(v); err != nil {
			return err
		}
	}
	return s.Err()
}

// ReadCorpus reads corpus.jsonl of a BEIR-style folder.
func ReadCorpus(folder string) ([]Item, error) {
	var items []Item
	err := readLines(filepath.Join(folder, "corpus.jsonl"), func(i Item) error {
		items = append(items, i)
		return nil
	})
	return items, err
}

// ReadQuestions reads queries and qrels of a split of a BEIR-style folder; the
// empty split has no name in its files. Questions without a relevant item are
// left out, as trec_eval does.
func ReadQuestions(folder, split string) ([]Question, error) {
	suffix := ""
	if split != "" {
		suffix = "." + split
	}
	grades := Judgements{}
	f, err := os.Open(filepath.Join(folder, "qrels"+suffix+".tsv"))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	for s := bufio.NewScanner(f); s.Scan(); {
		p := strings.Fields(s.Text())
		if len(p) == 4 {
			p = []string{p[0], p[2], p[3]}
		}
		if len(p) != 3 || p[0] == "qid" || p[0] == "query-id" {
			continue
		}
		g, err := strconv.ParseFloat(p[2], 64)
		if err != nil {
			return nil, fmt.Errorf("%s: grade %q: %w", f.Name(), p[2], err)
		}
		if grades[p[0]] == nil {
			grades[p[0]] = map[string]int{}
		}
		grades[p[0]][p[1]] = int(g)
	}
	var questions []Question
	err = readLines(filepath.Join(folder, "queries"+suffix+".jsonl"), func(i Item) error {
		q := Question{ID: i.ID, Query: i.Text, Grades: grades[i.ID]}
		if !q.Negative() {
			questions = append(questions, q)
		}
		return nil
	})
	return questions, err
}

// olympusQuestion is a line of questions.jsonl of olympus-bench; see its README.
type olympusQuestion struct {
	ID        string   `json:"id"`
	Group     string   `json:"group"`
	Query     string   `json:"query"`
	Expected  []string `json:"expected_ids"`
	Corrected []string `json:"corrected_expected_ids"`
	Forbidden []string `json:"forbidden_ids"`
}

// ReadOlympus reads the questions of one suite of olympus-bench. The gold of a
// governance question is the corrected one, without the superseded document.
func ReadOlympus(folder string) ([]Question, error) {
	var questions []Question
	err := readLines(filepath.Join(folder, "questions.jsonl"), func(o olympusQuestion) error {
		q := Question{ID: o.ID, Kind: o.Group, Query: o.Query, Grades: map[string]int{}, Forbidden: map[string]bool{}}
		gold := o.Expected
		if o.Corrected != nil {
			gold = o.Corrected
		}
		for _, id := range gold {
			q.Grades[id] = 1
		}
		for _, id := range o.Forbidden {
			q.Forbidden[id] = true
		}
		questions = append(questions, q)
		return nil
	})
	return questions, err
}

// companyQuestion is a line of questions.jsonl of a set of Trails and documents.
type companyQuestion struct {
	ID       string `json:"id"`
	Kind     string `json:"kind"`
	Tool     string `json:"tool"`
	Query    string `json:"query"`
	Relevant []struct {
		ID    string `json:"id"`
		Grade int    `json:"grade"`
	} `json:"relevant"`
	Filters map[string]any `json:"filters"`
}

// Asked is a question with the call that asks it.
type Asked struct {
	Question
	Tool      string
	Arguments map[string]any
}

// ReadAsked reads a set whose questions name their tool and filters.
func ReadAsked(path string) ([]Asked, error) {
	var all []Asked
	err := readLines(path, func(c companyQuestion) error {
		a := Asked{Question: Question{ID: c.ID, Kind: c.Kind, Query: c.Query, Grades: map[string]int{}}, Tool: c.Tool, Arguments: map[string]any{}}
		for _, r := range c.Relevant {
			a.Grades[r.ID] = r.Grade
		}
		for name, value := range c.Filters {
			a.Arguments[name] = value
		}
		all = append(all, a)
		return nil
	})
	return all, err
}

// WriteRun saves a run as lines of question, item and falling score, which is
// what eval.py of the shared data reads.
func WriteRun(path string, questions []Question, run Run) error {
	var b strings.Builder
	for _, q := range questions {
		for i, id := range run[q.ID] {
			fmt.Fprintf(&b, "%s\t%s\t%d\n", q.ID, id, 1000-i)
		}
	}
	return os.WriteFile(path, []byte(b.String()), 0o644)
}

// ReadRun reads what WriteRun wrote.
func ReadRun(path string) (Run, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	run := Run{}
	s := bufio.NewScanner(f)
	for s.Scan() {
		p := strings.Split(s.Text(), "\t")
		if len(p) != 3 {
			return nil, fmt.Errorf("%s: the line %q is not of a run", path, s.Text())
		}
		run[p[0]] = append(run[p[0]], p[1])
	}
	return run, s.Err()
}
