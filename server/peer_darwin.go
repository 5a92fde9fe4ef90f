package server

import "golang.org/x/sys/unix"

func credentialsOf(fd int) (Credentials, error) {
	c, err := unix.GetsockoptXucred(fd, unix.SOL_LOCAL, unix.LOCAL_PEERCRED)
	if err != nil {
		return Credentials{}, err
	}
	pid, err := unix.GetsockoptInt(fd, unix.SOL_LOCAL, unix.LOCAL_PEERPID)
	if err != nil {
		return Credentials{}, err
	}
	return Credentials{PID: pid, UID: int(c.Uid), GID: int(c.Groups[0])}, nil
}
