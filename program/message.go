package program

import (
	"fmt"
	"regexp"
	"strconv"

	"contend/model"
	"contend/program/wire"
)

// Bytes are what travels, for people in quotes and cut short.
type Bytes string

func (b Bytes) String() string {
	const most = 48
	if len(b) <= most {
		return strconv.Quote(string(b))
	}
	return fmt.Sprintf("%s… (%d bytes)", strconv.Quote(string(b[:most])), len(b))
}

// A Conn is a connection between two nodes: the number that its opener gave it, and whether the sender of the message is the opener.
type Conn struct {
	Number uint64
	Mine   bool
}

func (c Conn) String() string {
	who := "its"
	if c.Mine {
		who = "my"
	}
	return fmt.Sprintf("%s %d.%d", who, c.Number>>32, c.Number&(1<<32-1))
}

// The messages that travel between programs.
type (
	// A Packet is a datagram.
	Packet struct {
		From, To uint16 // ports
		Data     Bytes
	}
	// An Open opens a connection to a port.
	Open struct {
		Conn     Conn
		From, To uint16
	}
	// An Opened says that somebody listens.
	Opened struct{ Conn Conn }
	// A Data has bytes of a connection, those after the Data whose number is one less.
	Data struct {
		Conn Conn
		Seq  uint32
		Data Bytes
	}
	// A Close says that no more bytes come.
	Close struct {
		Conn Conn
		Seq  uint32
	}
	// A Reset says that there is no such connection, or that nobody listens.
	Reset struct{ Conn Conn }
	// An Abort says that the sender has closed the connection and not read all bytes. The connection breaks.
	Abort struct {
		Conn Conn
		Seq  uint32
	}
	// A Window reports the number of bytes, modulo 2³², that the application of the sender has read.
	Window struct {
		Conn Conn
		Read uint32
	}
	// A Probe asks for a Window, while a write waits for one.
	Probe struct{ Conn Conn }
)

// What people see of a message begins with what it does, since little of it fits on an arrow.

func (p Packet) String() string { return fmt.Sprintf("%s to port %d", p.Data, p.To) }
func (o Open) String() string   { return fmt.Sprintf("Open port %d (%v)", o.To, o.Conn) }
func (o Opened) String() string { return fmt.Sprintf("Opened (%v)", o.Conn) }
func (c Close) String() string  { return fmt.Sprintf("Close (%v)", c.Conn) }
func (r Reset) String() string  { return fmt.Sprintf("Reset (%v)", r.Conn) }
func (a Abort) String() string  { return fmt.Sprintf("Abort (%v)", a.Conn) }
func (w Window) String() string { return fmt.Sprintf("%d bytes read (%v)", w.Read, w.Conn) }
func (p Probe) String() string  { return fmt.Sprintf("Probe (%v)", p.Conn) }

// The first lines of a request and of a response of HTTP.
var (
	request  = regexp.MustCompile(`^([A-Z]+ [^ \r\n]+) HTTP/1\.[01]\r\n`)
	response = regexp.MustCompile(`^HTTP/1\.[01] (\d{3}[^\r\n]*)\r\n`)
)

// String returns the method and the path of the beginning of an HTTP request, the status of the beginning of a response, and otherwise the
// bytes; behind them the connection, and after the first Data of a connection its Seq.
func (d Data) String() string {
	what := d.Data.String()
	for _, line := range []*regexp.Regexp{request, response} {
		if found := line.FindStringSubmatch(string(d.Data)); found != nil {
			what = model.Printable(found[1])
		}
	}
	if d.Seq == 0 {
		return fmt.Sprintf("%s (%v)", what, d.Conn)
	}
	return fmt.Sprintf("%s (%v #%d)", what, d.Conn, d.Seq)
}

// An Exited is noted when a program ends by itself, which [Config.Exits] allows.
type Exited struct{ Code int }

// A Terminated is noted when a program ends that was sent a SIGTERM.
type Terminated struct{ Code int }

// Types lists what a system with programs has in its Types.
func Types() []any {
	return []any{Packet{}, Open{}, Opened{}, Data{}, Close{}, Reset{}, Abort{}, Window{}, Probe{}, Exited{}, Timer{}, mark(0), Strike{}, Cut{}, HalfOpen{}, Refuse{}, Jump{}, Full{}, Room{},
		SyncFails{}, Terminate{}, Terminated{}, Again{}, model.NoResult{}}
}

// plain is the message of the model for one of a program.
func plain(m wire.Message) any {
	c := Conn{m.Conn, m.Mine}
	switch m.Kind {
	case wire.Packet:
		return Packet{m.From, m.To, Bytes(m.Data)}
	case wire.Open:
		return Open{c, m.From, m.To}
	case wire.Opened:
		return Opened{c}
	case wire.Data:
		return Data{c, m.Seq, Bytes(m.Data)}
	case wire.Close:
		return Close{c, m.Seq}
	case wire.Abort:
		return Abort{c, m.Seq}
	case wire.Window:
		return Window{c, m.Seq}
	case wire.Probe:
		return Probe{c}
	}
	return Reset{c}
}

// wired is the message of a program for one of the model.
func wired(host string, message any) wire.Message {
	w := wire.Message{Host: host}
	of := func(kind wire.Kind, c Conn) { w.Kind, w.Conn, w.Mine = kind, c.Number, c.Mine }
	switch m := message.(type) {
	case Packet:
		w.Kind, w.From, w.To, w.Data = wire.Packet, m.From, m.To, []byte(m.Data)
	case Open:
		of(wire.Open, m.Conn)
		w.From, w.To = m.From, m.To
	case Opened:
		of(wire.Opened, m.Conn)
	case Data:
		of(wire.Data, m.Conn)
		w.Seq, w.Data = m.Seq, []byte(m.Data)
	case Close:
		of(wire.Close, m.Conn)
		w.Seq = m.Seq
	case Reset:
		of(wire.Reset, m.Conn)
	case Abort:
		of(wire.Abort, m.Conn)
		w.Seq = m.Seq
	case Window:
		of(wire.Window, m.Conn)
		w.Seq = m.Read
	case Probe:
		of(wire.Probe, m.Conn)
	default:
		model.Misused("a program is sent a %T, but takes only the messages of contend/program", message)
	}
	return w
}
