package mcp

import (
	"bytes"
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// message is one JSON-RPC message, its parts as they were written.
type message struct {
	raw    json.RawMessage
	id     json.RawMessage // nil: the message wants no answer
	method string          // empty: the message answers something
	params json.RawMessage // nil: none
}

// wantsAnswer tells a call from a notification or an answer.
func (m message) wantsAnswer() bool { return m.id != nil && m.method != "" }

// item is a message, or the error that answers what was sent in its place.
type item struct {
	message
	err *jsonrpc.Error
}

func refuse(code int64, text string) *jsonrpc.Error {
	return &jsonrpc.Error{Code: code, Message: text}
}

// readMessage reads one JSON value as a message. An item with an error keeps
// the id when it could be read, so that the sender knows what failed.
func readMessage(raw json.RawMessage) item {
	invalid := func(id json.RawMessage, text string) item {
		return item{message{raw: raw, id: id}, refuse(jsonrpc.CodeInvalidRequest, text)}
	}
	// A map keeps to the exact names; a struct would take "ID" for "id".
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(raw, &fields); err != nil || fields == nil {
		return invalid(nil, "a message is a JSON object")
	}
	id, given := fields["id"]
	if given && !isID(id) {
		return invalid(nil, `"id" is a string or a number`)
	}
	var version, method string
	if err := json.Unmarshal(fields["jsonrpc"], &version); err != nil || version != "2.0" {
		return invalid(id, `"jsonrpc" is "2.0"`)
	}
	written, isRequest := fields["method"]
	if !isRequest {
		_, result := fields["result"]
		_, failure := fields["error"]
		if given && result != failure {
			return item{message: message{raw: raw, id: id}}
		}
		return invalid(id, `a message has a "method", or an "id" with a "result" or an "error"`)
	}
	if written[0] != '"' || json.Unmarshal(written, &method) != nil || method == "" {
		return invalid(id, `"method" is a string`)
	}
	params := fields["params"]
	if params != nil && params[0] != '{' {
		return item{message{raw: raw, id: id, method: method}, refuse(jsonrpc.CodeInvalidParams, `"params" is a JSON object`)}
	}
	return item{message: message{raw: raw, id: id, method: method, params: params}}
}

// isID tells whether a JSON value may name a call: a string or a number.
func isID(raw json.RawMessage) bool {
	c := raw[0]
	return c == '"' || c == '-' || c >= '0' && c <= '9'
}

// null is the id of an answer to something whose id could not be read.
var null = json.RawMessage("null")

// answer writes the message that answers a call: with a result, or with an
// error. It is one line, without its end.
func answer(id, result json.RawMessage, failure *jsonrpc.Error) []byte {
	if id == nil {
		id = null
	}
	envelope := struct {
		Version string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Result  json.RawMessage `json:"result,omitempty"`
		Error   *jsonrpc.Error  `json:"error,omitempty"`
	}{"2.0", id, result, failure}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(envelope); err != nil {
		// Only a result or data that is no JSON can get here.
		return answer(id, nil, refuse(jsonrpc.CodeInternalError, "the answer could not be written"))
	}
	return bytes.TrimRight(b.Bytes(), "\n")
}
