package store

import (
	"errors"
	"fmt"
	"strings"
)

// The errors of this package. Test for them with errors.Is; the typed errors
// below carry the details.
var (
	// ErrLocked is returned when another process holds the database file. The
	// message names the holder.
	ErrLocked = errors.New("database is in use")

	// ErrNewerFormat is returned when a newer release wrote the database file.
	// The file is left as it was.
	ErrNewerFormat = errors.New("database format is newer than this program")

	// ErrNotDatabase is returned when the file is not a Waymark database.
	ErrNotDatabase = errors.New("not a Waymark database")

	// ErrCorrupt is returned when the database file, or a value in it, is
	// damaged.
	ErrCorrupt = errors.New("database is damaged")

	// ErrReadOnly is returned when a store opened with Options.ReadOnly is
	// asked to write.
	ErrReadOnly = errors.New("database was opened for reading only")

	// ErrClosed is returned when a store is used after Close.
	ErrClosed = errors.New("database is closed")

	// ErrTxDone is returned when a Tx or ReadTx is used after its function
	// returned.
	ErrTxDone = errors.New("transaction has ended")

	// ErrNotFound is returned when nothing has the name or id that was asked
	// for. Every such error is a *NotFoundError.
	ErrNotFound = errors.New("not found")

	// ErrExists is returned when a name or id that must be unique is taken.
	// Every such error is an *ExistsError.
	ErrExists = errors.New("already exists")

	// ErrInvalid is returned when a record cannot be stored as given. Every
	// such error is an *InvalidError.
	ErrInvalid = errors.New("invalid")

	// ErrNoDraft is returned when a rule has no draft to approve or discard.
	ErrNoDraft = errors.New("rule has no draft")

	// ErrNotInForce is returned when a rule that is not in force is to be
	// retired.
	ErrNotInForce = errors.New("rule is not in force")

	// ErrWasApproved is returned when a rule that was in force once is to be
	// deleted. It can only be retired.
	ErrWasApproved = errors.New("rule has been in force")

	// ErrSuperseded is returned when a draft is to be approved although a rule
	// in force supersedes it.
	ErrSuperseded = errors.New("rule is superseded")
)

// NotFoundError says what was not found. Kind is one of workspace, trail, rule,
// version, document, agent, token. ID is what was asked for; it is empty for a
// token, which is a secret.
type NotFoundError struct {
	Kind string
	ID   string
}

// Error names the kind and the id.
func (e *NotFoundError) Error() string {
	if e.ID == "" {
		return e.Kind + " not found"
	}
	return fmt.Sprintf("%s %q not found", e.Kind, e.ID)
}

// Is reports whether target is ErrNotFound.
func (e *NotFoundError) Is(target error) bool { return target == ErrNotFound }

// ExistsError says which record already has the value that must be unique. Kind
// is as in NotFoundError, Field is id or name.
type ExistsError struct {
	Kind  string
	Field string
	Value string
}

// Error names the kind, the field and the value.
func (e *ExistsError) Error() string {
	return fmt.Sprintf("%s with %s %q already exists", e.Kind, e.Field, e.Value)
}

// Is reports whether target is ErrExists.
func (e *ExistsError) Is(target error) bool { return target == ErrExists }

// FieldProblem is one field of a record that cannot be stored, and why. Field
// is the field's JSON name.
type FieldProblem struct {
	Field  string
	Reason string
}

// InvalidError lists everything that is wrong with a record, in the order of
// its fields.
type InvalidError struct {
	Kind   string
	Fields []FieldProblem
}

// Error names every field with its reason.
func (e *InvalidError) Error() string {
	var b strings.Builder
	b.WriteString("invalid ")
	b.WriteString(e.Kind)
	for i, f := range e.Fields {
		if i == 0 {
			b.WriteString(": ")
		} else {
			b.WriteString("; ")
		}
		b.WriteString(f.Field)
		b.WriteString(" ")
		b.WriteString(f.Reason)
	}
	return b.String()
}

// Is reports whether target is ErrInvalid.
func (e *InvalidError) Is(target error) bool { return target == ErrInvalid }

// corruptf returns an error that is ErrCorrupt with the place of the damage.
func corruptf(format string, arguments ...any) error {
	return fmt.Errorf("%w: %s", ErrCorrupt, fmt.Sprintf(format, arguments...))
}
