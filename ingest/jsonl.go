package ingest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
)

// maxRowBytes is the longest line of JSON that is read; the longest text of a
// rule is a tenth of it.
const maxRowBytes = 1 << 20

// readJSONLines reads one JSON object a line. Blank lines are skipped. Of a rule
// that is stored already, a field that is not given keeps its value, and null
// empties it.
func readJSONLines(file, text string) (table, error) {
	t := table{file: file, json: true}
	number := 0
	for line := range strings.Lines(text) {
		number++
		if strings.TrimSpace(line) == "" {
			continue
		}
		r := row{line: number}
		bad := func(field, reason string, sentinel error) {
			r.err = &InputError{File: file, Line: number, Field: field, Reason: reason, Err: sentinel}
		}
		if len(line) > maxRowBytes {
			bad("", fmt.Sprintf("the line has %d bytes; at most %d are read", len(line), maxRowBytes), ErrTooLarge)
		} else {
			r.readObject(line, bad)
		}
		if number == 1 && r.err != nil && strings.HasPrefix(strings.TrimSpace(line), "[") {
			return t, &InputError{File: file, Line: 1, Err: ErrBadFile,
				Reason: "the file holds a JSON list; write one object a line"}
		}
		for name := range r.fields {
			if !slices.Contains(t.columns, name) {
				t.columns = append(t.columns, name)
			}
		}
		t.rows = append(t.rows, r)
	}
	slices.Sort(t.columns)
	if len(t.rows) == 0 {
		return t, &InputError{File: file, Err: ErrBadFile, Reason: "the file is empty"}
	}
	return t, nil
}

// readObject reads one object and reports through bad what is wrong with it.
func (r *row) readObject(line string, bad func(field, reason string, sentinel error)) {
	decoder := json.NewDecoder(strings.NewReader(line))
	decoder.UseNumber()
	token, err := decoder.Token()
	if err != nil || token != json.Delim('{') {
		bad("", "the line is no JSON object", ErrBadRow)
		return
	}
	fields := map[string]field{}
	for decoder.More() {
		key, err := decoder.Token()
		var raw json.RawMessage
		if err == nil {
			err = decoder.Decode(&raw)
		}
		if err != nil {
			bad("", "the line is no JSON object: "+jsonReason(err), ErrBadRow)
			return
		}
		name := fieldName(key.(string))
		if _, twice := fields[name]; twice {
			bad(name, "the field is given twice", ErrBadRow)
			return
		}
		value, reason := readValue(raw)
		if reason != "" {
			bad(name, reason, ErrBadRow)
			return
		}
		fields[name] = value
	}
	if _, err := decoder.Token(); err != nil {
		bad("", "the line is no JSON object: "+jsonReason(err), ErrBadRow)
		return
	}
	if _, err := decoder.Token(); err != io.EOF {
		bad("", "something follows the JSON object; write one object a line", ErrBadRow)
		return
	}
	r.fields = fields
}

// jsonReason is a decoder's error in words.
func jsonReason(err error) string {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return "it ends too early"
	}
	return strings.TrimPrefix(err.Error(), "json: ")
}

// readValue reads a text, a number (as it was written) or a list of those. null
// is an empty text.
func readValue(raw json.RawMessage) (value field, reason string) {
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	var v any
	if err := decoder.Decode(&v); err != nil {
		return field{}, jsonReason(err)
	}
	scalar := func(v any) (string, bool) {
		switch v := v.(type) {
		case string:
			return v, true
		case json.Number:
			return v.String(), true
		}
		return "", v == nil
	}
	if text, ok := scalar(v); ok {
		return field{text: text}, ""
	}
	list, ok := v.([]any)
	if !ok {
		return field{}, "a text or a list of texts is wanted here"
	}
	value.isList = true
	for _, item := range list {
		text, ok := scalar(item)
		if !ok {
			return field{}, "a list of texts is wanted here"
		}
		value.items = append(value.items, text)
	}
	return value, ""
}
