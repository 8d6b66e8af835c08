// Package sockaddr replaces github.com/hashicorp/go-sockaddr, which does not compile for wasip1. It has only
// the functions that memberlist calls. One function reports whether an address is public, since memberlist
// warns of public addresses. The other would return this machine's private address, but a node with a given
// address does not need it.
package sockaddr

import (
	"errors"
	"net/netip"
)

// An IPAddr is an IP address.
type IPAddr netip.Addr

// An IfAddr is an address of an interface.
type IfAddr struct{ SockAddr IPAddr }

// IfAddrs are several.
type IfAddrs []IfAddr

// NewIPAddr parses an address.
func NewIPAddr(text string) (IPAddr, error) {
	a, err := netip.ParseAddr(text)
	return IPAddr(a), err
}

// IfByRFC parts the addresses of special purpose (RFC 6890) from the public ones.
func IfByRFC(_ string, all IfAddrs) (special, public IfAddrs, err error) {
	for _, one := range all {
		if netip.Addr(one.SockAddr).IsGlobalUnicast() && !netip.Addr(one.SockAddr).IsPrivate() {
			public = append(public, one)
		} else {
			special = append(special, one)
		}
	}
	return special, public, nil
}

// GetPrivateIP finds none.
func GetPrivateIP() (string, error) { return "", errors.New("no interfaces") }
