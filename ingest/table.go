package ingest

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"waymark/store"
)

// Kind is what a file holds.
type Kind string

// The kinds of files. KindAny asks to see it from the name and the columns.
const (
	KindAny       Kind = ""
	KindDocuments Kind = "documents"
	KindTrails    Kind = "trails"
	KindRules     Kind = "rules"
)

// ruleColumns and trailColumns are the names of the columns, or fields, of the
// two kinds of tables, in the order in which they are exported.
var (
	ruleColumns = []string{"trail", "id", "text", "title", "class", "domain", "cluster", "tags", "applies_when",
		"status", "effective_from", "effective_until", "source", "supersedes"}
	trailColumns = []string{"id", "name", "description", "owner"}
)

// listColumns hold lists; in one cell of a table they are separated by
// semicolons.
var listColumns = []string{"tags", "applies_when", "supersedes"}

// dayColumns hold calendar days.
var dayColumns = []string{"effective_from", "effective_until"}

// table is a file of rows, or one sheet of it.
type table struct {
	file    string   // with the sheet in brackets
	columns []string // folded; for JSON lines the fields of all rows
	json    bool     // rows have fields of their own, so an unknown one is theirs
	rows    []row
	days    dayFormat
}

// row is one row with where it stands. A row that could not even be taken apart
// has an error and nothing else.
type row struct {
	line   int
	fields map[string]field
	err    *InputError
}

// field is what one row has in one column: a list only in JSON, where lists are
// lists.
type field struct {
	text   string
	items  []string
	isList bool
}

// readTables reads a file of rows as its name says. It returns an *InputError
// when the file as a whole cannot be read.
func readTables(file string, data []byte, days dayFormat) ([]table, error) {
	if len(data) > MaxTableBytes {
		return nil, &InputError{File: file, Err: ErrTooLarge,
			Reason: fmt.Sprintf("the file has %d bytes; at most %d are read, so cut it in parts", len(data), MaxTableBytes)}
	}
	extension := strings.ToLower(path.Ext(file))
	if extension == ".xlsx" {
		return readXLSX(file, data, days)
	}
	text, err := decodeText(file, data)
	if err != nil {
		return nil, err
	}
	var t table
	switch extension {
	case ".jsonl", ".ndjson":
		t, err = readJSONLines(file, text)
	case ".csv", ".tsv":
		t, err = readCSV(file, text)
	default:
		return nil, &InputError{File: file, Err: ErrBadFile, Reason: "files of rows are .jsonl, .csv or .xlsx"}
	}
	t.days = days
	return []table{t}, err
}

// MaxTableBytes is the largest file of rows that is read: about a million rules.
const MaxTableBytes = 512 << 20

// isTable tells whether a path has the extension of a file of rows.
func isTable(p string) bool {
	return slices.Contains([]string{".jsonl", ".ndjson", ".csv", ".tsv", ".xlsx"}, strings.ToLower(path.Ext(p)))
}

// kind tells what the table holds: what was asked for, else what its columns
// say. Columns that are missing or unknown are an error that names the known
// ones; of JSON they are an error of the row.
func (t table) kind(want Kind) (Kind, error) {
	bad := func(field, reason string) (Kind, error) {
		return KindAny, &InputError{File: t.file, Line: 1, Field: field, Err: ErrBadFile, Reason: reason}
	}
	kind, known, needed := KindRules, ruleColumns, "text"
	switch {
	case want == KindDocuments:
		return bad("", "documents are markdown files, not rows")
	case want == KindTrails, want == KindAny && !slices.Contains(t.columns, "text") && slices.Contains(t.columns, "name"):
		kind, known, needed = KindTrails, trailColumns, "name"
	}
	for _, c := range t.columns {
		if !t.json && !slices.Contains(known, c) {
			return bad(c, fmt.Sprintf("there is no such column in a file of %s; known are %s", kind, quoteList(known)))
		}
	}
	if !t.json && !slices.Contains(t.columns, needed) {
		return bad(needed, fmt.Sprintf("the column is missing; a file of %s has %s", kind, quoteList(known)))
	}
	return kind, nil
}

// rowReader takes the fields out of one row and gathers what is wrong with it.
type rowReader struct {
	file string
	days dayFormat
	row
	problems []*InputError
}

// known checks that the row has no other fields than these.
func (r *rowReader) known(columns []string) {
	for _, name := range slices.Sorted(maps.Keys(r.fields)) {
		if !slices.Contains(columns, name) {
			r.bad(name, "there is no such field; known are %s", quoteList(columns))
		}
	}
}

