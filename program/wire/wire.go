// Package wire has the messages between a program and its host: inputs from the host, and outputs from the
// program. Both sides import it.
package wire

import (
	"encoding/binary"
	"errors"
)

// The kinds of outputs.
const (
	Sent     uint32 = iota // a [Message]
	Returned               // the result of the call that runs
	Noted                  // a label
	Viewed                 // what the author calls the program's state
	Stacks                 // where the goroutines are, as runtime.Stack has it
	Ignored                // says that the program ignores the SIGTERM that it was sent
)

// The first byte of an input.
const (
	Called    byte = iota // a call of the application, which is the rest
	Received              // a [Message], which is the rest
	Cut                   // the connection with the number that is the next byte breaks on both sides
	HalfOpen              // it breaks on this side
	Refuse                // the next connection that is opened to the program is refused
	Looked                // nothing has come, but what the program sees may have changed
	Where                 // the program is asked for [Stacks]
	Terminate             // a SIGTERM
)

// A Kind is the kind of a message.
type Kind byte

// The kinds of messages.
const (
	Packet Kind = iota // a datagram
	Open               // opens a connection to a port
	Opened             // says that the other side listens
	Data               // bytes of a connection
	Close              // says that no more bytes come
	Reset              // says that there is no such connection, or no listener
	Abort              // says that the sender has closed the connection and not read all bytes
	Window             // says how many bytes the application has read
	Probe              // asks for a Window
)

// A Message travels between programs. A connection has a number that its opener gave it, and the bytes of each direction come in order:
// Seq counts the messages of a direction from 0.
type Message struct {
	Host string // whom it goes to, or from whom it comes
	Kind Kind
	Conn uint64
	Mine bool   // the sender opened the connection
	Seq  uint32 // of Data, Close and Abort; of Window the number of bytes, modulo 2³²
	From uint16 // the port of the sender, of Packet and Open
	To   uint16 // the port of the receiver
	Data []byte
}

// Append appends the message in its encoding.
func (m Message) Append(b []byte) []byte {
	b = append(b, byte(len(m.Host)))
	b = append(b, m.Host...)
	mine := byte(0)
	if m.Mine {
		mine = 1
	}
	b = append(b, byte(m.Kind), mine)
	b = binary.LittleEndian.AppendUint64(b, m.Conn)
	b = binary.LittleEndian.AppendUint32(b, m.Seq)
	b = binary.LittleEndian.AppendUint16(b, m.From)
	b = binary.LittleEndian.AppendUint16(b, m.To)
	return append(b, m.Data...)
}

var errShort = errors.New("wire: a message ends early")

// Decode reads a message. Its Data are part of b.
func Decode(b []byte) (m Message, err error) {
	if len(b) < 1 || len(b) < 1+int(b[0])+18 {
		return m, errShort
	}
	m.Host, b = string(b[1:1+b[0]]), b[1+b[0]:]
	m.Kind, m.Mine = Kind(b[0]), b[1] == 1
	m.Conn, m.Seq = binary.LittleEndian.Uint64(b[2:]), binary.LittleEndian.Uint32(b[10:])
	m.From, m.To = binary.LittleEndian.Uint16(b[14:]), binary.LittleEndian.Uint16(b[16:])
	m.Data = b[18:]
	return m, nil
}
