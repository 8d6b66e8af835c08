//go:build wasip1 || contend_native

package sim

import (
	"net"
	"os"
	"strconv"
	"syscall"
	"time"

	"contend/program/wire"
)

// most is the number of bytes that a side sends before the application of the other side reads them. By default it is the most that
// Linux buffers for a writer (tcp_wmem).
var most = func() uint32 {
	if n, err := strconv.ParseUint(os.Getenv("CONTEND_WINDOW"), 10, 31); err == nil {
		return uint32(n)
	}
	return 4 << 20
}()

// A window counts the bytes of a connection, modulo 2³².
type window struct {
	written uint32 // by this side
	freed   uint32 // of them, those that the other side has told that its application read
	read    uint32 // by the application of this side
	told    uint32 // of them, those that the other side was told of
	waits   bool   // a Write waits
	probe   probe
}

// A probe asks the other side for the bytes that its application has read, while a Write waits. It comes as often as on Linux.
type probe struct {
	timer    *time.Timer
	sent     int // probes since the window moved
	answered bool
}

const (
	firstProbe = 200 * time.Millisecond
	lastProbe  = 2 * time.Minute
	mostProbes = 15
)

func (w *window) room() int { return int(most - (w.written - w.freed)) }

// Write implements [net.Conn]. It waits while the window is full. One Write waits at a time, and the next one waits for its end.
func (c *conn) Write(p []byte) (n int, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for waits := false; ; c.changed.Wait() {
		next := waits || !c.window.waits
		if err = c.writable(); err == nil && next {
			n += c.fill(p[n:])
		}
		if err != nil || n == len(p) {
			if waits {
				c.window.waits = false
				c.window.probe.stop()
				c.changed.Broadcast()
			}
			return n, err
		}
		if next {
			waits, c.window.waits = true, true
			c.startProbe()
		}
	}
}

// writable returns the error of a Write, or nil.
func (c *conn) writable() error {
	switch {
	case c.closed:
		return failed("write", c.remote, net.ErrClosed)
	case c.half:
		return failed("write", c.remote, syscall.EPIPE)
	case c.write.over():
		return failed("write", c.remote, os.ErrDeadlineExceeded)
	case c.broken != nil:
		return failed("write", c.remote, c.broken)
	}
	return nil
}

// fill sends what the window has room for.
func (c *conn) fill(p []byte) int {
	p = p[:min(len(p), c.window.room())]
	if len(p) > 0 {
		c.send(wire.Data, p)
		c.window.written += uint32(len(p))
	}
	return len(p)
}

// reads counts bytes that the application reads, and tells the other side when they are half of the window.
func (c *conn) reads(n int) {
	w := &c.window
	if w.read += uint32(n); w.read-w.told >= (most+1)/2 && !c.ended && c.broken == nil {
		c.tell()
	}
}

// tell tells the other side how many bytes the application has read.
func (c *conn) tell() {
	c.window.told = c.window.read
	c.post(wire.Window, c.window.read, nil)
}

// opens takes what the other side tells. An older number may come later.
func (c *conn) opens(read uint32) {
	w := &c.window
	w.probe.answered = true
	if int32(read-w.freed) > 0 {
		w.freed = read
		w.probe.stop()
	}
}

func (p *probe) stop() {
	if p.timer != nil {
		p.timer.Stop()
	}
	p.timer, p.sent = nil, 0
}

// startProbe sets the timer of the next probe, unless it is set.
func (c *conn) startProbe() {
	p := &c.window.probe
	if p.timer != nil {
		return
	}
	var t *time.Timer
	t = time.AfterFunc(min(firstProbe<<p.sent, lastProbe), func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		if p.timer == t {
			c.ask()
		}
	})
	p.timer = t
}

// ask sends a probe. If the last one has no answer, the connection breaks. If it has, no more probes are sent, so that a run can end.
func (c *conn) ask() {
	p := &c.window.probe
	switch {
	case p.sent < mostProbes:
		p.timer, p.answered = nil, false
		p.sent++
		c.post(wire.Probe, 0, nil)
		c.startProbe()
	case !p.answered:
		c.broken = syscall.ETIMEDOUT
		c.forget()
		c.changed.Broadcast()
	}
}
