package mcp

import (
	"context"
	"encoding/json"
	"time"
)

// pendingCall is a call under way. Listening ends with the input; other calls
// are answered first.
type pendingCall struct {
	cancel  context.CancelFunc
	listens bool
}

// begin starts a call that can be cancelled by its id.
func (b *Bridge) begin(ctx context.Context, m message, run func(context.Context)) {
	ctx, cancel := context.WithCancel(ctx)
	call := &pendingCall{cancel: cancel, listens: m.method == listenMethod}
	id := string(m.id)
	b.mu.Lock()
	b.calls[id] = append(b.calls[id], call)
	b.mu.Unlock()
	b.pending.Add(1)
	go func() {
		defer b.pending.Done()
		run(ctx)
		cancel()
		b.mu.Lock()
		defer b.mu.Unlock()
		rest := b.calls[id][:0]
		for _, c := range b.calls[id] {
			if c != call {
				rest = append(rest, c)
			}
		}
		if b.calls[id] = rest; len(rest) == 0 {
			delete(b.calls, id)
		}
	}()
}

// notice takes what wants no answer. Only a cancellation means something here.
func (b *Bridge) notice(m message) {
	if m.method != "notifications/cancelled" {
		return
	}
	var params struct {
		ID json.RawMessage `json:"requestId"`
	}
	if json.Unmarshal(m.params, &params) != nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, c := range b.calls[string(params.ID)] {
		c.cancel()
	}
}

// finishPatience is how long answers are waited for after the input has ended: a
// host that is gone needs none, and one that piped its questions is served in
// far less.
const finishPatience = time.Minute

// finish waits for the answers that are due.
func (b *Bridge) finish(ctx context.Context) {
	b.mu.Lock()
	for _, calls := range b.calls {
		for _, c := range calls {
			if c.listens {
				c.cancel()
			}
		}
	}
	b.mu.Unlock()
	answered := make(chan struct{})
	go func() {
		b.pending.Wait()
		close(answered)
	}()
	select {
	case <-answered:
	case <-ctx.Done():
	case <-time.After(finishPatience):
	}
}
