package server

import (
	"errors"
	"strings"

	"waymark/ingest"
	"waymark/search"
	"waymark/store"
)

// notFoundCodes is the code of each kind of record that can be missing.
var notFoundCodes = map[string]search.Code{
	"workspace": search.CodeUnknownWorkspace, "trail": search.CodeUnknownTrail, "rule": search.CodeUnknownRule,
	"rule version": search.CodeUnknownRule, "document": search.CodeUnknownDocument, "agent": search.CodeUnknownAgent,
}

// translate gives the contract's error of a failure of the store or of the write
// path; nil when it is none that a caller can act on.
func translate(err error) *search.Error {
	var missing *store.NotFoundError
	var conflict *ingest.ConflictError
	var input *ingest.InputError
	var tooLarge = errors.Is(err, ingest.ErrTooLarge)
	sentence := func() string { return capital(err.Error()) + "." }
	switch {
	case errors.As(err, &missing):
		code, known := notFoundCodes[strings.ToLower(missing.Kind)]
		if !known {
			code = search.CodeInvalidArgument
		}
		return search.Errorf(code, "List what there is, and use an id from there.", "There is no %s %q.", missing.Kind, missing.ID)
	case errors.As(err, &conflict):
		e := search.Errorf(search.CodeConflictUnconfirmed, "Read the rules that are named; confirm if the new one is meant all the same.", "%s", sentence())
		for _, c := range conflict.Conflicts {
			e.Valid = append(e.Valid, c.Rules[1])
		}
		return e
	case tooLarge:
		return search.Errorf(search.CodeTooLarge, "Send less.", "%s", sentence())
	case errors.Is(err, ingest.ErrUnknown):
		return search.Errorf(search.CodeUnknownTrail, "List the Trails with: waymark trail list", "%s", sentence())
	case errors.Is(err, ingest.ErrAmbiguous):
		return search.Errorf(search.CodeNameAmbiguous, "Use the id of the one you mean.", "%s", sentence())
	case errors.As(err, &input):
		return search.Errorf(search.CodeInvalidArgument, "Correct what is named and send it again.", "%s", sentence())
	case errors.Is(err, store.ErrExists):
		return search.Errorf(search.CodeInvalidArgument, "Use another name or id.", "%s", sentence())
	case errors.Is(err, ingest.ErrMassLoss):
		return search.Errorf(search.CodeInvalidArgument, "Import the whole folder, or allow the loss: --allow-mass-loss, allow_mass_loss.", "%s", sentence())
	case errors.Is(err, store.ErrInvalid),
		errors.Is(err, store.ErrNoDraft), errors.Is(err, store.ErrNotInForce), errors.Is(err, store.ErrWasApproved), errors.Is(err, store.ErrSuperseded):
		return search.Errorf(search.CodeInvalidArgument, "Look at the rule's history, then send what its state allows.", "%s", sentence())
	case errors.Is(err, store.ErrReadOnly):
		return search.Errorf(search.CodeReadOnly, "Start the daemon without read-only.", "%s", sentence())
	case errors.Is(err, store.ErrClosed):
		return search.Errorf(search.CodeNotReady, "Try again when the daemon runs again.", "The daemon is ending.")
	}
	return nil
}

func capital(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
