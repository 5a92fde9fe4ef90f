package server

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"time"

	"waymark/index"
	"waymark/ingest"
	"waymark/search"
	"waymark/store"
	"waymark/tool"
)

// Index is what the administrator's routes ask of the derived data.
type Index interface {
	Health(workspace string) (index.Health, error)
	Refresh(workspace string) error
	Rebuild(workspace string) error
	Drop(workspace string) error
}

// Options are what a Server is made of. All but Workspace, Handlers and Settings
// are required.
type Options struct {
	Store     *store.Store
	Registry  *tool.Registry
	Writer    *ingest.Writer
	Index     Index
	Activity  *store.ActivityWriter
	Operators Operators
	// Workspace is that of an operator's call that names none.
	Workspace string
	// Handlers of other transports, by path; they see the caller in the context.
	Handlers map[string]http.Handler
	// Settings is what /v1/status shows of the configuration.
	Settings any
	// Import holds the defaults of an import that the configuration sets.
	Import  ingest.Request
	Version string
	Model   string
	Log     *slog.Logger
	Now     func() time.Time
}

// Server answers the socket.
type Server struct {
	options Options
	store   *store.Store
	log     *slog.Logger
	http    *http.Server
	started time.Time
	ready   atomic.Bool
	calls   counters
	// ending is done when the server takes no more calls: what may take long
	// comes to an end then.
	ending context.Context
	end    context.CancelFunc
}

// Limits of a connection. A body may be large only on the import route.
const (
	headerTimeout  = 10 * time.Second
	idleTimeout    = 10 * time.Minute
	maxHeaderBytes = 64 << 10
)

// New makes a server. It answers "not ready" to all but health until SetReady.
func New(o Options) *Server {
	s := &Server{options: o, store: o.Store, log: o.Log, started: o.Now()}
	s.ending, s.end = context.WithCancel(context.Background())
	s.http = &http.Server{
		Handler:           s.handler(),
		ConnContext:       connContext,
		ReadHeaderTimeout: headerTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxHeaderBytes,
		ErrorLog:          slog.NewLogLogger(o.Log.Handler(), slog.LevelDebug),
	}
	return s
}

// SetReady says that everything is open and calls may come.
func (s *Server) SetReady() { s.ready.Store(true) }

// Serve answers connections until Shutdown; then it returns nil.
func (s *Server) Serve(l net.Listener) error {
	if err := s.http.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve %q: %w", l.Addr(), err)
	}
	return nil
}

// Shutdown takes no more calls and waits for those under way, at most until the
// context ends; then it closes their connections. An import under way ends after
// the batch that is being stored.
func (s *Server) Shutdown(ctx context.Context) error {
	s.end()
	err := s.http.Shutdown(ctx)
	if errors.Is(err, context.DeadlineExceeded) {
		s.log.Warn("calls under way were cut off")
		err = s.http.Close()
	}
	return err
}

// handler is the route table behind the checks that every request passes.
func (s *Server) handler() http.Handler {
	mux := http.NewServeMux()
	for _, r := range s.routes() {
		mux.Handle(r.method+" "+r.pattern, s.guard(r))
	}
	for path, h := range s.options.Handlers {
		mux.Handle(path, s.authenticated(h))
	}
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		e := search.Errorf(search.CodeInvalidArgument, "See GET /v1/openapi.json for every route.", "There is no route %s %s.", r.Method, r.URL.Path)
		s.write(w, http.StatusNotFound, errorEnvelope{e})
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer s.recover(w, r)
		if !localOrigin(r) {
			s.fail(w, search.Errorf(search.CodeUnauthorized, "Call from a program on this machine, not from a web page.", "The request comes from a foreign origin."))
			return
		}
		w.Header().Set("X-Content-Type-Options", "nosniff")
		mux.ServeHTTP(w, r)
	})
}

// recover turns a panic into "internal": one call fails, the daemon lives.
func (s *Server) recover(w http.ResponseWriter, r *http.Request) {
	if p := recover(); p != nil {
		if p == http.ErrAbortHandler {
			panic(p)
		}
		s.log.Error("a call panicked", slog.String("route", r.URL.Path), slog.Any("panic", p), slog.String("stack", string(debug.Stack())))
		s.fail(w, search.Errorf(search.CodeInternal, "Look at the daemon's log.", "The daemon failed to answer."))
	}
}

// localOrigin refuses requests that a browser makes for a foreign page. A Unix
// socket has no host, so no name but our own is expected.
func localOrigin(r *http.Request) bool {
	origin := r.Header.Get("Origin")
	if origin == "" || origin == "null" {
		return origin == ""
	}
	host := strings.TrimPrefix(strings.TrimPrefix(origin, "http://"), "https://")
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	return host == "waymark" || host == "localhost" || host == "127.0.0.1" || host == "[::1]" || host == "::1"
}

// authenticated puts the caller into the context for a handler of another
// transport.
func (s *Server) authenticated(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !s.ready.Load() {
			s.fail(w, errNotReady())
			return
		}
		caller, err := s.identify(r, true)
		if err != nil {
			s.fail(w, err)
			return
		}
		h.ServeHTTP(w, r.WithContext(tool.WithCaller(r.Context(), caller)))
	})
}

func errNotReady() error {
	return search.Errorf(search.CodeNotReady, "Try again in a moment.", "The daemon is starting.")
}
