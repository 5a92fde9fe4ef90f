package ingest

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/xuri/excelize/v2"

	"waymark/store"
)

// readRules reads a file of rules as an import does and returns the good rows
// and, as they would be shown, what is wrong with the others.
func readRules(t testing.TB, file string, data []byte, format string) ([]RuleInput, []string) {
	t.Helper()
	days, err := findDayFormat(format)
	if err != nil {
		t.Fatal(err)
	}
	tables, err := readTables(file, data, days)
	if err != nil {
		return nil, []string{err.Error()}
	}
	var good []RuleInput
	var bad []string
	for _, tab := range tables {
		if _, err := tab.kind(KindRules); err != nil {
			return nil, []string{err.Error()}
		}
		for _, row := range tab.rows {
			r := rowReader{file: tab.file, days: tab.days, row: row}
			if row.err != nil {
				bad = append(bad, row.err.Error())
				continue
			}
			r.known(ruleColumns)
			in := r.readRule()
			r.checkRule(in)
			for _, p := range r.problems {
				bad = append(bad, p.Error())
			}
			if len(r.problems) == 0 {
				good = append(good, in)
			}
		}
	}
	return good, bad
}

// TestU25 is case U25 of the user cases: a table with a byte-order mark,
// semicolons, ids that look like numbers, and days in two doubtful forms.
func TestU25(t *testing.T) {
	data := []byte("\xEF\xBB\xBFid;text;effective_until\r\n00042;\"Gifts; small\";31.12.2026\r\n021000021;Cash;2026-13-01\r\n")
	_, bad := readRules(t, "rules.csv", data, "")
	want := []string{`rules.csv:2: effective_until: "31.12.2026" is unclear as a day; write it as 2006-01-02`,
		`rules.csv:3: effective_until: "2026-13-01" is no day of the calendar`}
	if diff := cmp.Diff(want, bad); diff != "" {
		t.Errorf("problems differ (-want +got):\n%s", diff)
	}
	good, bad := readRules(t, "rules.csv", data, "DD.MM.YYYY")
	if want := []RuleInput{{ID: "00042", Text: "Gifts; small", EffectiveUntil: "2026-12-31"}}; cmp.Diff(want, good) != "" || len(bad) != 1 {
		t.Errorf("with the form named: %+v and %q, want %+v and one problem", good, bad, want)
	}
	good, _ = readRules(t, "rules.csv", bytes.ReplaceAll(bytes.ReplaceAll(data, []byte("2026-13-01"), nil), []byte("31.12.2026"), nil), "")
	if len(good) != 2 || good[0].ID != "00042" || good[1].ID != "021000021" {
		t.Errorf("ids = %+v, want 00042 and 021000021", good)
	}
}

func TestSeparators(t *testing.T) {
	want := []RuleInput{{Trail: "Travel", ID: "1", Text: "a, b; c | d\te", Tags: []string{"x", "y"}}}
	for _, s := range separators {
		var b bytes.Buffer
		w := csv.NewWriter(&b)
		w.Comma = s
		w.WriteAll([][]string{{"Trail", "ID", "Text", "Tags"}, {"Travel", "1", "a, b; c | d\te", "x; y"}})
		for _, prefix := range []string{"", "sep=" + string(s) + "\n"} {
			got, bad := readRules(t, "r.csv", []byte(prefix+b.String()), "")
			if diff := cmp.Diff(want, got); diff != "" || len(bad) > 0 {
				t.Errorf("separator %q: %v (-want +got):\n%s", s, bad, diff)
			}
		}
	}
	got, bad := readRules(t, "r.csv", []byte("text\nOne column; with signs, and | more.\n"), "")
	if len(bad) > 0 || len(got) != 1 || got[0].Text != "One column; with signs, and | more." {
		t.Errorf("one column: %+v, %v", got, bad)
	}
}

