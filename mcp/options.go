package mcp

import (
	"log/slog"
	"time"

	"waymark/store"
	"waymark/tool"
)

// Options are what a Handler is made of. All are required.
type Options struct {
	// Registry answers the tools.
	Registry *tool.Registry
	// Store tells which tools an agent has now, and holds the rules that are
	// read by their id.
	Store Store
	// Version is the program's, as clients see it.
	Version string
	// Now is the clock, and Zone where its days begin: they decide whether a
	// rule is in force.
	Now  func() time.Time
	Zone *time.Location
	// Log takes what went wrong inside; a caller is only told that it did.
	Log *slog.Logger
}

// Store is what this package reads of the store.
type Store interface {
	View(workspace string, fn func(*store.ReadTx) error) error
}
