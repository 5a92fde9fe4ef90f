package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"slices"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"waymark/tool"
)

// Handler answers streamable HTTP, without sessions: every message is answered
// from what it carries, so any number of clients and restarts are one to it.
// The caller is taken from the context (tool.CallerFrom).
type Handler struct {
	service *service
	servers *servers

	done chan struct{} // closed by Close
	once sync.Once
}

// NewHandler makes a handler.
func NewHandler(o Options) (*Handler, error) {
	b := &service{o}
	s, err := newServers(b, o.Version)
	if err != nil {
		return nil, err
	}
	return &Handler{service: b, servers: s, done: make(chan struct{})}, nil
}

// Close ends the streams that are open, so that the HTTP server can shut down.
// Calls under way are not touched.
func (h *Handler) Close() { h.once.Do(func() { close(h.done) }) }

// ServeHTTP answers a message that is posted, or a stream of notifications that
// is asked for.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.Method == http.MethodPost:
		h.post(w, r)
	case r.Method == http.MethodGet && r.Header.Get(revisionHeader) < stateless:
		h.listenWithoutCall(w, r)
	default:
		w.Header().Set("Allow", "GET, POST")
		http.Error(w, "Send messages with POST.", http.StatusMethodNotAllowed)
	}
}

func (h *Handler) post(w http.ResponseWriter, r *http.Request) {
	frames, err := readBody(r.Body)
	if err != nil {
		writeAnswer(w, http.StatusBadRequest, answer(nil, nil, refuse(jsonrpc.CodeParseError, "the body could not be read")))
		return
	}
	revision := r.Header.Get(revisionHeader)
	f := theFrame(frames)
	if !f.batch {
		h.postOne(w, r, f.items[0], revision)
		return
	}
	if revision != "" && !known(revision) {
		f = frame{items: []item{{err: unsupported(revision)}}}
	}
	if f = f.refuseBatch(revision); !f.batch {
		writeAnswer(w, http.StatusBadRequest, answer(nil, nil, f.items[0].err))
		return
	}
	var answers []json.RawMessage
	for _, i := range f.items {
		if a, _ := h.serve(r.Context(), i, revision); a != nil {
			answers = append(answers, a)
		}
	}
	if answers == nil {
		w.WriteHeader(http.StatusAccepted)
		return
	}
	writeAnswer(w, http.StatusOK, joinBatch(answers))
}

// theFrame is the one frame of a body: a body holds a message or a batch.
func theFrame(frames []frame) frame {
	switch len(frames) {
	case 0:
		return parseError("the body is empty")
	case 1:
		return frames[0]
	}
	return frame{items: []item{{err: refuse(jsonrpc.CodeInvalidRequest, "a body holds one message or one batch")}}}
}

func (h *Handler) postOne(w http.ResponseWriter, r *http.Request, i item, revision string) {
	if i.err == nil && i.method != "" {
		if revision != "" && !known(revision) {
			i.err = unsupported(revision)
		} else {
			i.err = checkHeaders(r.Header, i.message, revision)
		}
	}
	if i.err == nil && i.wantsAnswer() && i.method == listenMethod {
		h.listen(w, r, i.message, revision)
		return
	}
	body, failure := h.serve(r.Context(), i, revision)
	if body == nil {
		w.WriteHeader(http.StatusAccepted)
		return
	}
	writeAnswer(w, status(failure, revision), body)
}

// serve answers one message; nil when there is nothing to answer.
func (h *Handler) serve(ctx context.Context, i item, revision string) ([]byte, *jsonrpc.Error) {
	if i.err != nil {
		return answer(i.id, nil, i.err), i.err
	}
	if !i.wantsAnswer() {
		// Without sessions no notification has anything to act on, and no
		// request of ours has an answer.
		return nil, nil
	}
	server := h.servers.shared(toolsOf(tool.CallerFrom(ctx)))
	result, failure, err := dispatch(ctx, server, i.message, revision, func(*jsonrpc.Request) {})
	if err != nil {
		failure = h.internal(err)
	}
	return answer(i.id, result, failure), failure
}

func (h *Handler) internal(err error) *jsonrpc.Error {
	if !errors.Is(err, errCancelled) {
		h.service.Log.Error("a call failed", slog.Any("error", err))
	}
	return refuse(jsonrpc.CodeInternalError, "The daemon failed to answer.")
}

// toolsOf lists the tools that a caller may use.
func toolsOf(c tool.Caller) []string {
	return slices.DeleteFunc(tool.Names(), func(name string) bool { return !c.May(name) })
}

func unsupported(revision string) *jsonrpc.Error {
	data, err := json.Marshal(sdk.UnsupportedProtocolVersionData{Supported: revisions, Requested: revision})
	if err != nil {
		data = nil
	}
	return &jsonrpc.Error{Code: sdk.CodeUnsupportedProtocolVersion, Message: "the revision is not supported", Data: data}
}

// status is the HTTP status that goes with an answer. Before the stateless
// revision, an error that answers a message is not one of the transport.
func status(failure *jsonrpc.Error, revision string) int {
	if failure == nil {
		return http.StatusOK
	}
	switch failure.Code {
	case jsonrpc.CodeParseError, jsonrpc.CodeInvalidRequest, sdk.CodeHeaderMismatch, sdk.CodeUnsupportedProtocolVersion:
		return http.StatusBadRequest
	case jsonrpc.CodeMethodNotFound:
		if revision >= stateless {
			return http.StatusNotFound
		}
	case jsonrpc.CodeInvalidParams, sdk.CodeMissingRequiredClientCapabilities:
		if revision >= stateless {
			return http.StatusBadRequest
		}
	}
	return http.StatusOK
}

func joinBatch(answers []json.RawMessage) []byte {
	joined := []byte{'['}
	for n, a := range answers {
		if n > 0 {
			joined = append(joined, ',')
		}
		joined = append(joined, a...)
	}
	return append(joined, ']')
}

func writeAnswer(w http.ResponseWriter, status int, body []byte) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-cache, no-transform")
	w.WriteHeader(status)
	// A client that went away is no failure of ours.
	_, _ = w.Write(body)
}