// TestTableProblems has every way in which a table can be wrong, with the error.
func TestTableProblems(t *testing.T) {
	const rules = `"trail", "id", "text", "title", "class", "domain", "cluster", "tags", "applies_when", "status", "effective_from", "effective_until", "source" and "supersedes"`
	for _, c := range []struct{ name, file, data, want string }{
		{"empty", "r.csv", "", "r.csv: the file is empty"},
		{"only a mark", "r.csv", "\xEF\xBB\xBF\r\n", "r.csv: the file is empty"},
		{"not UTF-8", "r.csv", "text\nCaf\xe9\n", "r.csv:2: byte 9 (0xE9) is not UTF-8; save the file as UTF-8"},
		{"UTF-16", "r.csv", "\xff\xfet\x00", "r.csv:1: the file is UTF-16, not UTF-8; save it as UTF-8"},
		{"missing column", "r.csv", "id,title\n1,a\n", "r.csv:1: text: the column is missing; a file of rules has " + rules},
		{"unknown column", "r.csv", "text,colour\na,b\n", `r.csv:1: colour: there is no such column in a file of rules; known are ` + rules},
		{"column twice", "r.csv", "text,Text\na,b\n", "r.csv:1: text: there are two columns of this name"},
		{"column without name", "r.csv", "text,,id\na,b,c\n", "r.csv:1: column 2 has no name"},
		{"too many cells", "r.csv", "text,id\na,b,c\n", "r.csv:2: the row has 3 cells, the header 2"},
		{"too few cells", "r.csv", "text,id,title\na,b\n", "r.csv:2: the row has 2 cells, the header 3"},
		{"text missing", "r.csv", "text,id\n,1\n", "r.csv:2: text: the text of the rule is missing"},
		{"bare quote", "r.csv", "text,id\na \"b\" c,1\n", "r.csv:2: a quote stands inside a cell that is not quoted; quote the cell and double the quote"},
		{"open quote", "r.csv", "text,id\nok,1\n\"a,2\nb,3\n", "r.csv:3: a quoted cell has a quote that is not doubled, or is not closed"},
		{"class", "r.csv", "text,class\na,rule\n", `r.csv:2: class: "rule" is not among "obligation", "prohibition", "permission", "recommendation", "definition", "procedure" and "exception"`},
		{"status", "r.csv", "text,status\na,active\n", `r.csv:2: status: "active" is not among "draft", "approved" and "retired"`},
		{"cluster without domain", "r.csv", "text,domain,cluster\na,,b\n", "r.csv:2: cluster: a cluster lies in a domain, and none is given"},
		{"days the wrong way round", "r.csv", "text,effective_from,effective_until\na,2026-02-01,2026-01-01\n", "r.csv:2: effective_until: 2026-01-01 lies before effective_from, 2026-02-01"},
		{"supersedes itself", "r.csv", "text,id,supersedes\na,R-1,R-0; R-1\n", "r.csv:2: supersedes: the rule names itself"},
		{"line break in a title", "r.csv", "text,title\na,\"b\nc\"\n", "r.csv:2: title: the character U+000A may not stand here"},
		{"control character", "r.csv", "text\na\x07b\n", "r.csv:2: text: the character U+0007 may not stand here"},
		{"long title", "r.csv", "text,title\na," + strings.Repeat("é", 201) + "\n", "r.csv:2: title: the text has 201 characters; at most 200 are taken"},
		{"JSON: empty", "r.jsonl", "\n\n", "r.jsonl: the file is empty"},
		{"JSON: a list", "r.jsonl", "[{\"text\": \"a\"}]\n", "r.jsonl:1: the file holds a JSON list; write one object a line"},
		{"JSON: no object", "r.jsonl", "{\"text\": \"a\"}\n\"b\"\n", "r.jsonl:2: the line is no JSON object"},
		{"JSON: broken", "r.jsonl", "{\"text\": \"a\"\n", "r.jsonl:1: the line is no JSON object: it ends too early"},
		{"JSON: no value", "r.jsonl", "{\"text\": }\n", "r.jsonl:1: the line is no JSON object: invalid character '}' looking for beginning of value"},
		{"JSON: two objects", "r.jsonl", "{\"text\": \"a\"} {}\n", "r.jsonl:1: something follows the JSON object; write one object a line"},
		{"JSON: field twice", "r.jsonl", "{\"text\": \"a\", \"Text\": \"b\"}\n", "r.jsonl:1: text: the field is given twice"},
		{"JSON: unknown field", "r.jsonl", "{\"text\": \"a\"}\n{\"text\": \"b\", \"colour\": \"c\"}\n", "r.jsonl:2: colour: there is no such field; known are " + rules},
		{"JSON: a truth", "r.jsonl", "{\"text\": true}\n", "r.jsonl:1: text: a text or a list of texts is wanted here"},
		{"JSON: an object", "r.jsonl", "{\"text\": \"a\", \"tags\": {\"b\": 1}}\n", "r.jsonl:1: tags: a text or a list of texts is wanted here"},
		{"JSON: a list of lists", "r.jsonl", "{\"text\": \"a\", \"tags\": [[\"b\"]]}\n", "r.jsonl:1: tags: a list of texts is wanted here"},
		{"JSON: list for a text", "r.jsonl", "{\"text\": [\"a\"]}\n", "r.jsonl:1: text: one text is wanted here, not a list"},
		{"JSON: long line", "r.jsonl", "{\"text\": \"" + strings.Repeat("a", maxRowBytes) + "\"}\n", fmt.Sprintf("r.jsonl:1: the line has %d bytes; at most %d are read", maxRowBytes+13, maxRowBytes)},
		{"workbook: no zip", "r.xlsx", "text\na\n", "r.xlsx: the workbook cannot be read: zip: not a valid zip file"},
		{"other file", "r.txt", "text\na\n", "r.txt: files of rows are .jsonl, .csv or .xlsx"},
	} {
		_, bad := readRules(t, c.file, []byte(c.data), "")
		if !slices.Equal(bad, []string{c.want}) {
			t.Errorf("%s: problems = %q, want %q", c.name, bad, c.want)
		}
	}
	if _, err := findDayFormat("d/m"); err == nil || !strings.HasPrefix(err.Error(), `date_format: "d/m" is no way of writing days; known are "dd.mm.yyyy",`) {
		t.Errorf("findDayFormat = %v, want the known ones", err)
	}
}

