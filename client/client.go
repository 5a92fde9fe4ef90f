// Package client talks to a Waymark daemon over its Unix socket. Every command
// that needs the daemon uses it, and so can any Go program:
//
//	c := client.New("/run/waymark/waymark.sock", client.Options{Workspace: "acme"})
//	answer, err := c.SearchTrailRules(ctx, search.RuleQuery{Query: "who signs off a hotel over 300?"})
//
// A failure that the daemon answers is a *search.Error with its stable code. The
// package never opens the database.
package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"syscall"
	"time"

	"waymark/search"
)

var (
	// ErrUnreachable is returned when no daemon answers at the socket.
	ErrUnreachable = errors.New("no daemon answers")

	// ErrInterrupted is returned when the daemon ended, or closed the
	// connection, before its answer was whole. It is ErrUnreachable too.
	ErrInterrupted = fmt.Errorf("%w any more: it ended before its answer was whole", ErrUnreachable)
)

// The headers that say who calls and where; see the contract, section 10.
const (
	WorkspaceHeader = "Waymark-Workspace"
	AgentHeader     = "Waymark-Agent"
)

// Options say on whose behalf calls are made. All may be empty: then an operator
// calls, and names no workspace.
type Options struct {
	Workspace string // an operator's workspace, by name or id
	Agent     string // an operator acts as this agent of the workspace
	Token     string // an agent's token; Workspace and Agent are then not sent
}

// Client calls one daemon. It is safe for concurrent use.
type Client struct {
	socket  string
	options Options
	http    *http.Client
}

// New makes a client; it does not connect yet.
func New(socket string, options Options) *Client {
	dial := func(ctx context.Context, _, _ string) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, "unix", socket)
	}
	return &Client{socket: socket, options: options,
		http: &http.Client{Transport: &http.Transport{DialContext: dial, MaxIdleConnsPerHost: 64, IdleConnTimeout: time.Minute}}}
}

// Close drops idle connections.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// Socket is the path of the daemon's socket.
func (c *Client) Socket() string { return c.socket }

// Workspace is the workspace that calls name.
func (c *Client) Workspace() string { return c.options.Workspace }

// Do sends a request to a path of the daemon and returns the response, whatever
// its status. The caller closes the body.
func (c *Client) Do(ctx context.Context, method, path string, body io.Reader) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, method, "http://waymark"+path, body)
	if err != nil {
		return nil, fmt.Errorf("make a request for %s: %w", path, err)
	}
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	if c.options.Token != "" {
		request.Header.Set("Authorization", "Bearer "+c.options.Token)
	} else {
		// Names may hold any character; a header may not.
		setHeader(request, WorkspaceHeader, c.options.Workspace)
		setHeader(request, AgentHeader, c.options.Agent)
	}
	response, err := c.http.Do(request)
	if err != nil {
		var op *net.OpError
		if errors.As(err, &op) && op.Op == "dial" {
			return nil, fmt.Errorf("connect to %q: %w: %w", c.socket, ErrUnreachable, op.Err)
		}
		return nil, fmt.Errorf("call %s: %w", path, interrupted(err))
	}
	return response, nil
}

// interrupted says of a connection that ended early that it did.
func interrupted(err error) error {
	for _, early := range []error{io.EOF, io.ErrUnexpectedEOF, syscall.ECONNRESET, syscall.EPIPE, net.ErrClosed} {
		if errors.Is(err, early) {
			return fmt.Errorf("%w (%w)", ErrInterrupted, early)
		}
	}
	return err
}

func setHeader(r *http.Request, name, value string) {
	if value != "" {
		r.Header.Set(name, url.PathEscape(value))
	}
}

// Raw posts a JSON body and returns the JSON answer as the daemon wrote it. An
// answer that is an error is returned as a *search.Error beside its bytes.
func (c *Client) Raw(ctx context.Context, method, path string, body []byte) ([]byte, error) {
	var reader io.Reader
	if body != nil {
		reader = bytes.NewReader(body)
	}
	response, err := c.Do(ctx, method, path, reader)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, fmt.Errorf("read the answer of %s: %w", path, interrupted(err))
	}
	if response.StatusCode >= 400 {
		return answer, readError(path, response.StatusCode, answer)
	}
	return answer, nil
}

func readError(path string, status int, body []byte) error {
	var envelope struct {
		Error *search.Error `json:"error"`
	}
	if json.Unmarshal(body, &envelope) == nil && envelope.Error != nil {
		return envelope.Error
	}
	return fmt.Errorf("%s answered with status %d and no error of ours", path, status)
}

// send posts in as JSON and reads the answer into out; both may be nil.
func (c *Client) send(ctx context.Context, method, path string, in, out any) error {
	var body []byte
	if in != nil {
		var err error
		if body, err = json.Marshal(in); err != nil {
			return fmt.Errorf("write the body of %s: %w", path, err)
		}
	}
	answer, err := c.Raw(ctx, method, path, body)
	if err != nil || out == nil {
		return err
	}
	if err := json.Unmarshal(answer, out); err != nil {
		return fmt.Errorf("read the answer of %s: %w", path, err)
	}
	return nil
}
