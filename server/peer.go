package server

import (
	"fmt"
	"net"
	"os/user"
	"slices"
	"strconv"
)

// Credentials are what the kernel says of the process at the other end of a
// connection.
type Credentials struct{ PID, UID, GID int }

// Operators decides which local users administer the daemon: its own user, root,
// and the members of one group if Group is not negative.
type Operators struct {
	UID   int
	Group int
}

// NewOperators takes the group by name or number; empty means no group.
func NewOperators(uid int, group string) (Operators, error) {
	if group == "" {
		return Operators{UID: uid, Group: -1}, nil
	}
	id, err := groupID(group)
	if err != nil {
		return Operators{}, fmt.Errorf("find the operators' group %q: %w", group, err)
	}
	return Operators{UID: uid, Group: id}, nil
}

// Allow reports whether the peer may administer.
func (o Operators) Allow(c Credentials) bool {
	if c.UID == 0 || c.UID == o.UID {
		return true
	}
	if o.Group < 0 {
		return false
	}
	if c.GID == o.Group {
		return true
	}
	u, err := user.LookupId(strconv.Itoa(c.UID))
	if err != nil {
		return false
	}
	groups, err := u.GroupIds()
	return err == nil && slices.Contains(groups, strconv.Itoa(o.Group))
}

func groupID(group string) (int, error) {
	if id, err := strconv.Atoi(group); err == nil {
		return id, nil
	}
	g, err := user.LookupGroup(group)
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(g.Gid)
}

func peerCredentials(conn *net.UnixConn) (Credentials, error) {
	raw, err := conn.SyscallConn()
	if err != nil {
		return Credentials{}, fmt.Errorf("reach the socket of a connection: %w", err)
	}
	var c Credentials
	var inner error
	if err := raw.Control(func(fd uintptr) { c, inner = credentialsOf(int(fd)) }); err != nil {
		return Credentials{}, fmt.Errorf("reach the socket of a connection: %w", err)
	}
	if inner != nil {
		return Credentials{}, fmt.Errorf("ask the kernel who calls: %w", inner)
	}
	return c, nil
}