func TestRowsGoOnAfterABadOne(t *testing.T) {
	good, bad := readRules(t, "r.csv", []byte("text,id\na \"b\" c,1\nfine,2\n\n\"two\nlines\",3\n,\nlast,4\n"), "")
	want := []RuleInput{{Text: "fine", ID: "2"}, {Text: "two\nlines", ID: "3"}, {Text: "last", ID: "4"}}
	if diff := cmp.Diff(want, good); diff != "" || len(bad) != 1 {
		t.Errorf("problems %q, rows differ (-want +got):\n%s", bad, diff)
	}
}

func TestJSONValues(t *testing.T) {
	good, bad := readRules(t, "r.ndjson", []byte(`{"ID": 42, "text": "a\r\nb", "tags": "x; y", "applies_when": ["p; q", 7, null, "p; q"], "title": null, "effective-from": "2026-01-02T10:00:00Z"}`), "")
	want := []RuleInput{{ID: "42", Text: "a\nb", Tags: []string{"x", "y"}, AppliesWhen: []string{"p; q", "7"}, EffectiveFrom: "2026-01-02"}}
	if diff := cmp.Diff(want, good); diff != "" || len(bad) > 0 {
		t.Errorf("problems %q, rows differ (-want +got):\n%s", bad, diff)
	}
}

func TestXLSX(t *testing.T) {
	book := excelize.NewFile()
	defer book.Close()
	set := func(sheet, cell string, value any) {
		t.Helper()
		if err := book.SetCellValue(sheet, cell, value); err != nil {
			t.Fatal(err)
		}
	}
	book.SetSheetName("Sheet1", "My rules")
	for i, name := range []string{"id", "text", "effective_from", "effective_until", "tags"} {
		set("My rules", string(rune('A'+i))+"1", name)
	}
	set("My rules", "A2", "00042")
	set("My rules", "B2", "First.")
	set("My rules", "C2", 46387) // 2026-12-31
	set("My rules", "D2", "2027-01-31")
	set("My rules", "E2", "a; b")
	set("My rules", "A4", 123456789012)
	set("My rules", "B4", "Second, after an empty row.")
	set("My rules", "A5", "x")
	set("My rules", "D5", "31.12.2026")
	book.NewSheet("Empty")
	book.NewSheet("More")
	set("More", "A1", "text")
	set("More", "A2", "Third.")
	var b bytes.Buffer
	if err := book.Write(&b); err != nil {
		t.Fatal(err)
	}
	good, bad := readRules(t, "book.xlsx", b.Bytes(), "")
	want := []RuleInput{
		{ID: "00042", Text: "First.", EffectiveFrom: "2026-12-31", EffectiveUntil: "2027-01-31", Tags: []string{"a", "b"}},
		{ID: "123456789012", Text: "Second, after an empty row."}, {Text: "Third."}}
	if diff := cmp.Diff(want, good); diff != "" {
		t.Errorf("rows differ (-want +got):\n%s", diff)
	}
	wantBad := []string{`book.xlsx[My rules]:5: effective_until: "31.12.2026" is unclear as a day; write it as 2006-01-02`}
	if diff := cmp.Diff(wantBad, bad); diff != "" {
		t.Errorf("problems differ (-want +got):\n%s", diff)
	}
	cut := b.Bytes()[:b.Len()/2]
	if _, bad := readRules(t, "book.xlsx", cut, ""); len(bad) != 1 || !strings.HasPrefix(bad[0], "book.xlsx: the workbook cannot be read") {
		t.Errorf("half a workbook: %q", bad)
	}
}

