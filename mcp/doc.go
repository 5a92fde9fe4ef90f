// Package mcp speaks the Model Context Protocol for the tools of package tool:
// over streamable HTTP on the daemon's socket (Handler), and over the standard
// input and output of a host (Bridge), which passes every message on to the
// socket.
//
// Both read messages with the framing of this package, so that whatever a client
// sends is answered with the right JSON-RPC error or result. What a well-formed
// message means is decided by the protocol's Go SDK: each one is handed to a
// server of the SDK in a session of its own, since no revision needs more state
// than the message carries.
//
// The package answers nothing by itself that a tool could answer, never writes
// to the store, and knows neither the JSON routes nor the command line.
package mcp
