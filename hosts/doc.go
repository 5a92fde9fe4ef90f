// Package hosts writes the entry of an MCP server into the configuration files of
// agent hosts: Claude Code, VS Code, Cursor and others.
//
// It edits text: whatever else stands in a file (other servers, comments, order,
// indentation, line ends) stays byte for byte. It reads and returns bytes;
// Replace is the one function that writes a file.
//
// It knows nothing of the daemon and imports no package of ours.
package hosts
