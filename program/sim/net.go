//go:build contend_net && (wasip1 || contend_native)

package sim

import (
	"context"
	"net"
	_ "unsafe" // for linkname
)

// Where the program is built with an overlay of package net, these are what its sockets are made of.

//go:linkname netDial net.contendDial
var netDial func(ctx context.Context, network, address string) (net.Conn, error)

//go:linkname netListen net.contendListen
var netListen func(network, address string) (net.Listener, error)

//go:linkname netListenPacket net.contendListenPacket
var netListenPacket func(network, address string) (net.PacketConn, error)

//go:linkname netIP net.contendIP
var netIP func(name string) []byte

func init() { netDial, netListen, netListenPacket, netIP = DialContext, Listen, ListenPacket, ip }
