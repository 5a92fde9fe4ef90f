package ingest

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// separators are the characters that may stand between cells.
var separators = []rune{',', ';', '\t', '|'}

// noSeparator is the separator of a table of one column, in whose cells commas are
// commas. It is the character that ASCII has for this.
const noSeparator = '\x1f'

// readCSV reads a table of text cells whose first row names the columns. The
// separator is the one that makes known names of them. Cells are never numbers:
// an id 00042 keeps its zeros.
func readCSV(file, text string) (table, error) {
	t := table{file: file}
	skipped := 0
	separator := rune(0)
	if rest, ok := strings.CutPrefix(text, "sep="); ok && len(rest) > 1 && rest[1] == '\n' {
		// Spreadsheet programs write this line to say what they use.
		separator, text, skipped = rune(rest[0]), rest[2:], 1
	}
	if strings.TrimSpace(text) == "" {
		return t, &InputError{File: file, Err: ErrBadFile, Reason: "the file is empty"}
	}
	if separator == 0 {
		separator = sniff(text)
	}
	reader := newCSVReader(text, separator)
	header, err := reader.Read()
	if err != nil {
		return t, &InputError{File: file, Line: 1 + skipped, Err: ErrBadFile, Reason: "the header cannot be read: " + csvReason(err)}
	}
	if err := t.setColumns(header, 1+skipped); err != nil {
		return t, err
	}
	for {
		cells, err := reader.Read()
		if err == io.EOF {
			return t, nil
		}
		var parse *csv.ParseError
		if errors.As(err, &parse) {
			t.rows = append(t.rows, row{line: parse.StartLine + skipped, err: &InputError{File: file,
				Line: parse.StartLine + skipped, Err: ErrBadRow, Reason: csvReason(err)}})
			continue
		}
		line, _ := reader.FieldPos(0)
		t.addCells(cells, line+skipped)
	}
}

func newCSVReader(text string, separator rune) *csv.Reader {
	r := csv.NewReader(strings.NewReader(text))
	r.Comma = separator
	r.FieldsPerRecord = -1
	return r
}

// sniff finds the separator: the one whose header has the most known columns,
// and among equals the one with the most columns.
func sniff(text string) rune {
	best, bestKnown, bestCells := separators[0], -1, -1
	for _, s := range separators {
		header, err := newCSVReader(text, s).Read()
		if err != nil {
			continue
		}
		known := 0
		for _, name := range header {
			if n := fieldName(name); slices.Contains(ruleColumns, n) || slices.Contains(trailColumns, n) {
				known++
			}
		}
		if known > bestKnown || known == bestKnown && len(header) > bestCells {
			best, bestKnown, bestCells = s, known, len(header)
		}
	}
	if bestCells == 1 {
		return noSeparator
	}
	return best
}

// csvReason is a reader's error in words.
func csvReason(err error) string {
	switch {
	case errors.Is(err, csv.ErrQuote):
		return `a quoted cell has a quote that is not doubled, or is not closed`
	case errors.Is(err, csv.ErrBareQuote):
		return `a quote stands inside a cell that is not quoted; quote the cell and double the quote`
	}
	return err.Error()
}

// setColumns takes the names of the columns from the header. Empty names at its
// end are left out.
func (t *table) setColumns(header []string, line int) error {
	for len(header) > 0 && clean(header[len(header)-1]) == "" {
		header = header[:len(header)-1]
	}
	for i, name := range header {
		name = fieldName(name)
		bad := &InputError{File: t.file, Line: line, Field: name, Err: ErrBadFile}
		switch {
		case name == "":
			bad.Reason = fmt.Sprintf("column %d has no name", i+1)
			return bad
		case slices.Contains(t.columns, name):
			bad.Reason = "there are two columns of this name"
			return bad
		}
		t.columns = append(t.columns, name)
	}
	return nil
}

// addCells adds the cells of one row. A row without any text is left out.
func (t *table) addCells(cells []string, line int) {
	r := row{line: line, fields: map[string]field{}}
	for i, cell := range cells {
		switch blank := clean(cell) == ""; {
		case i < len(t.columns):
			if !blank {
				r.fields[t.columns[i]] = field{text: cell}
			}
		case !blank:
			r.err = &InputError{File: t.file, Line: line, Err: ErrBadRow,
				Reason: fmt.Sprintf("the row has %d cells, the header %d", len(cells), len(t.columns))}
		}
	}
	switch {
	case r.err == nil && len(r.fields) == 0:
		return
	case r.err == nil && len(cells) < len(t.columns):
		r.err = &InputError{File: t.file, Line: line, Err: ErrBadRow,
			Reason: fmt.Sprintf("the row has %d cells, the header %d", len(cells), len(t.columns))}
	}
	t.rows = append(t.rows, r)
}
