package program

import (
	"fmt"
	"strconv"

	"contend/model"
	"contend/model/program/wire"
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
)

// An Exited is noted when a program ends by itself.
type Exited struct{ Code int }

// Types lists what a system with programs has in its Types.
func Types() []any {
	return []any{Packet{}, Open{}, Opened{}, Data{}, Close{}, Reset{}, Exited{}, Timer{}, mark(0), Strike{}, Cut{}, HalfOpen{}, Refuse{}, Jump{}, Full{}, Room{}}
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
	default:
		model.Misused("a program is sent a %T, but takes only the messages of contend/model/program", message)
	}
	return w
}
