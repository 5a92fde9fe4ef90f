package server

import "errors"

var (
	// ErrSocketPathTooLong is returned when a socket path does not fit the
	// kernel's address.
	ErrSocketPathTooLong = errors.New("the socket path is too long")
	// ErrNotASocket is returned when something else than a socket stands at the
	// socket path; it is left as it is.
	ErrNotASocket = errors.New("a file that is not a socket stands at the socket path")
	// ErrSocketInUse is returned when another process answers at the socket
	// path, or holds it without answering.
	ErrSocketInUse = errors.New("another process uses the socket path")
)
