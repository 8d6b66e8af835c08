package main

import (
	"errors"
	"net"
	"syscall"
)

const userTimeout = 0x12 // TCP_USER_TIMEOUT

func control(fd uintptr) {
	check(syscall.SetsockoptInt(int(fd), syscall.IPPROTO_TCP, userTimeout, 1000))
}

// readAll reads to the end by system calls that do not block, three bytes at a time.
func readAll(c *net.TCPConn) (all []byte, err error) {
	raw, err := c.SyscallConn()
	if err != nil {
		return nil, err
	}
	for b := make([]byte, 3); ; {
		var n int
		var fails error
		if err := raw.Read(func(fd uintptr) bool {
			n, fails = syscall.Read(int(fd), b)
			return fails != syscall.EAGAIN
		}); err != nil || fails != nil || n == 0 {
			return all, errors.Join(err, fails)
		}
		if all = append(all, b[:n]...); len(all) == 3 { // what was received ahead is there for other reads, too
			if n, err = c.Read(b[:2]); err != nil {
				return nil, err
			}
			all = append(all, b[:n]...)
		}
	}
}
