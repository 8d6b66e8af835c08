//go:build wasip1 || contend_native

package sim

import (
	"net"
	"net/netip"
	"os"
	"slices"
	"strconv"
	"strings"
)

// Host returns the name of the program's node; "" outside a simulation.
func Host() string { return os.Getenv("CONTEND_HOST") }

// hosts are the names of all nodes.
var hosts = strings.Split(os.Getenv("CONTEND_HOSTS"), ",")

// ip returns the address of a node: 10.0.0.1 for the first, and so on; nil if there is no such node.
func ip(name string) []byte {
	if name == "" {
		name = Host()
	}
	at := slices.Index(hosts, name) + 1
	if at == 0 {
		return nil
	}
	return []byte{10, 0, byte(at >> 8), byte(at)}
}

// named returns the name of the node with an address; "" if there is none.
func named(address string) string {
	a, err := netip.ParseAddr(address)
	if err != nil || !a.Unmap().Is4() {
		return ""
	}
	b := a.Unmap().As4()
	if at := int(b[2])<<8 | int(b[3]); b[0] == 10 && b[1] == 0 && 0 < at && at <= len(hosts) {
		return hosts[at-1]
	}
	return ""
}

// boot counts how often the node came back.
var boot, _ = strconv.ParseUint(os.Getenv("CONTEND_BOOT"), 10, 16)

// An addr is a host and a port.
type addr struct {
	network, host string
	port          uint16
}

func (a addr) Network() string { return a.network }
func (a addr) String() string  { return net.JoinHostPort(a.host, strconv.Itoa(int(a.port))) }

// parse reads an address; without a host it is one of this node.
func parse(network, address string) (addr, error) {
	host, name, err := net.SplitHostPort(address)
	if err != nil {
		return addr{}, err
	}
	port, err := strconv.ParseUint(name, 10, 16)
	if err != nil {
		return addr{}, &net.AddrError{Err: "the port must be a number from 0 to 65535", Addr: address}
	}
	if name := named(host); name != "" {
		host = name
	}
	switch host {
	case "", "0.0.0.0", "::", "localhost", "127.0.0.1", "::1":
		host = Host()
	}
	return addr{network, host, uint16(port)}, nil
}

func failed(op string, a addr, err error) error {
	return &net.OpError{Op: op, Net: a.network, Addr: a, Err: err}
}
