// Window writes to connections whose other side does not read: to itself, or to the node "peer".
package main

import (
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"syscall"
	"time"

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
		if call == "1" || call == "2" {
			sim.Return(write(call))
			continue
		}
		size, err := strconv.Atoi(call[:4])
		if err != nil {
			panic(err)
		}
		sim.Return(calls.Run(call[5:], size))
	}
}

// peer accepts connections. At port 1 it does not read, and at port 2 it reads all.
func peer() {
	go accept(":1", func(net.Conn) { select {} })
	accept(":2", func(c net.Conn) { _, _ = io.Copy(io.Discard, c) })
}

func accept(address string, serve func(net.Conn)) {
	l, err := net.Listen("tcp", address)
	if err != nil {
		panic(err)
	}
	for {
		c, err := l.Accept()
		if err != nil {
			panic(err)
		}
		go serve(c)
	}
}

// write writes to a port of the peer.
func write(port string) string {
	c, err := net.Dial("tcp", "peer:"+port)
	if err != nil {
		return err.Error()
	}
	start := time.Now()
	n, err := c.Write(make([]byte, 4000))
	var errno syscall.Errno
	if !errors.As(err, &errno) {
		return fmt.Sprint(n, err, time.Since(start) < time.Second)
	}
	return fmt.Sprint(n, " ", map[syscall.Errno]string{syscall.ECONNRESET: "reset", syscall.ETIMEDOUT: "timed out"}[errno])
}
