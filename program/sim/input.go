//go:build wasip1 || contend_native

package sim

import (
	"unsafe"

	"contend/program/wire"
)

func output(kind uint32, b []byte) {
	hostOutput(kind, unsafe.Pointer(unsafe.SliceData(b)), uint32(len(b)))
}

var room = make([]byte, 1<<16)

// inputs takes what the host has for the program.
func inputs() {
	for {
		n := int(hostInput(unsafe.Pointer(unsafe.SliceData(room)), uint32(len(room))))
		if n < 0 {
			return
		}
		if n > len(room) {
			room = make([]byte, 2*n)
			continue
		}
		take(append([]byte(nil), room[:n]...))
	}
}

// take hands an input to whom it is for. It never waits.
func take(b []byte) {
	switch b[0] {
	case wire.Called:
		calls.put(string(b[1:]))
	case wire.Received:
		m, err := wire.Decode(b[1:])
		if err != nil {
			panic(err)
		}
		receive(m)
	case wire.Cut, wire.HalfOpen:
		cut(int(b[1]), b[0] == wire.Cut)
	case wire.Refuse:
		stack.refusals++
	case wire.Terminate:
		terminate()
	case wire.Where:
		stacks()
	}
}
