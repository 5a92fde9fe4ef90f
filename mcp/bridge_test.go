package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// roundTrip is a daemon made of a function.
type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func stubBridge(t *testing.T, daemon roundTrip) *host {
	b, err := NewBridge(BridgeOptions{Transport: daemon, Operator: true, Socket: "/run/s", Version: "1"})
	if err != nil {
		t.Fatal(err)
	}
	return startHost(t, b)
}

// echo answers a call with its own id.
func echo(r *http.Request) (*http.Response, error) {
	if r.Method == http.MethodGet {
		return &http.Response{StatusCode: http.StatusOK, Body: http.NoBody}, nil
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	var call struct {
		ID json.RawMessage `json:"id"`
	}
	if err := json.Unmarshal(body, &call); err != nil {
		return nil, err
	}
	return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(bytes.NewReader(answer(call.ID, json.RawMessage(`{"content":[]}`), nil)))}, nil
}

func callLine(id any) []byte {
	b, _ := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": map[string]any{"name": "kb_outline"}})
	return append(b, '\n')
}

func TestBridgeAnswersWhatIsPendingWhenTheInputEnds(t *testing.T) {
	h := stubBridge(t, func(r *http.Request) (*http.Response, error) {
		time.Sleep(200 * time.Millisecond)
		return echo(r)
	})
	for id := range 50 {
		h.send(callLine(id))
	}
	h.closeInput()
	got := map[string]bool{}
	for line := range h.lines {
		got[line] = true
	}
	if err := <-h.ended; err != nil {
		t.Fatal(err)
	}
	if len(got) != 50 {
		t.Errorf("%d of 50 calls were answered before the end", len(got))
	}
}

func TestBridgeCancels(t *testing.T) {
	started, cancelled := make(chan bool, 2), make(chan bool, 2)
	h := stubBridge(t, func(r *http.Request) (*http.Response, error) {
		started <- true
		<-r.Context().Done()
		cancelled <- true
		return nil, r.Context().Err()
	})
	// The same id twice: both are meant.
	h.send(callLine("a"))
	h.send(callLine("a"))
	<-started
	<-started
	h.send([]byte(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"b"}}` + "\n"))
	h.send([]byte(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId": "a","reason":"enough"}}` + "\n"))
	<-cancelled
	<-cancelled
	h.send([]byte(`{"jsonrpc":"2.0","id":1,"method":"ping"}` + "\n"))
	if line, _ := h.receive(); line != `{"jsonrpc":"2.0","id":1,"result":{}}` {
		t.Errorf("after a cancellation came %s, want only the answer of the ping", line)
	}
	h.closeInput()
	if line, more := h.receive(); more {
		t.Errorf("a cancelled call was answered: %s", line)
	}
}

func TestBridgeEndsWhenNobodyReads(t *testing.T) {
	in, feed := io.Pipe()
	b, err := NewBridge(BridgeOptions{Transport: roundTrip(echo), Operator: true, Socket: "/run/s", Version: "1"})
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error)
	go func() { ended <- b.Run(context.Background(), in, brokenPipe{}) }()
	if _, err := feed.Write(callLine(1)); err != nil {
		t.Fatal(err)
	}
	select {
	case err := <-ended:
		if !errors.Is(err, io.ErrClosedPipe) {
			t.Errorf("Run() = %v, want %v", err, io.ErrClosedPipe)
		}
	case <-time.After(5 * time.Second):
		t.Error("the bridge lives on although nobody reads")
	}
}

type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

func TestBridgeEndsWithItsContext(t *testing.T) {
	in, _ := io.Pipe()
	ctx, cancel := context.WithCancel(context.Background())
	b, err := NewBridge(BridgeOptions{Transport: roundTrip(echo), Operator: true, Socket: "/run/s", Version: "1"})
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error)
	go func() { ended <- b.Run(ctx, in, io.Discard) }()
	cancel()
	select {
	case err := <-ended:
		if err != nil {
			t.Errorf("Run() = %v, want nil", err)
		}
	case <-time.After(5 * time.Second):
		t.Error("the bridge lives on although it was ended")
	}
}

