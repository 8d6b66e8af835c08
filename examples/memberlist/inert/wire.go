package inert

import (
	"bytes"
	"net"
	"strconv"
	"time"

	"github.com/hashicorp/memberlist"
)

// A wire is the transport of a list: it stores sent messages until they are removed.
type wire struct {
	port    int
	packets []packet
	stream  *stream // the stream that the next dial returns
}

type packet struct {
	to   string
	text []byte
}

func (w *wire) FinalAdvertiseAddr(string, int) (net.IP, int, error) {
	return net.IPv4(127, 0, 0, 1), w.port, nil
}

func (w *wire) WriteTo(b []byte, addr string) (time.Time, error) {
	return w.WriteToAddress(b, memberlist.Address{Addr: addr})
}

func (w *wire) WriteToAddress(b []byte, a memberlist.Address) (time.Time, error) {
	w.packets = append(w.packets, packet{to: a.Addr, text: bytes.Clone(b)})
	return time.Time{}, nil
}

func (w *wire) DialTimeout(string, time.Duration) (net.Conn, error) { return w.stream, nil }

func (w *wire) DialAddressTimeout(memberlist.Address, time.Duration) (net.Conn, error) {
	return w.stream, nil
}

func (w *wire) PacketCh() <-chan *memberlist.Packet { return nil }
func (w *wire) StreamCh() <-chan net.Conn           { return nil }
func (w *wire) Shutdown() error                     { return nil }

func (w *wire) IngestPacket(net.Conn, net.Addr, time.Time, bool) error { return nil }
func (w *wire) IngestStream(net.Conn) error                            { return nil }

// A stream is a connection: the bytes to be read, and the bytes written.
type stream struct {
	in  bytes.Reader
	out bytes.Buffer
}

func newStream(in []byte) *stream {
	s := &stream{}
	s.in.Reset(in)
	return s
}

func (s *stream) Read(b []byte) (int, error)     { return s.in.Read(b) }
func (s *stream) Write(b []byte) (int, error)    { return s.out.Write(b) }
func (*stream) Close() error                     { return nil }
func (*stream) LocalAddr() net.Addr              { return &net.TCPAddr{} }
func (*stream) RemoteAddr() net.Addr             { return &net.TCPAddr{} }
func (*stream) SetDeadline(time.Time) error      { return nil }
func (*stream) SetReadDeadline(time.Time) error  { return nil }
func (*stream) SetWriteDeadline(time.Time) error { return nil }

// address returns the address of the node at a port.
func address(name string, port int) memberlist.Address {
	return memberlist.Address{Name: name, Addr: net.JoinHostPort("127.0.0.1", strconv.Itoa(port))}
}
