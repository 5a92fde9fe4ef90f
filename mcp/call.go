package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"waymark/search"
	"waymark/tool"
)

// callTool runs a tool. A failure that the caller can act on is a result with
// isError, so that the model sees it; only a call without a tool's name is an
// error of the protocol.
func (s *servers) callTool(ctx context.Context, params *sdk.CallToolParamsRaw) (sdk.Result, error) {
	if params.Name == "" {
		return nil, refuse(jsonrpc.CodeInvalidParams, `"params.name" is the name of a tool`)
	}
	answer, err := s.backend.call(ctx, tool.CallerFrom(ctx), params.Name, params.Arguments)
	if err != nil {
		var known *search.Error
		if errors.As(err, &known) {
			return failed(known)
		}
		return nil, err
	}
	structured, err := tool.WriteAnswer(answer)
	if err != nil {
		return nil, err
	}
	return &sdk.CallToolResult{
		Content:           []sdk.Content{&sdk.TextContent{Text: textOf(answer, structured)}},
		StructuredContent: json.RawMessage(structured),
	}, nil
}

// failed is the result of a call that failed: the contract's error object, and
// all of it again in words.
func failed(e *search.Error) (*sdk.CallToolResult, error) {
	structured, err := tool.WriteAnswer(failure{e})
	if err != nil {
		return nil, err
	}
	return &sdk.CallToolResult{
		Content:           []sdk.Content{&sdk.TextContent{Text: errorText(e)}},
		StructuredContent: json.RawMessage(structured),
		IsError:           true,
	}, nil
}

// errorText says code, reason, next step, and what would have been accepted.
func errorText(e *search.Error) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Error %s: %s", e.Code, e.Message)
	if e.Hint != "" {
		fmt.Fprintf(&b, "\nNext: %s", e.Hint)
	}
	if len(e.Valid) > 0 {
		fmt.Fprintf(&b, "\nValid: %s", quoteList(e.Valid))
	}
	for _, also := range e.Also {
		b.WriteString("\n")
		b.WriteString(errorText(also))
	}
	return b.String()
}

// protocolError is a failure where the protocol has no result for one. Further
// data of the method stands beside the contract's envelope.
func protocolError(code int64, e *search.Error, also map[string]any) *jsonrpc.Error {
	data := map[string]any{"error": e}
	maps.Copy(data, also)
	text, err := json.Marshal(data)
	if err != nil {
		text = nil
	}
	return &jsonrpc.Error{Code: code, Message: errorText(e), Data: text}
}
