package server

import "golang.org/x/sys/unix"

func credentialsOf(fd int) (Credentials, error) {
	c, err := unix.GetsockoptUcred(fd, unix.SOL_SOCKET, unix.SO_PEERCRED)
	if err != nil {
		return Credentials{}, err
	}
	return Credentials{PID: int(c.Pid), UID: int(c.Uid), GID: int(c.Gid)}, nil
}
