package mcp

import (
	"bufio"
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// followEvery is how often a bridge looks for a daemon that is down: connecting
// to a socket where nobody listens costs some microseconds.
const followEvery = 500 * time.Millisecond

// keepTools keeps the list of tools true from its first use on: the daemon says
// when it changes, and a daemon that comes back is asked again.
func (b *Bridge) keepTools(ctx context.Context) {
	select {
	case <-ctx.Done():
		return
	case <-b.listUsed:
	}
	for ctx.Err() == nil {
		b.followOnce(ctx)
		select {
		case <-ctx.Done():
		case <-time.After(followEvery):
		}
	}
}

// useList says that the host knows the list of tools.
func (b *Bridge) useList() { b.listOnce.Do(func() { close(b.listUsed) }) }

// followOnce listens until the daemon ends.
func (b *Bridge) followOnce(ctx context.Context) {
	response, err := b.daemon.send(ctx, http.MethodGet, message{}, followRevision)
	if err != nil {
		return
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return
	}
	b.daemon.answered()
	b.learn(ctx)
	lines := bufio.NewScanner(response.Body)
	for lines.Scan() {
		if len(lines.Bytes()) == 0 {
			b.learn(ctx) // the end of an event, and only one kind is sent
		}
	}
	b.daemon.missed()
}

// followRevision is the last one whose streams need no call.
const followRevision = "2025-11-25"

// learn asks for the tools and tells the host when they are others than those it
// knows.
func (b *Bridge) learn(ctx context.Context) {
	list := message{raw: json.RawMessage(`{"jsonrpc":"2.0","id":0,"method":"tools/list"}`), id: json.RawMessage("0"), method: "tools/list"}
	body, err := b.daemon.once(ctx, list, followRevision)
	if err != nil {
		return
	}
	if b.listed(body) && b.negotiated() != "" {
		b.pass(&jsonrpc.Request{Method: listChanged})
	}
}

// listed takes a list of tools for the one that the host knows, and tells
// whether it is another one. Those that listen are told by the local server.
func (b *Bridge) listed(body []byte) (changed bool) {
	now, read := listedTools(body)
	if !read {
		return false
	}
	now = b.offer.known(now)
	b.mu.Lock()
	defer b.mu.Unlock()
	if slices.Equal(now, b.tools) {
		return false
	}
	b.offer.setTools(b.local, b.tools, now)
	b.tools = now
	return true
}