// TestU31 is the case of that name: the daemon is down, starts, restarts between
// calls, and dies during one.
func TestU31(t *testing.T) {
	f := newFixture(t)
	f.agent("reviewer", "kb_outline")
	h := startHost(t, f.bridge("reviewer"))
	exchange := func(m string) string {
		t.Helper()
		h.send([]byte(m + "\n"))
		line, _ := h.receive()
		return line
	}
	if got := exchange(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`); !strings.Contains(got, `"protocolVersion":"2025-11-25"`) {
		t.Fatalf("initialize without a daemon: %s", got)
	}
	call := string(bytes.TrimSpace(callLine(2)))
	began := time.Now()
	got := exchange(call)
	for _, want := range []string{`"isError":true`, `not_ready`, `is not running`, f.socket, "Start it with: waymark serve"} {
		if !strings.Contains(got, want) {
			t.Errorf("a call without a daemon: %s\nwithout %q", got, want)
		}
	}
	if took := time.Since(began); took > time.Second {
		t.Errorf("a daemon that was never there was waited for: %v", took)
	}
	f.start()
	if got := exchange(call); !strings.Contains(got, `"documents":2`) {
		t.Errorf("after the start: %s", got)
	}
	f.stop()
	f.start()
	if got := exchange(call); !strings.Contains(got, `"documents":2`) {
		t.Errorf("after a restart: %s", got)
	}
	// While it is down for a moment, a call waits for it.
	f.stop()
	go func() {
		time.Sleep(300 * time.Millisecond)
		f.start()
	}()
	if got := exchange(call); !strings.Contains(got, `"documents":2`) {
		t.Errorf("during a restart: %s", got)
	}
	h.closeInput()
	if err := <-h.ended; err != nil {
		t.Error(err)
	}
}

func TestBridgeRepeatsACallOnce(t *testing.T) {
	for _, failures := range []int32{1, 2} {
		var calls atomic.Int32
		h := stubBridge(t, func(r *http.Request) (*http.Response, error) {
			if r.Method == http.MethodGet {
				return echo(r)
			}
			if n := calls.Add(1); n > 1 && n <= 1+failures {
				return nil, errors.New("EOF")
			}
			return echo(r)
		})
		h.send(callLine(1)) // the daemon is seen
		h.receive()
		h.send(callLine(2))
		got, _ := h.receive()
		if failed := strings.Contains(got, "not_ready"); failed != (failures > 1) {
			t.Errorf("after %d broken connections: %s", failures, got)
		}
		// The next call works in any case.
		h.send(callLine(3))
		if got, _ := h.receive(); !strings.Contains(got, `"id":3,"result"`) || strings.Contains(got, "not_ready") {
			t.Errorf("the call after: %s", got)
		}
		h.closeInput()
	}
}

func TestBridgeWaitsForADaemonThatStarts(t *testing.T) {
	var calls atomic.Int32
	h := stubBridge(t, func(r *http.Request) (*http.Response, error) {
		if calls.Add(1) < 5 {
			body := `{"error":{"code":"not_ready","message":"The daemon is starting.","hint":"Try again in a moment."}}`
			return &http.Response{StatusCode: http.StatusServiceUnavailable, Body: io.NopCloser(strings.NewReader(body))}, nil
		}
		return echo(r)
	})
	h.send(callLine(1))
	if got, _ := h.receive(); !strings.Contains(got, `"content":[]`) {
		t.Errorf("got %s, want the answer of the fifth try", got)
	}
	h.closeInput()
}

func TestBridgeListsToolsWithoutADaemon(t *testing.T) {
	f := newFixture(t)
	f.agent("reviewer", "kb_outline")
	list := []byte(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}` + "\n")
	for agent, want := range map[string]int{"": 8, "reviewer": 6} {
		h := startHost(t, f.bridge(agent))
		began := time.Now()
		h.send(list)
		line, _ := h.receive()
		if took := time.Since(began); took > 100*time.Millisecond {
			t.Errorf("tools/list took %v, want less than 100 ms", took)
		}
		if names, _ := listedTools([]byte(line)); len(names) != want {
			t.Errorf("agent %q: tools without a daemon = %v, want %d", agent, names, want)
		}
		h.closeInput()
	}
}

