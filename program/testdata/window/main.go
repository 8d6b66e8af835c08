// Window writes to connections whose other side does not read: to itself, or to the node "peer".
package main

import (
	"errors"
	"fmt"
	"net"
	"strconv"
	"syscall"

	"contend/program/sim"
	"contend/program/testdata/window/calls"
)

func init() { sim.Main(main) }

func main() {
	if sim.Host() == "peer" {
		peer()
	}
	for {
		call := sim.Invoked()
		if call == "peer" {
			sim.Return(write())
			continue
		}
		size, err := strconv.Atoi(call[:4])
		if err != nil {
			panic(err)
		}
		sim.Return(calls.Run(call[5:], size))
	}
}

// peer accepts connections and does not read.
func peer() {
	l, err := net.Listen("tcp", ":1")
	if err != nil {
		panic(err)
	}
	var kept []net.Conn
	for {
		c, err := l.Accept()
		if err != nil {
			panic(err)
		}
		kept = append(kept, c)
	}
}

// write writes to the peer until an error.
func write() string {
	c, err := net.Dial("tcp", "peer:1")
	if err != nil {
		return err.Error()
	}
	n, err := c.Write(make([]byte, 4000))
	var errno syscall.Errno
	if !errors.As(err, &errno) {
		return fmt.Sprint(n, err)
	}
	return fmt.Sprint(n, " ", map[syscall.Errno]string{syscall.ECONNRESET: "reset", syscall.ETIMEDOUT: "timed out"}[errno])
}
