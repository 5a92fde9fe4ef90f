package server

import (
	"net/http"

	"waymark/search"
)

// statuses is the HTTP status of each error code of the contract.
var statuses = map[search.Code]int{
	search.CodeQueryMissing:        http.StatusBadRequest,
	search.CodeWorkspaceMissing:    http.StatusBadRequest,
	search.CodeInvalidArgument:     http.StatusBadRequest,
	search.CodeUnknownArgument:     http.StatusBadRequest,
	search.CodeUnknownWorkspace:    http.StatusNotFound,
	search.CodeUnknownTrail:        http.StatusNotFound,
	search.CodeUnknownDomain:       http.StatusNotFound,
	search.CodeUnknownCluster:      http.StatusNotFound,
	search.CodeUnknownRule:         http.StatusNotFound,
	search.CodeUnknownDocument:     http.StatusNotFound,
	search.CodeUnknownAgent:        http.StatusNotFound,
	search.CodeUnknownTool:         http.StatusNotFound,
	search.CodeNameAmbiguous:       http.StatusConflict,
	search.CodeConflictUnconfirmed: http.StatusConflict,
	search.CodeStaleCursor:         http.StatusGone,
	search.CodeUnauthorized:        http.StatusUnauthorized,
	search.CodeToolNotEnabled:      http.StatusForbidden,
	search.CodeReadOnly:            http.StatusForbidden,
	search.CodeTooLarge:            http.StatusRequestEntityTooLarge,
	search.CodeNotReady:            http.StatusServiceUnavailable,
	search.CodeInternal:            http.StatusInternalServerError,
}
