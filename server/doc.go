// Package server answers HTTP/1.1 over one Unix socket: the JSON calls of the
// tools, the administrator's routes, health, and the handlers of other
// transports that main hands it. It knows who calls from the kernel's peer
// credentials and from agents' tokens, and lets nothing through that its route
// table does not allow.
//
// It imports search, tool, ingest and store, and never mcp or web.
package server
