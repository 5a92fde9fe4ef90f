package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"sync"
	"time"

	"waymark/search"
)

// How long a call waits for a daemon that has gone away, which is usually a
// restart, and how often it looks. A daemon opens in well under a second; one
// that was never there is not waited for.
const (
	restartPatience = 3 * time.Second
	startPatience   = 30 * time.Second // while a daemon answers that it is starting
	retryEvery      = 20 * time.Millisecond
	startEvery      = 10 * time.Second // a daemon that is to be started is started again
)

// daemonClient posts messages to the daemon and knows how it is doing.
type daemonClient struct {
	options BridgeOptions
	http    *http.Client

	mu   sync.Mutex
	seen bool      // the last call was answered
	lost time.Time // when answers stopped; zero: none ever came

	started time.Time // when the daemon was last started from here
}

func newDaemonClient(o BridgeOptions) *daemonClient {
	return &daemonClient{options: o, http: &http.Client{Transport: o.Transport}}
}

// post sends a message and returns the message that answers it. The error is
// errCancelled, or a *search.Error that says why the daemon did not answer.
func (d *daemonClient) post(ctx context.Context, m message, revision string) ([]byte, error) {
	for broken := 0; ; {
		body, err := d.once(ctx, m, revision)
		if err == nil {
			return body, nil
		}
		var known *search.Error
		switch {
		case ctx.Err() != nil:
			return nil, errCancelled
		case errors.As(err, &known):
			if known.Code != search.CodeNotReady {
				return nil, known
			}
		case isDialError(err):
			if failed := d.start(); failed != nil {
				return nil, search.Errorf(search.CodeNotReady, "Start it by hand to see why: waymark serve",
					"The Waymark daemon is not running, and could not be started: %v.", failed)
			}
		default:
			// The daemon ended while the call was under way. Every tool only
			// reads, so the call can be made again, once.
			if broken++; broken > 1 {
				return nil, d.unavailable(err)
			}
		}
		if !d.ready(ctx) {
			if ctx.Err() != nil {
				return nil, errCancelled
			}
			return nil, d.unavailable(err)
		}
	}
}

// isDialError tells a daemon that is not there from one that went away.
func isDialError(err error) bool {
	var dial *net.OpError
	return errors.As(err, &dial) && dial.Op == "dial"
}

// start starts the daemon, if that is wanted and was not just done.
func (d *daemonClient) start() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.options.Start == nil || time.Since(d.started) < startEvery {
		return nil
	}
	d.started, d.lost = time.Now(), time.Now()
	return d.options.Start()
}

// ready waits until the daemon says that it answers calls, as long as it is worth
// waiting.
func (d *daemonClient) ready(ctx context.Context) bool {
	began := time.Now()
	for wait := d.patience(); ; wait = d.patience() {
		if wait <= 0 {
			return false
		}
		// Only a new connection is sure to reach the daemon that is there now: an
		// old one may be answered once more by a daemon that is ending.
		d.http.CloseIdleConnections()
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://waymark/readyz", nil)
		if err != nil {
			return false
		}
		response, err := d.http.Do(request)
		if err == nil {
			response.Body.Close()
			if response.StatusCode == http.StatusOK {
				return true
			}
			if d.answered(); time.Since(began) > startPatience {
				return false
			}
		}
		select {
		case <-ctx.Done():
			return false
		case <-time.After(retryEvery):
		}
	}
}

// once sends a message once.
func (d *daemonClient) once(ctx context.Context, m message, revision string) ([]byte, error) {
	response, err := d.send(ctx, http.MethodPost, m, revision)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		d.missed()
		return nil, fmt.Errorf("read the daemon's answer: %w", err)
	}
	d.answered()
	var envelope struct {
		Version string          `json:"jsonrpc"`
		Error   json.RawMessage `json:"error"`
	}
	if json.Unmarshal(body, &envelope) == nil {
		if envelope.Version != "" {
			return bytes.TrimSpace(body), nil
		}
		var known search.Error
		if json.Unmarshal(envelope.Error, &known) == nil && known.Code != "" {
			return nil, &known
		}
	}
	return nil, search.Errorf(search.CodeInternal, "Check that the socket is that of a Waymark daemon.",
		"What answers at %q with status %d is no Waymark daemon.", d.options.Socket, response.StatusCode)
}

func (d *daemonClient) send(ctx context.Context, method string, m message, revision string) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, method, "http://waymark/mcp", bytes.NewReader(m.raw))
	if err != nil {
		return nil, fmt.Errorf("make a request: %w", err)
	}
	for name, values := range d.options.Header {
		request.Header[name] = values
	}
	// Every call only reads. This name without a value, which is not sent, lets
	// the transport repeat one that met a connection of a daemon that has ended.
	request.Header["Idempotency-Key"] = nil
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "application/json, text/event-stream")
	setHeaders(request.Header, m, revision)
	response, err := d.http.Do(request)
	if err != nil {
		d.missed()
	}
	return response, err
}

func (d *daemonClient) answered() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.seen, d.lost = true, time.Now()
}

func (d *daemonClient) missed() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.seen {
		d.seen, d.lost = false, time.Now()
	}
}

// patience is how much longer a call waits for the daemon to come back.
func (d *daemonClient) patience() time.Duration {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.lost.IsZero() {
		return 0
	}
	return restartPatience - time.Since(d.lost)
}

// unavailable says why no daemon answers, and what to do about it.
func (d *daemonClient) unavailable(err error) *search.Error {
	if errors.Is(err, fs.ErrPermission) {
		return search.Errorf(search.CodeUnauthorized, "Run the host as the daemon's user, or as a member of the group that the daemon was given with --group.",
			"This user may not connect to the Waymark daemon at %q.", d.options.Socket)
	}
	return search.Errorf(search.CodeNotReady, "Start it with: waymark serve. Then call again; nothing else needs to be restarted.",
		"The Waymark daemon is not running: nothing answers at %q.", d.options.Socket)
}