func TestKindFromColumns(t *testing.T) {
	for _, c := range []struct {
		columns string
		want    Kind
		kind    Kind
		err     string
	}{
		{"text", KindAny, KindRules, ""},
		{"name", KindAny, KindTrails, ""},
		{"id,name,owner,description", KindAny, KindTrails, ""},
		{"name", KindRules, "", `f.csv:1: name: there is no such column in a file of rules; known are ` + quoteList(ruleColumns)},
		{"text", KindTrails, "", `f.csv:1: text: there is no such column in a file of trails; known are "id", "name", "description" and "owner"`},
		{"id", KindTrails, "", `f.csv:1: name: the column is missing; a file of trails has "id", "name", "description" and "owner"`},
		{"text", KindDocuments, "", "f.csv:1: documents are markdown files, not rows"},
	} {
		kind, err := table{file: "f.csv", columns: strings.Split(c.columns, ",")}.kind(c.want)
		if kind != c.kind || (err != nil) != (c.err != "") || err != nil && err.Error() != c.err {
			t.Errorf("kind of %q = %q, %v, want %q, %q", c.columns, kind, err, c.kind, c.err)
		}
	}
}

func TestCellsRoundTrip(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	letters := []rune(`a;\ ,"é`)
	for range 2000 {
		items := make([]string, r.IntN(5))
		for i := range items {
			n := 1 + r.IntN(6)
			var b strings.Builder
			for range n {
				b.WriteRune(letters[r.IntN(len(letters))])
			}
			items[i] = strings.TrimSpace(b.String())
			if items[i] == "" {
				items[i] = "x"
			}
		}
		got := splitCell(joinCell(items))
		for i := range got {
			got[i] = strings.TrimSpace(got[i])
		}
		if !slices.Equal(got, items) && len(got)+len(items) > 0 {
			t.Fatalf("splitCell(joinCell(%q)) = %q", items, got)
		}
	}
}

func TestDerivedID(t *testing.T) {
	a := derivedID("travel", "Book  early.\n")
	for text, same := range map[string]bool{"book early.": true, "Book early.": true, " Book early. ": true, "Book early": false} {
		if got := derivedID("travel", text) == a; got != same {
			t.Errorf("derivedID of %q is the same: %v, want %v", text, got, same)
		}
	}
	if derivedID("hotels", "Book early.") == a {
		t.Errorf("two Trails give one id")
	}
	if a != "r-3wx2uq3b6eylzvqc" {
		t.Errorf("derivedID = %q: ids that were given out must not change", a)
	}
}

func FuzzReadTables(f *testing.F) {
	f.Add([]byte("text,id\na,b\n"), 0)
	f.Add([]byte("sep=;\ntext;tags\n\"a\nb\";c;\n"), 0)
	f.Add([]byte("{\"text\": \"a\", \"tags\": [\"b\", 1]}\n\n[]\n"), 1)
	f.Fuzz(func(t *testing.T, data []byte, which int) {
		file := []string{"f.csv", "f.jsonl"}[min(max(which, 0), 1)]
		good, bad := readRules(t, file, data, "")
		for _, in := range good {
			if in.Text == "" || in.Status != "" && !slices.Contains(store.Statuses, in.Status) {
				t.Errorf("row %+v was taken", in)
			}
			// What was read can be written and read again.
			again := rowReader{row: row{fields: in.fields()}}
			if diff := cmp.Diff(in, again.readRule()); diff != "" || len(again.problems) > 0 {
				t.Errorf("problems %v, the row changes when it is read again:\n%s", again.problems, diff)
			}
		}
		for _, b := range bad {
			if !strings.HasPrefix(b, file) {
				t.Errorf("problem %q does not name the file", b)
			}
		}
	})
}
