// Package tool holds the one definition of every tool: its name, parameters,
// defaults, limits, hints and handler. MCP schemas, JSON routes, the command
// line and the documentation are all made from it, so adding a parameter is one
// edit. It also reads arguments (forgiving where the meaning is sure, refusing
// by name where not) and decides which caller may use which tool.
//
// It imports search and store, and no transport.
package tool
