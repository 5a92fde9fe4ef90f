package ingest

import (
	"errors"
	"fmt"
	"strings"
)

var (
	// ErrNotUTF8 is returned when the bytes of a file are not UTF-8 text.
	ErrNotUTF8 = errors.New("not UTF-8 text")

	// ErrTooLarge is returned when a file, or one row of it, is larger than what
	// is read.
	ErrTooLarge = errors.New("too large")

	// ErrBadRow is returned when a row, or a single rule or Trail, breaks a rule
	// of the format: a field that is missing, unknown or out of its range.
	ErrBadRow = errors.New("bad row")

	// ErrBadFile is returned when a file as a whole cannot be read as what it
	// should be, for example a table without a header.
	ErrBadFile = errors.New("bad file")

	// ErrUnknown is returned when a Trail that was named does not exist.
	ErrUnknown = errors.New("unknown Trail")

	// ErrAmbiguous is returned when a name fits more than one Trail.
	ErrAmbiguous = errors.New("ambiguous name")

	// ErrConflictUnconfirmed is returned when a change would conflict with rules
	// of the same Trail and was not confirmed. Ask with errors.As for a
	// *ConflictError to see them.
	ErrConflictUnconfirmed = errors.New("conflict not confirmed")

	// ErrMassLoss is returned when an import would remove more of the stored
	// documents than the guard lets pass.
	ErrMassLoss = errors.New("too many documents would be removed")

	// ErrOutside is returned when a file or link leads out of the folder that is
	// imported.
	ErrOutside = errors.New("outside the folder")
)

// InputError says what is wrong in one place of the input. It wraps one of the
// sentinels above.
type InputError struct {
	File   string // path as given; empty for a single edit
	Line   int    // counts from 1; 0 when the whole file is meant
	Field  string // column or field; empty when the row as a whole is meant
	Reason string // a sentence without capital and full stop
	Err    error  // the sentinel
}

// Error implements error.
func (e *InputError) Error() string {
	var b strings.Builder
	if e.File != "" {
		b.WriteString(e.File)
		if e.Line > 0 {
			fmt.Fprintf(&b, ":%d", e.Line)
		}
		b.WriteString(": ")
	} else if e.Line > 0 {
		fmt.Fprintf(&b, "line %d: ", e.Line)
	}
	if e.Field != "" {
		b.WriteString(e.Field)
		b.WriteString(": ")
	}
	b.WriteString(e.Reason)
	return b.String()
}

// Unwrap returns the sentinel.
func (e *InputError) Unwrap() error { return e.Err }
