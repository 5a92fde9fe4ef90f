package conflict

import "errors"

var (
	// ErrVersion is returned when a stored analysis was made by another version of
	// the analyser. The caller makes it again with Analyze.
	ErrVersion = errors.New("analysis of another version")

	// ErrCorrupt is returned when bytes are no stored analysis.
	ErrCorrupt = errors.New("corrupt analysis")
)
