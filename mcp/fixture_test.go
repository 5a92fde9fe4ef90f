package mcp

import (
	"context"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"waymark/analysis"
	"waymark/embedding/embeddingtest"
	"waymark/index"
	"waymark/ingest"
	"waymark/search"
	"waymark/server"
	"waymark/store"
	"waymark/store/storetest"
	"waymark/tool"
)

// today is the day of every test.
var today = time.Date(2026, time.June, 1, 12, 0, 0, 0, time.UTC)

// fixture is a daemon in this process, with the knowledge of testdata, that can
// be stopped and started like a real one.
type fixture struct {
	t         testing.TB
	store     *store.Store
	index     *index.Manager
	writer    *ingest.Writer
	activity  *store.ActivityWriter
	registry  *tool.Registry
	workspace store.Workspace
	socket    string

	handler *Handler
	server  *server.Server
	served  chan error
}

func newFixture(t testing.TB) *fixture {
	t.Helper()
	f := &fixture{t: t, store: storetest.Open(t)}
	embedder, analyzer := embeddingtest.New(), analysis.New()
	var bank [][]float32
	for _, q := range search.Bank() {
		v, err := embedder.EmbedQuery(context.Background(), q)
		f.must(err)
		bank = append(bank, v)
	}
	now := func() time.Time { return today }
	f.index = index.Open(f.store, analyzer, index.Options{Model: embedder.ModelID(), Dimension: embedder.Dimension(), Bank: bank})
	f.activity = store.NewActivityWriter(f.store, 0, func(error) {})
	t.Cleanup(func() { f.must(f.activity.Close()); f.must(f.index.Close()) })
	f.writer = ingest.NewWriter(ingest.Options{Store: f.store, Embedder: embedder,
		AfterCommit: func(_ context.Context, w string) error { return f.index.Refresh(w) }})
	f.registry = tool.NewRegistry(search.NewService(search.Options{Index: f.index, Embedder: embedder, Analyzer: analyzer, Recorder: f.activity, Now: now, Zone: time.UTC}))
	var err error
	f.workspace, err = f.store.CreateWorkspace("acme")
	f.must(err)
	f.load("testdata/knowledge")
	// The path of a socket has to be short; the test's own directory is not.
	directory, err := os.MkdirTemp("", "mcp")
	f.must(err)
	t.Cleanup(func() { _ = os.RemoveAll(directory) })
	f.socket = filepath.Join(directory, "s")
	t.Cleanup(func() { f.stop() })
	return f
}

// startFixture is newFixture with its daemon running.
func startFixture(t testing.TB) *fixture {
	f := newFixture(t)
	f.start()
	return f
}

func (f *fixture) must(err error) {
	f.t.Helper()
	if err != nil {
		f.t.Fatal(err)
	}
}

func (f *fixture) load(folder string) {
	f.t.Helper()
	var files []ingest.File
	f.must(filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		name, _ := filepath.Rel(folder, path)
		files = append(files, ingest.File{Path: name, Data: data})
		return err
	}))
	f.imports(files...)
}

func (f *fixture) imports(files ...ingest.File) {
	f.t.Helper()
	_, err := f.writer.Import(context.Background(), ingest.Request{Workspace: f.workspace.ID, Files: files, KeepStatus: true, ConfirmConflicts: true})
	f.must(err)
}

// start serves the socket; what is stored is that of before.
func (f *fixture) start() {
	f.t.Helper()
	log := slog.New(slog.DiscardHandler)
	now := func() time.Time { return today }
	var err error
	f.handler, err = NewHandler(Options{Registry: f.registry, Store: f.store, Version: "1.0.0", Now: now, Zone: time.UTC, Log: log})
	f.must(err)
	operators, err := server.NewOperators(os.Getuid(), "")
	f.must(err)
	f.server = server.New(server.Options{Store: f.store, Registry: f.registry, Writer: f.writer, Index: f.index, Activity: f.activity, Operators: operators,
		Handlers: map[string]http.Handler{"/mcp": f.handler}, Version: "1.0.0", Log: log, Now: now})
	listener, err := server.Listen(f.socket, "")
	f.must(err)
	f.server.SetReady()
	f.served = make(chan error, 1)
	go func(s *server.Server) { f.served <- s.Serve(listener) }(f.server)
}

// stop ends the daemon as a signal would.
func (f *fixture) stop() {
	f.t.Helper()
	if f.server == nil {
		return
	}
	f.handler.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	f.must(f.server.Shutdown(ctx))
	f.must(<-f.served)
	f.server = nil
}

// agent makes an agent with these tools, and returns its token.
func (f *fixture) agent(name string, tools ...string) string {
	f.t.Helper()
	_, token, err := f.store.CreateAgent(f.workspace.ID, name, tools)
	f.must(err)
	return token
}

func (f *fixture) setTools(agent string, tools ...string) {
	f.t.Helper()
	a, err := f.store.AgentByName(f.workspace.ID, agent)
	f.must(err)
	_, err = f.store.SetTools(f.workspace.ID, a.ID, tools)
	f.must(err)
}

// transport connects to the socket whatever the address.
func (f *fixture) transport() *http.Transport {
	t := &http.Transport{MaxConnsPerHost: 16, MaxIdleConnsPerHost: 16, DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, "unix", f.socket)
	}}
	f.t.Cleanup(t.CloseIdleConnections)
	return t
}

// header says that an operator calls, or acts as an agent.
func header(agent string) http.Header {
	h := http.Header{"Waymark-Workspace": {"acme"}}
	if agent != "" {
		h.Set("Waymark-Agent", agent)
	}
	return h
}

func (f *fixture) bridge(agent string) *Bridge {
	f.t.Helper()
	b, err := NewBridge(BridgeOptions{Transport: f.transport(), Header: header(agent), Agent: agent, Operator: agent == "", Socket: f.socket, Version: "1.0.0"})
	f.must(err)
	return b
}

// caller is who calls in tests that use the registry directly.
func (f *fixture) caller() tool.Caller { return tool.Caller{Workspace: f.workspace.ID} }
