//go:build wasip1 || contend_native

package sim

import (
	"net"
	"os"
	"sync"
	"time"

	"contend/program/wire"
)

// A packetConn sends and receives packets at a port.
type packetConn struct {
	at addr

	mu      sync.Mutex
	changed sync.Cond
	in      []packet
	closed  bool
	read    deadline
}

type packet struct {
	from addr
	data []byte
}

// ListenPacket is [net.ListenPacket] on the simulated network, for "udp". Port 0 stands for any that is free.
func ListenPacket(network, address string) (net.PacketConn, error) {
	a, err := parse(network, address)
	if err != nil {
		return nil, &net.OpError{Op: "listen", Net: network, Err: err}
	}
	return listenPacket(a)
}

func listenPacket(a addr) (*packetConn, error) {
	stack.mu.Lock()
	defer stack.mu.Unlock()
	if a.port == 0 {
		a.port = port()
	}
	if stack.packets[a.port] != nil {
		return nil, failed("listen", a, errInUse)
	}
	p := &packetConn{at: a}
	p.changed.L = &p.mu
	stack.packets[a.port] = p
	return p, nil
}

func (p *packetConn) take(m wire.Message) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.in = append(p.in, packet{addr{p.at.network, m.Host, m.From}, append([]byte(nil), m.Data...)})
	p.changed.Broadcast()
}

// ReadFrom implements [net.PacketConn].
func (p *packetConn) ReadFrom(b []byte) (int, net.Addr, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for {
		switch {
		case p.closed:
			return 0, nil, failed("read", p.at, net.ErrClosed)
		case p.read.over():
			return 0, nil, failed("read", p.at, os.ErrDeadlineExceeded)
		case len(p.in) > 0:
			first := p.in[0]
			p.in = p.in[1:]
			return copy(b, first.data), first.from, nil
		}
		p.changed.Wait()
	}
}

// WriteTo implements [net.PacketConn]. It never waits.
func (p *packetConn) WriteTo(b []byte, to net.Addr) (int, error) {
	a, err := parse(p.at.network, to.String())
	if err != nil {
		return 0, failed("write", p.at, err)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return 0, failed("write", p.at, net.ErrClosed)
	}
	send(wire.Message{Host: a.host, Kind: wire.Packet, From: p.at.port, To: a.port, Data: b})
	return len(b), nil
}

// Close implements [net.PacketConn].
func (p *packetConn) Close() error {
	stack.mu.Lock()
	defer stack.mu.Unlock()
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return failed("close", p.at, net.ErrClosed)
	}
	p.closed = true
	delete(stack.packets, p.at.port)
	p.read.stop()
	p.changed.Broadcast()
	return nil
}

// LocalAddr implements [net.PacketConn].
func (p *packetConn) LocalAddr() net.Addr { return p.at }

// SetDeadline implements [net.PacketConn].
func (p *packetConn) SetDeadline(t time.Time) error { return p.SetReadDeadline(t) }

// SetReadDeadline implements [net.PacketConn].
func (p *packetConn) SetReadDeadline(t time.Time) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.read.set(t, &p.mu, &p.changed)
	return nil
}

// SetWriteDeadline implements [net.PacketConn]. A write never waits.
func (p *packetConn) SetWriteDeadline(time.Time) error { return nil }

// A dialled is a packetConn that has one partner.
type dialled struct {
	*packetConn
	partner addr
}

func dialPacket(a addr) (net.Conn, error) {
	p, err := listenPacket(addr{a.network, Host(), 0})
	if err != nil {
		return nil, err
	}
	return dialled{p, a}, nil
}

// Read implements [net.Conn]. What others send is dropped.
func (d dialled) Read(b []byte) (int, error) {
	for {
		n, from, err := d.ReadFrom(b)
		if err != nil || from.String() == d.partner.String() {
			return n, err
		}
	}
}

// Write implements [net.Conn].
func (d dialled) Write(b []byte) (int, error) { return d.WriteTo(b, d.partner) }

// RemoteAddr implements [net.Conn].
func (d dialled) RemoteAddr() net.Addr { return d.partner }
