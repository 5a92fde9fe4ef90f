package main

import (
	"errors"
	"fmt"

	"waymark/client"
	"waymark/config"
	"waymark/search"
)

// Exit codes of the contract, section 9.
const (
	exitGood        = 0
	exitFailed      = 1
	exitUsage       = 2
	exitNotFound    = 3
	exitNotAllowed  = 4
	exitConflict    = 5
	exitBadData     = 65
	exitUnreachable = 69
	exitTryAgain    = 75
	exitBadConfig   = 78
)

// exitError ends the program with a code. Err is nil when the command has said
// everything already.
type exitError struct {
	code int
	err  error
}

func (e *exitError) Error() string {
	if e.err == nil {
		return fmt.Sprintf("exit code %d", e.code)
	}
	return e.err.Error()
}

func (e *exitError) Unwrap() error { return e.err }

func usageError(format string, args ...any) error {
	return &exitError{code: exitUsage, err: fmt.Errorf(format, args...)}
}

// codes is the exit code of each error code.
var codes = map[search.Code]int{
	search.CodeUnknownWorkspace: exitNotFound, search.CodeUnknownTrail: exitNotFound, search.CodeUnknownDomain: exitNotFound,
	search.CodeUnknownCluster: exitNotFound, search.CodeUnknownRule: exitNotFound, search.CodeUnknownDocument: exitNotFound,
	search.CodeUnknownAgent: exitNotFound, search.CodeUnknownTool: exitNotFound,
	search.CodeUnauthorized: exitNotAllowed, search.CodeToolNotEnabled: exitNotAllowed, search.CodeReadOnly: exitNotAllowed,
	search.CodeConflictUnconfirmed: exitConflict,
	search.CodeQueryMissing:        exitUsage, search.CodeWorkspaceMissing: exitUsage, search.CodeInvalidArgument: exitUsage,
	search.CodeUnknownArgument: exitUsage, search.CodeNameAmbiguous: exitUsage, search.CodeTooLarge: exitUsage,
	search.CodeNotReady: exitTryAgain, search.CodeStaleCursor: exitTryAgain,
}

// failed gives an error the exit code that belongs to it.
func failed(err error) error {
	if err == nil {
		return nil
	}
	var done *exitError
	if errors.As(err, &done) {
		return err
	}
	var known *search.Error
	switch {
	case errors.As(err, &known):
		if code, ok := codes[known.Code]; ok {
			return &exitError{code: code, err: err}
		}
	case errors.Is(err, client.ErrUnreachable):
		return &exitError{code: exitUnreachable, err: err}
	case errors.Is(err, config.ErrInvalid):
		return &exitError{code: exitBadConfig, err: err}
	}
	return &exitError{code: exitFailed, err: err}
}
