package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// carrier takes one call to a server of the SDK and brings back what the server
// sends. It is the transport and the connection of one session.
type carrier struct {
	in   chan jsonrpc.Message
	out  chan jsonrpc.Message
	done chan struct{}
	once sync.Once
}

func newCarrier() *carrier {
	return &carrier{in: make(chan jsonrpc.Message), out: make(chan jsonrpc.Message), done: make(chan struct{})}
}

func (c *carrier) Connect(context.Context) (sdk.Connection, error) { return c, nil }

func (c *carrier) SessionID() string { return "" }

func (c *carrier) Read(ctx context.Context) (jsonrpc.Message, error) {
	select {
	case m := <-c.in:
		return m, nil
	case <-c.done:
		return nil, io.EOF
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (c *carrier) Write(ctx context.Context, m jsonrpc.Message) error {
	select {
	case c.out <- m:
		return nil
	case <-c.done:
		return io.ErrClosedPipe
	}
}

func (c *carrier) Close() error {
	c.once.Do(func() { close(c.done) })
	return nil
}

// send hands a message to the server, unless the session has ended.
func (c *carrier) send(m jsonrpc.Message) {
	select {
	case c.in <- m:
	case <-c.done:
	}
}

// errCancelled is returned for a call whose context ended: nobody waits for its
// answer.
var errCancelled = errors.New("the call was cancelled")

// dispatch hands a call to a server and returns its result, or the error that
// answers it. Notifications that belong to the call go to notify, in order.
// revision is that of the call; empty: the one that is assumed.
func dispatch(ctx context.Context, server *sdk.Server, m message, revision string, notify func(*jsonrpc.Request)) (json.RawMessage, *jsonrpc.Error, error) {
	c := newCarrier()
	session, err := server.Connect(ctx, c, &sdk.ServerSessionOptions{State: stateOf(m, revision)})
	if err != nil {
		return nil, nil, fmt.Errorf("start a session for %q: %w", m.method, err)
	}
	// Nothing is in flight when dispatch returns, so closing does not wait; what
	// it says of the connection's end is of no use.
	defer func() { _ = session.Close() }()
	defer c.Close()
	id := sdkID(m.id)
	c.send(&jsonrpc.Request{ID: id, Method: m.method, Params: m.params})
	for {
		select {
		case <-ctx.Done():
			// The SDK keeps the context's end from its handlers; only this
			// notification reaches them.
			params, _ := json.Marshal(map[string]any{"requestId": id.Raw()})
			go c.send(&jsonrpc.Request{Method: "notifications/cancelled", Params: params})
			return nil, nil, errCancelled
		case <-c.done:
			return nil, nil, fmt.Errorf("answer %q: the session ended", m.method)
		case out := <-c.out:
			switch out := out.(type) {
			case *jsonrpc.Request:
				notify(out)
			case *jsonrpc.Response:
				return complete(m, revision, out.Result), wireError(out.Error), nil
			}
		}
	}
}

// complete marks the result of a call that intercept answered as a final one,
// which the stateless revision asks for. The SDK marks those that it makes, and
// lets nobody else do so.
func complete(m message, revision string, result json.RawMessage) json.RawMessage {
	if result == nil || revision < stateless || m.method != "tools/call" && m.method != "resources/read" {
		return result
	}
	return append(json.RawMessage(`{"resultType":"complete",`), result[1:]...)
}

// stateOf is the state of a session that serves one message: of a revision with
// a handshake, that of a session which has had it.
func stateOf(m message, revision string) *sdk.ServerSessionState {
	if revision == "" {
		revision = assumed
	}
	state := &sdk.ServerSessionState{}
	if m.method != "initialize" && revision < stateless {
		state.InitializeParams = &sdk.InitializeParams{ProtocolVersion: revision}
		state.InitializedParams = &sdk.InitializedParams{}
	}
	return state
}

// sdkID is the id under which the SDK knows a call. It keeps strings and whole
// numbers up to 2^53; any other number becomes its text. The answer carries the
// id as it was written in any case.
func sdkID(raw json.RawMessage) jsonrpc.ID {
	var v any
	_ = json.Unmarshal(raw, &v) // a checked id
	if f, isNumber := v.(float64); isNumber && (f != float64(int64(f)) || f > 1<<53 || f < -1<<53) {
		v = string(raw)
	}
	id, err := jsonrpc.MakeID(v)
	if err != nil || !id.IsValid() {
		id, _ = jsonrpc.MakeID("")
	}
	return id
}

func wireError(err error) *jsonrpc.Error {
	if err == nil {
		return nil
	}
	var wire *jsonrpc.Error
	if !errors.As(err, &wire) {
		return refuse(jsonrpc.CodeInternalError, err.Error())
	}
	if wire.Code == 0 {
		// The SDK has no code for some refusals of a message out of place.
		return &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: wire.Message, Data: wire.Data}
	}
	return wire
}
