package mcp

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"waymark/tool"
)

// BridgeOptions are what a Bridge is made of.
type BridgeOptions struct {
	// Transport connects to the daemon's socket, whatever address it is given.
	Transport http.RoundTripper
	// Header says on whose behalf calls are made; it is sent with each.
	Header http.Header
	// Agent is the name of the agent that calls; empty: an operator, or whoever
	// a token names.
	Agent string
	// Operator says that an operator calls, who may use every tool.
	Operator bool
	// Socket is the daemon's socket as errors name it.
	Socket string
	// Version is the program's, as hosts see it.
	Version string
	// Start starts the daemon when none answers; nil: nobody does.
	Start func() error
}

// Bridge joins a host's standard input and output to the daemon. It lives as
// long as the host wants: a daemon that is down, starts or restarts shows only in
// the calls that need it, as an error that says so.
//
// The handshake, and whatever else needs no daemon, is answered here, so that a
// host can always connect.
type Bridge struct {
	daemon *daemonClient
	local  *sdk.Server
	offer  *servers

	mu       sync.Mutex
	revision string // of the handshake; empty: none yet
	tools    []string
	calls    map[string][]*pendingCall // by id, those under way

	out     *lineWriter
	pending sync.WaitGroup

	listUsed chan struct{} // closed when the host first asks about tools
	listOnce sync.Once
}

// NewBridge makes a bridge. It does not connect yet.
func NewBridge(o BridgeOptions) (*Bridge, error) {
	offer, err := newServers(offline{}, o.Version)
	if err != nil {
		return nil, err
	}
	// Until the daemon says what an agent may use, it has what a new agent has.
	tools := tool.DefaultTools()
	if o.Operator {
		tools = tool.Names()
	}
	tools = offer.known(tools)
	return &Bridge{daemon: newDaemonClient(o), offer: offer, local: offer.fresh(tools), tools: tools, calls: map[string][]*pendingCall{},
		listUsed: make(chan struct{})}, nil
}

// Run answers the messages of in on out until in ends and every answer is out,
// or the context ends, or nobody reads out any more.
func (b *Bridge) Run(ctx context.Context, in io.Reader, out io.Writer) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	b.out = &lineWriter{w: out, gone: cancel}
	input := make(chan frame)
	ended := make(chan error, 1)
	// A read cannot be interrupted, so it has its own goroutine, which the end of
	// the process ends if nothing else does.
	go func() { ended <- readInput(ctx, in, input) }()
	go b.keepTools(ctx)
	for {
		select {
		case <-ctx.Done():
			return b.out.failure()
		case f := <-input:
			b.take(ctx, f)
		case err := <-ended:
			b.finish(ctx)
			return errors.Join(err, b.out.failure())
		}
	}
}

// readInput sends on the frames of all lines until the input ends.
func readInput(ctx context.Context, in io.Reader, input chan<- frame) error {
	r := bufio.NewReaderSize(in, 64<<10)
	for {
		frames, err := readLine(r)
		for _, f := range frames {
			select {
			case input <- f:
			case <-ctx.Done():
				return nil
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read the host's messages: %w", err)
		}
	}
}

// take answers a frame. What needs no waiting is done before the next frame is
// read, so that a handshake and a cancellation hold for what follows them.
func (b *Bridge) take(ctx context.Context, f frame) {
	f = f.refuseBatch(b.negotiated())
	if !f.batch {
		i := f.items[0]
		if i.err == nil && !i.wantsAnswer() {
			b.notice(i.message)
			return
		}
		if i.err != nil || i.method == "initialize" {
			b.out.write(b.serve(ctx, i))
			return
		}
		b.begin(ctx, i.message, func(ctx context.Context) { b.out.write(b.serve(ctx, i)) })
		return
	}
	b.pending.Add(1)
	go func() {
		defer b.pending.Done()
		var answers []json.RawMessage
		for _, i := range f.items {
			if i.err == nil && !i.wantsAnswer() {
				b.notice(i.message)
				continue
			}
			if a := b.serve(ctx, i); a != nil {
				answers = append(answers, a)
			}
		}
		if answers != nil {
			b.out.write(joinBatch(answers))
		}
	}()
}

// serve answers one message that wants an answer; nil when it was cancelled.
func (b *Bridge) serve(ctx context.Context, i item) []byte {
	if i.err != nil {
		return answer(i.id, nil, i.err)
	}
	revision := i.namedRevision()
	if revision == "" {
		revision = b.negotiated()
	}
	if revision != "" && !known(revision) {
		return answer(i.id, nil, unsupported(revision))
	}
	switch i.method {
	case "tools/list":
		b.useList()
		fallthrough
	case "tools/call", "prompts/get", "resources/read", "completion/complete":
		return b.forward(ctx, i.message, revision)
	case listenMethod:
		b.useList()
	}
	return b.here(ctx, i.message, revision)
}

// here answers a message without the daemon.
func (b *Bridge) here(ctx context.Context, m message, revision string) []byte {
	result, failure, err := dispatch(tool.WithCaller(ctx, b.caller()), b.local, m, revision, b.pass)
	switch {
	case errors.Is(err, errCancelled):
		return nil
	case err != nil:
		failure = refuse(jsonrpc.CodeInternalError, err.Error())
	case m.method == "initialize" && failure == nil:
		b.agree(result)
	}
	return answer(m.id, result, failure)
}

// pass hands a notification of a local server on to the host.
func (b *Bridge) pass(n *jsonrpc.Request) {
	if body, err := jsonrpc.EncodeMessage(n); err == nil {
		b.out.write(body)
	}
}

// agree remembers the revision that a handshake ended with.
func (b *Bridge) agree(result json.RawMessage) {
	var agreed struct {
		Revision string `json:"protocolVersion"`
	}
	if json.Unmarshal(result, &agreed) == nil {
		b.mu.Lock()
		b.revision = agreed.Revision
		b.mu.Unlock()
	}
}

func (b *Bridge) negotiated() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.revision
}

// caller is who calls, as far as the bridge knows.
func (b *Bridge) caller() tool.Caller {
	b.mu.Lock()
	defer b.mu.Unlock()
	agent := b.daemon.options.Agent
	if agent == "" && !b.daemon.options.Operator {
		agent = "the agent of the token"
	}
	return tool.Caller{Agent: agent, Tools: b.tools}
}
