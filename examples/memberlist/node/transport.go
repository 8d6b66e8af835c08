package main

import (
	"net"
	"net/netip"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"contend/program/sim"

	"github.com/hashicorp/memberlist"
)

const port = "7946"

// A cable connects the node to the network. While it is pulled nothing arrives or leaves, except on open
// streams. Taken means that a stream was open.
type cable struct{ pulled, taken atomic.Bool }

// A transport is a memberlist.Transport over package sim.
type transport struct {
	*cable
	mistake   string
	packets   net.PacketConn
	listener  net.Listener
	packetCh  chan *memberlist.Packet
	streamCh  chan net.Conn
	done      chan struct{}
	listening sync.WaitGroup
}

func newTransport(c *cable, mistake string) (*transport, error) {
	t := &transport{cable: c, mistake: mistake, packetCh: make(chan *memberlist.Packet), streamCh: make(chan net.Conn), done: make(chan struct{})}
	var err error
	if t.packets, err = sim.ListenPacket("udp", ":"+port); err != nil {
		return nil, err
	}
	if t.listener, err = sim.Listen("tcp", ":"+port); err != nil {
		return nil, err
	}
	t.listening.Go(t.listenPackets)
	t.listening.Go(t.listenStreams)
	return t, nil
}

// FinalAdvertiseAddr implements memberlist.Transport: the name of a node's host is its address.
func (t *transport) FinalAdvertiseAddr(string, int) (net.IP, int, error) {
	return net.ParseIP(sim.Host()).To4(), 7946, nil
}

// WriteTo implements memberlist.Transport.
func (t *transport) WriteTo(b []byte, to string) (time.Time, error) {
	a, err := netip.ParseAddrPort(to)
	if err != nil {
		return time.Time{}, err
	}
	if !t.pulled.Load() {
		_, err = t.packets.WriteTo(b, net.UDPAddrFromAddrPort(a))
	}
	return time.Now(), err
}

// PacketCh implements memberlist.Transport.
func (t *transport) PacketCh() <-chan *memberlist.Packet { return t.packetCh }

func (t *transport) listenPackets() {
	for {
		b := make([]byte, 2048) // UDPBufferSize is 1400
		n, from, err := t.packets.ReadFrom(b)
		if err != nil {
			return
		}
		if t.pulled.Load() || t.mistake == "deaf" {
			continue
		}
		select {
		case t.packetCh <- &memberlist.Packet{Buf: b[:n], From: from, Timestamp: time.Now()}:
		case <-t.done:
			return
		}
	}
}

// DialTimeout implements memberlist.Transport.
func (t *transport) DialTimeout(to string, timeout time.Duration) (net.Conn, error) {
	if t.pulled.Load() {
		time.Sleep(timeout)
		return nil, &net.OpError{Op: "dial", Net: "tcp", Err: os.ErrDeadlineExceeded}
	}
	return sim.DialTimeout("tcp", to, timeout)
}

// StreamCh implements memberlist.Transport.
func (t *transport) StreamCh() <-chan net.Conn { return t.streamCh }

func (t *transport) listenStreams() {
	for {
		c, err := t.listener.Accept()
		if err != nil {
			return
		}
		if t.pulled.Load() || t.mistake == "one-stream" && t.taken.Swap(true) {
			continue // the node does not learn of the stream, and neither does the node that opened it
		}
		select {
		case t.streamCh <- c:
		case <-t.done:
			return
		}
	}
}

// Shutdown implements memberlist.Transport.
func (t *transport) Shutdown() error {
	close(t.done)
	_ = t.packets.Close()
	_ = t.listener.Close()
	t.listening.Wait()
	return nil
}
