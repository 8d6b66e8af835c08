//go:build !wasip1

package sim

import (
	"context"
	"net"
	"time"
)

// Main does nothing: function main is called by the Go runtime.
func Main(func()) {}

// Host is the name of the node that the program is; outside of a simulation it is "".
func Host() string { return "" }

// Invoked waits for ever: there is no application.
func Invoked() string { select {} }

// Return does nothing.
func Return(string) {}

// Note does nothing.
func Note(string) {}

// View does nothing.
func View(func() []byte) {}

// Dial is [net.Dial].
func Dial(network, address string) (net.Conn, error) { return net.Dial(network, address) }

// DialTimeout is [net.DialTimeout].
func DialTimeout(network, address string, timeout time.Duration) (net.Conn, error) {
	return net.DialTimeout(network, address, timeout)
}

// DialContext is [net.Dialer.DialContext].
func DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	return new(net.Dialer).DialContext(ctx, network, address)
}

// Listen is [net.Listen].
func Listen(network, address string) (net.Listener, error) { return net.Listen(network, address) }

// ListenPacket is [net.ListenPacket].
func ListenPacket(network, address string) (net.PacketConn, error) {
	return net.ListenPacket(network, address)
}
