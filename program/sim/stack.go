//go:build wasip1 || contend_native

package sim

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"sync"
	"syscall"

	"contend/program/wire"
)

// A link names a connection on one side: the other host, the number that its opener gave it, and whether that was this side.
type link struct {
	host   string
	number uint64
	mine   bool
}

// stack is the program's state of the network.
var stack = struct {
	mu        sync.Mutex
	conns     map[link]*conn
	listeners map[uint16]*listener
	packets   map[uint16]*packetConn
	number    uint64
	port      uint16 // the last that was given out
	refusals  int    // connections that will be refused
}{conns: map[link]*conn{}, listeners: map[uint16]*listener{}, packets: map[uint16]*packetConn{}, port: 32767}

func send(m wire.Message) { output(wire.Sent, m.Append(nil)) }

// port finds a free port. The stack is locked.
func port() uint16 {
	for {
		if stack.port++; stack.port < 32768 {
			stack.port = 32768
		}
		if stack.listeners[stack.port] == nil && stack.packets[stack.port] == nil {
			return stack.port
		}
	}
}

// receive takes a message. It never waits.
func receive(m wire.Message) {
	l := link{m.Host, m.Conn, !m.Mine}
	stack.mu.Lock()
	c, p := stack.conns[l], stack.packets[m.To]
	stack.mu.Unlock()
	switch {
	case m.Kind == wire.Packet:
		if p != nil {
			p.take(m)
		}
	case m.Kind == wire.Open && c == nil:
		accept(l, m)
	case m.Kind == wire.Open:
		// the connection is open already
	case c != nil:
		c.take(m)
	case m.Kind == wire.Opened, m.Kind == wire.Data, m.Kind == wire.Probe:
		send(wire.Message{Host: m.Host, Kind: wire.Reset, Conn: m.Conn, Mine: l.mine})
	}
}

// accept hands a new connection to who listens, or refuses it.
func accept(l link, m wire.Message) {
	stack.mu.Lock()
	who := stack.listeners[m.To]
	if who != nil && stack.refusals > 0 {
		stack.refusals--
		who = nil
	}
	if who == nil {
		stack.mu.Unlock()
		send(wire.Message{Host: m.Host, Kind: wire.Reset, Conn: m.Conn})
		return
	}
	c := newConn(l, addr{"tcp", Host(), m.To}, addr{"tcp", m.Host, m.From})
	stack.mu.Unlock()
	send(wire.Message{Host: m.Host, Kind: wire.Opened, Conn: m.Conn})
	who.waiting.put(c)
}

// cut breaks a connection, and if both is set also its other side.
func cut(which int, both bool) {
	stack.mu.Lock()
	links := slices.SortedFunc(maps.Keys(stack.conns), func(a, b link) int {
		mine := 0
		if a.mine != b.mine {
			if mine = 1; a.mine {
				mine = -1
			}
		}
		return cmp.Or(strings.Compare(a.host, b.host), cmp.Compare(a.number, b.number), mine)
	})
	if len(links) == 0 {
		stack.mu.Unlock()
		return
	}
	l := links[which%len(links)]
	c := stack.conns[l]
	stack.mu.Unlock()
	c.take(wire.Message{Kind: wire.Reset})
	if both {
		send(wire.Message{Host: l.host, Kind: wire.Reset, Conn: l.number, Mine: l.mine})
	}
}

// errRefused and errReset are what TCP has for them.
const (
	errRefused = syscall.ECONNREFUSED
	errReset   = syscall.ECONNRESET
	errInUse   = syscall.EADDRINUSE
)