// TestBridgeTellsOfChangedTools: a host that listed tools learns of others, when
// the daemon comes up and when an operator changes them.
func TestBridgeTellsOfChangedTools(t *testing.T) {
	f := newFixture(t)
	f.agent("reviewer", "kb_outline")
	old, fresh := startHost(t, f.bridge("reviewer")), startHost(t, f.bridge("reviewer"))
	old.send([]byte(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}` + "\n"))
	old.receive()
	old.send([]byte(`{"jsonrpc":"2.0","id":2,"method":"tools/list"}` + "\n"))
	old.receive()
	fresh.send([]byte(`{"jsonrpc":"2.0","id":"l","method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true,"promptsListChanged":true},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}` + "\n"))
	acknowledged, _ := fresh.receive()
	if d := difference(acknowledged, `{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{"toolsListChanged":true},"_meta":{"io.modelcontextprotocol/subscriptionId":"l"}}}`); d != "" {
		t.Fatalf("%s: %s", acknowledged, d)
	}
	toldOld := `{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`
	toldFresh := `{"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":"l"}}}`
	told := func(when string) {
		t.Helper()
		for h, want := range map[*host]string{old: toldOld, fresh: toldFresh} {
			if line, _ := h.receive(); difference(line, want) != "" {
				t.Errorf("%s: got %s, want %s", when, line, want)
			}
		}
	}
	f.start()
	told("when the daemon starts")
	f.setTools("reviewer", "kb_outline", "kb_list")
	told("when a tool is enabled")
	f.stop()
	f.setTools("reviewer", "kb_list")
	f.start()
	told("when a tool was disabled during a restart")
	old.send([]byte(`{"jsonrpc":"2.0","id":3,"method":"tools/list"}` + "\n"))
	line, _ := old.receive()
	if names, _ := listedTools([]byte(line)); len(names) != 1 || names[0] != "kb_list" {
		t.Errorf("tools at the end = %v, want kb_list", names)
	}
	// Listening ends with the input.
	for _, h := range []*host{old, fresh} {
		h.closeInput()
		if line, more := h.receive(); more {
			t.Errorf("at the end came %s", line)
		}
		if err := <-h.ended; err != nil {
			t.Error(err)
		}
	}
}

// TestTenRestartsUnderLoad: no session is lost, and every call has its answer.
func TestTenRestartsUnderLoad(t *testing.T) {
	if testing.Short() {
		t.Skip("ten restarts take some seconds")
	}
	f := startFixture(t)
	h := startHost(t, f.bridge(""))
	var stop atomic.Bool
	var sent, good, failed atomic.Int32
	var answers sync.WaitGroup
	answers.Go(func() {
		for line := range h.lines {
			if strings.Contains(line, `"isError":true`) || strings.Contains(line, `"error":{`) {
				failed.Add(1)
				t.Logf("failed: %s", line)
			} else {
				good.Add(1)
			}
		}
	})
	var load sync.WaitGroup
	for range 4 {
		load.Go(func() {
			for !stop.Load() {
				h.send(callLine(fmt.Sprint(sent.Add(1))))
				time.Sleep(4 * time.Millisecond)
			}
		})
	}
	for good.Load() == 0 {
		time.Sleep(time.Millisecond)
	}
	for range 10 {
		f.stop()
		time.Sleep(50 * time.Millisecond)
		f.start()
		// A call that waited is through before the next restart: two in one call
		// are more than it is repeated for.
		for waiting := sent.Load(); good.Load()+failed.Load() < waiting; {
			time.Sleep(10 * time.Millisecond)
		}
	}
	stop.Store(true)
	load.Wait()
	h.closeInput()
	answers.Wait()
	if err := <-h.ended; err != nil {
		t.Errorf("the session was lost: %v", err)
	}
	t.Logf("%d calls, %d answered, %d failed", sent.Load(), good.Load(), failed.Load())
	if failed.Load() != 0 || good.Load() != sent.Load() {
		t.Errorf("of %d calls %d were answered and %d failed", sent.Load(), good.Load(), failed.Load())
	}
}

func TestBridgeStartsTheDaemon(t *testing.T) {
	f := newFixture(t)
	var starts atomic.Int32
	o := BridgeOptions{Transport: f.transport(), Header: header(""), Operator: true, Socket: f.socket, Version: "1", Start: func() error {
		starts.Add(1)
		go func() {
			time.Sleep(200 * time.Millisecond)
			f.start()
		}()
		return nil
	}}
	b, err := NewBridge(o)
	f.must(err)
	h := startHost(t, b)
	for id := range 10 {
		h.send(callLine(id))
	}
	for range 10 {
		if line, _ := h.receive(); !strings.Contains(line, `"documents":2`) {
			t.Errorf("a call that the daemon is started for: %s", line)
		}
	}
	if n := starts.Load(); n != 1 {
		t.Errorf("the daemon was started %d times", n)
	}
	h.closeInput()
	<-h.ended

	o.Socket, o.Start = "/run/s", func() error { return errors.New("no such program") }
	o.Transport = roundTrip(func(*http.Request) (*http.Response, error) {
		return nil, &net.OpError{Op: "dial", Err: errors.New("no such file")}
	})
	b, err = NewBridge(o)
	f.must(err)
	h = startHost(t, b)
	h.send(callLine(1))
	if line, _ := h.receive(); !strings.Contains(line, "could not be started: no such program") {
		t.Errorf("a daemon that cannot be started: %s", line)
	}
	h.closeInput()
}
