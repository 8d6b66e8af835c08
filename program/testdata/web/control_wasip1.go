package main

import (
	"io"
	"net"
)

// There are no options of sockets here.
func control(uintptr) {}

// There are no reads by system calls here.
func readAll(c *net.TCPConn) ([]byte, error) { return io.ReadAll(c) }
