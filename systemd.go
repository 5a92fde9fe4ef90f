package main

import (
	"net"
	"os"
)

// notifySystemd tells a service manager that asked for it how the daemon is
// doing (sd_notify: one datagram to the socket that NOTIFY_SOCKET names). A
// manager that is gone is no failure of ours.
func notifySystemd(state string) {
	path := os.Getenv("NOTIFY_SOCKET")
	if path == "" {
		return
	}
	conn, err := net.DialUnix("unixgram", nil, &net.UnixAddr{Name: path, Net: "unixgram"})
	if err != nil {
		return
	}
	defer conn.Close()
	_, _ = conn.Write([]byte(state))
}
