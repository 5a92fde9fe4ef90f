package hosts

import "errors"

var (
	// ErrUnknownHost is returned when no host has the name.
	ErrUnknownHost = errors.New("there is no such host")
	// ErrUnreadable is returned when a file is not of the host's format, so that
	// an edit might damage it.
	ErrUnreadable = errors.New("the file cannot be read")
	// ErrLayout is returned when a file is right, but written in a way in which
	// an entry is not added or changed; its text says what stands in the way.
	ErrLayout = errors.New("the file has to be edited by hand")
)
