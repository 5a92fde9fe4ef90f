package search

import "fmt"

// Code is the stable name of a kind of failure, the same on every transport.
type Code string

// The codes of the contract.
const (
	CodeQueryMissing        Code = "query_missing"
	CodeWorkspaceMissing    Code = "workspace_missing"
	CodeUnknownWorkspace    Code = "unknown_workspace"
	CodeUnknownTrail        Code = "unknown_trail"
	CodeUnknownDomain       Code = "unknown_domain"
	CodeUnknownCluster      Code = "unknown_cluster"
	CodeNameAmbiguous       Code = "name_ambiguous"
	CodeUnknownRule         Code = "unknown_rule"
	CodeUnknownDocument     Code = "unknown_document"
	CodeUnknownAgent        Code = "unknown_agent"
	CodeUnknownTool         Code = "unknown_tool"
	CodeToolNotEnabled      Code = "tool_not_enabled"
	CodeUnauthorized        Code = "unauthorized"
	CodeInvalidArgument     Code = "invalid_argument"
	CodeUnknownArgument     Code = "unknown_argument"
	CodeTooLarge            Code = "too_large"
	CodeStaleCursor         Code = "stale_cursor"
	CodeConflictUnconfirmed Code = "conflict_unconfirmed"
	CodeReadOnly            Code = "read_only"
	CodeNotReady            Code = "not_ready"
	CodeInternal            Code = "internal"
)

// Error is a failure a caller can act on: Message says what was wrong, Hint what
// to do next, Valid lists what would have been accepted where that is known,
// nearest to what was sent first. Also holds further failures of the same call,
// so that every wrong name is told at once.
type Error struct {
	Code    Code     `json:"code"`
	Message string   `json:"message"`
	Hint    string   `json:"hint"`
	Valid   []string `json:"valid,omitempty"`
	Also    []*Error `json:"also,omitempty"`
}

// Error gives the code and the sentence.
func (e *Error) Error() string { return string(e.Code) + ": " + e.Message }

// Errorf makes an Error without a list of valid values.
func Errorf(code Code, hint, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...), Hint: hint}
}
