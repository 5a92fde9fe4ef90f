package ingest

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"waymark/store"
)

// Python Enhancement Proposals begin with headers as a mail does:
//
//	PEP            id, as pep-0386
//	Title          title, "PEP 386: …"
//	Status         status; Final becomes accepted (it is an accepted proposal that
//	               was carried out, and governs), every other one is kept: Active
//	               and Accepted govern, Superseded, Rejected, Withdrawn, Deferred
//	               and Draft do not
//	Type           type
//	Created        timestamp
//	Superseded-By  superseded_by
//	Replaces       supersedes
//	Author         owner, without addresses
//	Topic          tags

var (
	pepHeader  = regexp.MustCompile(`^([A-Z][A-Za-z-]*):[ \t]*(.*)$`)
	pepNumber  = regexp.MustCompile(`\d+`)
	pepAddress = regexp.MustCompile(`\s*<[^>]*>`)
)

// readPEP fills the fields of a proposal and returns its body.
func readPEP(d *store.Document, text string) (page, error) {
	headers := map[string]string{}
	last, number := "", 0
	rest := text
	for rest != "" {
		line, after, _ := strings.Cut(rest, "\n")
		m := pepHeader.FindStringSubmatch(line)
		if m == nil && (last == "" || strings.TrimSpace(line) == "" || line[0] != ' ' && line[0] != '\t') {
			break
		}
		if m != nil {
			last = m[1]
			headers[last] = clean(m[2])
		} else {
			headers[last] = clean(headers[last] + " " + strings.TrimSpace(line))
		}
		rest = after
		number++
	}
	n, err := strconv.Atoi(headers["PEP"])
	if err != nil || n < 0 {
		return page{}, &InputError{File: d.Path, Line: 1, Field: "PEP", Err: ErrBadFile,
			Reason: "the file does not begin with the headers of a Python Enhancement Proposal"}
	}
	d.ID = pepID(n)
	d.Title = fmt.Sprintf("PEP %d: %s", n, headers["Title"])
	d.Status = strings.ToLower(headers["Status"])
	if d.Status == "final" {
		d.Status = "accepted"
	}
	d.Type = headers["Type"]
	d.Owner = pepAddress.ReplaceAllString(headers["Author"], "")
	for _, topic := range strings.Split(headers["Topic"], ",") {
		if topic = clean(topic); topic != "" {
			d.Tags = append(d.Tags, topic)
		}
	}
	if created := headers["Created"]; created != "" {
		if t, err := time.Parse("2-Jan-2006", created); err == nil {
			d.Timestamp = t.Format(time.DateOnly)
		} else {
			d.Problems = append(d.Problems, store.Problem{Line: 1, Field: "Created",
				Reason: fmt.Sprintf("%q is not a day as 04-Jun-2009", created)})
		}
	}
	d.SupersededBy = pepIDs(headers["Superseded-By"])
	d.Supersedes = pepIDs(headers["Replaces"])
	return page{blocks: readRST(rest, number+1), bodyLine: number + 1}, nil
}

func pepID(number int) string { return fmt.Sprintf("pep-%04d", number) }

// pepIDs returns the ids of the proposals whose numbers a header lists.
func pepIDs(list string) []string {
	var ids []string
	for _, text := range pepNumber.FindAllString(list, -1) {
		if n, err := strconv.Atoi(text); err == nil {
			ids = append(ids, pepID(n))
		}
	}
	return ids
}
