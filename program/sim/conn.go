//go:build wasip1 || contend_native

package sim

import (
	"io"
	"net"
	"os"
	"sync"
	"time"

	"contend/program/wire"
)

// A conn is one side of a connection.
type conn struct {
	link          link
	local, remote addr

	mu      sync.Mutex
	changed sync.Cond
	opened  bool
	early   map[uint32]wire.Message // what came before its turn, by number
	next    uint32                  // the number of the message whose turn it is
	sent    uint32
	in      []byte
	ended   bool // the other side sends no more
	closed  bool // by this side
	half    bool // this side sends no more
	broken  error
	window  window
	read    deadline
	write   deadline
}

// newConn enters a connection. The stack is locked.
func newConn(l link, local, remote addr) *conn {
	c := &conn{link: l, local: local, remote: remote, early: map[uint32]wire.Message{}}
	c.changed.L = &c.mu
	stack.conns[l] = c
	return c
}

// take takes a message of the connection.
func (c *conn) take(m wire.Message) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch m.Kind {
	case wire.Reset:
		if c.broken = errReset; !c.opened && c.link.mine {
			c.broken = errRefused
		}
	case wire.Opened:
		c.opened = true
	case wire.Window:
		c.opens(m.Seq)
	case wire.Probe:
		c.tell()
	case wire.Data, wire.Close, wire.Abort:
		c.opened = true
		if m.Seq >= c.next {
			c.early[m.Seq] = m
		}
		c.order()
	}
	if c.broken != nil {
		c.forget()
	}
	c.changed.Broadcast()
}

// order handles inputs in order.
func (c *conn) order() {
	for {
		m, is := c.early[c.next]
		if !is {
			return
		}
		delete(c.early, c.next)
		c.next++
		c.in = append(c.in, m.Data...)
		c.ended = c.ended || m.Kind == wire.Close
		if m.Kind == wire.Abort {
			c.broken = errReset
		}
	}
}

func (c *conn) forget() {
	stack.mu.Lock()
	defer stack.mu.Unlock()
	if stack.conns[c.link] == c {
		delete(stack.conns, c.link)
	}
}

// send sends the next message of this direction.
func (c *conn) send(kind wire.Kind, data []byte) {
	c.post(kind, c.sent, data)
	c.sent++
}

func (c *conn) post(kind wire.Kind, seq uint32, data []byte) {
	send(wire.Message{Host: c.link.host, Kind: kind, Conn: c.link.number, Mine: c.link.mine, Seq: seq, Data: data})
}

// Read implements [net.Conn].
func (c *conn) Read(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for {
		switch {
		case c.closed:
			return 0, failed("read", c.remote, net.ErrClosed)
		case c.read.over():
			return 0, failed("read", c.remote, os.ErrDeadlineExceeded)
		case len(c.in) > 0:
			n := copy(p, c.in)
			c.in = c.in[n:]
			c.reads(n)
			return n, nil
		case c.broken != nil:
			return 0, failed("read", c.remote, c.broken)
		case c.ended:
			return 0, io.EOF
		case len(p) == 0:
			return 0, nil
		}
		c.changed.Wait()
	}
}

// Close implements [net.Conn]. As on Linux, the connection breaks on the other side if there are bytes that were not read.
func (c *conn) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return failed("close", c.remote, net.ErrClosed)
	}
	c.closed = true
	switch {
	case c.broken != nil:
	case len(c.in) > 0:
		c.send(wire.Abort, nil)
	case !c.half:
		c.send(wire.Close, nil)
	}
	c.read.stop()
	c.write.stop()
	c.forget()
	c.changed.Broadcast()
	return nil
}

// CloseWrite is [net.TCPConn.CloseWrite]: the other side reads to the end and can still write.
func (c *conn) CloseWrite() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return failed("close", c.remote, net.ErrClosed)
	}
	if !c.half && c.broken == nil {
		c.send(wire.Close, nil)
	}
	c.half = true
	c.changed.Broadcast()
	return nil
}

// LocalAddr implements [net.Conn].
func (c *conn) LocalAddr() net.Addr { return c.local }

// RemoteAddr implements [net.Conn].
func (c *conn) RemoteAddr() net.Addr { return c.remote }

// SetDeadline implements [net.Conn].
func (c *conn) SetDeadline(t time.Time) error {
	c.set(t, &c.read)
	c.set(t, &c.write)
	return nil
}

// SetReadDeadline implements [net.Conn].
func (c *conn) SetReadDeadline(t time.Time) error {
	c.set(t, &c.read)
	return nil
}

// SetWriteDeadline implements [net.Conn].
func (c *conn) SetWriteDeadline(t time.Time) error {
	c.set(t, &c.write)
	return nil
}

func (c *conn) set(t time.Time, d *deadline) {
	c.mu.Lock()
	defer c.mu.Unlock()
	d.set(t, &c.mu, &c.changed)
}

// A deadline wakes who waits when it is over.
type deadline struct {
	at    time.Time
	timer *time.Timer
}

func (d *deadline) over() bool { return !d.at.IsZero() && !time.Now().Before(d.at) }

func (d *deadline) stop() {
	if d.timer != nil {
		d.timer.Stop()
	}
}

// set sets the deadline; who waits holds the lock.
func (d *deadline) set(t time.Time, mu *sync.Mutex, changed *sync.Cond) {
	d.stop()
	if d.at, d.timer = t, nil; t.IsZero() {
		return
	}
	if d.over() {
		changed.Broadcast()
		return
	}
	d.timer = time.AfterFunc(time.Until(t), func() {
		mu.Lock()
		defer mu.Unlock()
		changed.Broadcast()
	})
}
