//go:build wasip1 || contend_native

package sim

import (
	"context"
	"net"
	"time"

	"contend/program/wire"
)

// Dial is [net.Dial] on the simulated network, for "tcp" and "udp".
func Dial(network, address string) (net.Conn, error) {
	return DialContext(context.Background(), network, address)
}

// DialTimeout is [net.DialTimeout]; 0 stands for no time-out.
func DialTimeout(network, address string, timeout time.Duration) (net.Conn, error) {
	ctx := context.Background()
	if timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, timeout)
		defer cancel()
	}
	return DialContext(ctx, network, address)
}

// DialContext is [net.Dialer.DialContext].
func DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	a, err := parse(network, address)
	if err != nil {
		return nil, &net.OpError{Op: "dial", Net: network, Err: err}
	}
	if isPacket(network) {
		return dialPacket(a)
	}
	stack.mu.Lock()
	stack.number++
	l := link{a.host, boot<<32 | stack.number, true}
	c := newConn(l, addr{network, Host(), port()}, a)
	stack.mu.Unlock()
	send(wire.Message{Host: a.host, Kind: wire.Open, Conn: l.number, Mine: true, From: c.local.port, To: a.port})
	stop := context.AfterFunc(ctx, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.changed.Broadcast()
	})
	defer stop()
	c.mu.Lock()
	defer c.mu.Unlock()
	for !c.opened && c.broken == nil && ctx.Err() == nil {
		c.changed.Wait()
	}
	switch {
	case c.broken != nil:
		return nil, failed("dial", a, c.broken)
	case !c.opened:
		c.forget()
		return nil, failed("dial", a, ctx.Err())
	}
	return c, nil
}
