package ingest

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/xuri/excelize/v2"
)

// maxUnzipped bounds what a workbook may grow to when it is unpacked.
const maxUnzipped = 1 << 30

// readXLSX reads every sheet of a workbook that has rows, each as a table. Cells
// are taken as they are stored: text stays text, numbers keep all their digits,
// and a cell that holds a day as the number of days since 1900 is a day in the
// columns that hold days.
func readXLSX(file string, data []byte, days dayFormat) (tables []table, err error) {
	bad := func(format string, arguments ...any) error {
		return &InputError{File: file, Err: ErrBadFile, Reason: fmt.Sprintf(format, arguments...)}
	}
	defer func() {
		if r := recover(); r != nil {
			tables, err = nil, bad("the workbook cannot be read")
		}
	}()
	book, err := excelize.OpenReader(bytes.NewReader(data), excelize.Options{RawCellValue: true, UnzipSizeLimit: maxUnzipped})
	if err != nil {
		return nil, bad("the workbook cannot be read: %v", err)
	}
	defer book.Close()
	properties, err := book.GetWorkbookProps()
	if err != nil {
		return nil, bad("the workbook cannot be read: %v", err)
	}
	from1904 := properties.Date1904 != nil && *properties.Date1904
	for _, sheet := range book.GetSheetList() {
		t := table{file: fmt.Sprintf("%s[%s]", file, sheet), days: days}
		rows, err := book.Rows(sheet)
		if err != nil {
			return nil, bad("sheet %q cannot be read: %v", sheet, err)
		}
		for line := 1; rows.Next(); line++ {
			cells, err := rows.Columns()
			if err != nil {
				return nil, bad("row %d of sheet %q cannot be read: %v", line, sheet, err)
			}
			switch {
			case t.columns == nil && len(cells) > 0:
				err = t.setColumns(cells, line)
			case len(cells) > 0:
				for len(cells) < len(t.columns) {
					cells = append(cells, "") // a sheet leaves out empty cells at the end
				}
				t.addCells(cells, line)
			}
			if err != nil {
				return nil, err
			}
		}
		if err := rows.Close(); err != nil {
			return nil, bad("sheet %q cannot be read: %v", sheet, err)
		}
		if t.columns == nil {
			continue
		}
		for i := range t.rows {
			for _, name := range dayColumns {
				if f, ok := t.rows[i].fields[name]; ok && slices.Contains(t.columns, name) {
					t.rows[i].fields[name] = field{text: serialDay(f.text, from1904)}
				}
			}
		}
		tables = append(tables, t)
	}
	if len(tables) == 0 {
		return nil, bad("the workbook is empty")
	}
	return tables, nil
}

// serialDay turns the number under which a spreadsheet stores a day into the
// day; any other text is returned as it is.
func serialDay(text string, from1904 bool) string {
	const lastSerial = 2958465 // 9999-12-31
	n, err := strconv.ParseFloat(text, 64)
	if err != nil || n < 1 || n > lastSerial {
		return text
	}
	day, err := excelize.ExcelDateToTime(n, from1904)
	if err != nil {
		return text
	}
	return day.Format(time.DateOnly)
}
