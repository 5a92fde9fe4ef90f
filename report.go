package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"waymark/client"
	"waymark/search"
)

// reportError says on stderr what was wrong and what to do next. What it says
// may hold text of the store or of the caller, so none of it is written as it
// is.
func reportError(w io.Writer, e *exitError) {
	for i, line := range strings.Split(strings.TrimSpace(e.err.Error()), "\n") {
		prefix := "waymark: "
		if i > 0 {
			prefix = "         "
		}
		fmt.Fprintf(w, "%s%s\n", prefix, printable(line))
	}
	var known *search.Error
	switch {
	case errors.As(e.err, &known):
		reportKnown(w, known)
		for _, also := range known.Also {
			fmt.Fprintf(w, "waymark: %s\n", printable(also.Error()))
			reportKnown(w, also)
		}
	case errors.Is(e.err, client.ErrUnreachable):
		fmt.Fprintln(w, "  Start the daemon with: waymark serve")
	}
}

// reportKnown says what to do about a failure that the daemon named.
func reportKnown(w io.Writer, e *search.Error) {
	hint := e.Hint
	if e.Code == search.CodeWorkspaceMissing {
		hint = "Name it with --workspace (-w), WAYMARK_WORKSPACE or the configuration. An import creates the one it names."
	}
	if hint != "" {
		fmt.Fprintf(w, "  %s\n", printable(hint))
	}
	if len(e.Valid) > 0 {
		fmt.Fprintf(w, "  valid: %s\n", printable(strings.Join(e.Valid, "; ")))
	}
}
