package sim

import (
	"net"
	"os"
	"strconv"
)

// Host is the name of the node that the program is; outside of a simulation it is "".
func Host() string { return os.Getenv("CONTEND_HOST") }

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
	switch host {
	case "", "0.0.0.0", "::", "localhost", "127.0.0.1", "::1":
		host = Host()
	}
	return addr{network, host, uint16(port)}, nil
}

func failed(op string, a addr, err error) error {
	return &net.OpError{Op: op, Net: a.network, Addr: a, Err: err}
}
