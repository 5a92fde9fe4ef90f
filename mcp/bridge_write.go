package mcp

import (
	"fmt"
	"io"
	"sync"
)

// lineWriter writes one message a line, each whole.
type lineWriter struct {
	gone func() // called when nobody reads any more

	mu  sync.Mutex
	w   io.Writer
	err error
}

func (l *lineWriter) write(m []byte) {
	if m == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.err != nil {
		return
	}
	if _, err := l.w.Write(append(m[:len(m):len(m)], '\n')); err != nil {
		l.err = fmt.Errorf("write to the host: %w", err)
		l.gone()
	}
}

func (l *lineWriter) failure() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.err
}
