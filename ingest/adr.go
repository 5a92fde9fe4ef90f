package ingest

import (
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"

	"waymark/store"
)

// Architecture decision records say in their body what governance documents say
// in their front matter:
//
//   - a section "Status", or a line "Status: …" above the second heading; its
//     first word is the status, whatever signs stand before it;
//   - in the same place "superseded by" or "supersedes" and links to documents;
//   - a line "Date: 2006-01-02" above the second heading, which is the timestamp.
//
// What the front matter gives wins. A link is kept as the path it leads to; the
// import replaces paths by ids once it knows all documents.

var (
	adrLine     = regexp.MustCompile(`(?i)^\W{0,4}(status|date)\W{0,4}:\W{0,4}\s*(.+)$`)
	adrWord     = regexp.MustCompile(`\pL+`)
	adrRelation = regexp.MustCompile(`(?i)\b(?:(?:superseded|replaced) by|supersedes|replaces)\b`)
)

// readADR fills status, timestamp and supersession from the body.
func readADR(d *store.Document, body page) {
	var status []block
	headings := 0
	for i, b := range body.blocks {
		if b.level > 0 {
			headings++
			if len(status) == 0 && strings.EqualFold(strings.Trim(b.text, ": "), "status") {
				status = sectionBelow(body.blocks[i+1:])
			}
			continue
		}
		if headings > 1 {
			continue
		}
		m := adrLine.FindStringSubmatch(b.text)
		switch {
		case m == nil:
		case strings.EqualFold(m[1], "status") && len(status) == 0:
			status = []block{{text: m[2], marks: b.marks}}
		case strings.EqualFold(m[1], "date") && d.Timestamp == "":
			if day, err := parseDay(clean(m[2])); err == nil {
				d.Timestamp = day
			}
		}
	}
	if d.Status == "" && len(status) > 0 {
		d.Status = strings.ToLower(adrWord.FindString(status[0].text))
	}
	for _, b := range status {
		for _, l := range b.links {
			relations := adrRelation.FindAllString(b.text[:l.at], -1)
			target, ok := linkedDocument(d.Path, l.target)
			if len(relations) == 0 || !ok {
				continue
			}
			list := &d.Supersedes
			if strings.HasSuffix(strings.ToLower(relations[len(relations)-1]), "by") {
				list = &d.SupersededBy
			}
			if !slices.Contains(*list, target) {
				*list = append(*list, target)
			}
		}
	}
}

// sectionBelow returns the blocks up to the next heading.
func sectionBelow(blocks []block) []block {
	end := slices.IndexFunc(blocks, func(b block) bool { return b.level > 0 })
	if end < 0 {
		end = len(blocks)
	}
	return blocks[:end]
}

// linkedDocument returns the path of the document that a link in the document
// at from leads to; ok is false for a link that leads anywhere else.
func linkedDocument(from, target string) (string, bool) {
	u, err := url.Parse(target)
	if err != nil || u.IsAbs() || u.Host != "" || !isDocument(u.Path) {
		return "", false
	}
	if strings.HasPrefix(u.Path, "/") {
		return strings.TrimPrefix(path.Clean(u.Path), "/"), true
	}
	joined := path.Join(path.Dir(from), u.Path)
	return joined, !strings.HasPrefix(joined, "../")
}
