package mcp

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// The headers of the transport. From the stateless revision on they repeat what
// the body says, so that what stands between need not read it.
const (
	revisionHeader = "Mcp-Protocol-Version"
	methodHeader   = "Mcp-Method"
	nameHeader     = "Mcp-Name"
)

// setHeaders says in the headers what a message says.
func setHeaders(h http.Header, m message, revision string) {
	if revision == "" {
		return
	}
	h.Set(revisionHeader, revision)
	if revision < stateless {
		return
	}
	h.Set(methodHeader, m.method)
	if name, named := m.name(); named {
		h.Set(nameHeader, encodeHeader(name))
	}
}

// checkHeaders refuses a message whose headers say something else than its body.
// The revision is that of the headers; empty: none was given.
func checkHeaders(h http.Header, m message, revision string) *jsonrpc.Error {
	named := m.namedRevision()
	if m.wantsAnswer() && (revision >= stateless || named != "") {
		switch {
		case revision == "":
			return mismatch("the header %s is missing", revisionHeader)
		case named == "":
			return refuse(jsonrpc.CodeInvalidParams, fmt.Sprintf("params._meta has no %q", sdk.MetaKeyProtocolVersion))
		case revision != named:
			return mismatch("the header %s is %q, and the call says %q", revisionHeader, revision, named)
		}
	}
	if revision < stateless {
		return nil
	}
	if method := h.Get(methodHeader); method != m.method {
		return mismatch("the header %s is %q, and the method is %q", methodHeader, method, m.method)
	}
	if name, named := m.name(); named && decodeHeader(h.Get(nameHeader)) != name {
		return mismatch("the header %s is %q, and the call names %q", nameHeader, h.Get(nameHeader), name)
	}
	return nil
}

func mismatch(format string, args ...any) *jsonrpc.Error {
	return refuse(sdk.CodeHeaderMismatch, fmt.Sprintf(format, args...))
}

// name is what a call names: a tool, a prompt, or the address of a resource.
func (m message) name() (string, bool) {
	var params struct {
		Name string `json:"name"`
		URI  string `json:"uri"`
	}
	switch m.method {
	case "tools/call", "prompts/get":
		_ = json.Unmarshal(m.params, &params) // what is missing is empty
		return params.Name, true
	case "resources/read":
		_ = json.Unmarshal(m.params, &params)
		return params.URI, true
	}
	return "", false
}

// A value that a header cannot hold is written in base64 between these marks.
const (
	encodedPrefix = "=?base64?"
	encodedSuffix = "?="
)

func encodeHeader(value string) string {
	plain := strings.TrimSpace(value) == value && !strings.HasPrefix(value, encodedPrefix) &&
		!strings.ContainsFunc(value, func(r rune) bool { return r < ' ' || r > '~' })
	if plain {
		return value
	}
	return encodedPrefix + base64.StdEncoding.EncodeToString([]byte(value)) + encodedSuffix
}

// decodeHeader undoes encodeHeader; what is no base64 stands for itself.
func decodeHeader(value string) string {
	if inner, ok := strings.CutPrefix(value, encodedPrefix); ok {
		if inner, ok = strings.CutSuffix(inner, encodedSuffix); ok {
			if decoded, err := base64.StdEncoding.DecodeString(inner); err == nil {
				return string(decoded)
			}
		}
	}
	return value
}