func (r *rowReader) bad(field, format string, arguments ...any) {
	r.problems = append(r.problems, &InputError{File: r.file, Line: r.line, Field: field, Err: ErrBadRow,
		Reason: fmt.Sprintf(format, arguments...)})
}

// text returns a field of at most limit characters; lines tells whether it may
// have more than one line.
func (r *rowReader) text(name string, limit int, lines bool) string {
	f := r.fields[name]
	if f.isList {
		r.bad(name, "one text is wanted here, not a list")
		return ""
	}
	text := clean(strings.ReplaceAll(strings.ReplaceAll(f.text, "\r\n", "\n"), "\r", "\n"))
	r.check(name, text, limit, lines)
	return text
}

func (r *rowReader) check(name, text string, limit int, lines bool) {
	if n := utf8.RuneCountInString(text); n > limit {
		r.bad(name, "the text has %d characters; at most %d are taken", n, limit)
	}
	if !utf8.ValidString(text) {
		r.bad(name, "the text is not UTF-8")
	}
	for _, c := range text {
		if unicode.IsControl(c) && (!lines || c != '\n' && c != '\t') || c == '\uFFFE' || c == '\uFFFF' {
			r.bad(name, "the character %U may not stand here", c)
			return
		}
	}
}

// columns returns the names of the columns that say something about a row: all
// of a table, and of JSON those of the row.
func (r *rowReader) columns(t table) []string {
	if t.json {
		return slices.Collect(maps.Keys(r.fields))
	}
	return t.columns
}

// list returns a field that holds several texts; one text is a list of one, and
// in a table's cell they are separated by semicolons.
func (r *rowReader) list(name string, limit int) []string {
	f := r.fields[name]
	items := f.items
	if !f.isList {
		items = splitCell(f.text)
	}
	var out []string
	for _, item := range items {
		item = clean(item)
		r.check(name, item, limit, false)
		if item != "" && !slices.Contains(out, item) {
			out = append(out, item)
		}
	}
	if len(out) > store.MaxListLength {
		r.bad(name, "the list has %d entries; at most %d are taken", len(out), store.MaxListLength)
	}
	return out
}

// day returns a field that holds a calendar day.
func (r *rowReader) day(name string) string {
	text := r.text(name, store.MaxNameLength, false)
	if text == "" {
		return ""
	}
	day, err := r.days.parse(text)
	if err != nil {
		r.bad(name, "%v", err)
	}
	return day
}

// oneOf returns a field whose values are known, compared without regard to case.
func oneOf[T ~string](r *rowReader, name string, known []T) T {
	text := r.text(name, store.MaxNameLength, false)
	if text == "" {
		return ""
	}
	names := make([]string, len(known))
	for i, k := range known {
		if strings.EqualFold(text, string(k)) {
			return k
		}
		names[i] = string(k)
	}
	r.bad(name, "%q is not among %s", text, quoteList(names))
	return ""
}

// id returns a field that holds an id, empty when there is none.
func (r *rowReader) id(name string) string {
	id := r.text(name, store.MaxNameLength, false)
	if len(id) > store.MaxIDBytes {
		r.bad(name, "an id has at most %d bytes", store.MaxIDBytes)
	}
	return id
}

// joinCell writes a list into one cell: entries are separated by semicolons, and
// a semicolon or backslash inside an entry has a backslash before it.
func joinCell(items []string) string {
	escaped := make([]string, len(items))
	for i, item := range items {
		escaped[i] = strings.NewReplacer(`\`, `\\`, `;`, `\;`).Replace(item)
	}
	return strings.Join(escaped, "; ")
}

// splitCell is the inverse of joinCell. A backslash before any other character
// stands for itself.
func splitCell(cell string) []string {
	if strings.TrimSpace(cell) == "" {
		return nil
	}
	var items []string
	var item strings.Builder
	for i := 0; i < len(cell); i++ {
		switch c := cell[i]; {
		case c == '\\' && i+1 < len(cell) && (cell[i+1] == ';' || cell[i+1] == '\\'):
			i++
			item.WriteByte(cell[i])
		case c == ';':
			items = append(items, item.String())
			item.Reset()
		default:
			item.WriteByte(c)
		}
	}
	return append(items, item.String())
}

func isListColumn(name string) bool { return slices.Contains(listColumns, name) }
