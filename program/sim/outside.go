//go:build !wasip1 && !contend_native

package sim

import (
	"context"
	"net"
	"time"
)

// Main sets a node's function main. An init function calls it. Outside a simulation it does nothing, and the Go
// runtime calls main.
func Main(main func()) {}

// Host returns the name of the program's node; "" outside a simulation.
func Host() string { return "" }

// Invoked waits for the next call of the node's application, and returns it. The application makes one call at a time: the next comes after
// [Return]. Outside of a simulation nobody calls, and it waits for ever.
func Invoked() string { select {} }

// Return ends the call that runs, with a result. Outside of a simulation it does nothing.
func Return(result string) {}

// Note makes a label visible to monitors and people. Outside of a simulation it does nothing.
func Note(label string) {}

// View sets what claims and people see of the program: the bytes that f returns. A node calls f when all goroutines wait, and f must not wait.
// Outside of a simulation View does nothing.
func View(f func() []byte) {}

// Dial is [net.Dial]; of a node it is for "tcp" and "udp", on the simulated network.
func Dial(network, address string) (net.Conn, error) { return net.Dial(network, address) }

// DialTimeout is [net.DialTimeout].
func DialTimeout(network, address string, timeout time.Duration) (net.Conn, error) {
	return net.DialTimeout(network, address, timeout)
}

// DialContext is [net.Dialer.DialContext].
func DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	return new(net.Dialer).DialContext(ctx, network, address)
}

// Listen is [net.Listen]; of a node it is for "tcp", on the simulated network.
func Listen(network, address string) (net.Listener, error) { return net.Listen(network, address) }

// ListenPacket is [net.ListenPacket]; of a node it is for "udp", on the simulated network.
func ListenPacket(network, address string) (net.PacketConn, error) {
	return net.ListenPacket(network, address)
}
