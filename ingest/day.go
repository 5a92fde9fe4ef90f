package ingest

import (
	"fmt"
	"time"
)

// parseDay reads a calendar day and writes it as 2006-01-02. It takes exactly
// that form and RFC 3339 date-times, of which it keeps the day as written.
// Every other form is refused: 03/04/2026 is two days, depending on the reader.
func parseDay(text string) (string, error) {
	if t, err := time.Parse(time.DateOnly, text); err == nil {
		return t.Format(time.DateOnly), nil
	}
	if t, err := time.Parse(time.RFC3339, text); err == nil {
		return t.Format(time.DateOnly), nil
	}
	if looksISO(text) {
		return "", fmt.Errorf("%q is no day of the calendar", text)
	}
	return "", fmt.Errorf("%q is unclear as a day; write it as 2006-01-02", text)
}

// looksISO tells whether a text has the shape of an ISO day.
func looksISO(text string) bool {
	const shape = "0000-00-00"
	if len(text) < len(shape) || (len(text) > len(shape) && text[len(shape)] != 'T') {
		return false
	}
	for i := range len(shape) {
		isDigit := text[i] >= '0' && text[i] <= '9'
		if isDigit != (shape[i] == '0') || (!isDigit && text[i] != '-') {
			return false
		}
	}
	return true
}

// dayFormat is a way of writing days that the caller of an import named. The
// zero value takes no other way than parseDay.
type dayFormat struct{ name, layout string }

// dayFormats are the ways of writing days that can be named, with their layout
// in the manner of package time. Days and months may have one digit.
var dayFormats = []dayFormat{
	{"dd.mm.yyyy", "2.1.2006"},
	{"dd/mm/yyyy", "2/1/2006"},
	{"mm/dd/yyyy", "1/2/2006"},
	{"dd-mm-yyyy", "2-1-2006"},
	{"yyyy/mm/dd", "2006/1/2"},
	{"yyyymmdd", "20060102"},
}

// DayFormats returns the names that Request.DateFormat takes.
func DayFormats() []string {
	names := make([]string, len(dayFormats))
	for i, f := range dayFormats {
		names[i] = f.name
	}
	return names
}

// findDayFormat returns the format of a name, compared without regard to case.
func findDayFormat(name string) (dayFormat, error) {
	if name == "" {
		return dayFormat{}, nil
	}
	for _, f := range dayFormats {
		if f.name == fold(name) {
			return f, nil
		}
	}
	return dayFormat{}, &InputError{Field: "date_format", Err: ErrBadRow,
		Reason: fmt.Sprintf("%q is no way of writing days; known are %s", name, quoteList(DayFormats()))}
}

// parse reads a day in the named format or, as always, in the ISO form.
func (f dayFormat) parse(text string) (string, error) {
	if f.layout != "" {
		if t, err := time.Parse(f.layout, text); err == nil {
			return t.Format(time.DateOnly), nil
		}
	}
	return parseDay(text)
}
