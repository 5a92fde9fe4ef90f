package mcp

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"waymark/search"
	"waymark/tool"
)

// forward lets the daemon answer a message. Without it, what can be told here is
// told here, and the rest fails with the reason.
func (b *Bridge) forward(ctx context.Context, m message, revision string) []byte {
	var body []byte
	var err error
	if m.method == "tools/list" {
		// A host asks for the tools once, when it starts, and must not be kept
		// waiting: a list that is out of date is made good by a notification.
		if body, err = b.daemon.once(ctx, m, revision); isDialError(err) {
			_ = b.daemon.start() // a call will say why it did not
		}
	} else {
		body, err = b.daemon.post(ctx, m, revision)
	}
	if err == nil {
		if m.method == "tools/list" {
			b.listed(body)
		}
		return body
	}
	if ctx.Err() != nil {
		return nil
	}
	var known *search.Error
	if !errors.As(err, &known) {
		known = b.daemon.unavailable(err)
	}
	refused := known.Code != search.CodeNotReady && m.method != "tools/call" && m.method != "resources/read"
	if refused {
		return answer(m.id, nil, protocolError(jsonrpc.CodeInternalError, known, nil))
	}
	return b.here(context.WithValue(ctx, reasonKey{}, known), m, revision)
}

// reasonKey is the key of why there is no daemon, in the context of a call that
// is answered here.
type reasonKey struct{}

// offline is the backend without a daemon.
type offline struct{}

func (offline) reason(ctx context.Context) error {
	if e, isError := ctx.Value(reasonKey{}).(*search.Error); isError {
		return e
	}
	return search.Errorf(search.CodeNotReady, "Start it with: waymark serve", "The Waymark daemon is not running.")
}

func (o offline) call(ctx context.Context, _ tool.Caller, _ string, _ []byte) (any, error) {
	return nil, o.reason(ctx)
}

func (o offline) rule(ctx context.Context, _ tool.Caller, _ string) (*ruleText, error) {
	return nil, o.reason(ctx)
}

// listedTools reads the names of a list of tools.
func listedTools(body []byte) ([]string, bool) {
	var list struct {
		Result *struct {
			Tools []struct {
				Name string `json:"name"`
			} `json:"tools"`
		} `json:"result"`
	}
	if json.Unmarshal(body, &list) != nil || list.Result == nil {
		return nil, false
	}
	names := []string{}
	for _, t := range list.Result.Tools {
		names = append(names, t.Name)
	}
	return names, true
}
