package mcp

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"waymark/tool"
)

// lookEvery is how often the tools of an agent that listens are looked up: one
// read of the store, and a change is seen within a second.
const lookEvery = time.Second

// listChanged tells a client to list the tools again.
const listChanged = "notifications/tools/list_changed"

// listen answers subscriptions/listen: a stream that lasts until the client
// leaves or the handler closes.
func (h *Handler) listen(w http.ResponseWriter, r *http.Request, m message, revision string) {
	ctx, cancel := h.streamContext(r.Context())
	defer cancel()
	caller := tool.CallerFrom(ctx)
	tools := h.servers.known(toolsOf(caller))
	server := h.servers.fresh(tools)
	go h.watch(ctx, caller, tools, func(from, to []string) { h.servers.setTools(server, from, to) })

	events := &eventWriter{w: w}
	result, failure, err := dispatch(ctx, server, m, revision, func(n *jsonrpc.Request) {
		body, err := jsonrpc.EncodeMessage(n)
		if err != nil || !events.write(body) {
			cancel()
		}
	})
	if err != nil {
		if ctx.Err() != nil {
			return
		}
		failure = h.internal(err)
	}
	if body := answer(m.id, result, failure); events.started {
		events.write(body)
	} else {
		writeAnswer(w, status(failure, revision), body)
	}
}

// listenWithoutCall answers the stream that clients of earlier revisions open
// with GET: it says when the tools change, and nothing else.
func (h *Handler) listenWithoutCall(w http.ResponseWriter, r *http.Request) {
	if !strings.Contains(strings.Join(r.Header.Values("Accept"), ","), "text/event-stream") {
		http.Error(w, "Accept text/event-stream, or send messages with POST.", http.StatusNotAcceptable)
		return
	}
	ctx, cancel := h.streamContext(r.Context())
	defer cancel()
	events := &eventWriter{w: w}
	events.start()
	caller := tool.CallerFrom(ctx)
	h.watch(ctx, caller, h.servers.known(toolsOf(caller)), func(_, _ []string) {
		if !events.write([]byte(`{"jsonrpc":"2.0","method":"` + listChanged + `"}`)) {
			cancel()
		}
	})
}

// streamContext ends with the request, and with the handler.
func (h *Handler) streamContext(parent context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(parent)
	go func() {
		select {
		case <-h.done:
			cancel()
		case <-ctx.Done():
		}
	}()
	return ctx, cancel
}

// watch calls changed whenever the caller's tools are others than before, until
// the context ends. An agent that is gone has no tools.
func (h *Handler) watch(ctx context.Context, c tool.Caller, tools []string, changed func(from, to []string)) {
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		now, err := h.service.enabled(c)
		if err != nil {
			h.service.Log.Debug("the tools of a caller could not be looked up", slog.String("agent", c.Agent), slog.Any("error", err))
			now = nil
		}
		if now = h.servers.known(now); !slices.Equal(now, tools) {
			changed(tools, now)
			tools = now
		}
	}
}

// eventWriter writes messages as server-sent events.
type eventWriter struct {
	w       http.ResponseWriter
	started bool
}

func (e *eventWriter) start() {
	e.started = true
	e.w.Header().Set("Content-Type", "text/event-stream")
	e.w.Header().Set("Cache-Control", "no-cache, no-transform")
	e.w.WriteHeader(http.StatusOK)
	e.flush()
}

// write sends one message, which is one line; false when the client is gone.
func (e *eventWriter) write(m json.RawMessage) bool {
	if !e.started {
		e.start()
	}
	if _, err := e.w.Write(append(append([]byte("event: message\ndata: "), m...), "\n\n"...)); err != nil {
		return false
	}
	return e.flush()
}

func (e *eventWriter) flush() bool { return http.NewResponseController(e.w).Flush() == nil }
