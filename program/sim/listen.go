//go:build wasip1 || contend_native

package sim

import (
	"net"
	"strings"
	"time"
)

// A listener accepts connections to a port.
type listener struct {
	at      addr
	waiting *queue[*conn]
}

// Listen is [net.Listen] on the simulated network, for "tcp". Port 0 stands for any that is free.
func Listen(network, address string) (net.Listener, error) {
	a, err := parse(network, address)
	if err != nil {
		return nil, &net.OpError{Op: "listen", Net: network, Err: err}
	}
	stack.mu.Lock()
	defer stack.mu.Unlock()
	if a.port == 0 {
		a.port = port()
	}
	if stack.listeners[a.port] != nil {
		return nil, failed("listen", a, errInUse)
	}
	l := &listener{a, newQueue[*conn]()}
	stack.listeners[a.port] = l
	return l, nil
}

// Accept implements [net.Listener].
func (l *listener) Accept() (net.Conn, error) {
	c, err := l.waiting.get()
	if err != nil {
		return nil, failed("accept", l.at, err)
	}
	return c, nil
}

// SetDeadline is [net.TCPListener.SetDeadline].
func (l *listener) SetDeadline(t time.Time) error {
	l.waiting.deadline(t)
	return nil
}

// Close implements [net.Listener].
func (l *listener) Close() error {
	stack.mu.Lock()
	defer stack.mu.Unlock()
	if stack.listeners[l.at.port] != l {
		return failed("close", l.at, net.ErrClosed)
	}
	delete(stack.listeners, l.at.port)
	l.waiting.close()
	return nil
}

// Addr implements [net.Listener].
func (l *listener) Addr() net.Addr { return l.at }

func isPacket(network string) bool { return strings.HasPrefix(network, "udp") }
