package ingest

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"path"
	"strings"

	"github.com/xuri/excelize/v2"

	"waymark/store"
)

// Format is how rows are written.
type Format string

// The formats of files of rows.
const (
	FormatJSONLines Format = "jsonl"
	FormatCSV       Format = "csv"
	FormatXLSX      Format = "xlsx"
)

// Export writes the Trails or the rules of a workspace in a form that Import
// reads back without loss when it keeps statuses: Trails first, then rules. trail
// keeps to one Trail, unless it is empty. Of a rule that is in force and has a
// draft both are written, of a retired rule the last version. Trails are in the
// order of their names, rules in the order of their Trails and ids. A class that
// was derived is left out: it follows from the text.
func Export(out io.Writer, s *store.Store, workspace string, kind Kind, format Format, trail string) error {
	return s.View(workspace, func(tx *store.ReadTx) error {
		columns, rows := ruleColumns, exportedRules(tx, trail)
		switch kind {
		case KindRules:
		case KindTrails:
			columns, rows = trailColumns, exportedTrails(tx, trail)
		default:
			return fmt.Errorf("export: %q is neither %q nor %q", kind, KindTrails, KindRules)
		}
		var err error
		switch format {
		case FormatJSONLines:
			err = writeJSONLines(out, columns, rows)
		case FormatCSV:
			err = writeCSV(out, columns, rows)
		case FormatXLSX:
			err = writeXLSX(out, string(kind), columns, rows)
		default:
			err = fmt.Errorf("%q is no format; known are %q, %q and %q", format, FormatJSONLines, FormatCSV, FormatXLSX)
		}
		if err != nil {
			return fmt.Errorf("export %s: %w", kind, err)
		}
		return nil
	})
}

// rows are what is exported, each with its fields by column.
type rows = iter.Seq2[map[string]field, error]

func exportedTrails(tx *store.ReadTx, only string) rows {
	return func(yield func(map[string]field, error) bool) {
		trails, err := tx.Trails()
		if err != nil {
			yield(nil, err)
			return
		}
		for _, t := range trails {
			if only != "" && t.ID != only {
				continue
			}
			row := map[string]field{"id": {text: t.ID}, "name": {text: t.Name}, "description": {text: t.Description}, "owner": {text: t.Owner}}
			if !yield(row, nil) {
				return
			}
		}
	}
}

func exportedRules(tx *store.ReadTx, only string) rows {
	return func(yield func(map[string]field, error) bool) {
		trails, err := tx.Trails()
		if err != nil {
			yield(nil, err)
			return
		}
		book := newTrailBook(trails)
		for _, t := range trails {
			if only != "" && t.ID != only {
				continue
			}
			name := t.Name
			if e, err := book.find(name); err != nil || e.trail.ID != t.ID {
				name = t.ID // the name would mean another Trail
			}
			for head, err := range tx.RuleHeads(t.ID) {
				versions := []int{head.Current()}
				if head.InForce != 0 && head.Draft != 0 {
					versions = append(versions, head.Draft)
				}
				for _, version := range versions {
					var r store.Rule
					if err == nil {
						r, err = tx.RuleVersion(head.ID, version)
					}
					if !yield(input(r, name).fields(), err) || err != nil {
						return
					}
				}
			}
		}
	}
}

// writeJSONLines writes every field of every row, so that the file says all.
func writeJSONLines(out io.Writer, columns []string, rows rows) error {
	for row, err := range rows {
		if err != nil {
			return err
		}
		var b strings.Builder
		for i, name := range columns {
			b.WriteString([]string{"{", ","}[min(i, 1)])
			f := row[name]
			var value any = f.text
			if isListColumn(name) {
				value = append([]string{}, f.items...)
			}
			if err := appendJSON(&b, name, value); err != nil {
				return err
			}
		}
		b.WriteString("}\n")
		if _, err := io.WriteString(out, b.String()); err != nil {
			return err
		}
	}
	return nil
}

// appendJSON writes a name and a value without escaping what only HTML needs.
func appendJSON(b *strings.Builder, name string, value any) error {
	var text strings.Builder
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return err
	}
	fmt.Fprintf(b, "%q:%s", name, strings.TrimSuffix(text.String(), "\n"))
	return nil
}

func writeCSV(out io.Writer, columns []string, rows rows) error {
	w := csv.NewWriter(out)
	if err := w.Write(columns); err != nil {
		return err
	}
	for row, err := range rows {
		if err != nil {
			return err
		}
		if err := w.Write(cells(columns, row)); err != nil {
			return err
		}
	}
	w.Flush()
	return w.Error()
}

func writeXLSX(out io.Writer, sheet string, columns []string, rows rows) error {
	book := excelize.NewFile()
	defer book.Close()
	if err := book.SetSheetName("Sheet1", sheet); err != nil {
		return err
	}
	w, err := book.NewStreamWriter(sheet)
	if err != nil {
		return err
	}
	line := 1
	write := func(texts []string) error {
		values := make([]any, len(texts))
		for i, text := range texts {
			if n := len([]rune(text)); n > excelize.TotalCellChars {
				return fmt.Errorf("the %s of row %d has %d characters; a cell of a workbook holds %d", columns[i], line, n, excelize.TotalCellChars)
			}
			values[i] = text
		}
		at, err := excelize.CoordinatesToCellName(1, line)
		if err != nil {
			return err
		}
		line++
		return w.SetRow(at, values)
	}
	if err := write(columns); err != nil {
		return err
	}
	for row, err := range rows {
		if err == nil {
			err = write(cells(columns, row))
		}
		if err != nil {
			return err
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return book.Write(out)
}

// cells returns the fields of a row as the cells of a table.
func cells(columns []string, row map[string]field) []string {
	out := make([]string, len(columns))
	for i, name := range columns {
		if f := row[name]; f.isList {
			out[i] = joinCell(f.items)
		} else {
			out[i] = f.text
		}
	}
	return out
}

// ExportDocuments yields the original files of all documents in the order of
// their ids. Of several documents with one path, all but the first have their id
// in the name.
func ExportDocuments(tx *store.ReadTx) iter.Seq2[File, error] {
	return func(yield func(File, error) bool) {
		seen := map[string]bool{}
		for d, err := range tx.Documents(store.WithRaw) {
			name := d.Path
			if seen[name] {
				end := documentExtension(name)
				name = path.Join(path.Dir(name), stem(name)+"--"+strings.ReplaceAll(d.ID, "/", "-")+end)
			}
			seen[name] = true
			if !yield(File{Path: name, Data: d.Raw}, err) || err != nil {
				return
			}
		}
	}
}
