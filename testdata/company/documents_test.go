package company_test

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// document is what the tests need of a page: its signal, the text by which it
// is found, and its top-level fields as they are written.
type document struct {
	path, id, tier, category string
	fields                   map[string]string
	signal                   string
	words                    int
}

var (
	field = regexp.MustCompile(`^( *)([a-z_]+): *(.*)$`)
	link  = regexp.MustCompile(`\]\(([^)#:]+\.md)\)`)
)

// documents reads all pages. Front matter is read line by line: the sample's
// is simple where it is meant to be readable.
func documents(t *testing.T) map[string]document {
	t.Helper()
	all := make(map[string]document)
	err := fs.WalkDir(os.DirFS("documents"), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		if path.Ext(name) != ".md" {
			t.Errorf("%s is no markdown file", name)
		}
		data, err := os.ReadFile(filepath.Join("documents", name))
		if err != nil {
			return err
		}
		d := parse(name, string(data))
		if other, ok := all[d.id]; ok {
			t.Errorf("%s and %s have the id %q", other.path, name, d.id)
		}
		all[d.id] = d
		checkLinks(t, name, string(data))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func parse(name, text string) document {
	d := document{path: name, fields: make(map[string]string)}
	front, body := "", text
	if rest, ok := strings.CutPrefix(text, "---\n"); ok {
		front, body, _ = strings.Cut(rest, "\n---\n")
	}
	for line := range strings.SplitSeq(front, "\n") {
		if m := field.FindStringSubmatch(line); m != nil {
			d.fields[m[2]] = strings.TrimSpace(strings.Trim(m[3], `"' `))
		} else if item, ok := strings.CutPrefix(line, "  - "); ok {
			d.fields["applies_when"] += " " + item
		}
	}
	if d.id = d.fields["id"]; d.id == "" {
		d.id = strings.ReplaceAll(strings.TrimSuffix(name, ".md"), "/", "-")
	}
	d.tier, d.category = place(strings.Split(path.Dir(name), "/"))
	if tier := d.fields["tier"]; tier != "" {
		d.tier = tier
	}
	d.signal = strings.Join([]string{d.fields["title"], d.fields["description"], d.fields["tags"], d.fields["applies_when"]}, " ")
	d.words = len(strings.Fields(body))
	return d
}

// place is the tier and category of a folder.
func place(folders []string) (tier, category string) {
	switch {
	case folders[0] == "universal":
		return "T1", folders[1]
	case folders[0] == "tech-stacks":
		return "T2", folders[1]
	case folders[0] == "projects" && len(folders) > 3:
		return "T4", folders[3]
	case folders[0] == "projects":
		return "T3", folders[1]
	}
	return "meta", folders[0]
}

// checkLinks checks that links to other pages lead somewhere.
func checkLinks(t *testing.T, name, text string) {
	t.Helper()
	for _, m := range link.FindAllStringSubmatch(text, -1) {
		target := path.Join("documents", path.Dir(name), m[1])
		if _, err := os.Stat(filepath.FromSlash(target)); err != nil {
			t.Errorf("%s links to %s: %v", name, m[1], err)
		}
	}
}

func TestDocumentsCoverTheLifeCycles(t *testing.T) {
	all := documents(t)
	atLeast(t, "documents", len(all), 36)
	count := make(map[string]int)
	for _, d := range all {
		base := strings.TrimSuffix(path.Base(d.path), ".md")
		special := base == "README" || base == "template"
		if !special && (d.words < 150 || d.words > 900) {
			t.Errorf("%s has %d words, want 150 to 900", d.path, d.words)
		}
		count["status "+strings.ToLower(d.fields["status"])]++
		count["tier "+d.tier]++
		if strings.HasPrefix(d.path, "memory/inbox/") {
			count["inbox"]++
		}
		if special {
			count[base]++
		}
		if len(d.fields) == 0 {
			count["no front matter"]++
		}
		until, from, recheck := d.fields["valid_until"], d.fields["valid_from"], d.fields["recheck_by"]
		switch {
		case !isDay(until):
			count["bad date"]++
		case until != "" && until < today:
			count["expired"]++
		case until != "" && until <= "2026-12-31":
			count["expiring"]++
		}
		if from > today {
			count["upcoming"]++
		}
		if recheck != "" && recheck < today {
			count["stale"]++
		}
		if d.fields["status"] == "active" && d.fields["last_verified"] == "" && recheck == "" {
			count["never verified"]++
		}
		checkReferences(t, d, all)
	}
	for _, status := range []string{"accepted", "active", "approved", "draft", "proposed", "deprecated", "superseded"} {
		atLeast(t, "status "+status, count["status "+status], 2)
	}
	for what, want := range map[string]int{"tier T1": 15, "tier T2": 4, "tier T3": 3, "tier T4": 3, "tier meta": 8, "inbox": 1, "README": 1, "template": 1,
		"no front matter": 1, "bad date": 1, "expired": 2, "expiring": 3, "upcoming": 1, "stale": 3, "never verified": 2, "status ": 2} {
		atLeast(t, what, count[what], want)
	}
}

// checkReferences checks that a page names pages that exist.
func checkReferences(t *testing.T, d document, all map[string]document) {
	t.Helper()
	for _, name := range []string{"supersedes", "superseded_by", "contradicts"} {
		for id := range strings.SplitSeq(strings.Trim(d.fields[name], "[]"), ",") {
			if id = strings.TrimSpace(id); id == "" {
				continue
			}
			if _, ok := all[id]; !ok {
				t.Errorf("%s: %s names %q, which does not exist", d.path, name, id)
			}
		}
	}
}
